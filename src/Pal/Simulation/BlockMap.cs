namespace Jackdaw.Pal.Simulation;

/// <summary>Contents of a file as 4 KB blocks. A block in a map is never changed, only replaced, so that a snapshot shares all blocks. A missing
/// block is a hole.</summary>
/// <remarks>Invariants: 1. no block reaches past the length rounded up to a block; 2. bytes past the length are zero;
/// 3. a chunk that another map may hold is copied before it changes. Not thread safe.</remarks>
internal sealed class BlockMap
{
    internal const int BlockBytes = 4096;

    // Blocks per chunk: 1 MB of file. A snapshot copies one reference per chunk, a write after it at most one chunk.
    private const int ChunkBlocks = 256;

    private byte[]?[]?[] _chunks = [];
    private bool[] _isOwned = [];

    /// <summary>A block that is allocated and zero.</summary>
    internal static byte[] Zeros { get; } = new byte[BlockBytes];

    /// <summary>Bytes of the file.</summary>
    internal long Length { get; private set; }

    /// <summary>Blocks that are not holes.</summary>
    internal long AllocatedBlocks { get; private set; }

    internal static long BlocksFor(long bytes) => (bytes + BlockBytes - 1) / BlockBytes;

    /// <summary>A map with the same contents; later changes of one are not seen by the other.</summary>
    internal BlockMap Snapshot()
    {
        Array.Clear(_isOwned);
        return new BlockMap
        {
            _chunks = (byte[]?[]?[])_chunks.Clone(),
            _isOwned = new bool[_isOwned.Length],
            Length = Length,
            AllocatedBlocks = AllocatedBlocks,
        };
    }

    internal byte[]? GetBlock(long index)
    {
        long chunk = index / ChunkBlocks;
        return chunk < _chunks.Length ? _chunks[chunk]?[index % ChunkBlocks] : null;
    }

    /// <summary>Replaces a block. A block past the end is dropped, like the data of a write whose growth was lost.</summary>
    internal void SetBlock(long index, byte[]? block)
    {
        if (index >= BlocksFor(Length) || (block == null && GetBlock(index) == null))
        {
            return;
        }

        byte[]?[] chunk = OwnChunk((int)(index / ChunkBlocks));
        ref byte[]? slot = ref chunk[index % ChunkBlocks];
        AllocatedBlocks += (block == null ? 0 : 1) - (slot == null ? 0 : 1);
        slot = block;
        if (block != null && (index + 1) * BlockBytes > Length)
        {
            slot = CutTail(block, (int)(Length - (index * BlockBytes)));
        }
    }

    /// <summary>Cuts or extends; new bytes are holes.</summary>
    internal void SetLength(long length)
    {
        long kept = BlocksFor(length);
        for (long index = BlocksFor(Length) - 1; index >= kept; index--)
        {
            SetBlock(index, null);
        }

        Length = length;
        int chunks = (int)((kept + ChunkBlocks - 1) / ChunkBlocks);
        if (chunks > _chunks.Length)
        {
            Array.Resize(ref _chunks, chunks);
            Array.Resize(ref _isOwned, chunks);
        }

        if (length % BlockBytes != 0 && GetBlock(kept - 1) is { } last)
        {
            SetBlock(kept - 1, last);
        }
    }

    /// <summary>Copies out; the range is inside the length.</summary>
    internal void Read(long offset, Span<byte> destination)
    {
        while (!destination.IsEmpty)
        {
            int start = (int)(offset % BlockBytes);
            int bytes = Math.Min(BlockBytes - start, destination.Length);
            byte[]? block = GetBlock(offset / BlockBytes);
            if (block == null)
            {
                destination[..bytes].Clear();
            }
            else
            {
                block.AsSpan(start, bytes).CopyTo(destination);
            }

            destination = destination[bytes..];
            offset += bytes;
        }
    }

    /// <summary>The blocks that a write at an offset would leave, without changing the map.</summary>
    internal byte[]?[] BlocksAfterWrite(long offset, ReadOnlySpan<byte> source)
    {
        long first = offset / BlockBytes;
        var blocks = new byte[]?[BlocksFor(offset + source.Length) - first];
        for (int i = 0; i < blocks.Length; i++)
        {
            int start = i == 0 ? (int)(offset % BlockBytes) : 0;
            int bytes = Math.Min(BlockBytes - start, source.Length);
            byte[] block = GC.AllocateUninitializedArray<byte>(BlockBytes);
            if (bytes < BlockBytes)
            {
                (GetBlock(first + i) ?? Zeros).CopyTo(block, 0);
            }

            source[..bytes].CopyTo(block.AsSpan(start));
            source = source[bytes..];
            blocks[i] = block;
        }

        return blocks;
    }

    private static byte[] CutTail(byte[] block, int kept)
    {
        if (block.AsSpan(kept).IndexOfAnyExcept((byte)0) < 0)
        {
            return block;
        }

        byte[] cut = new byte[BlockBytes];
        block.AsSpan(0, kept).CopyTo(cut);
        return cut;
    }

    private byte[]?[] OwnChunk(int index)
    {
        byte[]?[]? chunk = _chunks[index];
        if (chunk == null || !_isOwned[index])
        {
            chunk = chunk == null ? new byte[]?[ChunkBlocks] : (byte[]?[])chunk.Clone();
            _chunks[index] = chunk;
            _isOwned[index] = true;
        }

        return chunk;
    }
}
