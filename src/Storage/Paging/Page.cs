using System.Runtime.CompilerServices;

namespace Jackdaw.Storage.Paging;

/// <summary>A borrowed view of one page or overflow run: valid until its transaction ends, and, in a write transaction,
/// until the next change of the same page (fetch it again after <see cref="PageWriter.ModifyPage"/>).</summary>
public readonly unsafe struct Page(byte* address)
{
    /// <summary>Bytes of a page; a constant of the format. Twice the block of common file systems: half the fan-out steps
    /// of 4 KB, while a changed page still costs one durable block pair and a diff of a few hundred bytes.</summary>
    public const int Size = 8192;

    /// <summary>Bytes after the header.</summary>
    public const int BodySize = Size - PageHeader.SizeOf;

    /// <summary>Largest value of one overflow run, in bytes: bounds recovery buffers and keeps a run inside one free-space section.</summary>
    public const int OverflowBytesMax = 256 * 1024 * 1024;

    /// <summary>First byte of the header.</summary>
    public byte* Address => address;

    /// <summary>First byte after the header.</summary>
    public byte* Body => address + PageHeader.SizeOf;

    /// <summary>The header in place.</summary>
    public ref PageHeader Header => ref Unsafe.AsRef<PageHeader>(address);

    /// <summary>Position in the data file.</summary>
    public PageNumber Number => Header.PageNumber;

    /// <summary>Pages of the run: 1 for anything but an overflow run.</summary>
    public int PageCount => CountPages(Header.OverflowBytes);

    /// <summary>Value of an overflow run.</summary>
    public ReadOnlySpan<byte> OverflowValue => new(Body, Header.OverflowBytes);

    /// <summary>True when there is no page behind the view.</summary>
    public bool IsNone => address == null;

    /// <summary>Number of pages that an overflow value with this number of bytes takes, including the header.</summary>
    public static int CountPages(int overflowBytes) =>
        (int)(((long)overflowBytes + PageHeader.SizeOf + Size - 1) / Size);
}
