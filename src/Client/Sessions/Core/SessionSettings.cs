namespace Jackdaw.Client.Sessions.Core;

/// <summary>How a session was opened.</summary>
/// <param name="IsTracking">Whether loaded documents are tracked and can be saved.</param>
/// <param name="IsCaching">Whether caches may answer.</param>
internal readonly record struct SessionSettings(bool IsTracking, bool IsCaching);
