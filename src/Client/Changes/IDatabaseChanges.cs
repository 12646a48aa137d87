namespace Jackdaw.Client.Changes;

/// <summary>The changes of a database, which the server reports over one connection that all subscriptions share.</summary>
/// <remarks>
/// Safe for concurrent use. Handlers and events run one after the other in the order of the notices, apart from the connection: a slow one delays
/// the
/// others. Nothing is reported twice, and nothing is stored for a client that is away. Whenever changes may be missing (after a lost connection, or
/// when a handler is too slow), <see cref="ConnectionStatusChanged"/> is raised with <see cref="Connected"/> false and then true. A program that
/// shows documents must then read them again.
/// </remarks>
public interface IDatabaseChanges : IDisposable, IAsyncDisposable
{
    /// <summary>Whether the server has confirmed everything that is watched. Within <see cref="ConnectionStatusChanged"/> it is the state that this
    /// event reports.</summary>
    bool Connected { get; }

    /// <summary>Raised when <see cref="Connected"/> has changed. It is also raised with false and then true when changes were left out although the
    /// connection was not lost.</summary>
    event EventHandler? ConnectionStatusChanged;

    /// <summary>Raised when an attempt to connect failed, the connection was lost, or a handler threw. The client goes on.</summary>
    event Action<Exception>? OnError;

    /// <summary>Completes when <see cref="Connected"/> is true. Do not wait for it within a handler.</summary>
    /// <exception cref="Exceptions.DocumentDatabaseException">The next attempt to connect failed. The client goes on trying.</exception>
    Task<IDatabaseChanges> EnsureConnectedNow();

    /// <summary>Changes of one document.</summary>
    IChangesObservable<DocumentChange> ForDocument(string id);

    /// <summary>Changes of all documents.</summary>
    IChangesObservable<DocumentChange> ForAllDocuments();

    /// <summary>Changes of documents whose id begins with this text.</summary>
    IChangesObservable<DocumentChange> ForDocumentsStartingWith(string prefix);

    /// <summary>Changes of documents of a collection. A document that leaves the collection is reported as deleted.</summary>
    IChangesObservable<DocumentChange> ForDocumentsInCollection(string name);

    /// <summary>As <see cref="ForDocumentsInCollection(string)"/>, with the collection of a type.</summary>
    IChangesObservable<DocumentChange> ForDocumentsInCollection<TEntity>();

    /// <summary>Changes of one index.</summary>
    IChangesObservable<IndexChange> ForIndex(string name);

    /// <summary>Changes of all indexes.</summary>
    IChangesObservable<IndexChange> ForAllIndexes();

    /// <summary>Progress and end of one operation.</summary>
    IChangesObservable<OperationStatusChange> ForOperationId(long id);

    /// <summary>Progress and ends of all operations.</summary>
    IChangesObservable<OperationStatusChange> ForAllOperations();

    /// <summary>Changes of all counters.</summary>
    IChangesObservable<CounterChange> ForAllCounters();

    /// <summary>Changes of counters with this name, of all documents.</summary>
    IChangesObservable<CounterChange> ForCounter(string name);

    /// <summary>Changes of all counters of a document.</summary>
    IChangesObservable<CounterChange> ForCountersOfDocument(string id);

    /// <summary>Changes of one counter of a document.</summary>
    IChangesObservable<CounterChange> ForCounterOfDocument(string id, string name);

    /// <summary>Changes as they come. Where some may be missing, there is a <see cref="ChangesGap"/>: a loop that loads again at each gap misses
    /// nothing.</summary>
    /// <remarks>The first item is a gap with the reason <see cref="ChangesGapReason.Started"/>. Lost connections do not end the loop, but disposal
    /// does.</remarks>
    /// <param name="filter">Which changes.</param>
    /// <param name="buffer">Number of changes that can wait, at least 1. Further changes become one gap with the reason <see cref="ChangesGapReason.Overflow"/>.</param>
    /// <param name="token">Ends the loop with <see cref="OperationCanceledException"/>.</param>
    IAsyncEnumerable<ChangeItem> ReadAllAsync(ChangesFilter filter, int buffer = 1024, CancellationToken token = default);
}
