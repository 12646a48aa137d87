using System.Runtime.InteropServices;

namespace Jackdaw.Search.Segments.Storing;

/// <summary>Where the bytes of a part lie.</summary>
internal enum PartForm : byte
{
    /// <summary>In the directory; the place is an offset from its beginning.</summary>
    Inline = 0,

    /// <summary>In one run; the place is its first page.</summary>
    Run = 1,

    /// <summary>In several runs; the place is the offset of their list, which begins with their number (8).</summary>
    Runs = 2,
}

/// <summary>The beginning of a segment's directory, which is followed by one <see cref="PartRecord"/> for each part, ordered by field and kind, then by small
/// parts and lists of runs, each aligned to 8.</summary>
[StructLayout(LayoutKind.Explicit, Size = SizeOf)]
internal struct SegmentDirectory
{
    public const int SizeOf = 16;

    [FieldOffset(0)]
    public int Entries;

    [FieldOffset(4)]
    public int Parts;

    /// <summary>The bytes of all parts.</summary>
    [FieldOffset(8)]
    public long Bytes;
}

/// <summary>A part of a segment.</summary>
[StructLayout(LayoutKind.Explicit, Size = SizeOf)]
internal struct PartRecord
{
    public const int SizeOf = 24;

    [FieldOffset(0)]
    public int Field;

    [FieldOffset(4)]
    public PartKind Kind;

    [FieldOffset(5)]
    public PartForm Form;

    [FieldOffset(8)]
    public long Bytes;

    [FieldOffset(16)]
    public long Place;

    /// <summary>The order of the parts.</summary>
    public readonly ulong Key => KeyOf(Field, Kind);

    public static ulong KeyOf(int field, PartKind kind) => ((ulong)(uint)field << 8) | (byte)kind;
}

/// <summary>A run of a part.</summary>
/// <param name="Start">The place of its first byte in the part.</param>
/// <param name="Page">Its first page.</param>
internal readonly record struct PartRun(long Start, long Page);
