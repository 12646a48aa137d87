using Jackdaw.Storage.Committing;
using Jackdaw.Storage.Journal;
using Jackdaw.Storage.Journal.Recovery;
using Jackdaw.Storage.Resources;

namespace Jackdaw.Storage.Environments;

/// <summary>The members of its root that a branch needs. It needs none of the root's trees, pages or transactions.</summary>
internal interface IBranchRoot
{
    /// <summary>Writes the branch's entries with its own.</summary>
    JournalCommitter Committer { get; }

    /// <summary>The journals whose files the branch links.</summary>
    JournalFolder Journals { get; }

    /// <summary>The positions of entries in the recovered journals; null when they are no longer known.</summary>
    JournalIndex? RecoveredIndex { get; }

    /// <summary>The resources that the storages of the process share.</summary>
    ProcessResources Resources { get; }

    /// <summary>Entries name their storage by its id: two folders with one id must not share journals at the same
    /// time.</summary>
    /// <returns>Belongs to a branch that is being opened; disposed only when that fails.</returns>
    /// <exception cref="InvalidOperationException">A storage with this id is open.</exception>
    IDisposable Claim(Guid branchId, string path);
}
