using Jackdaw.Storage.Journal;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Storage.Committing;

/// <summary>A branch's transaction that waits for a write of the root, or is in one.</summary>
/// <param name="Branch">Committer of the branch.</param>
/// <param name="Commit">The ordered transaction.</param>
/// <param name="Entry">Its built entry, for whose bytes space is reserved; in memory of the branch that does not change
/// until the transaction completes.</param>
internal sealed record PendingEntry(BranchCommitter Branch, PendingCommit Commit, BuiltEntry Entry)
{
    /// <summary>Bytes of the journal that are reserved for it.</summary>
    public long Promised => PromisedFor(Entry);

    /// <summary>Most bytes that an entry needs: it may be the first of its branch in a file, and is then accompanied by
    /// a link record.</summary>
    public static long PromisedFor(BuiltEntry entry) => entry.Bytes + JournalFormat.BlockSize;
}
