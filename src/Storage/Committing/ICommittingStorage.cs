using Jackdaw.Storage.Resources;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Storage.Committing;

/// <summary>A storage as its committer sees it.</summary>
internal interface ICommittingStorage
{
    /// <summary>Its part of the memory and the threads of the process.</summary>
    StorageShare Share { get; }

    /// <summary>Whether it works, and its folder.</summary>
    StorageHealth Health { get; }

    /// <summary>True while a write transaction is open: another one will be submitted soon. Any thread; a hint.</summary>
    bool IsWriting { get; }

    /// <summary>Makes a durable transaction visible.</summary>
    void Publish(PendingCommit commit);

    /// <summary>A journal, or a branch's name for one, takes no more entries: it may be released after the next sync. Any
    /// thread; must not block.</summary>
    void OnJournalClosed();

    /// <summary>Releases everything that a commit pinned.</summary>
    void Release(PendingCommit commit);
}
