using System.Buffers;
using System.Buffers.Binary;

namespace Jackdaw.Storage.Tables;

/// <summary>Builds a row in a pooled buffer, on any thread: columns are written in order, each closed by
/// <see cref="EndColumn"/>. Fixed columns that only the writer thread knows are left blank and patched later through
/// <see cref="TableSchema.FixedColumn"/>.</summary>
/// <remarks>Columns are written after space for the widest offsets; the header is then put directly before them, so
/// nothing moves. One thread at a time. Reusable after <see cref="Reset"/>; the buffer goes back to the pool by
/// <see cref="Dispose"/>.</remarks>
public sealed class TableRowBuilder : IBufferWriter<byte>, IDisposable
{
    private const int InitialBytes = 1024;
    private const int OffsetBytesMax = 4;

    private readonly TableSchema _schema;
    private readonly int[] _ends;
    private readonly int _dataStart;
    private byte[] _buffer;
    private int _position;
    private int _columns;

    /// <summary>A builder for rows of one table.</summary>
    public TableRowBuilder(TableSchema schema, int bytesExpected = InitialBytes)
    {
        _schema = schema;
        _ends = new int[schema.Columns.Count];
        _dataStart = TableRow.HeaderBytes + (schema.Columns.Count * OffsetBytesMax);
        _buffer = ByteArrays.Rent(_dataStart + bytesExpected);
        _position = _dataStart;
    }

    /// <summary>Bytes of the columns so far.</summary>
    public int DataBytes => _position - _dataStart;

    /// <summary>Forgets all columns.</summary>
    public void Reset()
    {
        _columns = 0;
        _position = _dataStart;
    }

    /// <summary>Writes a whole column.</summary>
    public TableRowBuilder Add(ReadOnlySpan<byte> column)
    {
        column.CopyTo(GetSpan(column.Length));
        _position += column.Length;
        return EndColumn();
    }

    /// <summary>Writes a little-endian 64-bit column.</summary>
    public TableRowBuilder AddInt64(long value)
    {
        BinaryPrimitives.WriteInt64LittleEndian(GetSpan(sizeof(long)), value);
        _position += sizeof(long);
        return EndColumn();
    }

    /// <summary>Writes a fixed-width column of zeros, to be patched by the writer thread.</summary>
    public TableRowBuilder AddBlank()
    {
        int bytes = _columns < _schema.FixedColumnCount ? _schema.FixedBytesOf(_columns) : 0;
        GetSpan(bytes)[..bytes].Clear();
        _position += bytes;
        return EndColumn();
    }

    /// <summary>Closes the column that was written through <see cref="GetSpan"/> and <see cref="Advance"/>.</summary>
    /// <exception cref="InvalidOperationException">There are enough columns, or a fixed-width column has another
    /// width.</exception>
    public TableRowBuilder EndColumn()
    {
        int start = _columns == 0 ? 0 : _ends[_columns - 1];
        if (_columns == _ends.Length ||
            (_schema.FixedBytesOf(_columns) > 0 && DataBytes - start != _schema.FixedBytesOf(_columns)))
        {
            throw new InvalidOperationException(
                $"Column {_columns} does not fit the schema of table '{_schema.Name}'.");
        }

        _ends[_columns++] = DataBytes;
        return this;
    }

    /// <inheritdoc/>
    public void Advance(int count)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan((uint)count, (uint)(_buffer.Length - _position), nameof(count));
        _position += count;
    }

    /// <inheritdoc/>
    public Span<byte> GetSpan(int sizeHint = 0)
    {
        EnsureRoom(Math.Max(sizeHint, 1));
        return _buffer.AsSpan(_position);
    }

    /// <inheritdoc/>
    public Memory<byte> GetMemory(int sizeHint = 0)
    {
        EnsureRoom(Math.Max(sizeHint, 1));
        return _buffer.AsMemory(_position);
    }

    /// <summary>The finished row: a view of the buffer, until the next <see cref="Reset"/> or
    /// <see cref="Dispose"/>. Columns with a default may be left out at the end.</summary>
    /// <exception cref="InvalidOperationException">Columns are missing.</exception>
    public Memory<byte> Finish()
    {
        if (_columns < _schema.Versions.RequiredCount)
        {
            throw new InvalidOperationException(
                $"The row has {_columns} of {_schema.Versions.RequiredCount} columns of table '{_schema.Name}'.");
        }

        DropDefaults();
        int widthLog = DataBytes switch
        {
            <= byte.MaxValue => 0,
            <= ushort.MaxValue => 1,
            _ => 2,
        };
        int start = _dataStart - TableRow.HeaderBytes - (_columns << widthLog);
        Span<byte> header = _buffer.AsSpan(start);
        TableRow.WriteHeader(header, _schema.Version, _columns, widthLog);
        for (int i = 0; i < _columns; i++)
        {
            WriteEnd(header[(TableRow.HeaderBytes + (i << widthLog))..], widthLog, _ends[i]);
        }

        return _buffer.AsMemory(start, _position - start);
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        ByteArrays.Return(_buffer);
        _buffer = [];
        _position = 0;
    }

    private static void WriteEnd(Span<byte> place, int widthLog, int end)
    {
        switch (widthLog)
        {
            case 0:
                place[0] = (byte)end;
                break;
            case 1:
                BinaryPrimitives.WriteUInt16LittleEndian(place, (ushort)end);
                break;
            default:
                BinaryPrimitives.WriteInt32LittleEndian(place, end);
                break;
        }
    }

    // A default costs no bytes: the last columns that have theirs are not written.
    private void DropDefaults()
    {
        while (_columns > _schema.Versions.RequiredCount)
        {
            int start = _dataStart + _ends[_columns - 2];
            if (!_buffer.AsSpan(start, _position - start).SequenceEqual(_schema.Versions.DefaultOf(_columns - 1)))
            {
                return;
            }

            _columns--;
            _position = start;
        }
    }

    private void EnsureRoom(int bytes)
    {
        if (_buffer.Length - _position >= bytes)
        {
            return;
        }

        ObjectDisposedException.ThrowIf(_buffer.Length == 0, this);
        long wanted = Math.Max(2L * _buffer.Length, (long)_position + bytes);
        byte[] larger = ByteArrays.Rent((int)Math.Min(Array.MaxLength, wanted));
        _buffer.AsSpan(0, _position).CopyTo(larger);
        ByteArrays.Return(_buffer);
        _buffer = larger;
    }
}
