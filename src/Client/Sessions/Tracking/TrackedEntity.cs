namespace Jackdaw.Client.Sessions.Tracking;

/// <summary>What a session knows of a document.</summary>
/// <param name="Id">Empty: the server gives one with the save.</param>
/// <param name="Entity">Null: it is not loaded.</param>
/// <param name="IsDeleted">The next save deletes it.</param>
public sealed record TrackedEntity(string Id, object? Entity, bool IsDeleted);
