using System.Diagnostics;
using Jackdaw.Storage.Paging;
using Jackdaw.Storage.Trees;

namespace Jackdaw.Storage.Tables;

/// <summary>Rows with positional columns, found through several indexes; one object per table and
/// transaction.</summary>
/// <remarks>
/// Invariants:
/// 1. Every row is in every index exactly once, and every entry of an index leads to a row with its key.
/// 2. A change touches only the indexes whose keys it changes.
/// 3. Headers are kept here and handed to the catalog when it is flushed; partitions without rows lose their name then.
/// A change first checks that all its keys are free, so a refused change leaves the table as it was.
/// Thread: any one thread for reading, the writer thread for changes.
/// </remarks>
public sealed class Table
{
    private readonly TreeCatalog _catalog;
    private readonly PageReader _pages;
    private readonly PageWriter? _writer;
    private readonly RowHeap _heap;
    private readonly TableIndexTree[] _indexes;

    /// <summary>The table as one transaction sees it; writable when the catalog belongs to a write transaction. It has
    /// no rows when it was never written.</summary>
    /// <param name="pages">Pages of the transaction, the same as the catalog's.</param>
    /// <param name="catalog">Names and headers of the transaction.</param>
    /// <param name="schema">The declaration under which the rows were and will be written.</param>
    public Table(PageReader pages, TreeCatalog catalog, TableSchema schema)
    {
        _pages = pages;
        _catalog = catalog;
        Schema = schema;
        TreeHeader header = catalog.TryGetHeader(schema.NameBytes, out TreeHeader stored)
            ? stored
            : RowHeap.EmptyHeader(TreeCatalog.OwnerTagOf(schema.NameBytes));
        _writer = catalog.IsWritable ? (PageWriter)pages : null;
        _heap = _writer is null ? new RowHeap(pages, header) : new RowHeap(_writer, header);
        _indexes = new TableIndexTree[schema.Indexes.Count];
        for (int i = 0; i < _indexes.Length; i++)
        {
            _indexes[i] = OpenIndex(schema.Indexes[i]);
        }

        if (catalog.IsWritable)
        {
            catalog.Flushing += SaveHeaders;
        }
    }

    /// <summary>Columns and indexes.</summary>
    public TableSchema Schema { get; }

    /// <summary>Rows.</summary>
    public long Count => _heap.RowCount;

    /// <summary>The roots at which look-ups by primary key begin after the changes so far.</summary>
    public TableRoots CaptureRoots() => new(_heap.RowCount)
    {
        Keys = TreeOf<KeyIndexTree>(PrimaryKey).Tree?.Header ?? BTree.EmptyHeader(0),
        RowsTag = _heap.Header.OwnerTag,
    };

    internal RowHeap Heap => _heap;

    internal IReadOnlyList<TableIndexTree> IndexTrees => _indexes;

    /// <summary>Finds a row by the schema's primary key.</summary>
    public bool TryGetByKey(scoped ReadOnlySpan<byte> key, out TableRow row) => TryGetByKey(PrimaryKey, key, out row);

    /// <summary>Finds a row by a key index.</summary>
    public bool TryGetByKey(TableIndex index, scoped ReadOnlySpan<byte> key, out TableRow row)
    {
        bool found = TreeOf<KeyIndexTree>(index).TryGet(key, out RowId id);
        row = found ? Read(id) : default;
        return found;
    }

    /// <summary>Finds a row by a number index.</summary>
    public bool TryGetByNumber(TableIndex index, long number, out TableRow row)
    {
        bool found = TreeOf<NumberIndexTree>(index).Tree.TryGet(number, out RowId id);
        row = found ? Read(id) : default;
        return found;
    }

    /// <summary>The row of an id that an index gave.</summary>
    /// <exception cref="CorruptedPageException">There is no such row.</exception>
    public TableRow Read(RowId id) => new(_heap.Read(id), id, Schema);

    /// <summary>A cursor over a key index.</summary>
    public TableKeyCursor OpenKeys(TableIndex index) => new(this, TreeOf<KeyIndexTree>(index).Tree);

    /// <summary>A cursor over a number index.</summary>
    public TableNumberCursor OpenNumbers(TableIndex index) => new(this, TreeOf<NumberIndexTree>(index).Tree);

    /// <summary>A cursor over one partition of a partitioned index.</summary>
    public TableNumberCursor OpenNumbers(TableIndex index, ReadOnlySpan<byte> partition) =>
        new(this, FindPartition(index, partition) ?? OpenTree(FixedSizeTreeHeader.CreateEmpty<long, RowId>(0)));

    /// <summary>Rows of one partition. Cost: at most one look-up in the catalog.</summary>
    public long CountPartition(TableIndex index, ReadOnlySpan<byte> partition) =>
        FindPartition(index, partition)?.EntryCount ?? 0;

    /// <summary>Values and row counts of the partitions that have rows, in bytewise order. Cost: one catalog entry
    /// each.</summary>
    public IReadOnlyList<TablePartition> ListPartitions(TableIndex index)
    {
        PartitionedIndexTree tree = TreeOf<PartitionedIndexTree>(index);
        if (_catalog.IsWritable)
        {
            tree.SaveHeaders(_catalog);
        }

        return tree.List();
    }

    /// <summary>Adds a row.</summary>
    /// <param name="row">From a <see cref="TableRowBuilder"/>; copied.</param>
    /// <returns>Where it is.</returns>
    /// <exception cref="InvalidOperationException">One of its keys is taken: nothing changed.</exception>
    public RowId Insert(ReadOnlySpan<byte> row) => TryInsert(row, out RowId id) ? id : throw KeyTaken();

    /// <summary>Adds a row; false, and nothing changed, when one of its keys is taken.</summary>
    /// <exception cref="ArgumentException">The row does not fit the schema, or a key is too long.</exception>
    public bool TryInsert(ReadOnlySpan<byte> row, out RowId id)
    {
        TableRow view = CheckRow(row);
        id = _heap.Insert(row);
        for (int i = 0; i < _indexes.Length; i++)
        {
            if (!_indexes[i].TryAdd(view, id))
            {
                UndoInsert(row, id, i);
                id = default;
                return false;
            }
        }

        return true;
    }

    /// <summary>Replaces a row.</summary>
    /// <param name="oldRow">The stored row, as found in this transaction; invalid afterwards.</param>
    /// <param name="newRow">From a <see cref="TableRowBuilder"/>; copied; must not be a view of this table's
    /// pages.</param>
    /// <returns>Where it is now: usually where it was.</returns>
    /// <exception cref="InvalidOperationException">One of its new keys is taken: nothing changed.</exception>
    public RowId Update(TableRow oldRow, ReadOnlySpan<byte> newRow) =>
        TryUpdate(oldRow, newRow, out RowId id) ? id : throw KeyTaken();

    /// <summary>Replaces a row; false, and nothing changed, when one of its new keys is taken.</summary>
    /// <inheritdoc cref="Update"/>
    public bool TryUpdate(TableRow oldRow, ReadOnlySpan<byte> newRow, out RowId id)
    {
        TableRow view = CheckRow(newRow);
        RowId oldId = oldRow.Id;
        id = oldId;
        uint changed = 0;
        for (int i = 0; i < _indexes.Length; i++)
        {
            if (!_indexes[i].IsSameKey(oldRow, view))
            {
                changed |= 1u << i;
                if (_indexes[i].HasKey(view))
                {
                    return false;
                }
            }
        }

        // The old keys are removed while the old row is still in place, because they are views of it.
        for (int i = 0; i < _indexes.Length; i++)
        {
            if ((changed & 1u << i) != 0)
            {
                _indexes[i].Remove(oldRow);
            }
        }

        id = _heap.Update(oldId, newRow);
        AddChanged(view, id, changed, isMoved: id != oldId);
        return true;
    }

    /// <summary>Adds a row, or replaces the one with the same primary key.</summary>
    /// <returns>Where it is.</returns>
    /// <exception cref="InvalidOperationException">A key of another index is taken by another row: nothing
    /// changed.</exception>
    public RowId Upsert(ReadOnlySpan<byte> row)
    {
        TableRow view = CheckRow(row);
        return TryGetByKey(PrimaryKey.KeyOf(view), out TableRow oldRow) ? Update(oldRow, row) : Insert(row);
    }

    /// <summary>Removes the row with a primary key.</summary>
    /// <returns>False when there is none.</returns>
    public bool DeleteByKey(ReadOnlySpan<byte> key)
    {
        if (!TryGetByKey(key, out TableRow row))
        {
            return false;
        }

        Delete(row);
        return true;
    }

    /// <summary>Removes a stored row, as found in this transaction; invalid afterwards.</summary>
    public void Delete(TableRow row)
    {
        RowId id = row.Id;
        foreach (TableIndexTree index in _indexes)
        {
            index.Remove(row);
        }

        _heap.Delete(id);
    }

    /// <summary>A tree of numbers, for writing when the transaction is a writer's.</summary>
    internal FixedSizeTree<long, RowId> OpenTree(in TreeHeader header) =>
        _writer is null
            ? new FixedSizeTree<long, RowId>(_pages, header)
            : new FixedSizeTree<long, RowId>(_writer, header);

    private static InvalidOperationException KeyTaken() =>
        new("A key of the row is taken by another row of the table.");

    private TableIndex PrimaryKey =>
        Schema.PrimaryKey ?? throw new InvalidOperationException($"Table '{Schema.Name}' has no key index.");

    private TableIndexTree OpenIndex(TableIndex index)
    {
        byte[] name = Schema.CatalogName(index);
        switch (index.Kind)
        {
            case TableIndexKind.Key:
                return new KeyIndexTree(index, _catalog.OpenTree(name));
            case TableIndexKind.Number:
                TreeHeader header = _catalog.TryGetHeader(name, out TreeHeader stored)
                    ? stored
                    : FixedSizeTreeHeader.CreateEmpty<long, RowId>(TreeCatalog.OwnerTagOf(name));
                return new NumberIndexTree(index, name, OpenTree(header));
            default:
                return new PartitionedIndexTree(index, name, this, _catalog);
        }
    }

    private TTree TreeOf<TTree>(TableIndex index)
        where TTree : TableIndexTree
    {
        TableIndexTree? tree = index.Ordinal < _indexes.Length ? _indexes[index.Ordinal] : null;
        if (tree is not TTree wanted || tree.Index != index)
        {
            throw new ArgumentException($"Index '{index.Name}' is of kind {index.Kind}, or of another table.",
                nameof(index));
        }

        return wanted;
    }

    private FixedSizeTree<long, RowId>? FindPartition(TableIndex index, ReadOnlySpan<byte> partition) =>
        TreeOf<PartitionedIndexTree>(index).Find(partition);

    private TableRow CheckRow(ReadOnlySpan<byte> row)
    {
        Schema.CheckRow(row);
        var view = new TableRow(row, RowId.None, Schema);
        foreach (TableIndexTree index in _indexes)
        {
            index.CheckKey(view);
        }

        return view;
    }

    private void UndoInsert(ReadOnlySpan<byte> row, RowId id, int added)
    {
        var view = new TableRow(row, id, Schema);
        for (int i = 0; i < added; i++)
        {
            _indexes[i].Remove(view);
        }

        _heap.Delete(id);
    }

    private void AddChanged(TableRow row, RowId id, uint changed, bool isMoved)
    {
        for (int i = 0; i < _indexes.Length; i++)
        {
            if ((changed & 1u << i) != 0)
            {
                bool isAdded = _indexes[i].TryAdd(row, id);
                Debug.Assert(isAdded);
            }
            else if (isMoved)
            {
                _indexes[i].Move(row, id);
            }
        }
    }

    private void SaveHeaders(TreeCatalog catalog)
    {
        Debug.Assert(ReferenceEquals(catalog, _catalog));
        if (_heap.HeaderChanged)
        {
            catalog.SetHeader(Schema.NameBytes, _heap.Header);
            _heap.AcceptHeader();
        }

        foreach (TableIndexTree index in _indexes)
        {
            index.SaveHeaders(catalog);
        }
    }
}
