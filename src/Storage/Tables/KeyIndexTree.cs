using System.Buffers.Binary;
using Jackdaw.Storage.Trees;

namespace Jackdaw.Storage.Tables;

/// <summary>Index over the bytes of consecutive columns: a B+tree from key to row id.</summary>
internal sealed class KeyIndexTree(TableIndex index, BTree? tree) : TableIndexTree(index)
{
    // Null for a reader of a table that was never written.
    public BTree? Tree => tree;

    private BTree WritableTree => tree ?? throw new InvalidOperationException("The table was opened for reading.");

    /// <summary>A stored entry's row id.</summary>
    public static RowId ReadId(ReadOnlySpan<byte> value)
    {
        if (value.Length != sizeof(ulong))
        {
            PageDamage.Throw(Paging.PageNumber.None, $"a key index has an entry of {value.Length} bytes");
        }

        return new RowId(BinaryPrimitives.ReadUInt64LittleEndian(value));
    }

    public bool TryGet(ReadOnlySpan<byte> key, out RowId id)
    {
        id = default;
        if (tree is null || !tree.TryGet(key, out ReadOnlySpan<byte> value))
        {
            return false;
        }

        id = ReadId(value);
        return true;
    }

    public override void CheckKey(TableRow row)
    {
        if (Index.KeyOf(row).Length > BTree.KeyBytesMax)
        {
            throw new ArgumentException(
                $"The key of index '{Index.Name}' is longer than {BTree.KeyBytesMax} bytes.", nameof(row));
        }
    }

    public override bool IsSameKey(TableRow left, TableRow right) =>
        Index.KeyOf(left).SequenceEqual(Index.KeyOf(right));

    public override bool HasKey(TableRow row) => tree is not null && tree.Contains(Index.KeyOf(row));

    public override bool TryAdd(TableRow row, RowId id)
    {
        // The tree remembers the leaf of its last look-up: the second step does not descend again.
        if (HasKey(row))
        {
            return false;
        }

        Move(row, id);
        return true;
    }

    public override void Move(TableRow row, RowId id) =>
        BinaryPrimitives.WriteUInt64LittleEndian(WritableTree.Reserve(Index.KeyOf(row), sizeof(ulong)), id.Value);

    public override void Remove(TableRow row)
    {
        if (!WritableTree.Delete(Index.KeyOf(row)))
        {
            ThrowMissing(row);
        }
    }
}
