namespace Jackdaw.Pal.Simulation;

/// <summary>Size of a simulated volume and what is used of it. Guarded by the platform's lock.</summary>
internal sealed class VolumeSpace
{
    internal long CapacityBytes { get; set; } = 1L << 40;

    internal long UsedBytes { get; set; }

    internal long FreeBytes => Math.Max(0, CapacityBytes - UsedBytes);
}
