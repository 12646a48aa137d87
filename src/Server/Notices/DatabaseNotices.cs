using Jackdaw.Documents.Changes;
using Jackdaw.Documents.Database;
using Jackdaw.Documents.Identity;
using Jackdaw.Indexing;

namespace Jackdaw.Server.Notices;

/// <summary>Tells clients what happens in an open database. Any thread.</summary>
/// <remarks>
/// 1. What is written comes from the change feed, so a notice is handed out after the write is durable and visible, in the order of the
///    etags. Where the feed has a gap, the storage is read: of a document that changed several times the last change is told.
/// 2. Notices are written once and handed out in rounds; readers hold their place in the list of rounds. So slow readers together keep at most
///    <see cref="WaitingBytesMax"/> in memory.
/// 3. Rounds follow each other the slower the more readers there are, so that telling leaves time for writing.
/// 4. Without readers nothing is written, and a minute after the last one has gone the feed has no consumer here.
/// </remarks>
internal sealed partial class DatabaseNotices : DatabasePart
{
    /// <summary>Bytes of rounds that a reader may be behind: some 100,000 changes, as much as official servers let wait.</summary>
    public const long DefaultWaitingBytesMax = 32L * 1024 * 1024;

    private readonly DocumentDatabase _database;
    private readonly TimeProvider _time;
    private readonly ILogger _logger;
    private readonly Lock _lock = new(); // guards everything below
    private NoticeReader[] _readers = []; // replaced as a whole
    private NoticeBatch _tail;
    private DatabaseIndexes? _indexes;

    public DatabaseNotices(DocumentDatabase database, TimeProvider time, ILogger logger)
    {
        _database = database;
        _time = time;
        _logger = logger;
        Kinds = new WatchKinds(database.Extensions);
        _tail = new NoticeBatch([], [], Etag.None, 0);
    }

    public override string Name => "change notices";

    /// <summary>What can be watched.</summary>
    public WatchKinds Kinds { get; }

    /// <summary>Most bytes of rounds that wait for a reader; tests make it smaller.</summary>
    public long WaitingBytesMax { get; set; } = DefaultWaitingBytesMax;

    /// <summary>How an operation's state is written.</summary>
    public required WriteOperationState WriteState { get; init; }

    /// <summary>Clients that follow now.</summary>
    public int ReaderCount => Volatile.Read(ref _readers).Length;

    public override ValueTask OpenAsync(CancellationToken stop)
    {
        _database.Operations.Changed += OnOperation;
        _indexes = _database.FindPart<DatabaseIndexes>();
        if (_indexes is not null)
        {
            _indexes.Told += OnIndex;
        }

        return ValueTask.CompletedTask;
    }

    /// <summary>No reader comes any more. Those that are there end when the feed ends, so that they are told everything before.</summary>
    public override ValueTask CloseAsync()
    {
        _database.Operations.Changed -= OnOperation;
        if (_indexes is not null)
        {
            _indexes.Told -= OnIndex;
        }

        lock (_lock)
        {
            _isClosing = true;
        }

        return ValueTask.CompletedTask;
    }

    /// <summary>Begins to hand out notices to a reader.</summary>
    /// <returns>False: the database is being closed.</returns>
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
                Append(new NoticeBatch([], [], changes.Start, _tail.End)); // so that gaps begin where reading begins
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

    private void Append(NoticeBatch round)
    {
        _tail.Next = round;
        _tail = round;
    }

    /// <summary>Hands a round out.</summary>
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

    /// <summary>Waits as long as rounds are apart.</summary>
    private Task PaceAsync(long began)
    {
        TimeSpan pause = TimeSpan.FromTicks(Math.Min(s_pauseMax.Ticks, ReaderCount * s_pausePerReader.Ticks)) - _time.GetElapsedTime(began);
        return pause > TimeSpan.Zero ? Task.Delay(pause, _time) : Task.CompletedTask;
    }
}
