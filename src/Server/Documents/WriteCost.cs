namespace Jackdaw.Server.Documents;

/// <summary>What one write cost, for Server-Timing.</summary>
/// <param name="QueueWaitUs">Microseconds between queueing and the start of the batch it went into.</param>
/// <param name="MergedCommands">Requests that shared the batch: 1 means it was alone.</param>
/// <param name="JournalUs">Microseconds of the durable journal write of that batch.</param>
public readonly record struct WriteCost(long QueueWaitUs, int MergedCommands, long JournalUs);
