using Jackdaw.Storage.Journal;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Storage.Sharing;

/// <summary>A branch's transaction on its way to a write of the root.</summary>
/// <param name="Lane">Lane of the branch.</param>
/// <param name="Commit">The ordered transaction.</param>
/// <param name="Entry">Its built entry, for whose bytes room is promised, in memory of the branch that stays as it is until the transaction completes.</param>
internal sealed record Rider(BranchLane Lane, PendingCommit Commit, BuiltEntry Entry)
{
    /// <summary>Bytes of the journal that are promised for it.</summary>
    public long Promised => PromisedFor(Entry);

    /// <summary>What an entry needs at most: it may be the first of its branch in a file, and then a record of the link goes with it.</summary>
    public static long PromisedFor(BuiltEntry entry) => entry.Bytes + JournalFormat.BlockSize;
}
