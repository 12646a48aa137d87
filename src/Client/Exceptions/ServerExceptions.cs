namespace Jackdaw.Client.Exceptions;

/// <summary>A document was changed by somebody else: it does not have the version that the write demands.</summary>
public class ConcurrencyException(string message, Exception? inner = null) : DocumentDatabaseException(message, inner)
{
    /// <summary>Of the document.</summary>
    public string? Id { get; init; }

    /// <summary>Version that the write demands; empty: no document.</summary>
    public string? ExpectedChangeVector { get; init; }

    /// <summary>Version of the stored document; empty: there is none.</summary>
    public string? ActualChangeVector { get; init; }
}

/// <summary>A cluster-wide transaction met values or guards that others have changed.</summary>
public sealed class ClusterTransactionConcurrencyException(string message) : ConcurrencyException(message)
{
    /// <summary>What was not as demanded.</summary>
    public IReadOnlyList<ConcurrencyViolation> Violations { get; init; } = [];
}

/// <summary>A document has versions that were written at different servers without knowing of each other.</summary>
public sealed class DocumentConflictException(string message) : ConcurrencyException(message)
{
    /// <summary>Etag of the newest of them.</summary>
    public long LargestEtag { get; init; }
}

/// <summary>One value or document that a cluster-wide transaction has not found as demanded.</summary>
/// <param name="Id">Of the document, or key of the value.</param>
/// <param name="Type"><c>Document</c> or <c>CompareExchange</c>.</param>
/// <param name="Expected">Index that was demanded; 0: none.</param>
/// <param name="Actual">Index that was found; 0: none.</param>
public sealed record ConcurrencyViolation(string Id, string Type, long Expected, long Actual);

/// <summary>Two different objects of a session claim the same id.</summary>
public sealed class NonUniqueObjectException(string message) : DocumentDatabaseException(message);

/// <summary>The database does not exist.</summary>
public sealed class DatabaseDoesNotExistException(string message) : DocumentDatabaseException(message);

/// <summary>The database is switched off.</summary>
public sealed class DatabaseDisabledException(string message) : DocumentDatabaseException(message);

/// <summary>The database is being opened, and was not open in time.</summary>
public sealed class DatabaseLoadTimeoutException(string message) : DocumentDatabaseException(message)
{
    /// <inheritdoc/>
    public override bool IsTransient => true;
}

/// <summary>The database is at other servers than the one that was asked.</summary>
public sealed class DatabaseNotRelevantException(string message) : DocumentDatabaseException(message);

/// <summary>The server does not belong to a cluster now, and does nothing for databases.</summary>
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

/// <summary>The server does not allow it.</summary>
public sealed class AuthorizationException(string message) : DocumentDatabaseException(message);

/// <summary>The request is not as the server expects it.</summary>
public class BadRequestException(string message) : DocumentDatabaseException(message);

/// <summary>The server knows no such address: it is older than this client, or no server of this kind.</summary>
public sealed class RouteNotFoundException(string message) : BadRequestException(message);

/// <summary>What came from the server is no answer to the request.</summary>
public sealed class BadResponseException(string message, Exception? inner = null) : DocumentDatabaseException(message, inner);

/// <summary>The bulk insert has ended before everything was stored.</summary>
public sealed class BulkInsertAbortedException(string message, Exception? inner = null) : DocumentDatabaseException(message, inner);

/// <summary>No answer came in time. A write may have been done, or not.</summary>
public sealed class RequestTimeoutException(string message, Exception? inner = null) : DocumentDatabaseException(message, inner)
{
    /// <summary>Another server would not do better.</summary>
    public bool FailImmediately { get; init; }

    /// <inheritdoc/>
    public override bool IsTransient => true;
}

/// <summary>No server of the list can be reached.</summary>
public sealed class AllTopologyNodesDownException(string message, Exception inner) : DocumentDatabaseException(message, inner)
{
    /// <summary>What happened at each address.</summary>
    public IReadOnlyDictionary<string, Exception> Causes { get; init; } = new Dictionary<string, Exception>();

    /// <inheritdoc/>
    public override bool IsTransient => true;
}

/// <summary>A session has sent as many requests as it may: usually a loop that loads one document at a time.</summary>
public sealed class TooManyRequestsInSessionException(string message) : DocumentDatabaseException(message);

/// <summary>A session is used by two calls at the same time. A session belongs to one flow of work: open one for each.</summary>
public sealed class ConcurrentSessionUseException(string message) : DocumentDatabaseException(message);
