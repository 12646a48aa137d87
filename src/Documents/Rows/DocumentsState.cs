using Jackdaw.Documents.Identity;
using Jackdaw.Storage.Tables;

namespace Jackdaw.Documents.Rows;

/// <summary>The state that a database attaches to each committed transaction, so that readers find it without a look-up.</summary>
/// <param name="LastEtag">The last etag that was given out.</param>
/// <param name="Documents">The roots at which look-ups of documents begin, and their count.</param>
/// <param name="Tombstones">The number of tombstones.</param>
/// <param name="Identities">The number of identities.</param>
internal sealed record DocumentsState(Etag LastEtag, TableRoots Documents, long Tombstones, long Identities)
{
    /// <summary>The earliest scheduled time that the transaction added, in UTC ticks; <see cref="long.MaxValue"/> for none.</summary>
    public long EarliestScheduled { get; init; } = long.MaxValue;

    public RevisionTotals Revisions { get; init; }
}
