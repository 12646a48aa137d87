using System.Diagnostics;

namespace Jackdaw.Storage.Sharing;

/// <summary>Decides when, and for how long, a link is tried again while the system is short of file descriptors or
/// memory. One thread.</summary>
/// <remarks>The entry that waits for the link is ordered and can no longer be refused. A shortage usually passes,
/// while a branch that was stopped has to be opened again. But closing the branch waits for the entry too, so the
/// number of tries is bounded.</remarks>
internal sealed class LinkPatience(TimeProvider time)
{
    /// <summary>Time between two tries.</summary>
    public static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(100);

    /// <summary>Time after which no further try is made.</summary>
    public static readonly TimeSpan Longest = TimeSpan.FromSeconds(10);

    private long? _shortSince;
    private long _triedAt;

    /// <summary>True shortly after a try that failed.</summary>
    public bool IsResting => _shortSince is not null && time.GetElapsedTime(_triedAt) < Pause;

    /// <summary>Takes a try that failed; false when it has been tried for long enough, for whichever branch.</summary>
    public bool TryWait()
    {
        long now = time.GetTimestamp();
        bool isNew = _shortSince is null || time.GetElapsedTime(_triedAt, now) > Longest;
        long since = isNew ? now : _shortSince!.Value;
        Debug.Assert(since <= now);
        Debug.Assert(now >= _triedAt, "one thread tries, one try after the other");
        (_shortSince, _triedAt) = (since, now);
        return time.GetElapsedTime(since, now) < Longest;
    }

    /// <summary>A try succeeded.</summary>
    public void OnLinked() => _shortSince = null;
}
