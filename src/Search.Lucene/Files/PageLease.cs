using Jackdaw.Storage.Paging;

namespace Jackdaw.Search.Lucene.Files;

/// <summary>The transaction through which this thread reads the files of an index.</summary>
/// <remarks>
/// Lucene's readers live longer than a snapshot of a storage may, because a snapshot delays flushes. So a reader has no transaction of its own: each search and
/// each batch lends one to its thread while it runs. A pointer that was looked up under a lease is marked with the stamp of the lease, and is looked up again
/// under another one.
/// </remarks>
internal readonly struct PageLease : IDisposable
{
    private static long s_permanent = -1; // only becomes smaller, so that it is never the stamp of a lease

    [ThreadStatic]
    private static PageReader? s_threadPages;

    [ThreadStatic]
    private static long s_threadStamp;

    private static long s_lastStamp;

    private readonly PageReader? _outerPages;
    private readonly long _outerStamp;

    private PageLease(PageReader? outerPages, long outerStamp)
    {
        _outerPages = outerPages;
        _outerStamp = outerStamp;
    }

    /// <summary>The stamp of pointers that are valid under every lease.</summary>
    public static long Permanent => s_permanent;

    /// <summary>The stamp of the lease of this thread; 0 when there is none.</summary>
    public static long Stamp => s_threadStamp;

    /// <summary>The transaction through which this thread reads.</summary>
    /// <exception cref="InvalidOperationException">The thread has no lease.</exception>
    public static PageReader Pages => s_threadPages
        ?? throw new InvalidOperationException("A file of an index was read without a transaction of its storage.");

    /// <summary>Makes every thread look up its permanent pointers again at their next use. They would still be valid; this is for meters that count
    /// look-ups.</summary>
    public static void EndPermanent() => Interlocked.Decrement(ref s_permanent);

    /// <summary>Lends a transaction to this thread until the lease is disposed, on the same thread. Leases may be nested.</summary>
    public static PageLease Begin(PageReader pages)
    {
        var lease = new PageLease(s_threadPages, s_threadStamp);
        s_threadPages = pages;
        s_threadStamp = Interlocked.Increment(ref s_lastStamp);
        return lease;
    }

    public void Dispose()
    {
        s_threadPages = _outerPages;
        s_threadStamp = _outerStamp;
    }
}
