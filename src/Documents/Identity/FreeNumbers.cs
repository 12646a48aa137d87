using System.Diagnostics;

namespace Jackdaw.Documents.Identity;

/// <summary>Tells whether a document has a number.</summary>
internal interface INumberProbe
{
    bool IsTaken(long number);
}

/// <summary>Numbers for ids that the server completes.</summary>
internal static class FreeNumbers
{
    /// <summary>Finds a number above another one that no document has. It is the last number for which the probe was asked.</summary>
    /// <remarks>Imported documents may have higher numbers than the identity or the etags. Then the search doubles its step and narrows the range down, so that
    /// a million of them cost forty look-ups instead of a million.</remarks>
    /// <returns>False when no larger number is free.</returns>
    public static bool TryFind<TProbe>(ref TProbe probe, long taken, out long free)
        where TProbe : INumberProbe, allows ref struct
    {
        free = 0;
        long step = 1;
        while (taken < long.MaxValue)
        {
            step = Math.Min(step, long.MaxValue - taken);
            if (!probe.IsTaken(taken + step))
            {
                break;
            }

            taken += step;
            step = Math.Min(step, long.MaxValue / 2) * 2;
        }

        if (taken == long.MaxValue)
        {
            return false;
        }

        free = taken + step;
        if (step == 1)
        {
            return true; // The usual case, after one look-up.
        }

        while (free - taken > 1)
        {
            long middle = taken + ((free - taken) / 2);
            (taken, free) = probe.IsTaken(middle) ? (middle, free) : (taken, middle);
        }

        bool isTaken = probe.IsTaken(free);
        Debug.Assert(!isTaken);
        return true;
    }
}
