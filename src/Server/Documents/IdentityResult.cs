namespace Jackdaw.Server.Documents;

/// <summary>Outcome of taking or seeding an identity.</summary>
public readonly record struct IdentityResult(WriteStatus Status, long Value, WriteCost Cost);
