namespace Jackdaw.Pal.Simulation;

/// <summary>Selects one of the states that a power cut could leave. Equal options on equal platforms give equal
/// states.</summary>
public sealed record CrashOptions
{
    /// <summary>Seed of all random choices.</summary>
    public int Seed { get; init; }

    /// <summary>How much of the unsynced changes is kept.</summary>
    public CrashRetention Retention { get; init; }

    /// <summary>True: any subset of the changes since the last barrier may be on the disk. False: a prefix in the order
    /// they were made, the last of it torn.</summary>
    public bool MayReorder { get; init; } = true;

    /// <summary>Unit in which a buffered write may be torn: 512, 4096 or 0 (each write whole or not at all). Journal
    /// writes in flight always tear at 512.</summary>
    public int TearBytes { get; init; } = 512;

    /// <summary>Options that, over many seeds, go through all kinds of states.</summary>
    public static CrashOptions FromSeed(int seed)
    {
        var bits = new SeededBits(~(long)seed);
        int kind = bits.Below(16);
        return new CrashOptions
        {
            Seed = seed,
            Retention = kind switch { 0 => CrashRetention.All, 1 => CrashRetention.None, _ => CrashRetention.Random },
            MayReorder = kind >= 6,
            TearBytes = bits.Below(3) switch { 0 => 0, 1 => 512, _ => 4096 },
        };
    }
}

/// <summary>How much of the unsynced changes a power cut leaves on the disk.</summary>
public enum CrashRetention
{
    /// <summary>A random part, torn and reordered as the options allow.</summary>
    Random,

    /// <summary>Everything: the disk had just written it all.</summary>
    All,

    /// <summary>Nothing: only what was made durable.</summary>
    None,
}
