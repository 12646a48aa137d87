namespace Jackdaw.Pal.Simulation;

/// <summary>A small random generator whose numbers depend on nothing but the seed (SplitMix64, Steele et al.
/// 2014).</summary>
internal struct SeededBits
{
    private ulong _state;

    internal SeededBits(long seed)
    {
        _state = unchecked((ulong)seed * 0x9E3779B97F4A7C15UL);
    }

    internal ulong Next()
    {
        unchecked
        {
            _state += 0x9E3779B97F4A7C15UL;
            ulong mixed = (_state ^ (_state >> 30)) * 0xBF58476D1CE4E5B9UL;
            mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBUL;
            return mixed ^ (mixed >> 31);
        }
    }

    /// <summary>0 to <paramref name="bound"/> - 1; the bias of the remainder does not matter here.</summary>
    internal int Below(int bound) => (int)(Next() % (ulong)bound);

    /// <summary>True in <paramref name="percent"/> of 100 cases.</summary>
    internal bool Chance(int percent) => Below(100) < percent;
}
