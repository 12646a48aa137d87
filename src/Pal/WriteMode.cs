namespace Jackdaw.Pal;

/// <summary>How a measured write reaches the disk.</summary>
public enum WriteMode
{
    /// <summary>As journals are written: unbuffered, durable when the call returns.</summary>
    Durable,

    /// <summary>As data files are written: into the cache, then a sync after each write.</summary>
    BufferedAndSync,

    /// <summary>Into the cache only: the control that durable writes must be slower than.</summary>
    BufferedOnly,
}
