namespace Jackdaw.Storage.Resources;

/// <summary>The resources that all storages of a process share, so that a hundred of them cost little more than one: the threads of their background work, and
/// the memory for pages that are not in the data files yet. Thread safe; made once, at the start of the process.</summary>
/// <remarks>Threads exist while there is a storage that needs them: nothing has to be disposed.</remarks>
/// <param name="memory">The memory; null = a third of what this process may use.</param>
public sealed class ProcessResources(MemoryBudget? memory = null)
{
    /// <summary>The memory that all storages have together.</summary>
    public MemoryBudget Memory { get; } = memory ?? new MemoryBudget();

    /// <summary>Flush, sync, give space and memory back.</summary>
    internal BackgroundWorkers Flushes { get; } = new("flusher");

    /// <summary>Prepare the next journal. Separate from the flushes: a preparation that waited for long flushes would
    /// be late, and commits would have to do it.</summary>
    internal BackgroundWorkers JournalPreparations { get; } = new("journal preparer");

    /// <summary>Threads of all shared background work at this moment.</summary>
    public int ThreadCount => Flushes.ThreadCount + JournalPreparations.ThreadCount;
}
