using System.Runtime.InteropServices;

namespace Jackdaw.Search.Segments.Memory;

/// <summary>Memory outside of the managed heap that is given out piece by piece and returned all at once. One thread.</summary>
internal sealed unsafe class Arena : IDisposable
{
    /// <summary>The least bytes of a block: the lists and bitmaps of most searches fit in one.</summary>
    private const int BlockBytesMin = 1 << 20;

    /// <summary>The most bytes that stay between two searches.</summary>
    private const long KeptBytesMax = 16 << 20;

    private const int Alignment = 64;

    private readonly List<(nint Start, long Bytes)> _blocks = [];
    private int _block = -1;
    private byte* _next;
    private byte* _end;

    ~Arena() => Free(0);

    /// <summary>Gives memory out. Its contents are undefined; it is aligned to 64 bytes, and bytes up to the next multiple of 64 may be read.</summary>
    public T* Take<T>(long count)
        where T : unmanaged
    {
        long bytes = ((Math.Max(1, count) * sizeof(T)) + Alignment - 1) & -Alignment; // also nothing has a place
        if (bytes > _end - _next)
        {
            NextBlock(bytes);
        }

        byte* taken = _next;
        _next += bytes;
        return (T*)taken;
    }

    /// <summary>Gives out memory that is all zero.</summary>
    public T* TakeZeroed<T>(long count)
        where T : unmanaged
    {
        T* taken = Take<T>(count);
        NativeMemory.Clear(taken, (nuint)(((Math.Max(1, count) * sizeof(T)) + Alignment - 1) & -Alignment));
        return taken;
    }

    /// <summary>The place up to which memory is given out.</summary>
    public Mark Now() => new(_block, (nint)_next);

    /// <summary>Takes back all memory that was given out after a place.</summary>
    public void Return(Mark mark)
    {
        _block = mark.Block;
        _next = (byte*)mark.Next;
        _end = _block < 0 ? null : (byte*)_blocks[_block].Start + _blocks[_block].Bytes;
    }

    /// <summary>Takes everything back, and frees what a large search left.</summary>
    public void Reset()
    {
        Return(new Mark(-1, 0));
        long kept = 0;
        for (int i = 0; i < _blocks.Count; i++)
        {
            kept += _blocks[i].Bytes;
            if (kept > KeptBytesMax)
            {
                Free(i);
                return;
            }
        }
    }

    public void Dispose()
    {
        Free(0);
        Return(new Mark(-1, 0));
        GC.SuppressFinalize(this);
    }

    // Blocks behind the current one are free; one that is too small is passed over, and used again after the next return.
    private void NextBlock(long bytes)
    {
        do
        {
            _block++;
        }
        while (_block < _blocks.Count && _blocks[_block].Bytes < bytes);
        if (_block == _blocks.Count)
        {
            long size = Math.Max(bytes, BlockBytesMin);
            _blocks.Add(((nint)NativeMemory.AlignedAlloc((nuint)size, Alignment), size));
        }

        _next = (byte*)_blocks[_block].Start;
        _end = _next + _blocks[_block].Bytes;
    }

    private void Free(int from)
    {
        for (int i = from; i < _blocks.Count; i++)
        {
            NativeMemory.AlignedFree((void*)_blocks[i].Start);
        }

        _blocks.RemoveRange(from, _blocks.Count - from);
    }

    public readonly record struct Mark(int Block, nint Next);
}
