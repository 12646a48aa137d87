namespace Jackdaw.Client.Sessions.Tracking;

/// <summary>What a session knows about a document.</summary>
/// <param name="Id">The id; empty if the server gives one with the save.</param>
/// <param name="Entity">The object; null if it is not loaded.</param>
/// <param name="IsDeleted">Whether the next save deletes it.</param>
public sealed record TrackedEntity(string Id, object? Entity, bool IsDeleted);
