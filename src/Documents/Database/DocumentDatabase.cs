using System.Security.Cryptography;
using Jackdaw.Documents.Attachments;
using Jackdaw.Documents.Batches;
using Jackdaw.Documents.Changes;
using Jackdaw.Documents.Commands;
using Jackdaw.Documents.Extensions;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Operations;
using Jackdaw.Documents.Patching;
using Jackdaw.Documents.Reading;
using Jackdaw.Documents.Revisions;
using Jackdaw.Documents.Rows;
using Jackdaw.Documents.Schedules;
using Jackdaw.Documents.Tombstones;
using Jackdaw.Pal;
using Jackdaw.Storage;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Merging;
using Jackdaw.Storage.Transactions;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Microsoft.Extensions.ObjectPool;

namespace Jackdaw.Documents.Database;

/// <summary>One open database on a storage of its own. Any thread.</summary>
/// <remarks>
/// Reads take no lock and never wait for writes. A write does all work that does not need the writer thread
/// (lower-casing, row building, hashing) on the caller's thread before it is queued; the returned task completes when
/// the batch is durable and visible, and its continuations do not run on the writer thread. A cancellation is honoured
/// before the write is queued; afterwards the write is carried out.
/// <para>
/// States: open -> parts stop -> closing (new requests are refused, running ones end) -> closed. A storage that stopped
/// after a failed write is still open in this sense: each request reports the failure, and the owner is notified once,
/// so that it closes this object and opens another.
/// </para>
/// </remarks>
public sealed partial class DocumentDatabase : IReadableDatabase, IAsyncDisposable
{
    /// <summary>How long callers wait for running requests. Read scopes are held only while bytes are copied. A scope that is still open after this time is
    /// stuck, perhaps on a disk that does not answer, and its pages must stay mapped.</summary>
    private static readonly TimeSpan s_readersPatience = TimeSpan.FromSeconds(30);

    private const int ReadersPollMsMax = 100;

    /// <summary>How long to wait for parts before requests are refused and the log names the part that does not stop. At its end, a part only finishes one
    /// batch.</summary>
    private static readonly TimeSpan s_partsPatience = TimeSpan.FromSeconds(10);

    private readonly StorageEnvironment _environment;
    private readonly TransactionMerger _merger;
    private readonly DocumentTransactions _transactions;
    private readonly DocumentsState _opened;
    private readonly DatabaseSettings _settings;
    private readonly TaskCompletionSource _drained = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly Lazy<Task> _closed;
    private readonly TimeProvider _time;
    private readonly ILogger _logger;
    private long _requests;
    private long _notModified;
    private int _writes;
    private int _isClosing;
    private int _isFailureReported;
    private volatile FeedEndReason _closingReason = FeedEndReason.DatabaseClosed;

    private DocumentDatabase(
        string name,
        Replica replica,
        StorageEnvironment environment,
        CommittedChanges committed,
        DatabaseSettings settings,
        TimeProvider time,
        ILogger logger,
        DocumentExtensions extensions)
    {
        Name = name;
        Replica = replica;
        settings.IdentitySeparatorChanged += separator => replica.IdentitySeparator = separator;
        replica.IdentitySeparator = settings.IdentitySeparator;
        Extensions = extensions;
        CommandKinds = new BatchKinds(extensions);
        _environment = environment;
        _settings = settings;
        using (ReadTransaction read = environment.BeginRead())
        {
            _opened = DocumentTransaction.ReadState(read, read.Trees) with { Revisions = RevisionTrees.ReadTotals(read) };
            TombstoneHolders = new TombstoneHolders(CollectionLedger.ReadTrimmedEtag(read.Trees));
        }

        Changes = committed.Feed = new ChangeFeed(_opened.LastEtag);
        Schedule = committed.Schedule;
        _transactions = new DocumentTransactions(_opened, time, Changes, replica, extensions, new RevisionKeeper(() => settings.Revisions));
        _batches = new DefaultObjectPool<MergedBatch>(new MergedBatch.Policy(_transactions), IdleBatchesMax);
        _merger = new TransactionMerger(environment, name, time, new CommitTraces(name, time));
        _closed = new Lazy<Task>(CloseAsync);
        _time = time;
        _trimmer = new TombstoneTrimmer(TrimAsync, time);
        _logger = logger;
        Parts = new DatabaseParts(name, logger);
        _collector = new ContentCollector(CollectAllAsync, ContentHolds, time);
    }

    /// <summary>Raised once, on any thread, when the storage stopped. The handler must be short.</summary>
    internal event Action<DocumentDatabase, StoragePoisonedException>? Failed;

    public string Name { get; }

    public Replica Replica { get; }

    /// <summary>The kinds of things that its documents can have besides their text.</summary>
    internal DocumentExtensions Extensions { get; }

    /// <summary>The commands that clients send.</summary>
    internal BatchKinds CommandKinds { get; }

    DocumentExtensions IReadableDatabase.Extensions => Extensions;

    public string DatabaseId => Replica.DatabaseId;

    /// <summary>The settings of its current record.</summary>
    internal DatabaseSettings Settings => _settings;

    /// <summary>The commit index at which the database's topology last changed; greater than 0.</summary>
    public long TopologyEtag => _settings.TopologyEtag;

    /// <summary>The commit index of the client configuration that is in force here (its own or the server-wide one); 0 for none.</summary>
    public long ClientConfigurationEtag => _settings.ClientConfigurationEtag;

    /// <summary>The bytes of the files on disk (or in memory).</summary>
    public long SizeBytes => IsClosing ? 0 : _environment.FileBytes;

    /// <summary>The number of writes that wait for the writer thread.</summary>
    public int QueuedWrites => _merger.QueueLength;

    /// <summary>The requests that it served since it was opened.</summary>
    public long Requests => Volatile.Read(ref _requests);

    /// <summary>The requests among them whose sender has the current answer already.</summary>
    public long NotModified => Volatile.Read(ref _notModified);

    /// <summary>The figures of storage and merger; null while the database closes.</summary>
    public DatabaseFigures? Figures => IsClosing
        ? null
        : new DatabaseFigures(_environment.Figures, _environment.Statistics, _merger.Statistics, _environment.RecentFlushes);

    /// <summary>The changes in the order of the commits. The feed ends when the database is closed.</summary>
    internal ChangeFeed Changes { get; }

    /// <summary>The long-running operations that clients poll; they live as long as the database is open.</summary>
    public OperationRegistry Operations { get; } = new();

    /// <summary>The contents of attachments that requests send or read.</summary>
    internal ContentHolds ContentHolds { get; } = new();

    /// <summary>Decides whose turn it is to patch a document.</summary>
    internal PatchTurns Patches { get; } = new();

    /// <summary>The parts of the database.</summary>
    internal DatabaseParts Parts { get; }

    /// <summary>The warnings of the recovery.</summary>
    public IReadOnlyList<string> Warnings => _environment.Warnings;

    /// <summary>The failure that kept the closing from writing everything to the data file; null when there was none. The next opening recovers the
    /// rest.</summary>
    public Exception? ClosingFailure { get; private set; }

    /// <summary>Sees reads and writes in tests; null in the product.</summary>
    internal IDatabaseProbe? Probe { get; set; }

    internal StorageEnvironment Environment => _environment;

    /// <summary>Notifies when a scheduled time was added.</summary>
    internal ScheduleSignal Schedule { get; }

    internal MergerStatistics MergerStatistics => _merger.Statistics;

    private bool IsClosing => Volatile.Read(ref _isClosing) != 0;

    /// <summary>Counts a request that it serves.</summary>
    public void CountRequest() => Interlocked.Increment(ref _requests);

    /// <summary>Counts a request that was answered with "not modified".</summary>
    public void CountNotModified() => Interlocked.Increment(ref _notModified);

    /// <summary>Opens the database in a folder, or creates it there.</summary>
    /// <param name="databaseIdIfNew">The id for a folder without a database; an existing database keeps its own.</param>
    /// <param name="nodeIfNew">The node tag for a folder without a database, usually that of the server; null for the default tag. An existing database keeps
    /// its own.</param>
    /// <param name="extensions">The kinds of things that its documents can have besides their text; null for <see cref="StandardExtensions"/>.</param>
    /// <exception cref="PalException">A call to the system failed, or another process has the database open.</exception>
    /// <exception cref="CorruptionException">Acknowledged data is damaged.</exception>
    /// <exception cref="NotSupportedException">A newer program wrote it.</exception>
    internal static DocumentDatabase Open(
        IPlatform platform,
        string path,
        string name,
        string databaseIdIfNew,
        DatabaseSettings settings,
        StorageOptions options,
        ILogger? logger = null,
        NodeTag? nodeIfNew = null,
        DocumentExtensions? extensions = null)
    {
        var committed = new CommittedChanges();
        StorageEnvironment environment = StorageEnvironment.Open(platform, path, options with { CommitObserver = committed });
        try
        {
            Replica replica = DatabaseTree.Open(environment, databaseIdIfNew, nodeIfNew ?? NodeTag.Default);
            return new DocumentDatabase(
                name, replica, environment, committed, settings, options.Time, logger ?? NullLogger.Instance,
                extensions ?? StandardExtensions.All);
        }
        catch
        {
            environment.Dispose();
            throw;
        }
    }

    /// <summary>Makes an id for a new database.</summary>
    public static string MakeDatabaseId() =>
        Convert.ToBase64String(RandomNumberGenerator.GetBytes(16))[..ChangeVector.DatabaseIdBytes];

    /// <summary>The part of the database of a type; null when there is none. Takes no lock.</summary>
    public TPart? FindPart<TPart>()
        where TPart : DatabasePart => Parts.Find<TPart>();

    /// <inheritdoc/>
    public DocumentReadScope BeginRead(ReaderKind kind = ReaderKind.Other)
    {
        Probe?.OnRead();
        try
        {
            ReadTransaction transaction = _environment.BeginRead(kind);
            if (IsClosing)
            {
                // This is checked after the transaction was registered, so that either this read sees the closing, or the closing sees this read.
                transaction.Dispose();
                throw new ObjectDisposedException(Name, $"Database '{Name}' is closed.");
            }

            return DocumentReadScope.Begin(transaction, transaction.State.ClientState as DocumentsState ?? _opened);
        }
        catch (StoragePoisonedException failure)
        {
            TellFailure(failure);
            throw;
        }
    }

    /// <summary>Begins a read for a running write. The closing waits for the write, so it may read.</summary>
    private DocumentReadScope BeginScopeOfWrite()
    {
        ReadTransaction transaction = _environment.BeginRead();
        return DocumentReadScope.Begin(transaction, transaction.State.ClientState as DocumentsState ?? _opened);
    }

    /// <summary>Does the same as <see cref="DisposeAsync"/>, and gives a reason to consumers of the changes.</summary>
    /// <param name="reason">The reason; that of the first caller counts.</param>
    internal ValueTask CloseAsync(FeedEndReason reason)
    {
        if (!_closed.IsValueCreated)
        {
            _closingReason = reason;
        }

        return DisposeAsync();
    }

    /// <summary>Stops and closes the parts, refuses new requests, waits for the running ones, and closes the storage.
    /// Any number of callers.</summary>
    /// <exception cref="TimeoutException">A reader or a part did not end. The closing continues, and callers can wait for it again.</exception>
    public async ValueTask DisposeAsync()
    {
        try
        {
            await _closed.Value.WaitAsync(s_readersPatience, _time).ConfigureAwait(false);
        }
        catch (TimeoutException)
        {
            if (Parts.BusyPart is { } part)
            {
                throw new TimeoutException(
                    $"Database '{Name}' cannot be closed yet, because its {part} has not stopped; try again in a moment.");
            }

            throw new TimeoutException(
                $"Database '{Name}' cannot be closed yet, because a request still reads or writes; try again in a moment.");
        }
    }

    private bool TryEnterWrite()
    {
        Interlocked.Increment(ref _writes);
        if (!IsClosing)
        {
            return true;
        }

        LeaveWrite();
        return false;
    }

    private void LeaveWrite()
    {
        if (Interlocked.Decrement(ref _writes) == 0 && IsClosing)
        {
            _drained.TrySetResult();
        }
    }

    private void TellFailure(StoragePoisonedException failure)
    {
        if (Interlocked.Exchange(ref _isFailureReported, 1) == 0)
        {
            Failed?.Invoke(this, failure);
        }
    }

    /// <summary>Waits until all parts are closed, or until one has not stopped in time.</summary>
    private async Task WaitForPartsAsync(Task partsClosed)
    {
        try
        {
            await partsClosed.WaitAsync(s_partsPatience, _time).ConfigureAwait(false);
        }
        catch (TimeoutException)
        {
            _logger.LogWarning("The {Part} of database {Database} has not stopped after {Seconds} seconds; the database will be closed when it stops",
                Parts.BusyPart, Name, s_partsPatience.TotalSeconds);
        }
    }

    private async Task CloseAsync()
    {
        await Task.Yield();
        Task partsClosed = Parts.CloseAsync();
        await WaitForPartsAsync(partsClosed).ConfigureAwait(false);
        Interlocked.Exchange(ref _isClosing, 1);
        await _trimmer.DisposeAsync().ConfigureAwait(false);
        await _collector.DisposeAsync().ConfigureAwait(false);
        if (Volatile.Read(ref _writes) == 0)
        {
            _drained.TrySetResult();
        }

        await _drained.Task.ConfigureAwait(false);
        await partsClosed.ConfigureAwait(false); // the merger and the storage are closed afterwards, however long this takes
        _merger.Dispose();
        _transactions.Dispose();
        Changes.End(_environment.Failure is null ? _closingReason : FeedEndReason.StorageFailed);
        for (int pollMs = 1; _environment.ActiveTransactions > 0; pollMs = Math.Min(pollMs * 2, ReadersPollMsMax))
        {
            await Task.Delay(pollMs).ConfigureAwait(false);
        }

        bool wasWhole = _environment.Failure is null;
        _environment.Dispose();
        ClosingFailure = wasWhole ? _environment.Failure : null;
    }
}
