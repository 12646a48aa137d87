namespace Jackdaw.Client.Caching;

/// <summary>What is known of a kept answer.</summary>
internal enum AnswerState
{
    /// <summary>Notices have arrived without a gap since before it was verified, and none is about it.</summary>
    Fresh,

    /// <summary>A notice or an own write after it was verified is about it.</summary>
    Suspect,

    /// <summary>It was verified while no notices arrived, or before they were lost.</summary>
    Unverified,

    /// <summary>It was verified longer ago than the reader accepts.</summary>
    Expired,
}

/// <summary>What a reader does with a kept answer.</summary>
internal enum CacheDecision
{
    /// <summary>There is none: ask the server.</summary>
    Miss,

    /// <summary>Take it; no request.</summary>
    Serve,

    /// <summary>Take it, and have it renewed behind the reader.</summary>
    ServeAndRefresh,

    /// <summary>Ask the server whether it is still so (by its ETag, if it has one).</summary>
    Revalidate,
}
