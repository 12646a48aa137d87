using Jackdaw.Storage.Columns;
using Jackdaw.Storage.Tables;
using Jackdaw.Storage.Transactions;
using Jackdaw.Storage.Trees;

namespace Jackdaw.Storage.Compaction;

/// <summary>Passes all contents of a snapshot to a sink: tables with rows first, then the other trees by name.</summary>
/// <remarks>The places of rows are not contents: row ids contain page numbers, and indexes are rebuilt from the
/// rows.</remarks>
internal static class ContentsWalk
{
    /// <summary>Walks.</summary>
    /// <param name="transaction">The snapshot.</param>
    /// <param name="schemas">Schemas of the tables.</param>
    /// <param name="sink">Receives the contents.</param>
    /// <exception cref="NotSupportedException">A tree is of no known kind, or a table has no schema or no index.</exception>
    /// <exception cref="CorruptionException">A tree does not have as many entries as its header says, or an index does not
    /// have all rows of its table.</exception>
    public static void Run(ReadTransaction transaction, IReadOnlyCollection<TableSchema> schemas, IContentsSink sink)
    {
        TreeCatalog trees = transaction.Trees;
        foreach (TableSchema schema in schemas)
        {
            // A table whose rows were all deleted equals one that never had any: the first row creates it.
            var table = new Table(transaction, trees, schema);
            if (table.Count > 0)
            {
                WalkTable(table, sink);
            }
        }

        foreach (byte[] name in ListNames(trees))
        {
            if (!schemas.Any(schema => IsOfTable(name, schema)) && trees.TryGetHeader(name, out TreeHeader header))
            {
                WalkTree(transaction, name, header, sink);
            }
        }
    }

    /// <summary>Entries of trees and rows of tables that <see cref="Run"/> passes on.</summary>
    public static long CountEntries(ReadTransaction transaction, IReadOnlyCollection<TableSchema> schemas)
    {
        long count = 0;
        foreach (byte[] name in ListNames(transaction.Trees))
        {
            bool isIndex = schemas.Any(schema => IsOfTable(name, schema) && !name.AsSpan().SequenceEqual(schema.NameBytes));
            count += !isIndex && transaction.Trees.TryGetHeader(name, out TreeHeader header) ? header.EntryCount : 0;
        }

        return count;
    }

    private static bool IsOfTable(ReadOnlySpan<byte> name, TableSchema schema) =>
        name.StartsWith(schema.NameBytes)
        && (name.Length == schema.NameBytes.Length || name[schema.NameBytes.Length] == TableSchema.NameSeparator);

    private static List<byte[]> ListNames(TreeCatalog trees)
    {
        List<byte[]> names = [];
        using BTreeCursor cursor = trees.OpenNames();
        for (bool on = cursor.SeekFirst(); on; on = cursor.MoveNext())
        {
            names.Add(cursor.Key.ToArray());
        }

        return names;
    }

    private static void WalkTable(Table table, IContentsSink sink)
    {
        sink.BeginTable(table.Schema);
        if (table.Schema.Indexes.FirstOrDefault(index => index.Kind == TableIndexKind.Number) is { } byNumber)
        {
            TableNumberCursor cursor = table.OpenNumbers(byNumber);
            long numbered = 0;
            for (bool on = cursor.SeekFirst(); on; on = cursor.MoveNext(), numbered++)
            {
                sink.PutRow(cursor.Row.Bytes);
            }

            RequireAll(table.Schema.NameBytes, numbered, table.Count);
            return;
        }

        TableIndex byKey = table.Schema.PrimaryKey
            ?? throw new NotSupportedException($"The table '{table.Schema.Name}' has no index that leads to all of its rows.");
        using TableKeyCursor keys = table.OpenKeys(byKey);
        long rows = 0;
        for (bool on = keys.SeekFirst(); on; on = keys.MoveNext(), rows++)
        {
            sink.PutRow(keys.Row.Bytes);
        }

        RequireAll(table.Schema.NameBytes, rows, table.Count);
    }

    /// <summary>Without this check, entries that the walk does not reach would be lost silently.</summary>
    private static void RequireAll(ReadOnlySpan<byte> name, long walked, long counted)
    {
        if (walked != counted)
        {
            throw new CorruptionException($"'{System.Text.Encoding.UTF8.GetString(name)}' counts {counted} entries, but {walked} of them can be reached: " +
                "restore the storage from a backup, or run 'jackdaw verify' for a list of all damage.");
        }
    }

    private static long WalkColumn(ReadTransaction transaction, byte[] name, in TreeHeader header, IContentsSink sink)
    {
        sink.BeginColumn(name, header.ValueSize);
        PageColumn column = PageColumn.Find(transaction.Trees, transaction, name, new ColumnDirectory())!;
        for (long page = 0; page < column.PageCount; page++)
        {
            sink.PutPage(column.Read(transaction, page));
        }

        return column.PageCount;
    }

    private static void WalkTree(ReadTransaction transaction, byte[] name, in TreeHeader header, IContentsSink sink)
    {
        long entries = 0;
        switch (header.Kind)
        {
            case TreeKind.BTree:
                sink.BeginTree(name);
                using (BTreeCursor cursor = transaction.Trees.FindTree(name)!.OpenCursor())
                {
                    for (bool on = cursor.SeekFirst(); on; on = cursor.MoveNext(), entries++)
                    {
                        sink.Put(cursor.Key, cursor.Value);
                    }
                }

                break;
            case TreeKind.FixedSize when header is { KeySize: sizeof(long), ValueSize: sizeof(long) }:
                sink.BeginNumbers(name);
                FixedSizeTreeCursor<long, long> numbers = new FixedSizeTree<long, long>(transaction, header).GetCursor();
                for (bool on = numbers.SeekFirst(); on; on = numbers.MoveNext(), entries++)
                {
                    sink.PutNumber(numbers.Key, numbers.Value);
                }

                break;
            case TreeKind.Column:
                entries = WalkColumn(transaction, name, header, sink);
                break;
            default:
                throw new NotSupportedException(
                    $"'{System.Text.Encoding.UTF8.GetString(name)}' is a {header.Kind} that no known schema declares: " +
                    "another version of Jackdaw wrote it. Use that version.");
        }

        RequireAll(name, entries, header.EntryCount);
    }
}
