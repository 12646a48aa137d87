using System.Buffers.Binary;

namespace Jackdaw.Storage.Tables;

/// <summary>How an index finds rows.</summary>
public enum TableIndexKind : byte
{
    /// <summary>By the bytes of consecutive columns; unique.</summary>
    Key,

    /// <summary>By a 64-bit number; unique.</summary>
    Number,

    /// <summary>By a 64-bit number among the rows with the same bytes in another column; unique in each such
    /// partition.</summary>
    PartitionedNumber,
}

/// <summary>Byte order of a 64-bit column.</summary>
public enum ColumnByteOrder : byte
{
    LittleEndian,

    /// <summary>For columns that are also part of a key index: bytes then sort as numbers.</summary>
    BigEndian,
}

/// <summary>Declaration of one index of a table; made by <see cref="TableSchema"/>.</summary>
public sealed class TableIndex
{
    internal TableIndex(string name, int ordinal, TableIndexKind kind)
    {
        Name = name;
        Ordinal = ordinal;
        Kind = kind;
    }

    /// <summary>Name, unique in the table; part of the names of its trees.</summary>
    public string Name { get; }

    /// <summary>Position in <see cref="TableSchema.Indexes"/>.</summary>
    public int Ordinal { get; }

    /// <summary>How it finds rows.</summary>
    public TableIndexKind Kind { get; }

    /// <summary>First key column, or the number's column.</summary>
    public int Column { get; internal init; }

    /// <summary>Consecutive key columns: the key is their bytes, back to back.</summary>
    public int ColumnCount { get; internal init; } = 1;

    /// <summary>Column whose bytes choose the partition.</summary>
    public int PartitionColumn { get; internal init; } = -1;

    /// <summary>Byte order of the number.</summary>
    public ColumnByteOrder ByteOrder { get; internal init; }

    /// <summary>The key of a row: a view of its bytes.</summary>
    internal ReadOnlySpan<byte> KeyOf(TableRow row) => row.GetColumns(Column, ColumnCount);

    /// <summary>The number of a row.</summary>
    internal long NumberOf(TableRow row)
    {
        ReadOnlySpan<byte> bytes = row.GetColumn(Column);
        if (bytes.Length != sizeof(long))
        {
            row.ThrowDamaged();
        }

        return ByteOrder == ColumnByteOrder.BigEndian
            ? BinaryPrimitives.ReadInt64BigEndian(bytes)
            : BinaryPrimitives.ReadInt64LittleEndian(bytes);
    }

    /// <summary>The partition of a row: a view of its bytes.</summary>
    internal ReadOnlySpan<byte> PartitionOf(TableRow row) => row.GetColumn(PartitionColumn);
}

/// <summary>One partition of a partitioned index.</summary>
/// <param name="Value">The bytes that its rows have in common: a copy.</param>
/// <param name="RowCount">Rows.</param>
public readonly record struct TablePartition(byte[] Value, long RowCount);
