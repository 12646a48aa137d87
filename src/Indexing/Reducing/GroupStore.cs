using System.Buffers.Binary;
using System.Diagnostics;
using Jackdaw.Storage.Trees;

namespace Jackdaw.Indexing.Reducing;

/// <summary>The mapped rows of a map-reduce index by group, and partial results of large groups, in one write transaction.</summary>
/// <remarks>
/// A changed document changes only its own rows, and only touched groups are reduced again. A small group is reduced as a whole. Of a large
/// group only touched nodes of <see cref="NodeRows"/> rows are reduced, and those above them up to the root.
/// <code>
/// tree              key                                    value
/// reduce documents  key of a document                      for each of its rows: group (16), number (8, little-endian)
/// reduce groups     group (16)                             next number (8), rows (8), has partial results (1)
/// reduce rows       group (16), number (8, big-endian)     length of the document's key (2), that key, the row
/// reduce partials   group (16), level (1), node (8)        a reduced row; empty: it could not be computed
/// </code>
/// The same table is in docs/formats/indexes.md. Node n of level 1 stands for the rows with the numbers n * NodeRows to n * NodeRows +
/// NodeRows - 1, node n of level l for that many nodes of level l - 1.
/// Invariants: 1. each row of "reduce rows" is in the list of its document, and the other way round; 2. the header of a group counts its rows,
/// and all their numbers are below its next number; 3. a group with partial results has one for each node that has rows below it and gives
/// a row, or fails.
/// </remarks>
internal sealed class GroupStore
{
    /// <summary>Rows, or partial results, that one node stands for. With 64 an update of one document among a million of one group reads
    /// 4 times 64 rows; with 512 three times 512; with 16 the partial results take a fifteenth of the space of the rows.</summary>
    public const int NodeRows = 64;

    /// <summary>What a reducer returns when it failed. Everything computed from it fails too, so that no rows are left out.</summary>
    public static readonly byte[] Failed = [];

    private const int ReferenceBytes = KeyHash.SizeOf + sizeof(long);

    private readonly BTree _documents;
    private readonly BTree _groups;
    private readonly BTree _rows;
    private readonly BTree _partials;
    private readonly Dictionary<KeyHash, SortedSet<long>> _touched = [];

    /// <param name="trees">Of the index's storage, in a write transaction.</param>
    public GroupStore(TreeCatalog trees)
    {
        _documents = trees.CreateTree("reduce documents"u8);
        _groups = trees.CreateTree("reduce groups"u8);
        _rows = trees.CreateTree("reduce rows"u8);
        _partials = trees.CreateTree("reduce partials"u8);
    }

    /// <summary>Groups that have to be reduced again.</summary>
    public int TouchedGroups => _touched.Count;

    /// <summary>Replaces the rows of a document; none removes them.</summary>
    /// <param name="isNew">The document is known to have no rows yet.</param>
    public void Replace(ReadOnlySpan<byte> document, IReadOnlyList<MappedRow> rows, bool isNew = false)
    {
        List<(KeyHash Group, long Number)> old = isNew ? [] : ReadReferences(document);
        if (old.Count == 0 && rows.Count == 0)
        {
            return;
        }

        byte[] references = new byte[rows.Count * ReferenceBytes];
        for (int i = 0; i < rows.Count; i++)
        {
            // A row that is still in its group gets the same number again, so that numbers do not grow without end.
            int same = old.FindIndex(reference => reference.Group == rows[i].Group);
            long number = same >= 0 ? old[same].Number : TakeNumber(rows[i].Group);
            if (same >= 0)
            {
                old.RemoveAt(same);
            }

            Put(rows[i], number, document);
            Span<byte> reference = references.AsSpan(i * ReferenceBytes);
            rows[i].Group.Write(reference);
            BinaryPrimitives.WriteInt64LittleEndian(reference[KeyHash.SizeOf..], number);
        }

        foreach ((KeyHash group, long number) in old)
        {
            Remove(group, number);
        }

        if (references.Length == 0)
        {
            _documents.Delete(document);
        }
        else
        {
            _documents.Put(document, references);
        }
    }

    /// <summary>Reduces the groups that were touched since the last call, one after the other.</summary>
    /// <remarks>Each result is yielded before the next group is looked at; the store is not used in between.</remarks>
    /// <param name="reducer">Makes one row of several.</param>
    public IEnumerable<ReducedGroup> ReduceTouched(IGroupReducer reducer)
    {
        foreach ((KeyHash group, SortedSet<long> nodes) in _touched)
        {
            byte[]? row = Reduce(group, nodes, reducer);
            yield return new ReducedGroup(group, row is { Length: 0 } ? null : row);
        }

        _touched.Clear();
    }

    private byte[]? Reduce(KeyHash group, SortedSet<long> nodes, IGroupReducer reducer)
    {
        GroupHeader header = ReadHeader(group);
        if (header.Count == 0)
        {
            DeletePartials(group);
            _groups.Delete(Bytes(group));
            return null;
        }

        if (IsSparse(header))
        {
            header = Renumber(group, header);
        }

        if (header.Next <= NodeRows)
        {
            return Run(reducer, ReadRows(group, 0));
        }

        if (!header.HasPartials)
        {
            // The group has grown, or was renumbered, so no node has a result yet.
            nodes = [.. Enumerable.Range(0, (int)NodesOf(header.Next)).Select(node => (long)node)];
            Write(group, header with { HasPartials = true });
        }

        return ReduceLevels(group, header, nodes, reducer);
    }

    // Level by level, from the touched nodes above the rows to the one node above all.
    private byte[]? ReduceLevels(KeyHash group, GroupHeader header, SortedSet<long> nodes, IGroupReducer reducer)
    {
        long width = NodesOf(header.Next);
        for (int level = 1; ; level++)
        {
            byte[]? result = null;
            foreach (long node in nodes)
            {
                result = Run(reducer, level == 1 ? ReadRows(group, node) : ReadPartials(group, level - 1, node));
                PutPartial(group, level, node, result);
            }

            if (width == 1)
            {
                return result;
            }

            nodes = [.. nodes.Select(node => node / NodeRows)];
            width = NodesOf(width);
        }
    }

    private static byte[]? Run(IGroupReducer reducer, List<ReadOnlyMemory<byte>> rows) =>
        rows.Count == 0 ? null : rows.Any(row => row.IsEmpty) ? Failed : reducer.Reduce(rows);

    private static long NodesOf(long items) => (items + NodeRows - 1) / NodeRows;

    /// <summary>Whether most numbers of a large group are free: nodes with one row each cost as much as full ones.</summary>
    private static bool IsSparse(GroupHeader header) => header.Next > 16 * NodeRows && header.Count < header.Next / 4;

    private List<(KeyHash Group, long Number)> ReadReferences(ReadOnlySpan<byte> document)
    {
        var references = new List<(KeyHash, long)>();
        if (_documents.TryGet(document, out ReadOnlySpan<byte> stored))
        {
            for (; stored.Length >= ReferenceBytes; stored = stored[ReferenceBytes..])
            {
                references.Add((KeyHash.Read(stored), BinaryPrimitives.ReadInt64LittleEndian(stored[KeyHash.SizeOf..])));
            }

            Debug.Assert(stored.IsEmpty);
        }

        return references;
    }

    private long TakeNumber(KeyHash group)
    {
        GroupHeader header = ReadHeader(group);
        Write(group, header with { Next = header.Next + 1, Count = header.Count + 1 });
        return header.Next;
    }

    private void Put(MappedRow row, long number, ReadOnlySpan<byte> document)
    {
        Span<byte> buffer = stackalloc byte[GroupKeys.RowKeyBytes];
        ReadOnlySpan<byte> key = GroupKeys.Row(buffer, row.Group, number);
        if (_rows.TryGet(key, out ReadOnlySpan<byte> stored) && RowOf(stored).SequenceEqual(row.Row.Span))
        {
            return;
        }

        Span<byte> value = _rows.Reserve(key, sizeof(ushort) + document.Length + row.Row.Length);
        BinaryPrimitives.WriteUInt16LittleEndian(value, (ushort)document.Length);
        document.CopyTo(value[sizeof(ushort)..]);
        row.Row.Span.CopyTo(value[(sizeof(ushort) + document.Length)..]);
        Touch(row.Group, number);
    }

    private void Remove(KeyHash group, long number)
    {
        Span<byte> buffer = stackalloc byte[GroupKeys.RowKeyBytes];
        bool isRemoved = _rows.Delete(GroupKeys.Row(buffer, group, number));
        Debug.Assert(isRemoved, "a document names a row that is not there");
        GroupHeader header = ReadHeader(group);
        Write(group, header with { Count = header.Count - 1 });
        Touch(group, number);
    }

    private void Touch(KeyHash group, long number)
    {
        if (!_touched.TryGetValue(group, out SortedSet<long>? nodes))
        {
            _touched.Add(group, nodes = []);
        }

        nodes.Add(number / NodeRows);
    }

    private static ReadOnlySpan<byte> RowOf(ReadOnlySpan<byte> value) =>
        value[(sizeof(ushort) + BinaryPrimitives.ReadUInt16LittleEndian(value))..];

    private static ReadOnlySpan<byte> DocumentOf(ReadOnlySpan<byte> value) =>
        value.Slice(sizeof(ushort), BinaryPrimitives.ReadUInt16LittleEndian(value));

    private static byte[] Bytes(KeyHash group)
    {
        byte[] bytes = new byte[KeyHash.SizeOf];
        group.Write(bytes);
        return bytes;
    }

    private GroupHeader ReadHeader(KeyHash group) =>
        _groups.TryGet(Bytes(group), out ReadOnlySpan<byte> stored) ? GroupHeader.Read(stored) : default;

    private void Write(KeyHash group, GroupHeader header)
    {
        Debug.Assert(header.Count >= 0 && header.Count <= header.Next);
        header.Write(_groups.Reserve(Bytes(group), GroupHeader.SizeOf));
    }

    // Copies: the trees change while the rows are reduced.
    private List<ReadOnlyMemory<byte>> ReadRows(KeyHash group, long node)
    {
        var rows = new List<ReadOnlyMemory<byte>>();
        Span<byte> buffer = stackalloc byte[GroupKeys.RowKeyBytes];
        using BTreeCursor cursor = _rows.OpenCursor();
        for (bool on = cursor.Seek(GroupKeys.Row(buffer, group, node * NodeRows));
            on && GroupKeys.IsOf(cursor.Key, group) && GroupKeys.RowNumber(cursor.Key) / NodeRows == node;
            on = cursor.MoveNext())
        {
            rows.Add(RowOf(cursor.Value).ToArray());
        }

        return rows;
    }

    private List<ReadOnlyMemory<byte>> ReadPartials(KeyHash group, int level, long node)
    {
        var rows = new List<ReadOnlyMemory<byte>>();
        Span<byte> first = stackalloc byte[GroupKeys.PartialKeyBytes];
        Span<byte> end = stackalloc byte[GroupKeys.PartialKeyBytes];
        GroupKeys.Partial(end, group, level, (node + 1) * NodeRows);
        using BTreeCursor cursor = _partials.OpenCursor();
        for (bool on = cursor.Seek(GroupKeys.Partial(first, group, level, node * NodeRows));
            on && cursor.Key.SequenceCompareTo(end) < 0;
            on = cursor.MoveNext())
        {
            rows.Add(cursor.Value.ToArray());
        }

        return rows;
    }

    private void PutPartial(KeyHash group, int level, long node, byte[]? result)
    {
        Span<byte> buffer = stackalloc byte[GroupKeys.PartialKeyBytes];
        ReadOnlySpan<byte> key = GroupKeys.Partial(buffer, group, level, node);
        if (result is null)
        {
            _partials.Delete(key);
        }
        else
        {
            _partials.Put(key, result);
        }
    }

    private void DeletePartials(KeyHash group)
    {
        byte[] prefix = Bytes(group);
        while (true)
        {
            byte[] key;
            using (BTreeCursor cursor = _partials.OpenCursor())
            {
                if (!cursor.Seek(prefix) || !GroupKeys.IsOf(cursor.Key, group))
                {
                    return;
                }

                key = cursor.Key.ToArray();
            }

            _partials.Delete(key);
        }
    }

    /// <summary>Gives the rows of a group the numbers from 0 on, in their order, and forgets its partial results.</summary>
    private GroupHeader Renumber(KeyHash group, GroupHeader header)
    {
        DeletePartials(group);
        Span<byte> buffer = stackalloc byte[GroupKeys.RowKeyBytes];
        long next = 0;
        for (long from = 0; TryReadFrom(group, from, out long number, out byte[] value); from = number + 1, next++)
        {
            if (number == next)
            {
                continue;
            }

            _rows.Delete(GroupKeys.Row(buffer, group, number));
            _rows.Put(GroupKeys.Row(buffer, group, next), value);
            ChangeReference(DocumentOf(value), group, number, next);
        }

        Debug.Assert(next == header.Count);
        header = new GroupHeader(next, next, HasPartials: false);
        Write(group, header);
        return header;
    }

    private bool TryReadFrom(KeyHash group, long from, out long number, out byte[] value)
    {
        Span<byte> buffer = stackalloc byte[GroupKeys.RowKeyBytes];
        using BTreeCursor cursor = _rows.OpenCursor();
        if (cursor.Seek(GroupKeys.Row(buffer, group, from)) && GroupKeys.IsOf(cursor.Key, group))
        {
            number = GroupKeys.RowNumber(cursor.Key);
            value = cursor.Value.ToArray();
            return true;
        }

        (number, value) = (0, []);
        return false;
    }

    private void ChangeReference(ReadOnlySpan<byte> document, KeyHash group, long from, long to)
    {
        bool isThere = _documents.TryGet(document, out ReadOnlySpan<byte> stored);
        Debug.Assert(isThere, "a row names a document that is not there");
        byte[] references = stored.ToArray();
        for (int at = 0; at < references.Length; at += ReferenceBytes)
        {
            Span<byte> number = references.AsSpan(at + KeyHash.SizeOf, sizeof(long));
            if (KeyHash.Read(references.AsSpan(at)) == group && BinaryPrimitives.ReadInt64LittleEndian(number) == from)
            {
                BinaryPrimitives.WriteInt64LittleEndian(number, to);
                break;
            }
        }

        _documents.Put(document, references);
    }
}
