namespace Jackdaw.Pal.Interop;

/// <summary>The submission ring of the process. Made by the first platform that writes through it, and kept until the
/// process ends, because files of any platform may have writes in it at any time.</summary>
internal static class WriteRing
{
    private static readonly Lazy<nint> s_shared = new(Open);

    /// <summary>The ring; 0 where the system refuses one.</summary>
    internal static nint Shared => s_shared.Value;

    /// <summary>False when there is no ring, or the kernel stopped working with it.</summary>
    internal static bool IsWorking => Shared != 0 && LibPal.pal_ring_is_working(Shared) != 0;

    private static nint Open() => LibPal.pal_ring_open(out nint ring, out _) == 0 ? ring : 0;
}
