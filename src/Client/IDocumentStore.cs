using Jackdaw.Client.BulkInserts;
using Jackdaw.Client.Changes;
using Jackdaw.Client.Conventions;
using Jackdaw.Client.Operations;
using Jackdaw.Client.Sessions;
using Jackdaw.Client.Sessions.Events;

namespace Jackdaw.Client;

/// <summary>The databases of one server or cluster. A program needs only one store, because it holds connections and caches. It is safe for
/// concurrent use.</summary>
public interface IDocumentStore : ISessionEvents, IDisposable, IAsyncDisposable
{
    /// <summary>Addresses of servers, without a path.</summary>
    IReadOnlyList<string> Urls { get; }

    /// <summary>The database of sessions that name none.</summary>
    string? Database { get; }

    /// <summary>How types become documents. Change them before <see cref="Initialize"/>.</summary>
    DocumentConventions Conventions { get; }

    /// <summary>Makes the store ready. Conventions can no longer be changed. It sends nothing, and a second call does nothing.</summary>
    IDocumentStore Initialize();

    /// <summary>Raised when a session was opened; the sender is the store.</summary>
    event EventHandler<SessionCreatedEventArgs>? OnSessionCreated;

    /// <summary>Raised when a session is disposed, for sessions that were opened after the handler was added.</summary>
    event EventHandler<SessionDisposingEventArgs>? OnSessionDisposing;

    /// <summary>Sends operations to a database, and to the server.</summary>
    MaintenanceOperationExecutor Maintenance { get; }

    /// <summary>Sends operations on documents: patches, changes of all results of a query, counters, attachments.</summary>
    DocumentOperationExecutor Operations { get; }

    /// <summary>Begins to store a large number of documents by one request.</summary>
    /// <param name="database">Null: that of the store.</param>
    BulkInsertOperation BulkInsert(string? database = null);

    /// <summary>The changes of a database, which the server reports.</summary>
    /// <param name="database">Null: that of the store.</param>
    IDatabaseChanges Changes(string? database = null);

    /// <summary>From here until the result is disposed, reads of this flow of control are answered from memory as long as the server reports no
    /// change that concerns them: see <see cref="DocumentConventions.AggressiveCache"/>.</summary>
    /// <remarks>Until the server's notices arrive, reads ask the server whether their answers are still valid. The asynchronous form waits for the
    /// notices.</remarks>
    /// <param name="database">Null: that of the store.</param>
    IDisposable AggressivelyCache(string? database = null);

    /// <summary>Like <see cref="AggressivelyCache"/>, with another duration and mode.</summary>
    /// <param name="duration">How long an answer is used without a request after it was verified, at least a second. Zero for never.</param>
    /// <param name="mode">Null: that of the conventions.</param>
    /// <param name="database">Null: that of the store.</param>
    IDisposable AggressivelyCacheFor(TimeSpan duration, AggressiveCacheMode? mode = null, string? database = null);

    /// <summary>Like <see cref="AggressivelyCache"/>, but completes when the server's notices arrive, or after 15 seconds without them.</summary>
    ValueTask<IDisposable> AggressivelyCacheAsync(string? database = null, CancellationToken token = default);

    /// <summary>Like <see cref="AggressivelyCacheFor"/>, but completes when the server's notices arrive, or after 15 seconds without
    /// them.</summary>
    ValueTask<IDisposable> AggressivelyCacheForAsync(
        TimeSpan duration, AggressiveCacheMode? mode = null, string? database = null, CancellationToken token = default);

    /// <summary>From here until the result is disposed, each read of this flow of control asks the server.</summary>
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
