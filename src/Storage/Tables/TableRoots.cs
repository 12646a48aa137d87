using Jackdaw.Storage.Trees;

namespace Jackdaw.Storage.Tables;

/// <summary>Where the look-up of a table's rows by primary key begins, as of the end of one transaction. Immutable:
/// kept with
/// the state that the transaction publishes, it spares readers the way through the catalog.</summary>
/// <param name="RowCount">Rows.</param>
public sealed record TableRoots(long RowCount)
{
    internal TreeHeader Keys { get; init; }

    internal uint RowsTag { get; init; }
}
