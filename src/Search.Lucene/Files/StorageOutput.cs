using System.IO.Hashing;
using Lucene.Net.Store;

namespace Jackdaw.Search.Lucene.Files;

/// <summary>Writes one file: bytes are collected, and written to the transaction chunk by chunk. Only the writer's thread uses it.</summary>
/// <param name="directory">Null: the file is not stored.</param>
internal sealed class StorageOutput(StorageDirectory? directory, StoredFile file) : IndexOutput
{
    private const int FirstBytes = 1024;

    private readonly Crc32 _checksum = new();
    private byte[] _buffer = new byte[FirstBytes];
    private int _used;
    private int _summed; // bytes of the buffer that are in the checksum
    private long _written;
    private bool _isClosed;

    public override long Position => _written + _used;

    public override long Length
    {
        get => Position;
        set
        {
            // This is a hint, which has no use here.
        }
    }

    public override long Checksum
    {
        get
        {
            Sum();
            return _checksum.GetCurrentHashAsUInt32();
        }
    }

    public override void Flush()
    {
    }

    [Obsolete("As in the base class.")]
    public override void Seek(long pos) => throw new NotSupportedException("Files of the index are written from their beginning to their end.");

    public override void WriteByte(byte b)
    {
        if (_used == _buffer.Length)
        {
            MakeRoom();
        }

        _buffer[_used++] = b;
    }

    public override void WriteBytes(byte[] b, int offset, int length)
    {
        while (length > 0)
        {
            if (_used == _buffer.Length)
            {
                MakeRoom();
            }

            int step = Math.Min(length, _buffer.Length - _used);
            b.AsSpan(offset, step).CopyTo(_buffer.AsSpan(_used));
            _used += step;
            offset += step;
            length -= step;
        }
    }

    protected override void Dispose(bool disposing)
    {
        if (_isClosed)
        {
            return;
        }

        _isClosed = true;
        if (directory is null)
        {
            return;
        }

        if (_written == 0 && _used <= FileTrees.InlineBytesMax)
        {
            file.Inline = GC.AllocateUninitializedArray<byte>(_used, pinned: true);
            _buffer.AsSpan(0, _used).CopyTo(file.Inline);
        }
        else if (_used > 0)
        {
            directory.AddChunk(file, _buffer, _used);
        }

        file.Length = _written + _used;
        directory.Finish(file);
        _buffer = [];
    }

    private void MakeRoom()
    {
        if (_buffer.Length < FileTrees.ChunkBytes)
        {
            Array.Resize(ref _buffer, Math.Min(4 * _buffer.Length, FileTrees.ChunkBytes));
            return;
        }

        Sum();
        directory?.AddChunk(file, _buffer, _used);
        _written += _used;
        _used = _summed = 0;
    }

    private void Sum()
    {
        _checksum.Append(_buffer.AsSpan(_summed, _used - _summed));
        _summed = _used;
    }
}
