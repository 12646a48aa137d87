using System.Buffers.Binary;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Jackdaw.Storage;
using Jackdaw.Storage.Paging;
using Jackdaw.Storage.Transactions;
using Lucene.Net.Store;

namespace Jackdaw.Search.Lucene.Files;

/// <summary>Reads one file in place, a window of one chunk at a time.</summary>
/// <remarks>
/// One thread at a time; each thread reads its own clone. A window over pages in scratch is valid for one lease (<see cref="PageLease"/>). A window over the
/// data file, or over the bytes of a small file, is valid as long as the file, which is not freed while an input of it is open. When a window is no longer
/// valid, the chunk is looked up again. The code is unsafe because Lucene reads byte by byte: checking bounds and owner for each byte would be most of the work
/// of a search.
/// </remarks>
internal sealed unsafe class StorageInput : IndexInput
{
    private readonly StoredFile _file;
    private byte* _next;
    private byte* _end;
    private long _endPosition; // the place of _end in the file
    private long _startPosition; // the place of the window in the file
    private long _stamp;
    private bool _isClone;
    private bool _isClosed;

    public StorageInput(StoredFile file)
        : base(file.Name)
    {
        _file = file;
        file.AddReader();
    }

    public override long Length => _file.Length;

    public override long Position => _endPosition - (_end - _next);

    private bool IsCurrent
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => _stamp == PageLease.Permanent || _stamp == PageLease.Stamp;
    }

    public override void Seek(long pos)
    {
        if (_end != null && pos >= _startPosition && pos <= _endPosition)
        {
            _next = _end - (_endPosition - pos);
            return;
        }

        if ((ulong)pos > (ulong)Length)
        {
            throw new EndOfStreamException($"File '{_file.Name}' of the index has {Length} bytes, and a seek to {pos} is not possible.");
        }

        _next = _end = null;
        _startPosition = _endPosition = pos;
    }

    public override byte ReadByte()
    {
        if (_next >= _end || !IsCurrent)
        {
            OpenWindow();
        }

        return *_next++;
    }

    public override void ReadBytes(byte[] b, int offset, int len)
    {
        while (len > 0)
        {
            if (_next >= _end || !IsCurrent)
            {
                OpenWindow();
            }

            int step = (int)Math.Min(len, _end - _next);
            new ReadOnlySpan<byte>(_next, step).CopyTo(b.AsSpan(offset, step));
            _next += step;
            offset += step;
            len -= step;
        }
    }

    public override short ReadInt16()
    {
        if (!HasBytes(sizeof(short)))
        {
            return base.ReadInt16();
        }

        short value = BinaryPrimitives.ReadInt16BigEndian(new ReadOnlySpan<byte>(_next, sizeof(short)));
        _next += sizeof(short);
        return value;
    }

    public override int ReadInt32()
    {
        if (!HasBytes(sizeof(int)))
        {
            return base.ReadInt32();
        }

        int value = BinaryPrimitives.ReadInt32BigEndian(new ReadOnlySpan<byte>(_next, sizeof(int)));
        _next += sizeof(int);
        return value;
    }

    public override long ReadInt64()
    {
        if (!HasBytes(sizeof(long)))
        {
            return base.ReadInt64();
        }

        long value = BinaryPrimitives.ReadInt64BigEndian(new ReadOnlySpan<byte>(_next, sizeof(long)));
        _next += sizeof(long);
        return value;
    }

    // Seven bits a byte, the lowest first; a set high bit says that more follow.
    public override int ReadVInt32()
    {
        if (!HasBytes(5))
        {
            return base.ReadVInt32();
        }

        byte* next = _next;
        uint read = *next++;
        uint value = read & 0x7F;
        for (int shift = 7; read >= 0x80 && shift <= 28; shift += 7)
        {
            read = *next++;
            value |= (read & 0x7F) << shift;
        }

        _next = next;
        return (int)value;
    }

    public override object Clone()
    {
        var clone = (StorageInput)base.Clone();
        clone._isClone = true;
        return clone;
    }

    protected override void Dispose(bool disposing)
    {
        if (!_isClone && !_isClosed)
        {
            _isClosed = true;
            _file.RemoveReader();
        }
    }

    private bool HasBytes(int count) => _end - _next >= count && IsCurrent;

    private void OpenWindow()
    {
        long position = Position;
        if (position >= Length)
        {
            throw new EndOfStreamException($"File '{_file.Name}' of the index ends at byte {Length}.");
        }

        byte* start;
        int bytes;
        if (_file.Inline is { } inline)
        {
            // The array is pinned as long as it lives, and it lives as long as the file.
            start = (byte*)Unsafe.AsPointer(ref MemoryMarshal.GetArrayDataReference(inline));
            (_startPosition, bytes, _stamp) = (0, inline.Length, PageLease.Permanent);
            ReadMeter.Current?.NoteFile(_file, bytes);
        }
        else
        {
            FileWork.Current?.MayPause();
            int chunk = (int)(position / FileTrees.ChunkBytes);
            _startPosition = (long)chunk * FileTrees.ChunkBytes;
            bytes = (int)Math.Min(FileTrees.ChunkBytes, Length - _startPosition);
            start = OpenChunk(chunk, bytes);
            ReadMeter.Current?.NoteChunk(_file, chunk, bytes);
        }

        _endPosition = _startPosition + bytes;
        _end = start + bytes;
        _next = start + (position - _startPosition);
    }

    private byte* OpenChunk(int chunk, int bytes)
    {
        PageReader pages = PageLease.Pages;
        var number = new PageNumber(_file.Chunks[chunk]);
        Page page = pages.GetPage(number);
        if (page.Header.Type != PageType.Overflow || page.Header.OverflowBytes < bytes)
        {
            throw new CorruptionException($"Chunk {chunk} of file '{_file.Name}' of the index is not on page {number}.");
        }

        _stamp = pages is ReadTransaction read && read.IsInDataFile(number) ? PageLease.Permanent : PageLease.Stamp;
        return page.Body;
    }
}
