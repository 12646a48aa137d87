namespace Jackdaw.Storage.Paging;

/// <summary>Write access to pages: page numbers stay, contents are copied on the first change of a transaction. Writer thread only.</summary>
public abstract class PageWriter : PageReader
{
    /// <summary>The page for writing. The first call in a transaction copies it to scratch; further calls return the same copy.
    /// Any <see cref="Page"/> of this number taken before the first call still shows the old content.</summary>
    public abstract Page ModifyPage(PageNumber number);

    /// <summary>A new page: body zero, header filled (number, type, owner), lower = 64, upper = 8192.</summary>
    /// <param name="type">What it will hold.</param>
    /// <param name="ownerTag">Hash of the owning tree or table.</param>
    /// <param name="near">A page that it will be read with: a free one close after it is preferred. None = any.</param>
    public abstract Page AllocatePage(PageType type, uint ownerTag, PageNumber near);

    /// <summary>A new overflow run for a value of <paramref name="overflowBytes"/> bytes (1..<see cref="Page.OverflowBytesMax"/>);
    /// contiguous in memory, zeroed.</summary>
    public abstract Page AllocateOverflow(int overflowBytes, uint ownerTag);

    /// <summary>A new overflow run as from <see cref="AllocateOverflow"/>, whose value is written to the data file before the transaction is
    /// submitted, and not to the journal. An ordinary one where that is not possible.</summary>
    /// <remarks>The caller fills it before it calls anything that writes direct runs: see <c>WriteTransaction.WriteDirectRuns</c>.</remarks>
    public virtual Page AllocateDirect(int overflowBytes, uint ownerTag) => AllocateOverflow(overflowBytes, ownerTag);

    /// <summary>A run of <paramref name="pageCount"/> single pages with neighbouring numbers, each as from <see cref="AllocatePage"/>;
    /// returns the first number.</summary>
    public abstract PageNumber AllocateNeighbours(int pageCount, PageType type, uint ownerTag);

    /// <summary>Frees a page, or the whole overflow run that starts at the number. Any view of it is invalid
    /// afterwards.</summary>
    public abstract void FreePage(PageNumber number);

    /// <summary>Frees an overflow run like <see cref="FreePage"/>, but reads nothing of it: its pages need not be in memory, and its
    /// checksum is not verified.</summary>
    /// <param name="first">First page of the run.</param>
    /// <param name="overflowBytes">Bytes of its value.</param>
    /// <exception cref="CorruptedPageException">There can be no run of that size.</exception>
    public virtual void FreeRun(PageNumber first, int overflowBytes) => FreePage(first);
}
