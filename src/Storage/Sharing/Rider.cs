using Jackdaw.Storage.Journal;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Storage.Sharing;

/// <summary>A branch's transaction on its way to a write of the root.</summary>
/// <param name="Lane">Lane of the branch.</param>
/// <param name="Commit">The ordered transaction.</param>
/// <param name="Entry">Its built entry, for whose bytes room is promised, in memory of the branch that stays as it is until the transaction completes.</param>
internal sealed record Rider(BranchLane Lane, PendingCommit Commit, BuiltEntry Entry);
