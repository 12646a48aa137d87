using Jackdaw.Documents.Identity;
using Jackdaw.Storage.Tables;

namespace Jackdaw.Documents.Rows;

/// <summary>What a database attaches to each committed transaction: readers of the transaction find it without a
/// look-up.</summary>
/// <param name="LastEtag">Last etag given out.</param>
/// <param name="Documents">Where look-ups of documents begin; their count.</param>
/// <param name="Tombstones">Count.</param>
/// <param name="Identities">Count.</param>
internal sealed record DocumentsState(Etag LastEtag, TableRoots Documents, long Tombstones, long Identities)
{
    /// <summary>UTC ticks of the earliest time at which something happens that the transaction added; <see cref="long.MaxValue"/>: none.</summary>
    public long EarliestScheduled { get; init; } = long.MaxValue;

    public RevisionTotals Revisions { get; init; }
}
