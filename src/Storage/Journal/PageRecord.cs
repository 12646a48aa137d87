using System.Runtime.InteropServices;

namespace Jackdaw.Storage.Journal;

/// <summary>How a page record's bytes are to be read.</summary>
public enum PageRecordKind : byte
{
    /// <summary>Runs over the page's previous version.</summary>
    Diff = 1,

    /// <summary>Runs over a page of zeros: a new page.</summary>
    New = 2,

    /// <summary>The first bytes of an overflow run as they are; the rest of the run is zero.</summary>
    Image = 3,

    /// <summary>The page header of a run whose content is not in the journal: it was written to the data file before.</summary>
    Direct = 4,
}

/// <summary>Head of one changed page in a journal entry's raw payload; <see cref="Bytes"/> bytes follow.</summary>
/// <remarks>
/// The raw payload is: the freed page numbers (8 bytes each), then the page records.
/// <code>
/// offset size field
///      0    8 page number
///      8    4 bytes that follow
///     12    3 zero
///     15    1 kind
/// </code>
/// </remarks>
[StructLayout(LayoutKind.Explicit, Size = SizeOf)]
public struct PageRecord
{
    public const int SizeOf = 16;

    [FieldOffset(0)]
    public long PageNumber;

    [FieldOffset(8)]
    public int Bytes;

    [FieldOffset(12)]
    public ushort Reserved0;

    [FieldOffset(14)]
    public byte Reserved1;

    [FieldOffset(15)]
    public PageRecordKind Kind;
}
