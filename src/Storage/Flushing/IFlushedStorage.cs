using Jackdaw.Storage.Headers;
using Jackdaw.Storage.Journal;
using Jackdaw.Storage.Paging;
using Jackdaw.Storage.Resources;
using Jackdaw.Storage.Scratch;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Storage.Flushing;

/// <summary>The parts of a storage that flushes and syncs use.</summary>
internal interface IFlushedStorage
{
    /// <summary>Its part of the memory and the threads of the process.</summary>
    StorageShare Share { get; }

    /// <summary>Whether it works, and its folder.</summary>
    StorageHealth Health { get; }

    /// <summary>The states that its readers see.</summary>
    PublishedStates States { get; }

    /// <summary>The one writer.</summary>
    SingleWriter Writer { get; }

    /// <summary>Where pages go.</summary>
    DataFile DataFile { get; }

    /// <summary>The memory of changed pages.</summary>
    ScratchPool Scratch { get; }

    /// <summary>The pages that are in scratch.</summary>
    PageTable Table { get; }

    /// <summary>The journals that recovery would read.</summary>
    JournalFolder Journals { get; }

    /// <summary>Where recovery begins.</summary>
    HeaderFile Headers { get; }

    /// <summary>True for a branch that should flush and sync to release the space of journals, even if it has written little itself.</summary>
    bool PinsJournals { get; }

    /// <summary>Called after journals before a number were retired. Flush thread.</summary>
    void OnJournalsRetired(long firstNeeded);

    /// <summary>Releases memory that is only needed under load. Flush thread, on an idle storage; a writer that arrives during this has
    /// priority.</summary>
    /// <returns>False when a reader or a writer prevented it: there is more to release later.</returns>
    bool TrimMemory();
}
