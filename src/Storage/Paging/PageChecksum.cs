namespace Jackdaw.Storage.Paging;

/// <summary>Checksum of a page or overflow run as it stands in the data file.</summary>
/// <remarks>Covers every byte but its own field. The seed has the page number and the storage's salt, so that a page that
/// was written to the wrong place, or belongs to another storage, does not verify.</remarks>
public static unsafe class PageChecksum
{
    private const int FieldOffset = 8;
    private const int AfterField = 16;

    /// <summary>Checksum of the page at <paramref name="address"/>; the field itself is not read.</summary>
    public static ulong Compute(byte* address, PageNumber number, int pageCount, ulong salt)
    {
        ulong seed = salt ^ ((ulong)number.Value * 0x9E3779B97F4A7C15);
        ulong head = Checksum.Compute(address, FieldOffset, seed);
        return Checksum.Compute(address + AfterField, ((long)pageCount * Page.Size) - AfterField, head);
    }
}
