using System.Runtime.InteropServices;
using Jackdaw.Storage.Paging;

namespace Jackdaw.TestKit;

/// <summary>Pages in plain memory, for tests of trees without a storage. Strict on purpose: every first change of a page in a
/// transaction moves it to a new address and poisons the old one when the transaction ends, so a view that is kept too
/// long reads rubbish; freed pages are poisoned at once; each page is exactly one of used or free.</summary>
public sealed unsafe class HeapPages : PageWriter, IDisposable
{
    private const byte Poison = 0xDB;
    private readonly Dictionary<long, nint> _pages = [];
    private readonly Dictionary<long, nint> _modified = [];
    private readonly List<(nint Address, int Pages)> _replaced = [];
    private readonly SortedSet<long> _free = [];
    private long _next = 1;

    /// <summary>Numbers of the pages in use (first pages of overflow runs).</summary>
    public IReadOnlyCollection<long> UsedPages => _pages.Keys;

    /// <summary>Changes so far: one per page and transaction.</summary>
    public long ModifiedPages { get; private set; }

    /// <inheritdoc/>
    public override Page GetPage(PageNumber number)
    {
        if (!_pages.TryGetValue(number.Value, out nint address))
        {
            throw new InvalidOperationException($"Page {number} is not in use.");
        }

        return new Page((byte*)address);
    }

    /// <inheritdoc/>
    public override Page ModifyPage(PageNumber number)
    {
        if (_modified.TryGetValue(number.Value, out nint copy))
        {
            return new Page((byte*)copy);
        }

        Page old = GetPage(number);
        int pages = old.PageCount;
        byte* address = Allocate(pages);
        Buffer.MemoryCopy(old.Address, address, (long)pages * Page.Size, (long)pages * Page.Size);
        _replaced.Add(((nint)old.Address, pages));
        _pages[number.Value] = _modified[number.Value] = (nint)address;
        ModifiedPages++;
        return new Page(address);
    }

    /// <inheritdoc/>
    public override Page AllocatePage(PageType type, uint ownerTag, PageNumber near) => Create(TakeNumbers(1), type, ownerTag, 0);

    /// <inheritdoc/>
    public override Page AllocateOverflow(int overflowBytes, uint ownerTag) =>
        Create(TakeNumbers(Page.CountPages(overflowBytes)), PageType.Overflow, ownerTag, overflowBytes);

    /// <inheritdoc/>
    public override PageNumber AllocateNeighbours(int pageCount, PageType type, uint ownerTag)
    {
        long first = TakeNumbers(pageCount);
        for (int i = 0; i < pageCount; i++)
        {
            Create(first + i, type, ownerTag, 0);
        }

        return new PageNumber(first);
    }

    /// <inheritdoc/>
    public override void FreePage(PageNumber number)
    {
        Page page = GetPage(number);
        int pages = page.PageCount;
        _pages.Remove(number.Value);
        _modified.Remove(number.Value);
        Release((nint)page.Address, pages);
        for (int i = 0; i < pages; i++)
        {
            _free.Add(number.Value + i);
        }
    }

    /// <summary>Ends a transaction: replaced copies are poisoned and freed, the next change of a page copies it again.</summary>
    public void EndTransaction()
    {
        foreach ((nint address, int pages) in _replaced)
        {
            Release(address, pages);
        }

        _replaced.Clear();
        _modified.Clear();
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        EndTransaction();
        foreach (nint address in _pages.Values)
        {
            NativeMemory.AlignedFree((void*)address);
        }

        _pages.Clear();
    }

    private static byte* Allocate(int pages)
    {
        byte* address = (byte*)NativeMemory.AlignedAlloc((nuint)pages * Page.Size, 4096);
        NativeMemory.Clear(address, (nuint)pages * Page.Size);
        return address;
    }

    private static void Release(nint address, int pages)
    {
        NativeMemory.Fill((void*)address, (nuint)pages * Page.Size, Poison);
        NativeMemory.AlignedFree((void*)address);
    }

    private Page Create(long number, PageType type, uint ownerTag, int overflowBytes)
    {
        var page = new Page(Allocate(Page.CountPages(overflowBytes)));
        page.Header.PageNumber = new PageNumber(number);
        page.Header.Type = type;
        page.Header.OwnerTag = ownerTag;
        page.Header.OverflowBytes = overflowBytes;
        page.Header.Lower = PageHeader.SizeOf;
        page.Header.Upper = Page.Size;
        _pages[number] = _modified[number] = (nint)page.Address;
        ModifiedPages++;
        return page;
    }

    private long TakeNumbers(int count)
    {
        if (count == 1 && _free.Count > 0)
        {
            long reused = _free.Min;
            _free.Remove(reused);
            return reused;
        }

        long first = _next;
        _next += count;
        return first;
    }
}
