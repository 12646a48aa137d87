using System.Runtime.InteropServices;
using Jackdaw.Storage.Paging;

namespace Jackdaw.Storage.Tests.FreeSpace;

/// <summary>Only the bitmap pages of a free-space map, in plain memory; every change moves them, so that a view kept too long
/// is not of use.</summary>
internal sealed unsafe class BitmapPages : PageWriter, IDisposable
{
    private readonly Dictionary<long, nint> _pages = [];

    public override Page GetPage(PageNumber number) => new((byte*)_pages[number.Value]);

    public override Page ModifyPage(PageNumber number)
    {
        var old = (byte*)_pages[number.Value];
        var copy = (byte*)NativeMemory.AlignedAlloc(Page.Size, 64);
        Buffer.MemoryCopy(old, copy, Page.Size, Page.Size);
        NativeMemory.Fill(old, Page.Size, 0xDB);
        NativeMemory.AlignedFree(old);
        _pages[number.Value] = (nint)copy;
        return new Page(copy);
    }

    public void Add(PageNumber number)
    {
        var page = (byte*)NativeMemory.AlignedAlloc(Page.Size, 64);
        NativeMemory.Clear(page, Page.Size);
        _pages.Add(number.Value, (nint)page);
    }

    public override Page AllocatePage(PageType type, uint ownerTag, PageNumber near) => throw new NotSupportedException();

    public override Page AllocateOverflow(int overflowBytes, uint ownerTag) => throw new NotSupportedException();

    public override PageNumber AllocateNeighbours(int pageCount, PageType type, uint ownerTag) =>
        throw new NotSupportedException();

    public override void FreePage(PageNumber number) => throw new NotSupportedException();

    public void Dispose()
    {
        foreach (nint page in _pages.Values)
        {
            NativeMemory.AlignedFree((void*)page);
        }

        _pages.Clear();
    }
}
