using System.Runtime.InteropServices;
using Jackdaw.Storage.Paging;
using Jackdaw.Storage.Trees;

namespace Jackdaw.Storage.Tables;

/// <summary>Index over a 64-bit column among rows with the same bytes in another column: one fixed-entry tree for each
/// such value, in the catalog under the index's name and the value. A partition without rows has no tree and no
/// name.</summary>
internal sealed class PartitionedIndexTree : TableIndexTree
{
    private readonly Table _table;
    private readonly TreeCatalog _catalog;
    private readonly byte[] _namePrefix;

    // Partitions used in this transaction, by catalog name. A partition that lost its last row stays here until the
    // headers are saved.
    private readonly Dictionary<byte[], FixedSizeTree<long, RowId>> _open;
    private readonly Dictionary<byte[], FixedSizeTree<long, RowId>>.AlternateLookup<ReadOnlySpan<byte>> _openByName;

    public PartitionedIndexTree(TableIndex index, byte[] namePrefix, Table table, TreeCatalog catalog)
        : base(index)
    {
        _table = table;
        _catalog = catalog;
        _namePrefix = namePrefix;
        _open = new Dictionary<byte[], FixedSizeTree<long, RowId>>(TreeNameComparer.Instance);
        _openByName = _open.GetAlternateLookup<ReadOnlySpan<byte>>();
    }

    public override void CheckKey(TableRow row)
    {
        if (Index.PartitionOf(row).Length > TableSchema.PartitionBytesMax)
        {
            throw new ArgumentException(
                $"The partition of index '{Index.Name}' is longer than {TableSchema.PartitionBytesMax} bytes.",
                nameof(row));
        }
    }

    public override bool IsSameKey(TableRow left, TableRow right) =>
        Index.NumberOf(left) == Index.NumberOf(right) &&
        Index.PartitionOf(left).SequenceEqual(Index.PartitionOf(right));

    public override bool HasKey(TableRow row) =>
        Find(Index.PartitionOf(row)) is { } tree && tree.Contains(Index.NumberOf(row));

    public override bool TryAdd(TableRow row, RowId id) =>
        FindOrCreate(Index.PartitionOf(row)).TryAdd(Index.NumberOf(row), id);

    public override void Move(TableRow row, RowId id) =>
        FindOrCreate(Index.PartitionOf(row)).Put(Index.NumberOf(row), id);

    public override void Remove(TableRow row)
    {
        if (Find(Index.PartitionOf(row)) is not { } tree ||
            !tree.Delete(Index.NumberOf(row), out RowId id) || id != row.Id)
        {
            ThrowMissing(row);
        }
    }

    public override void SaveHeaders(TreeCatalog catalog)
    {
        foreach ((byte[] name, FixedSizeTree<long, RowId> tree) in _open)
        {
            if (tree.EntryCount == 0)
            {
                catalog.RemoveHeader(name);
                _open.Remove(name);
            }
            else if (tree.HeaderChanged)
            {
                catalog.SetHeader(name, tree.Header);
                tree.AcceptHeader();
            }
        }
    }

    /// <summary>The tree of a partition, null when it has no rows.</summary>
    public FixedSizeTree<long, RowId>? Find(ReadOnlySpan<byte> partition)
    {
        if (partition.Length > TableSchema.PartitionBytesMax)
        {
            return null;
        }

        Span<byte> name = stackalloc byte[_namePrefix.Length + partition.Length];
        WriteName(partition, name);
        if (_openByName.TryGetValue(name, out FixedSizeTree<long, RowId>? tree))
        {
            return tree;
        }

        return _catalog.TryGetHeader(name, out TreeHeader header) ? Open(name, header) : null;
    }

    /// <summary>Values and row counts of all partitions, in bytewise order of the values. A writer has saved its
    /// headers before.</summary>
    public List<TablePartition> List()
    {
        var partitions = new List<TablePartition>();
        using BTreeCursor names = _catalog.OpenNames();
        for (bool on = names.Seek(_namePrefix); on && names.Key.StartsWith(_namePrefix); on = names.MoveNext())
        {
            partitions.Add(new TablePartition(
                names.Key[_namePrefix.Length..].ToArray(),
                MemoryMarshal.Read<TreeHeader>(CheckedHeader(names.Value)).EntryCount));
        }

        return partitions;
    }

    private static ReadOnlySpan<byte> CheckedHeader(ReadOnlySpan<byte> header)
    {
        if (header.Length != TreeHeader.SizeOf)
        {
            PageDamage.Throw(PageNumber.None, $"the header of a partition has {header.Length} bytes");
        }

        return header;
    }

    private FixedSizeTree<long, RowId> FindOrCreate(ReadOnlySpan<byte> partition)
    {
        if (Find(partition) is { } tree)
        {
            return tree;
        }

        Span<byte> name = stackalloc byte[_namePrefix.Length + partition.Length];
        WriteName(partition, name);
        return Open(name, FixedSizeTreeHeader.CreateEmpty<long, RowId>(TreeCatalog.OwnerTagOf(name)));
    }

    private FixedSizeTree<long, RowId> Open(ReadOnlySpan<byte> name, in TreeHeader header)
    {
        FixedSizeTree<long, RowId> tree = _table.OpenTree(header);
        _open.Add(name.ToArray(), tree);
        return tree;
    }

    private void WriteName(ReadOnlySpan<byte> partition, Span<byte> name)
    {
        _namePrefix.CopyTo(name);
        partition.CopyTo(name[_namePrefix.Length..]);
    }
}
