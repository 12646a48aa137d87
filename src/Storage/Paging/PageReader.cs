namespace Jackdaw.Storage.Paging;

/// <summary>Read access to the pages of one snapshot.</summary>
public abstract class PageReader
{
    /// <summary>The page (or the whole overflow run that starts) at a number, as this snapshot sees it.</summary>
    /// <remarks>Cost: one table probe when the page is in scratch, else an address computation. No lock, no allocation.</remarks>
    /// <exception cref="CorruptedPageException">The stored page does not have its checksum, or names another position.</exception>
    public abstract Page GetPage(PageNumber number);

    /// <summary>Begins to read pages that will be used soon, and does not wait: one call into the system for many pages. Pages that are in memory cost
    /// little. Advice only: a number that no page has does no harm.</summary>
    public virtual void Prefetch(ReadOnlySpan<PageNumber> pages)
    {
    }

    /// <summary>Begins to read the value of an overflow run that will be used soon, and does not wait. Advice only, as for pages.</summary>
    /// <param name="first">First page of the run.</param>
    /// <param name="bytes">How many bytes of its value, from the first on, will be used.</param>
    public virtual void Prefetch(PageNumber first, long bytes)
    {
    }
}
