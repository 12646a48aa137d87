namespace Jackdaw.Client.Changes;

/// <summary>What changes in a database, told by the server over one connection that all subscriptions share.</summary>
/// <remarks>
/// Safe for concurrent use. Handlers and events run one after the other in the order of the notices, apart from the connection: a slow one delays the
/// others. Nothing is told twice and nothing is kept for a client that is away: whenever changes may be missing (a lost connection, a handler that is too
/// slow), <see cref="ConnectionStatusChanged"/> comes with <see cref="Connected"/> false and then true, and whoever shows documents reads them again.
/// </remarks>
public interface IDatabaseChanges : IDisposable, IAsyncDisposable
{
    /// <summary>The server has confirmed all that is followed. Within <see cref="ConnectionStatusChanged"/>: what that event says.</summary>
    bool Connected { get; }

    /// <summary><see cref="Connected"/> is another one; also false and true when changes were left out while the connection stood.</summary>
    event EventHandler? ConnectionStatusChanged;

    /// <summary>An attempt to connect failed, the connection was lost, or a handler threw. The client goes on.</summary>
    event Action<Exception>? OnError;

    /// <summary>Completes when <see cref="Connected"/> is true. Not to be waited for within a handler.</summary>
    /// <exception cref="Exceptions.DocumentDatabaseException">The next attempt to connect failed. The client goes on trying.</exception>
    Task<IDatabaseChanges> EnsureConnectedNow();

    /// <summary>Changes of one document.</summary>
    IChangesObservable<DocumentChange> ForDocument(string id);

    /// <summary>Changes of all documents.</summary>
    IChangesObservable<DocumentChange> ForAllDocuments();

    /// <summary>Changes of documents whose id begins so.</summary>
    IChangesObservable<DocumentChange> ForDocumentsStartingWith(string prefix);

    /// <summary>Changes of documents of a collection; one that leaves it is told as deleted.</summary>
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

    /// <summary>Changes of counters with this name, of whatever document.</summary>
    IChangesObservable<CounterChange> ForCounter(string name);

    /// <summary>Changes of all counters of a document.</summary>
    IChangesObservable<CounterChange> ForCountersOfDocument(string id);

    /// <summary>Changes of one counter of a document.</summary>
    IChangesObservable<CounterChange> ForCounterOfDocument(string id, string name);

    /// <summary>Changes as they come. Where some may be missing stands a <see cref="ChangesGap"/>: a loop that loads anew at each gap misses
    /// nothing.</summary>
    /// <remarks>The first item is a gap of the reason <see cref="ChangesGapReason.Started"/>. Lost connections do not end the loop; disposal does.</remarks>
    /// <param name="filter">Which changes.</param>
    /// <param name="buffer">Changes that wait to be taken, at least 1. More become one gap of the reason <see cref="ChangesGapReason.Overflow"/>.</param>
    /// <param name="token">Ends the loop with <see cref="OperationCanceledException"/>.</param>
    IAsyncEnumerable<ChangeItem> ReadAllAsync(ChangesFilter filter, int buffer = 1024, CancellationToken token = default);
}
