using System.Text;

namespace Jackdaw.Storage.Tables;

/// <summary>Columns and indexes of a table. Built once at start and then shared by all threads.</summary>
/// <remarks>Names in the catalog: the row heap has the table's name, an index <c>table.index</c>, a partition
/// <c>table.index.</c> and the partition's bytes. So names of tables and indexes have no dot.</remarks>
public sealed class TableSchema
{
    /// <summary>Most columns of a table. A row has 6 bits for their number.</summary>
    public const int ColumnCountMax = 64;

    /// <summary>Most indexes of a table: a change records in one 32-bit mask which of them it touches.</summary>
    public const int IndexCountMax = 32;

    /// <summary>Most bytes of a partition value: together with the names before it, it is the key of a tree.</summary>
    public const int PartitionBytesMax = 1024;

    private const int NameBytesMax = 128;
    internal const char NameSeparator = '.';

    private readonly List<TableIndex> _indexes = [];
    private readonly int[] _fixedOffsets;
    private readonly int[] _fixedBytes;

    /// <summary>A table without indexes yet.</summary>
    /// <param name="name">The table's.</param>
    /// <param name="columns">In the order of a row. A later version of the schema has the same columns and new ones after them, each with a default
    /// and the version that added it.</param>
    /// <exception cref="ArgumentException">A fixed-width column without a default follows one of any length, a later
    /// column has no default, or a bound is passed.</exception>
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
        Versions = new SchemaVersions(columns);
        _fixedBytes = [.. columns.Select(column => column.FixedBytes)];
        FixedColumnCount = columns.TakeWhile(column => column.FixedBytes > 0 && column.Default is null).Count();
        _fixedOffsets = new int[FixedColumnCount];
        for (int i = 1; i < FixedColumnCount; i++)
        {
            _fixedOffsets[i] = _fixedOffsets[i - 1] + columns[i - 1].FixedBytes;
        }

        if (columns.Skip(FixedColumnCount).Any(column => column.FixedBytes != 0 && column.Default is null))
        {
            throw new ArgumentException("Columns of fixed width come first.", nameof(columns));
        }
    }

    /// <summary>Name of the table.</summary>
    public string Name { get; }

    /// <summary>Columns in the order of a row.</summary>
    public IReadOnlyList<TableColumn> Columns { get; }

    /// <summary>Columns of fixed width that every row holds: the first ones.</summary>
    public int FixedColumnCount { get; }

    /// <summary>Version under which rows are written: that of the last column. 1 to 255.</summary>
    public int Version => Versions.Latest;

    /// <summary>Indexes in the order they were added.</summary>
    public IReadOnlyList<TableIndex> Indexes => _indexes;

    /// <summary>The first key index: what <see cref="Table.TryGetByKey(ReadOnlySpan{byte}, out TableRow)"/> uses. Null
    /// = none.</summary>
    public TableIndex? PrimaryKey { get; private set; }

    internal byte[] NameBytes { get; }

    internal SchemaVersions Versions { get; }

    /// <summary>Adds a unique index over the bytes of consecutive columns.</summary>
    public TableIndex AddKeyIndex(string name, int column, int columnCount = 1)
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(columnCount);
        for (int i = 0; i < columnCount; i++)
        {
            CheckColumn(column + i);
        }

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
        if (!TableRow.TryGetDataStart(row, this, out int dataStart))
        {
            throw new ArgumentException($"Not a row of table '{Name}'.", nameof(row));
        }

        return row.Slice(dataStart + _fixedOffsets[column], _fixedBytes[column]);
    }

    /// <summary>The columns of a row that is not stored yet, for reading.</summary>
    /// <exception cref="ArgumentException">The row was not built for a table with these columns.</exception>
    public TableRow View(ReadOnlySpan<byte> row)
    {
        CheckRow(row);
        return new TableRow(row, RowId.None, this);
    }

    /// <summary>Width of a column of fixed width; 0 for others.</summary>
    internal int FixedBytesOf(int column) => _fixedBytes[column];

    /// <summary>Checks that a row was built for a table with these columns, under this version of the schema or an
    /// older one.</summary>
    /// <exception cref="ArgumentException">The row was built for another table or a newer version.</exception>
    internal void CheckRow(ReadOnlySpan<byte> row)
    {
        if (!new TableRow(row, RowId.None, this).IsSound())
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

    // An index has an entry for each row, and a row without the column would have none.
    private void CheckColumn(int column)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual((uint)column, (uint)Columns.Count, nameof(column));
        if (Columns[column].Default is not null)
        {
            throw new ArgumentException(
                $"Column '{Columns[column].Name}' is not in every row: an index needs one without a default.");
        }
    }

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
