using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Jackdaw.Storage.Paging;

namespace Jackdaw.Storage.Trees;

/// <summary>Pages as spans, for structures that are written without pointers.</summary>
internal static unsafe class PageBytes
{
    /// <summary>A whole page, header included. To be written only when the page came from a change or an
    /// allocation.</summary>
    public static Span<byte> Of(Page page) => new(page.Address, Page.Size);

    /// <summary>The value of an overflow run, to be written only when the run came from a change or an
    /// allocation.</summary>
    public static Span<byte> OfOverflow(Page page) => new(page.Body, page.Header.OverflowBytes);

    /// <summary>The overflow run that a value lies in: the value as <see cref="OfOverflow"/> returned it, not a part of it.</summary>
    public static Page RunOf(Span<byte> value) =>
        new((byte*)Unsafe.AsPointer(ref MemoryMarshal.GetReference(value)) - PageHeader.SizeOf);

    /// <summary>The value of an overflow run and the unused bytes of its last page.</summary>
    public static Span<byte> OfOverflowRun(Page page) =>
        new(page.Body, checked((page.PageCount * Page.Size) - PageHeader.SizeOf));
}
