namespace Jackdaw.Bench.Writes;

/// <summary>What the page cache holds of the file when a flush begins. The kernel keeps pages in folios as large as the
/// writes that brought them in, and a small write into a large folio costs it more.</summary>
internal enum CacheState
{
    /// <summary>All of it, in folios of large writes.</summary>
    Large,

    /// <summary>All of it, in folios of one page each.</summary>
    Small,

    /// <summary>Nothing.</summary>
    None,
}
