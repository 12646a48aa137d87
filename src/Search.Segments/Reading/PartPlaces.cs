namespace Jackdaw.Search.Segments.Reading;

/// <summary>Where a reader finds the bytes of a part. Debug builds let a test put them elsewhere: in front of memory that nobody may read.</summary>
internal static unsafe class PartPlaces
{
#if DEBUG
    /// <summary>From the first byte and the number of bytes to another first byte. Null: the bytes stay where they are.</summary>
    [ThreadStatic]
    public static Func<nint, long, nint>? Elsewhere;

    public static byte* Of(byte* start, long bytes) => Elsewhere is null ? start : (byte*)Elsewhere((nint)start, bytes);
#else
    public static byte* Of(byte* start, long bytes) => start;
#endif
}
