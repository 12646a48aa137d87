using System.Text;

namespace Jackdaw.Storage.Tables;

/// <summary>Columns and indexes of a table. Built once at start and then shared by all threads.</summary>
/// <remarks>Names in the catalog: the row heap has the table's name, an index <c>table.index</c>, a partition
/// <c>table.index.</c> and the partition's bytes. So names of tables and indexes have no dot.</remarks>
public sealed class TableSchema
{
    /// <summary>Columns of a table: the count is one byte of each row, and stays far from its limit.</summary>
    public const int ColumnCountMax = 64;

    /// <summary>Indexes of a table: a change notes in one 32-bit mask which of them it touches.</summary>
    public const int IndexCountMax = 32;

    /// <summary>Bytes of a partition value: with the names before it, it is the key of a tree.</summary>
    public const int PartitionBytesMax = 1024;

    private const int NameBytesMax = 128;
    internal const char NameSeparator = '.';

    private readonly List<TableIndex> _indexes = [];
    private readonly int[] _fixedOffsets;

    /// <summary>A table without indexes yet.</summary>
    /// <exception cref="ArgumentException">A fixed-width column follows one of any length, or a bound is
    /// passed.</exception>
    public TableSchema(string name, params TableColumn[] columns)
    {
        CheckName(name);
        if (columns.Length is 0 or > ColumnCountMax)
        {
            throw new ArgumentException($"A table has 1 to {ColumnCountMax} columns.", nameof(columns));
        }

        Name = name;
        NameBytes = Encoding.UTF8.GetBytes(name);
        Columns = columns;
        FixedColumnCount = columns.TakeWhile(column => column.FixedBytes > 0).Count();
        _fixedOffsets = new int[FixedColumnCount];
        for (int i = 1; i < FixedColumnCount; i++)
        {
            _fixedOffsets[i] = _fixedOffsets[i - 1] + columns[i - 1].FixedBytes;
        }

        if (columns.Skip(FixedColumnCount).Any(column => column.FixedBytes != 0))
        {
            throw new ArgumentException("Columns of fixed width stand first.", nameof(columns));
        }
    }

    /// <summary>Name of the table.</summary>
    public string Name { get; }

    /// <summary>Columns in the order of a row.</summary>
    public IReadOnlyList<TableColumn> Columns { get; }

    /// <summary>Columns of fixed width: the first ones.</summary>
    public int FixedColumnCount { get; }

    /// <summary>Indexes in the order they were added.</summary>
    public IReadOnlyList<TableIndex> Indexes => _indexes;

    /// <summary>The first key index: what <see cref="Table.TryGetByKey(ReadOnlySpan{byte}, out TableRow)"/> uses. Null
    /// = none.</summary>
    public TableIndex? PrimaryKey { get; private set; }

    internal byte[] NameBytes { get; }

    /// <summary>Adds a unique index over the bytes of consecutive columns.</summary>
    public TableIndex AddKeyIndex(string name, int column, int columnCount = 1)
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(columnCount);
        CheckColumn(column);
        CheckColumn(column + columnCount - 1);
        TableIndex index = Add(new TableIndex(name, _indexes.Count, TableIndexKind.Key)
        {
            Column = column,
            ColumnCount = columnCount,
        });
        PrimaryKey ??= index;
        return index;
    }

    /// <summary>Adds a unique index over a 64-bit column.</summary>
    public TableIndex AddNumberIndex(string name, int column, ColumnByteOrder byteOrder = ColumnByteOrder.LittleEndian)
    {
        CheckNumberColumn(column);
        return Add(new TableIndex(name, _indexes.Count, TableIndexKind.Number)
        {
            Column = column,
            ByteOrder = byteOrder,
        });
    }

    /// <summary>Adds an index over a 64-bit column for each value of another column.</summary>
    public TableIndex AddPartitionedNumberIndex(
        string name, int partitionColumn, int column, ColumnByteOrder byteOrder = ColumnByteOrder.LittleEndian)
    {
        CheckColumn(partitionColumn);
        CheckNumberColumn(column);
        return Add(new TableIndex(name, _indexes.Count, TableIndexKind.PartitionedNumber)
        {
            Column = column,
            PartitionColumn = partitionColumn,
            ByteOrder = byteOrder,
        });
    }

    /// <summary>The bytes of a fixed-width column in a prepared row, for reading and writing.</summary>
    /// <exception cref="ArgumentException">The row was not built for a table with these columns.</exception>
    public Span<byte> FixedColumn(Span<byte> row, int column)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual((uint)column, (uint)FixedColumnCount, nameof(column));
        if (row.Length < TableRow.HeaderBytes || row[0] != Columns.Count || !TableRow.IsOffsetBytes(row[1]))
        {
            throw new ArgumentException($"Not a row of table '{Name}'.", nameof(row));
        }

        return row.Slice(TableRow.HeaderBytes + (row[0] * row[1]) + _fixedOffsets[column], Columns[column].FixedBytes);
    }

    /// <summary>The columns of a row that is not stored yet, for reading.</summary>
    /// <exception cref="ArgumentException">The row was not built for a table with these columns.</exception>
    public TableRow View(ReadOnlySpan<byte> row)
    {
        CheckRow(row);
        return new TableRow(row, RowId.None);
    }

    /// <summary>Proves that a row was built for a table with these columns.</summary>
    /// <exception cref="ArgumentException">It was not.</exception>
    internal void CheckRow(ReadOnlySpan<byte> row)
    {
        var view = new TableRow(row, RowId.None);
        bool isSound = view.IsSound(Columns.Count);
        for (int i = 0; isSound && i < FixedColumnCount; i++)
        {
            isSound = view.GetColumn(i).Length == Columns[i].FixedBytes;
        }

        if (!isSound)
        {
            throw new ArgumentException($"Not a row of table '{Name}'.", nameof(row));
        }
    }

    /// <summary>Name of an index in the catalog; for a partitioned one the start of its partitions' names.</summary>
    internal byte[] CatalogName(TableIndex index) => Encoding.UTF8.GetBytes(
        index.Kind == TableIndexKind.PartitionedNumber
            ? $"{Name}{NameSeparator}{index.Name}{NameSeparator}"
            : $"{Name}{NameSeparator}{index.Name}");

    private static void CheckName(string name)
    {
        if (name.Length == 0 || name.Contains(NameSeparator) || Encoding.UTF8.GetByteCount(name) > NameBytesMax)
        {
            throw new ArgumentException(
                $"Names of tables and indexes have 1 to {NameBytesMax} bytes and no '{NameSeparator}'.", nameof(name));
        }
    }

    private TableIndex Add(TableIndex index)
    {
        CheckName(index.Name);
        if (_indexes.Count == IndexCountMax || _indexes.Exists(other => other.Name == index.Name))
        {
            throw new ArgumentException(
                $"Index '{index.Name}' exists already, or the table has {IndexCountMax} indexes.");
        }

        _indexes.Add(index);
        return index;
    }

    private void CheckColumn(int column) =>
        ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual((uint)column, (uint)Columns.Count, nameof(column));

    private void CheckNumberColumn(int column)
    {
        CheckColumn(column);
        if (Columns[column].FixedBytes != sizeof(long))
        {
            throw new ArgumentException(
                $"Column '{Columns[column].Name}' needs a fixed width of {sizeof(long)} bytes to be a number.");
        }
    }
}
