namespace Jackdaw.Documents.Databases;

/// <summary>Limits how often a database that stopped is opened again automatically. Not thread-safe.</summary>
/// <remarks>A disk that keeps failing would otherwise cause an endless loop of recoveries, which read the journals each time.</remarks>
internal sealed class ReopenBudget(TimeProvider time)
{
    public const int ReopensMax = 3;

    public static readonly TimeSpan Window = TimeSpan.FromMinutes(15);

    private readonly Queue<DateTimeOffset> _reopens = new();

    /// <summary>Counts one opening; false when none is left in the window.</summary>
    public bool TryTake()
    {
        DateTimeOffset now = time.GetUtcNow();
        while (_reopens.TryPeek(out DateTimeOffset oldest) && now - oldest > Window)
        {
            _reopens.Dequeue();
        }

        if (_reopens.Count == ReopensMax)
        {
            return false;
        }

        _reopens.Enqueue(now);
        return true;
    }
}
