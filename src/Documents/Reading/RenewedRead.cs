using Jackdaw.Documents.Rows;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Documents.Reading;

/// <summary>The snapshot of a request that may read very much. It is renewed when it was held long enough.</summary>
/// <remarks>A snapshot keeps every version of a page that it may see, and no flush can go beyond it. Within the limits below, a request reads one snapshot;
/// beyond them it continues from its position in a newer one. One thread at a time.</remarks>
internal sealed class RenewedRead : IDisposable
{
    /// <summary>The most documents that are examined in one snapshot, which takes some tens of milliseconds when they are in memory. It is more than a page of
    /// a user interface or a session asks for.</summary>
    public const int LookedAtMax = 10_000;

    /// <summary>The most bytes of documents that are copied from one snapshot, which takes about ten milliseconds.</summary>
    public const long BytesMax = 16L << 20;

    /// <summary>The longest time that one snapshot is held. This limit counts when documents come from a slow disk; it is checked between two
    /// documents.</summary>
    public static readonly TimeSpan TimeMax = TimeSpan.FromSeconds(1);

    private readonly IReadableDatabase _database;
    private readonly ReaderKind _kind;
    private readonly TimeProvider _time;
    private readonly CancellationToken _aborted;
    private long _began;
    private int _lookedAt;
    private long _bytes;

    /// <summary>Begins the first snapshot.</summary>
    /// <param name="database">The database that is read.</param>
    /// <param name="kind">The kind of reader, for statistics.</param>
    /// <param name="time">The clock of <see cref="TimeMax"/>.</param>
    /// <param name="aborted">Is cancelled when the client has disconnected.</param>
    public RenewedRead(IReadableDatabase database, ReaderKind kind, TimeProvider time, CancellationToken aborted)
    {
        _database = database;
        _kind = kind;
        _time = time;
        _aborted = aborted;
        _began = time.GetTimestamp();
        Scope = database.BeginRead(kind);
    }

    /// <summary>The snapshot, which is another object after <see cref="Renew"/>.</summary>
    public DocumentReadScope Scope { get; private set; }

    /// <summary>Is cancelled when the client has disconnected.</summary>
    public CancellationToken Aborted => _aborted;

    /// <summary>Counts a document. Returns true when the snapshot was held long enough.</summary>
    /// <param name="bytes">The bytes that were copied; 0 when it was skipped or not found.</param>
    public bool IsSpentAfter(int bytes)
    {
        _lookedAt++;
        _bytes += bytes;
        return _lookedAt >= LookedAtMax || _bytes >= BytesMax || _time.GetElapsedTime(_began) >= TimeMax;
    }

    /// <summary>Begins the next snapshot. Cursors and documents of the one before must not be used any more.</summary>
    /// <exception cref="OperationCanceledException">The client has disconnected, so that nobody waits for the rest.</exception>
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
