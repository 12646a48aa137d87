namespace Jackdaw.Server.Documents;

/// <summary>Numbers given to one client alone.</summary>
public readonly record struct HiLoRange(WriteStatus Status, long Low, long High, WriteCost Cost);
