using Jackdaw.Storage.Trees;

namespace Jackdaw.Storage.Tables;

/// <summary>Index over a 64-bit column: a fixed-entry tree from number to row id.</summary>
internal sealed class NumberIndexTree(TableIndex index, byte[] catalogName, FixedSizeTree<long, RowId> tree)
    : TableIndexTree(index)
{
    public FixedSizeTree<long, RowId> Tree => tree;

    public override bool IsSameKey(TableRow left, TableRow right) => Index.NumberOf(left) == Index.NumberOf(right);

    public override bool HasKey(TableRow row) => tree.Contains(Index.NumberOf(row));

    public override bool TryAdd(TableRow row, RowId id) => tree.TryAdd(Index.NumberOf(row), id);

    public override void Move(TableRow row, RowId id) => tree.Put(Index.NumberOf(row), id);

    public override void Remove(TableRow row)
    {
        if (!tree.Delete(Index.NumberOf(row), out RowId id) || id != row.Id)
        {
            ThrowMissing(row);
        }
    }

    public override void SaveHeaders(TreeCatalog catalog)
    {
        if (tree.HeaderChanged)
        {
            catalog.SetHeader(catalogName, tree.Header);
            tree.AcceptHeader();
        }
    }
}
