using System.Buffers.Binary;
using System.Diagnostics.CodeAnalysis;
using Jackdaw.Storage.Trees;

namespace Jackdaw.Storage.Tables;

/// <summary>A view of one row: valid until the next change of its table or the end of the transaction.</summary>
/// <remarks>
/// <code>
/// offset    size  field
///      0       1  columns n
///      1       1  bytes of an offset w: 1, 2 or 4
///      2     n*w  end of each column, counted from the first column's start, little-endian
///  2+n*w       …  bytes of the columns, back to back
/// </code>
/// Reads are checked against the row's length, so that a damaged row gives an error and never bytes from elsewhere.
/// The same table is in docs/formats/tables.md.
/// </remarks>
public readonly ref struct TableRow
{
    internal const int HeaderBytes = 2;

    private readonly ReadOnlySpan<byte> _bytes;

    internal TableRow(ReadOnlySpan<byte> bytes, RowId id)
    {
        _bytes = bytes;
        Id = id;
    }

    /// <summary>Where the row is; none for a row that is not stored.</summary>
    public RowId Id { get; }

    /// <summary>The whole row.</summary>
    public ReadOnlySpan<byte> Bytes => _bytes;

    /// <summary>Columns.</summary>
    public int ColumnCount => _bytes.IsEmpty ? 0 : _bytes[0];

    /// <summary>Bytes of one column.</summary>
    /// <exception cref="Environments.CorruptedPageException">The stored row is damaged.</exception>
    public ReadOnlySpan<byte> GetColumn(int column) => GetColumns(column, 1);

    /// <summary>Bytes of consecutive columns, back to back.</summary>
    /// <exception cref="Environments.CorruptedPageException">The stored row is damaged.</exception>
    public ReadOnlySpan<byte> GetColumns(int first, int count)
    {
        if (!TryGetDataStart(out int dataStart) || first < 0 || count < 1 || first + count > ColumnCount)
        {
            ThrowDamaged();
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
    /// <exception cref="Environments.CorruptedPageException">The stored row is damaged.</exception>
    public long GetInt64(int column)
    {
        ReadOnlySpan<byte> bytes = GetColumn(column);
        if (bytes.Length != sizeof(long))
        {
            ThrowDamaged();
        }

        return BinaryPrimitives.ReadInt64LittleEndian(bytes);
    }

    internal static bool IsOffsetBytes(int bytes) => bytes is 1 or 2 or 4;

    /// <summary>True when every column lies in the row and the last one ends with it.</summary>
    internal bool IsSound(int columnCount)
    {
        if (ColumnCount != columnCount || columnCount == 0 || !TryGetDataStart(out int dataStart))
        {
            return false;
        }

        uint previous = 0;
        for (int i = 0; i < columnCount; i++)
        {
            uint end = ReadEnd(i);
            if (end < previous)
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

    private bool TryGetDataStart(out int dataStart)
    {
        dataStart = 0;
        if (_bytes.Length < HeaderBytes || !IsOffsetBytes(_bytes[1]))
        {
            return false;
        }

        dataStart = HeaderBytes + (_bytes[0] * _bytes[1]);
        return dataStart <= _bytes.Length;
    }

    // The caller has proven that all offsets lie in the row.
    private uint ReadEnd(int column)
    {
        int width = _bytes[1];
        ReadOnlySpan<byte> end = _bytes[(HeaderBytes + (column * width))..];
        return width switch
        {
            1 => end[0],
            2 => BinaryPrimitives.ReadUInt16LittleEndian(end),
            _ => BinaryPrimitives.ReadUInt32LittleEndian(end),
        };
    }
}
