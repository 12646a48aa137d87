using Jackdaw.Storage.Paging;
using Jackdaw.Storage.Tables;
using Jackdaw.Storage.Trees;

namespace Jackdaw.Storage.Verification;

/// <summary>Walks tables and proves their invariants: the heap, each index tree, and that every row is in every index
/// exactly once, under its own key. Collects one problem for each structure that breaks one.</summary>
/// <remarks>Memory: an id for each row, twice. A writer's table is verified after its headers were written to the
/// catalog.</remarks>
/// <param name="pages">Pages of a snapshot.</param>
/// <param name="reportPage">Called once for each page, or run with its page count, that a table owns.</param>
public sealed class TableVerifier(PageReader pages, Action<PageNumber, int> reportPage)
{
    private readonly List<VerificationProblem> _problems = [];

    /// <summary>The problems that were found so far.</summary>
    public IReadOnlyList<VerificationProblem> Problems => _problems;

    /// <summary>Proves one table; more of the same snapshot may follow.</summary>
    /// <returns>True when it adds no problem.</returns>
    public bool Verify(Table table)
    {
        int before = _problems.Count;
        HashSet<RowId>? rows = null;
        foreach (TableIndexTree index in table.IndexTrees)
        {
            Guard(() =>
            {
                HashSet<RowId> found = WalkIndex(table, index);
                rows ??= found;
            });
        }

        Guard(() =>
        {
            IEnumerable<RowId> runs = rows?.Where(id => id.IsOverflow) ?? [];
            HashSet<RowId> stored = RowHeapVerifier.Verify(table.Heap, runs, reportPage);
            if (rows is not null && !stored.SetEquals(rows))
            {
                Report(table.Heap.Header.Root, $"table '{table.Schema.Name}' has rows that an index does not have");
            }
        });
        return _problems.Count == before;
    }

    private HashSet<RowId> WalkIndex(Table table, TableIndexTree index)
    {
        var rows = new HashSet<RowId>();
        long entries = index switch
        {
            KeyIndexTree keys => WalkKeys(table, keys, rows),
            NumberIndexTree numbers => WalkNumbers(table, index.Index, numbers.Tree, rows, null),
            PartitionedIndexTree partitioned => WalkPartitions(table, partitioned, rows),
            _ => throw new InvalidOperationException($"Index '{index.Index.Name}' cannot be verified."),
        };

        if (entries != table.Count || rows.Count != table.Count)
        {
            Report(PageNumber.None, $"index '{index.Index.Name}' of table '{table.Schema.Name}' has {entries} " +
                $"entries for {rows.Count} rows, the table has {table.Count}");
        }

        return rows;
    }

    private long WalkKeys(Table table, KeyIndexTree index, HashSet<RowId> rows)
    {
        if (index.Tree is null)
        {
            return 0;
        }

        var verifier = new TreeVerifier(pages, reportPage);
        verifier.Verify(index.Tree.Header);
        _problems.AddRange(verifier.Problems);
        long entries = 0;
        using TableKeyCursor cursor = table.OpenKeys(index.Index);
        for (bool on = cursor.SeekFirst(); on; on = cursor.MoveNext(), entries++)
        {
            TableRow row = cursor.Row;
            rows.Add(row.Id);
            CheckRow(table, row);
            if (!index.Index.KeyOf(row).SequenceEqual(cursor.Key))
            {
                Report(row.Id.Page, $"row {row.Id} and its entry of index '{index.Index.Name}' have different keys");
            }
        }

        return entries;
    }

    private long WalkPartitions(Table table, PartitionedIndexTree index, HashSet<RowId> rows)
    {
        long entries = 0;
        foreach (TablePartition partition in index.List())
        {
            if (partition.RowCount == 0)
            {
                Report(PageNumber.None, $"index '{index.Index.Name}' keeps a partition without rows");
            }

            entries += WalkNumbers(table, index.Index, index.Find(partition.Value)!, rows, partition.Value);
        }

        return entries;
    }

    private long WalkNumbers(
        Table table, TableIndex index, FixedSizeTree<long, RowId> tree, HashSet<RowId> rows, byte[]? partition)
    {
        FixedSizeTreeVerifier.Verify(tree, reportPage);
        FixedSizeTreeCursor<long, RowId> cursor = tree.GetCursor();
        for (bool on = cursor.SeekFirst(); on; on = cursor.MoveNext())
        {
            TableRow row = table.Read(cursor.Value);
            rows.Add(row.Id);
            if (table.Schema.PrimaryKey is null)
            {
                CheckRow(table, row);
            }

            if (index.NumberOf(row) != cursor.Key ||
                (partition is not null && !index.PartitionOf(row).SequenceEqual(partition)))
            {
                Report(row.Id.Page, $"row {row.Id} and its entry of index '{index.Name}' have different numbers");
            }
        }

        return tree.EntryCount;
    }

    // Called once for each row: during the walk over the first key index, or over the numbers of a table without one.
    private void CheckRow(Table table, TableRow row)
    {
        TableSchema schema = table.Schema;
        if (row.Version > schema.Version)
        {
            Report(row.Id.Page, $"row {row.Id} of table '{schema.Name}' was written under version {row.Version} of its " +
                $"columns; this program knows versions up to {schema.Version}");
        }
        else if (!row.IsSound())
        {
            Report(row.Id.Page, $"row {row.Id} of table '{schema.Name}' is damaged, or does not have the columns of its " +
                $"version {row.Version}");
        }
    }

    private void Guard(Action walk)
    {
        try
        {
            walk();
        }
        catch (CorruptedPageException damage)
        {
            Report(damage.Page, damage.Message);
        }
        catch (CorruptionException damage)
        {
            Report(PageNumber.None, damage.Message);
        }
    }

    private void Report(PageNumber page, string reason) => _problems.Add(new VerificationProblem(page, reason));
}
