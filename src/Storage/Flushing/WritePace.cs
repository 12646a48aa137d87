namespace Jackdaw.Storage.Flushing;

/// <summary>Slows the writer when flushes do not keep up, so that it meets many short pauses instead of one long wait. Writer thread.</summary>
/// <remarks>
/// Debt is the part of a limit that is used up: 0 = nothing waits to be flushed, 1 = the limit. Half of it is free: a flush begins long
/// before. Beyond, debt may grow only so fast that the rest would last as long as a flush takes:
/// the nearer the limit, the slower, and where flushes keep up there is no pause at all.
/// </remarks>
internal sealed class WritePace(TimeProvider time)
{
    /// <summary>Debt without any pause.</summary>
    public const double FreeDebt = 0.5;

    /// <summary>Longest single pause: a request notices it, but nobody takes it for a stall.</summary>
    public const int PauseMsMax = 100;

    /// <summary>Time after which what was not used is forgotten: a quiet second is no credit for a burst.</summary>
    private static readonly TimeSpan s_window = TimeSpan.FromMilliseconds(100);

    private double _debt;
    private long _since;

    /// <summary>Milliseconds to wait before the next transaction begins; 0 = none.</summary>
    /// <param name="debt">Now.</param>
    /// <param name="flushMs">Milliseconds that a flush takes.</param>
    public int FindPauseMs(double debt, long flushMs)
    {
        double growth = debt - Math.Max(_debt, FreeDebt);
        TimeSpan elapsed = time.GetElapsedTime(_since);
        if (debt <= FreeDebt || growth <= 0)
        {
            Restart(debt);
            return 0;
        }

        double left = Math.Max(1 - debt, 0.01);
        double pauseMs = (growth / left * flushMs) - elapsed.TotalMilliseconds;
        if (pauseMs < 1)
        {
            if (elapsed > s_window)
            {
                Restart(debt);
            }

            return 0;
        }

        return (int)Math.Min(pauseMs, PauseMsMax);
    }

    /// <summary>A pause is over.</summary>
    public void Restart(double debt)
    {
        _debt = debt;
        _since = time.GetTimestamp();
    }
}
