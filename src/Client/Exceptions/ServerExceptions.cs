namespace Jackdaw.Client.Exceptions;

/// <summary>Somebody else has changed a document: it does not have the version that the write expects.</summary>
public class ConcurrencyException(string message, Exception? inner = null) : DocumentDatabaseException(message, inner)
{
    /// <summary>Id of the document.</summary>
    public string? Id { get; init; }

    /// <summary>Version that the write expects; empty if it expects no document.</summary>
    public string? ExpectedChangeVector { get; init; }

    /// <summary>Version of the stored document; empty if there is none.</summary>
    public string? ActualChangeVector { get; init; }
}

/// <summary>A cluster-wide transaction found values or guards that others have changed.</summary>
public sealed class ClusterTransactionConcurrencyException(string message) : ConcurrencyException(message)
{
    /// <summary>The values and documents that were not as expected.</summary>
    public IReadOnlyList<ConcurrencyViolation> Violations { get; init; } = [];
}

/// <summary>A document has versions that different servers have written without knowing of each other.</summary>
public sealed class DocumentConflictException(string message) : ConcurrencyException(message)
{
    /// <summary>Etag of the newest of them.</summary>
    public long LargestEtag { get; init; }
}

/// <summary>One value or document that a cluster-wide transaction did not find as expected.</summary>
/// <param name="Id">Id of the document, or key of the value.</param>
/// <param name="Type"><c>Document</c> or <c>CompareExchange</c>.</param>
/// <param name="Expected">Index that was expected; 0 for none.</param>
/// <param name="Actual">Index that was found; 0 for none.</param>
public sealed record ConcurrencyViolation(string Id, string Type, long Expected, long Actual);

/// <summary>Two different objects of a session claim the same id.</summary>
public sealed class NonUniqueObjectException(string message) : DocumentDatabaseException(message);

/// <summary>A database cannot be created, because there is one of its name.</summary>
public sealed class DatabaseExistsException(string message) : ConcurrencyException(message);

/// <summary>A query waited for its index in vain: it had not read everything that was written when the time was over. The conventions ask for an error
/// then, see <see cref="Conventions.StaleQueryMode.WaitOrThrow"/>.</summary>
public sealed class StaleResultsException(string message) : DocumentDatabaseException(message)
{
    /// <inheritdoc/>
    public override bool IsTransient => true;
}

/// <summary>The database does not exist.</summary>
public sealed class DatabaseDoesNotExistException(string message) : DocumentDatabaseException(message);

/// <summary>The database is switched off.</summary>
public sealed class DatabaseDisabledException(string message) : DocumentDatabaseException(message);

/// <summary>The database is being opened, which took too long for this request.</summary>
public sealed class DatabaseLoadTimeoutException(string message) : DocumentDatabaseException(message)
{
    /// <inheritdoc/>
    public override bool IsTransient => true;
}

/// <summary>The database is on other servers, not on the one that was asked.</summary>
public sealed class DatabaseNotRelevantException(string message) : DocumentDatabaseException(message);

/// <summary>The server does not belong to a cluster at present, and does not serve databases.</summary>
public sealed class NodeIsPassiveException(string message) : DocumentDatabaseException(message)
{
    /// <inheritdoc/>
    public override bool IsTransient => true;
}

/// <summary>The server does not work with clients of this version.</summary>
public sealed class ClientVersionMismatchException(string message) : DocumentDatabaseException(message);

/// <summary>The licence of the server does not allow it.</summary>
public sealed class LicenseLimitException(string message) : DocumentDatabaseException(message);

/// <summary>There is no document of this id.</summary>
public sealed class DocumentDoesNotExistException(string message) : DocumentDatabaseException(message);

/// <summary>There is no index of this name.</summary>
public sealed class IndexDoesNotExistException(string message) : DocumentDatabaseException(message);

/// <summary>The definition of an index does not compile.</summary>
public sealed class IndexCompilationException(string message) : DocumentDatabaseException(message)
{
    /// <summary>Part of the definition: the map or the reduce.</summary>
    public string? IndexDefinitionProperty { get; init; }

    /// <summary>The text that does not compile.</summary>
    public string? ProblematicText { get; init; }
}

/// <summary>An index cannot be created.</summary>
public sealed class IndexCreationException(string message) : DocumentDatabaseException(message);

/// <summary>An index cannot answer: it has failed too often, or its definition is not valid.</summary>
public sealed class IndexInvalidException(string message) : DocumentDatabaseException(message);

/// <summary>A query is not valid.</summary>
public sealed class InvalidQueryException(string message) : DocumentDatabaseException(message);

/// <summary>A script has failed, or exceeded a limit.</summary>
public sealed class JavaScriptException(string message) : DocumentDatabaseException(message);

/// <summary>There is no attachment of this name.</summary>
public sealed class AttachmentDoesNotExistException(string message) : DocumentDatabaseException(message);

/// <summary>A counter would leave the range of 64-bit numbers.</summary>
public sealed class CounterOverflowException(string message) : DocumentDatabaseException(message);

/// <summary>A file with certificates cannot be read, or does not have what a store needs of it.</summary>
public sealed class CertificateFileException(string message, Exception? inner = null) : DocumentDatabaseException(message, inner);

/// <summary>The server does not allow it. The message has the server's reason and, over https, the client certificate that was sent.</summary>
public sealed class AuthorizationException(string message) : DocumentDatabaseException(message);

/// <summary>The request does not have the form that the server expects.</summary>
public class BadRequestException(string message) : DocumentDatabaseException(message);

/// <summary>The server does not know the address of the request: it is older than this client, or is not a server of this kind.</summary>
public sealed class RouteNotFoundException(string message) : BadRequestException(message);

/// <summary>What the server sent is not an answer to the request.</summary>
public sealed class BadResponseException(string message, Exception? inner = null) : DocumentDatabaseException(message, inner);

/// <summary>The bulk insert has ended before everything was stored.</summary>
public sealed class BulkInsertAbortedException(string message, Exception? inner = null) : DocumentDatabaseException(message, inner);

/// <summary>No answer came in time. A write may have been done or not.</summary>
public sealed class RequestTimeoutException(string message, Exception? inner = null) : DocumentDatabaseException(message, inner)
{
    /// <summary>False, because another server would not do better.</summary>
    public bool FailImmediately { get; init; }

    /// <inheritdoc/>
    public override bool IsTransient => true;
}

/// <summary>None of the servers can be reached.</summary>
public sealed class AllTopologyNodesDownException(string message, Exception inner) : DocumentDatabaseException(message, inner)
{
    /// <summary>What happened at each address.</summary>
    public IReadOnlyDictionary<string, Exception> Causes { get; init; } = new Dictionary<string, Exception>();

    /// <summary>Whether the same request may succeed when it is sent again. It cannot if each certificate of a server was refused.</summary>
    public override bool IsTransient => !AreUntrusted;

    /// <summary>Whether all servers were reached, and refused because of their certificates.</summary>
    internal bool AreUntrusted { get; init; }
}

/// <summary>A session has sent as many requests as it may. The usual cause is a loop that loads one document at a time.</summary>
public sealed class TooManyRequestsInSessionException(string message) : DocumentDatabaseException(message);

/// <summary>Two calls use a session at the same time. A session belongs to one flow of work: open a session for each.</summary>
public sealed class ConcurrentSessionUseException(string message) : DocumentDatabaseException(message);
