using System.Diagnostics;
using System.Runtime.InteropServices;
using Jackdaw.Storage.Paging;
using Jackdaw.Storage.Trees;

namespace Jackdaw.Storage.Tables;

/// <summary>Finds rows by primary key in one snapshot after the other, without allocation: the cheap way to read single
/// rows. Walks and other indexes need a <see cref="Table"/>. One thread at a time.</summary>
/// <param name="schema">Schema of the table.</param>
public sealed class TableLookup(TableSchema schema)
{
    private readonly BTree _keys = new(NoPages.Instance, BTree.EmptyHeader(0));
    private PageReader _pages = NoPages.Instance;
    private uint _rowsTag;

    /// <summary>Makes the look-up read a snapshot.</summary>
    /// <param name="pages">Its pages.</param>
    /// <param name="roots">Captured in the transaction that the snapshot sees; with others the results are
    /// wrong.</param>
    public void Rebind(PageReader pages, TableRoots roots)
    {
        _pages = pages;
        _rowsTag = roots.RowsTag;
        _keys.Rebind(pages, roots.Keys);
    }

    /// <summary>Forgets the snapshot, so that a pooled object keeps no transaction alive.</summary>
    public void Unbind()
    {
        _pages = NoPages.Instance;
        _keys.Rebind(_pages, BTree.EmptyHeader(0));
    }

    /// <summary>Finds a row by its primary key. The row is valid until the snapshot ends.</summary>
    public bool TryGet(ReadOnlySpan<byte> key, out TableRow row)
    {
        if (!_keys.TryGet(key, out ReadOnlySpan<byte> value))
        {
            row = default;
            return false;
        }

        RowId id = KeyIndexTree.ReadId(value);
        row = new TableRow(RowHeap.Read(_pages, _rowsTag, id), id, schema);
        return true;
    }

    /// <summary>Finds several rows, and lets the processor load them side by side: each lies in pages of its own, which are seldom in its caches.</summary>
    /// <param name="keys">Primary keys.</param>
    /// <param name="ids">Receives where each row is; none where there is no row.</param>
    /// <param name="bytes">The bytes at the beginning of each row that are loaded.</param>
    public void Find(ReadOnlySpan<byte[]> keys, Span<RowId> ids, int bytes)
    {
        _keys.GetNumbers(keys, MemoryMarshal.Cast<RowId, ulong>(ids));
        for (int i = 0; i < keys.Length; i++)
        {
            if (!ids[i].IsNone)
            {
                RowHeap.PrefetchPlace(_pages, ids[i]);
            }
        }

        for (int i = 0; i < keys.Length; i++)
        {
            if (!ids[i].IsNone)
            {
                RowHeap.PrefetchRow(_pages, _rowsTag, ids[i], bytes);
            }
        }
    }

    /// <summary>The row of an id that <see cref="Find"/> gave for the same snapshot.</summary>
    public TableRow Read(RowId id) => new(RowHeap.Read(_pages, _rowsTag, id), id, schema);

    private sealed class NoPages : PageReader
    {
        public static readonly NoPages Instance = new();

        public override Page GetPage(PageNumber number) => throw new UnreachableException("No snapshot is bound.");
    }
}

/// <summary>The roots at which look-ups of a table's rows by primary key begin at the end of one transaction. Immutable:
/// kept with the state that the transaction publishes, so that readers need not look the table up in the
/// catalog.</summary>
/// <param name="RowCount">Rows.</param>
public sealed record TableRoots(long RowCount)
{
    internal TreeHeader Keys { get; init; }

    internal uint RowsTag { get; init; }
}
