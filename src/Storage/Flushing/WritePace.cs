using System.Diagnostics;

namespace Jackdaw.Storage.Flushing;

/// <summary>Slows the writer when flushes do not keep up, so that it has many short pauses instead of one long wait.
/// Writer thread.</summary>
/// <remarks>
/// Debt is the fraction of a limit that is used up: 0 = nothing waits to be flushed, 1 = the limit. Up to one half
/// there is no pause: a flush begins long before. Above that, debt may grow only so fast that the remainder lasts as
/// long as a flush takes: the nearer the limit, the slower. Where flushes keep up there is no pause at all.
/// </remarks>
internal sealed class WritePace(TimeProvider time)
{
    /// <summary>Debt up to which there is no pause.</summary>
    public const double FreeDebt = 0.5;

    /// <summary>Longest single pause: noticeable for a request, but short enough not to look like a stall.</summary>
    public const int PauseMsMax = 100;

    /// <summary>Time after which an unused allowance expires: a quiet second does not give credit for a burst.</summary>
    private static readonly TimeSpan s_window = TimeSpan.FromMilliseconds(100);

    private double _debt;
    private long _since;

    /// <summary>Milliseconds to wait before the next transaction begins; 0 = none.</summary>
    /// <param name="debt">Now.</param>
    /// <param name="flushMs">Milliseconds that a flush takes.</param>
    public int FindPauseMs(double debt, long flushMs)
    {
        Debug.Assert(debt >= 0);
        Debug.Assert(flushMs > 0);
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

    /// <summary>Records that a pause is over.</summary>
    public void Restart(double debt)
    {
        _debt = debt;
        _since = time.GetTimestamp();
    }
}
