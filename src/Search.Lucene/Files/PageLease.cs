using Jackdaw.Storage.Paging;

namespace Jackdaw.Search.Lucene.Files;

/// <summary>The transaction through which this thread reads the files of an index.</summary>
/// <remarks>
/// Lucene's readers live longer than a snapshot of a storage may: a snapshot holds flushes back. So a reader keeps no transaction; each
/// search, and each batch, lends one to the thread while it lasts. What was looked up under one lease is marked with its stamp, and is
/// looked up again under another.
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

    /// <summary>Stamp of what stays valid under every lease.</summary>
    public static long Permanent => s_permanent;

    /// <summary>Stamp of the lease of this thread; 0 without one.</summary>
    public static long Stamp => s_threadStamp;

    /// <summary>What this thread reads through.</summary>
    /// <exception cref="InvalidOperationException">It has no lease.</exception>
    public static PageReader Pages => s_threadPages
        ?? throw new InvalidOperationException("Files of an index are read without a transaction of its storage.");

    /// <summary>What is marked as permanent now is looked up again when it is used next, on every thread. It stays valid all the same: this is
    /// for those who count what is looked up.</summary>
    public static void EndPermanent() => Interlocked.Decrement(ref s_permanent);

    /// <summary>Lends a transaction to this thread until the lease is disposed, on the same thread. Leases may lie within each other.</summary>
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
