namespace Jackdaw.Client.Sessions.Core;

/// <summary>How a session was opened.</summary>
/// <param name="IsTracking">What is loaded is known afterwards, and can be saved.</param>
/// <param name="IsCaching">Caches may answer.</param>
internal readonly record struct SessionSettings(bool IsTracking, bool IsCaching);
