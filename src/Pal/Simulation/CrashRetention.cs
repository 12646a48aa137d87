namespace Jackdaw.Pal.Simulation;

/// <summary>How much of the unsynced changes a power cut leaves on the disk.</summary>
public enum CrashRetention
{
    /// <summary>A random part, torn and reordered as the options allow.</summary>
    Random,

    /// <summary>Everything: the disk was just in time.</summary>
    All,

    /// <summary>Nothing: only what was made durable.</summary>
    None,
}
