using Jackdaw.Documents.Changes;
using Jackdaw.Documents.Database;
using Jackdaw.Documents.Identity;
using Jackdaw.Indexing.Catalog;

namespace Jackdaw.Server.Notices;

/// <summary>Notifies clients of changes in an open database. Any thread.</summary>
/// <remarks>
/// 1. Writes are read from the change feed, so a notice is handed out after the write is durable and visible, in the order of the etags. Where the feed has a
/// gap, the storage is read; then only the last change of a document is reported.
/// 2. Notices are written once and handed out in batches; readers hold their place in the list of batches. So all slow readers together need at most
///    <see cref="WaitingBytesMax"/> of memory.
/// 3. The more readers there are, the longer is the time between batches, so that there is time left for writing.
/// 4. Without readers no notice is written, and the feed is not followed any more a minute after the last reader has gone.
/// </remarks>
internal sealed partial class DatabaseNotices : DatabasePart
{
    /// <summary>The most bytes of batches that may wait for a reader: some 100,000 changes, as many as in official servers.</summary>
    public const long DefaultWaitingBytesMax = 32L * 1024 * 1024;

    private readonly DocumentDatabase _database;
    private readonly TimeProvider _time;
    private readonly ILogger _logger;
    private readonly Lock _lock = new(); // guards everything below
    private NoticeReader[] _readers = []; // replaced as a whole
    private NoticeBatch _tail;
    private IndexCatalog? _indexes;

    public DatabaseNotices(DocumentDatabase database, TimeProvider time, ILogger logger)
    {
        _database = database;
        _time = time;
        _logger = logger;
        Kinds = new WatchKinds(database.Extensions);
        _tail = new NoticeBatch([], [], Etag.None, 0);
    }

    public override string Name => "change notices";

    /// <summary>The kinds of watches.</summary>
    public WatchKinds Kinds { get; }

    /// <summary>The most bytes of batches that may wait for a reader; tests make it smaller.</summary>
    public long WaitingBytesMax { get; set; } = DefaultWaitingBytesMax;

    /// <summary>How an operation's state is written.</summary>
    public required WriteOperationState WriteState { get; init; }

    /// <summary>The number of clients that follow the database.</summary>
    public int ReaderCount => Volatile.Read(ref _readers).Length;

    public override ValueTask OpenAsync(CancellationToken stop)
    {
        _database.Operations.Changed += OnOperation;
        _indexes = _database.FindPart<DatabaseIndexes>()?.Catalog;
        if (_indexes is not null)
        {
            _indexes.IndexChanged += OnIndex;
        }

        return ValueTask.CompletedTask;
    }

    /// <summary>From now on no reader is added. Existing readers end when the feed ends, so that they get all notices before it.</summary>
    public override ValueTask CloseAsync()
    {
        _database.Operations.Changed -= OnOperation;
        if (_indexes is not null)
        {
            _indexes.IndexChanged -= OnIndex;
        }

        lock (_lock)
        {
            _isClosing = true;
        }

        return ValueTask.CompletedTask;
    }

    /// <summary>Begins to hand out notices to a reader.</summary>
    /// <returns>False when the database is being closed.</returns>
    public bool TryAdd(NoticeReader reader)
    {
        lock (_lock)
        {
            if (_isClosing)
            {
                return false;
            }

            if (!_isFollowing)
            {
                _isFollowing = true;
                ChangeSubscription changes = _database.Changes.Subscribe();
                Append(new NoticeBatch([], [], changes.Start, _tail.End)); // so that a gap begins where reading begins
                _ = Task.Run(() => FollowAsync(changes));
            }

            reader.Begin(_tail);
            _readers = [.. _readers, reader];
            return true;
        }
    }

    public void Remove(NoticeReader reader)
    {
        lock (_lock)
        {
            _readers = [.. _readers.Where(other => other != reader)];
            _unreadSince = _time.GetTimestamp();
        }
    }

    private void Append(NoticeBatch batch)
    {
        _tail.Next = batch;
        _tail = batch;
    }

    /// <summary>Hands a batch out.</summary>
    private void Publish(NoticeBatchBuilder builder, Etag? last)
    {
        NoticeReader[] told;
        NoticeBatch tail;
        lock (_lock)
        {
            Append(builder.Build(last ?? _tail.Last, _tail.End));
            told = _readers;
            tail = _tail;
        }

        foreach (NoticeReader reader in told)
        {
            reader.CutIfBehind(tail, WaitingBytesMax);
            reader.Wake();
        }
    }

    private void EndAll(NoticeEnd end, bool mayComeAgain)
    {
        NoticeReader[] told;
        lock (_lock)
        {
            _isClosing |= !mayComeAgain;
            _isFollowing = false;
            told = _readers;
        }

        foreach (NoticeReader reader in told)
        {
            reader.EndWith(end);
        }
    }

    /// <summary>Waits for the rest of the time between batches.</summary>
    private Task PaceAsync(long began)
    {
        TimeSpan pause = TimeSpan.FromTicks(Math.Min(s_pauseMax.Ticks, ReaderCount * s_pausePerReader.Ticks)) - _time.GetElapsedTime(began);
        return pause > TimeSpan.Zero ? Task.Delay(pause, _time) : Task.CompletedTask;
    }
}
