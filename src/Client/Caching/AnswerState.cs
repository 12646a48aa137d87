namespace Jackdaw.Client.Caching;

/// <summary>What is known about a cached answer.</summary>
internal enum AnswerState
{
    /// <summary>Notices have arrived without a gap since before it was verified, and none concerns it.</summary>
    Fresh,

    /// <summary>A notice or an own write that came after it was verified concerns it.</summary>
    Suspect,

    /// <summary>It was verified while no notices arrived, or before they were lost.</summary>
    Unverified,

    /// <summary>It was verified longer ago than the reader accepts.</summary>
    Expired,
}

/// <summary>What a reader does with a cached answer.</summary>
internal enum CacheDecision
{
    /// <summary>There is no answer: ask the server.</summary>
    Miss,

    /// <summary>Use it without a request.</summary>
    Serve,

    /// <summary>Use it, and have it renewed in the background.</summary>
    ServeAndRefresh,

    /// <summary>Ask the server whether it is still valid (by its ETag, if it has one).</summary>
    Revalidate,
}
