namespace Jackdaw.Server.Diagnostics;

/// <summary>What was seen of the process's memory at one moment.</summary>
/// <param name="Resident">Null where the system does not tell.</param>
/// <param name="Mappings">Memory mappings; null where the system does not tell.</param>
/// <param name="MappingsMax">How many it allows; null where it does not tell.</param>
/// <param name="TakenAt">Time stamp of the clock of <see cref="MemoryWatch"/>.</param>
/// <param name="Cost">How long it took to read.</param>
public sealed record MemorySample(
    ResidentMemory? Resident, long? Mappings, long? MappingsMax, long TakenAt, TimeSpan Cost);
