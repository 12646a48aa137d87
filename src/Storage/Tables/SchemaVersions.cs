namespace Jackdaw.Storage.Tables;

/// <summary>The columns that the rows of each version of a schema have. Immutable.</summary>
/// <remarks>
/// A schema grows at its end only:
/// 1. A column keeps its place, its width and its default forever.
/// 2. A column that was added later has a default, and so has every column after it. A row holds the first n columns;
/// the others have their default.
/// 3. A row of version v holds at least the columns without a default, and at most the columns of version v.
/// </remarks>
internal sealed class SchemaVersions
{
    /// <summary>Versions of one schema: a byte of each row names it.</summary>
    public const int VersionMax = byte.MaxValue;

    private readonly TableColumn[] _columns;
    private readonly int[] _countOfVersion;

    /// <exception cref="ArgumentException">The columns break one of the rules.</exception>
    public SchemaVersions(TableColumn[] columns)
    {
        _columns = columns;
        CheckOrder(columns);
        RequiredCount = columns.TakeWhile(column => column.Default is null).Count();
        Latest = columns[^1].Since;
        _countOfVersion = new int[Latest + 1];
        for (int version = 1; version <= Latest; version++)
        {
            _countOfVersion[version] = columns.Count(column => column.Since <= version);
        }
    }

    /// <summary>The version under which rows are written now.</summary>
    public int Latest { get; }

    /// <summary>Columns without a default: those that every row holds.</summary>
    public int RequiredCount { get; }

    /// <summary>Whether a row of a version can have this number of columns.</summary>
    public bool Allows(int version, int columnCount) =>
        version >= 1 && version <= Latest && columnCount >= RequiredCount && columnCount <= _countOfVersion[version];

    /// <summary>The value of the column in a row that does not hold it.</summary>
    public ReadOnlySpan<byte> DefaultOf(int column) => _columns[column].Default.GetValueOrDefault().Span;

    private static void CheckOrder(TableColumn[] columns)
    {
        int version = 1;
        bool isOptional = false;
        foreach (TableColumn column in columns)
        {
            if (column.Since < version || column.Since > VersionMax)
            {
                throw Refused(column, $"came with version {column.Since}: " +
                    $"versions are 1 to {VersionMax}, and later columns come after earlier ones");
            }

            if (column.Default is null && (isOptional || column.Since > 1))
            {
                throw Refused(column, "needs a default: there are rows without it, or without the column before it");
            }

            if (column.Default is { } value && column.FixedBytes > 0 && value.Length != column.FixedBytes)
            {
                throw Refused(column, $"has {column.FixedBytes} bytes and a default of {value.Length}");
            }

            version = column.Since;
            isOptional |= column.Default is not null;
        }

        if (columns[0].Default is not null)
        {
            throw Refused(columns[0], "is the first one and cannot have a default: a row holds at least one column");
        }
    }

    private static ArgumentException Refused(TableColumn column, string reason) =>
        new($"Column '{column.Name}' {reason}.", nameof(column));
}
