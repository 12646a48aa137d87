using System.Diagnostics;

namespace Jackdaw.Storage.Paging;

/// <summary>Checksum of a page or overflow run as it stands in the data file.</summary>
/// <remarks>Covers every byte but its own field, which counts as zero. The seed has the page number and the storage's salt, so
/// that a page that was written to the wrong place, or belongs to another storage, does not verify.</remarks>
public static unsafe class PageChecksum
{
    /// <summary>Place of the field among the header's words.</summary>
    internal const int FieldWord = 1;

    private static readonly ulong s_zeroPageSum = SumZeroPage();

    /// <summary>Checksum of the page at <paramref name="address"/>; the value of the field itself makes no difference.</summary>
    public static ulong Compute(byte* address, PageNumber number, int pageCount, ulong salt)
    {
        Debug.Assert(pageCount > 0);
        Debug.Assert(!number.IsNone, "the file's own first page has no checksum");
        long bytes = (long)pageCount * Page.Size;
        return Checksum.Sum(address, bytes) - LineSum.CountWord(((ulong*)address)[FieldWord], FieldWord)
            + LineSum.CountWord(0, FieldWord) + Start(number, bytes, salt);
    }

    /// <summary>Checksum of a single page of zeros.</summary>
    public static ulong OfZeroPage(PageNumber number, ulong salt) => s_zeroPageSum + Start(number, Page.Size, salt);

    private static ulong Start(PageNumber number, long bytes, ulong salt) =>
        Checksum.Start(bytes, salt ^ ((ulong)number.Value * LineSum.KeyStep));

    private static ulong SumZeroPage()
    {
        byte* page = stackalloc byte[Page.Size];
        new Span<byte>(page, Page.Size).Clear();
        return Checksum.Sum(page, Page.Size);
    }
}
