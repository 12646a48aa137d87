using System.Buffers.Binary;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using Jackdaw.Storage.Paging;
using Jackdaw.Storage.Trees;

namespace Jackdaw.Storage.Tables;

/// <summary>A view of one row: valid until the next change of its table or the end of the transaction.</summary>
/// <remarks>
/// <code>
/// offset    size  field
///      0       1  version of the schema under which the row was written, 1 or more
///      1       1  (columns n - 1) * 4 + log2 of the bytes of an offset w: 0, 1 or 2
///      2     n*w  end of each column, counted from the first column's start, little-endian
///  2+n*w       …  bytes of the columns, back to back
/// </code>
/// Columns that the row does not hold have their default: those that came with a later version, and the last ones of
/// any row whose value is the default.
/// Reads are checked against the row's length, so that a damaged row gives an error and never bytes from elsewhere.
/// The same table is in docs/formats/tables.md.
/// </remarks>
public readonly ref struct TableRow
{
    internal const int HeaderBytes = 2;

    /// <summary>Bits of the second header byte that hold the width of an offset.</summary>
    internal const int WidthBits = 2;

    private const int WidthMask = (1 << WidthBits) - 1;
    private const int WidthLimit = 3; // log2 of a width that no row has

    private readonly ReadOnlySpan<byte> _bytes;
    private readonly TableSchema _schema;

    internal TableRow(ReadOnlySpan<byte> bytes, RowId id, TableSchema schema)
    {
        _bytes = bytes;
        Id = id;
        _schema = schema;
    }

    /// <summary>Where the row is; none for a row that is not stored.</summary>
    public RowId Id { get; }

    /// <summary>The whole row.</summary>
    public ReadOnlySpan<byte> Bytes => _bytes;

    /// <summary>Version of the schema under which the row was written; 0 = there is no row.</summary>
    public int Version => _bytes.IsEmpty ? 0 : _bytes[0];

    /// <summary>Columns that the row holds: the first ones of its schema. The others have their default.</summary>
    public int ColumnCount => _bytes.Length < HeaderBytes ? 0 : CountOf(_bytes[1]);

    /// <summary>Bytes of one column; its default when the row does not hold it.</summary>
    /// <exception cref="CorruptedPageException">The stored row is damaged.</exception>
    public ReadOnlySpan<byte> GetColumn(int column) => GetColumns(column, 1);

    /// <summary>Bytes of consecutive columns, back to back. More than one only of columns without a default.</summary>
    /// <exception cref="CorruptedPageException">The stored row is damaged.</exception>
    public ReadOnlySpan<byte> GetColumns(int first, int count)
    {
        if (!TryGetDataStart(out int dataStart))
        {
            ThrowDamaged();
        }

        if (first < 0 || count < 1 || first + count > CountOf(_bytes[1]))
        {
            return DefaultOf(first, count);
        }

        uint start = first == 0 ? 0 : ReadEnd(first - 1);
        uint end = ReadEnd(first + count - 1);
        if (start > end || end > (uint)(_bytes.Length - dataStart))
        {
            ThrowDamaged();
        }

        return _bytes.Slice(dataStart + (int)start, (int)(end - start));
    }

    /// <summary>A 64-bit little-endian column.</summary>
    /// <exception cref="CorruptedPageException">The stored row is damaged.</exception>
    public long GetInt64(int column)
    {
        ReadOnlySpan<byte> bytes = GetColumn(column);
        if (bytes.Length != sizeof(long))
        {
            ThrowDamaged();
        }

        return BinaryPrimitives.ReadInt64LittleEndian(bytes);
    }

    /// <summary>Writes the header's two bytes.</summary>
    /// <param name="header">Where the row begins.</param>
    /// <param name="version">1 to 255.</param>
    /// <param name="columnCount">1 to <see cref="TableSchema.ColumnCountMax"/>.</param>
    /// <param name="widthLog">Log2 of the bytes of an offset: 0 to 2.</param>
    internal static void WriteHeader(Span<byte> header, int version, int columnCount, int widthLog)
    {
        header[0] = checked((byte)version);
        header[1] = checked((byte)(((columnCount - 1) << WidthBits) | widthLog));
    }

    /// <summary>Where the columns' bytes begin in a row of the schema.</summary>
    /// <returns>False when this is not the header of a row of the schema.</returns>
    internal static bool TryGetDataStart(ReadOnlySpan<byte> row, TableSchema schema, out int dataStart)
    {
        var view = new TableRow(row, RowId.None, schema);
        return view.TryGetDataStart(out dataStart) && schema.Versions.Allows(row[0], CountOf(row[1]));
    }

    /// <summary>True when the row has the columns of its version, every one lies in the row, and the last one ends with
    /// it.</summary>
    internal bool IsSound()
    {
        if (!TryGetDataStart(out int dataStart) || !_schema.Versions.Allows(Version, ColumnCount))
        {
            return false;
        }

        uint previous = 0;
        for (int i = 0; i < ColumnCount; i++)
        {
            uint end = ReadEnd(i);
            int fixedBytes = _schema.FixedBytesOf(i);
            if (end < previous || (fixedBytes > 0 && end - previous != fixedBytes))
            {
                return false;
            }

            previous = end;
        }

        return previous == (uint)(_bytes.Length - dataStart);
    }

    [DoesNotReturn]
    internal void ThrowDamaged() =>
        PageDamage.Throw(Id.Page, $"row {Id} is damaged, or was written with other columns");

    private static int CountOf(byte shape) => (shape >> WidthBits) + 1;

    private bool TryGetDataStart(out int dataStart)
    {
        dataStart = 0;
        if (_bytes.Length < HeaderBytes || (_bytes[1] & WidthMask) == WidthLimit)
        {
            return false;
        }

        dataStart = HeaderBytes + (CountOf(_bytes[1]) << (_bytes[1] & WidthMask));
        return dataStart <= _bytes.Length;
    }

    // A method of its own, so that the code for columns that a row holds stays short. A row that holds fewer columns
    // than its version requires is damaged; it must not be read as one with defaults.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private ReadOnlySpan<byte> DefaultOf(int column, int count)
    {
        bool isColumn = count == 1 && column >= 0 && column < _schema.Columns.Count;
        if (!isColumn || !_schema.Versions.Allows(Version, ColumnCount))
        {
            ThrowDamaged();
        }

        return _schema.Versions.DefaultOf(column);
    }

    // The caller has checked that all offsets lie in the row.
    private uint ReadEnd(int column)
    {
        int widthLog = _bytes[1] & WidthMask;
        ReadOnlySpan<byte> end = _bytes[(HeaderBytes + (column << widthLog))..];
        return widthLog switch
        {
            0 => end[0],
            1 => BinaryPrimitives.ReadUInt16LittleEndian(end),
            _ => BinaryPrimitives.ReadUInt32LittleEndian(end),
        };
    }
}
