using Jackdaw.Client.BulkInserts;
using Jackdaw.Client.Changes;
using Jackdaw.Client.Conventions;
using Jackdaw.Client.Operations;
using Jackdaw.Client.Sessions;
using Jackdaw.Client.Sessions.Events;

namespace Jackdaw.Client;

/// <summary>The databases of one server or cluster. One for the whole program: it holds connections and caches. Safe for concurrent use.</summary>
public interface IDocumentStore : ISessionEvents, IDisposable, IAsyncDisposable
{
    /// <summary>Addresses of servers, without a path.</summary>
    IReadOnlyList<string> Urls { get; }

    /// <summary>The database of sessions that name none.</summary>
    string? Database { get; }

    /// <summary>How types become documents. Changed before <see cref="Initialize"/>.</summary>
    DocumentConventions Conventions { get; }

    /// <summary>Makes the store ready; conventions cannot be changed any more. Sends nothing. A second call does nothing.</summary>
    IDocumentStore Initialize();

    /// <summary>Raised when a session was opened; the sender is the store.</summary>
    event EventHandler<SessionCreatedEventArgs>? OnSessionCreated;

    /// <summary>Raised when a session is disposed that was opened after this was asked for.</summary>
    event EventHandler<SessionDisposingEventArgs>? OnSessionDisposing;

    /// <summary>Sends operations to a database, and to the server.</summary>
    MaintenanceOperationExecutor Maintenance { get; }

    /// <summary>Sends operations on documents: patches, changes of all results of a query, counters, attachments.</summary>
    DocumentOperationExecutor Operations { get; }

    /// <summary>Begins to store very many documents by one request.</summary>
    /// <param name="database">Null: that of the store.</param>
    BulkInsertOperation BulkInsert(string? database = null);

    /// <summary>What changes in a database, told by the server.</summary>
    /// <param name="database">Null: that of the store.</param>
    IDatabaseChanges Changes(string? database = null);

    /// <summary>From here to the end of the result, reads of this flow of control are answered from memory as long as the server says of no change that
    /// concerns them: see <see cref="DocumentConventions.AggressiveCache"/>.</summary>
    /// <remarks>Until the server's notices arrive, reads ask it whether their answers are still so: the asynchronous form waits for them.</remarks>
    /// <param name="database">Null: that of the store.</param>
    IDisposable AggressivelyCache(string? database = null);

    /// <summary>As <see cref="AggressivelyCache"/>, with another duration and mode.</summary>
    /// <param name="duration">How long after it was verified an answer is given without a request, at least a second. Zero: never.</param>
    /// <param name="mode">Null: that of the conventions.</param>
    /// <param name="database">Null: that of the store.</param>
    IDisposable AggressivelyCacheFor(TimeSpan duration, AggressiveCacheMode? mode = null, string? database = null);

    /// <summary>As <see cref="AggressivelyCache"/>, and completes when the server's notices arrive; after 15 seconds also without them.</summary>
    ValueTask<IDisposable> AggressivelyCacheAsync(string? database = null, CancellationToken token = default);

    /// <summary>As <see cref="AggressivelyCacheFor"/>, and completes when the server's notices arrive; after 15 seconds also without them.</summary>
    ValueTask<IDisposable> AggressivelyCacheForAsync(
        TimeSpan duration, AggressiveCacheMode? mode = null, string? database = null, CancellationToken token = default);

    /// <summary>From here to the end of the result, each read of this flow of control asks the server.</summary>
    IDisposable DisableAggressiveCaching(string? database = null);

    /// <summary>Opens a session.</summary>
    IAsyncDocumentSession OpenAsyncSession();

    /// <summary>Opens a session of another database.</summary>
    IAsyncDocumentSession OpenAsyncSession(string database);

    /// <summary>Opens a session with options.</summary>
    IAsyncDocumentSession OpenAsyncSession(SessionOptions options);

    /// <summary>Opens a session whose calls block.</summary>
    IDocumentSession OpenSession();

    /// <summary>Opens a session of another database whose calls block.</summary>
    IDocumentSession OpenSession(string database);

    /// <summary>Opens a session with options whose calls block.</summary>
    IDocumentSession OpenSession(SessionOptions options);
}
