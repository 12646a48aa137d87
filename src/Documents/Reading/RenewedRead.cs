using Jackdaw.Documents.Rows;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Documents.Reading;

/// <summary>The snapshot of one request that may read very much: renewed when it was held long enough.</summary>
/// <remarks>A snapshot keeps every version of a page that it may see, and no flush passes it. Up to the bounds below a
/// request reads one snapshot; beyond them it continues from its position in a newer one. One thread at a
/// time.</remarks>
internal sealed class RenewedRead : IDisposable
{
    /// <summary>Documents examined in one snapshot: some tens of milliseconds when they are in memory. More than any
    /// page of a user interface or any session asks for.</summary>
    public const int LookedAtMax = 10_000;

    /// <summary>Bytes of documents copied out of one snapshot: about ten milliseconds.</summary>
    public const long BytesMax = 16L << 20;

    /// <summary>Time that one snapshot is held: the bound that remains when documents come from a slow disk. Checked
    /// between two documents.</summary>
    public static readonly TimeSpan TimeMax = TimeSpan.FromSeconds(1);

    private readonly IReadableDatabase _database;
    private readonly ReaderKind _kind;
    private readonly TimeProvider _time;
    private readonly CancellationToken _aborted;
    private long _began;
    private int _lookedAt;
    private long _bytes;

    /// <summary>Begins the first snapshot.</summary>
    /// <param name="database">Where to read.</param>
    /// <param name="kind">What for, for statistics.</param>
    /// <param name="time">Clock of <see cref="TimeMax"/>.</param>
    /// <param name="aborted">Fires when the client has disconnected.</param>
    public RenewedRead(IReadableDatabase database, ReaderKind kind, TimeProvider time, CancellationToken aborted)
    {
        _database = database;
        _kind = kind;
        _time = time;
        _aborted = aborted;
        _began = time.GetTimestamp();
        Scope = database.BeginRead(kind);
    }

    /// <summary>The snapshot; another object after <see cref="Renew"/>.</summary>
    public DocumentReadScope Scope { get; private set; }

    /// <summary>Fires when the client has disconnected.</summary>
    public CancellationToken Aborted => _aborted;

    /// <summary>Counts a document; true when the snapshot was held long enough.</summary>
    /// <param name="bytes">Bytes that were copied of it; 0 when it was skipped or not found.</param>
    public bool IsSpentAfter(int bytes)
    {
        _lookedAt++;
        _bytes += bytes;
        return _lookedAt >= LookedAtMax || _bytes >= BytesMax || _time.GetElapsedTime(_began) >= TimeMax;
    }

    /// <summary>Begins the next snapshot. No cursor or document of the one before may be used any more.</summary>
    /// <exception cref="OperationCanceledException">The client has disconnected: nothing waits for the
    /// rest.</exception>
    public void Renew()
    {
        _aborted.ThrowIfCancellationRequested();
        Scope.Dispose();
        _lookedAt = 0;
        _bytes = 0;
        _began = _time.GetTimestamp();
        Scope = _database.BeginRead(_kind);
    }

    public void Dispose() => Scope.Dispose();
}
