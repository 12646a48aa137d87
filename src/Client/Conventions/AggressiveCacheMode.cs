namespace Jackdaw.Client.Conventions;

/// <summary>When an answer from memory is good enough, so that no request is sent.</summary>
public enum AggressiveCacheMode
{
    /// <summary>It is good enough while the server's notices arrive and none of them says that the answer may have changed.</summary>
    TrackChanges,

    /// <summary>It is good enough until its time is over. Only writes of the same store take effect earlier.</summary>
    DoNotTrackChanges,

    /// <summary>Like <see cref="TrackChanges"/>, but an answer that may be old is still used for a short, bounded time while it is renewed in the
    /// background.</summary>
    BackgroundRefresh,
}
