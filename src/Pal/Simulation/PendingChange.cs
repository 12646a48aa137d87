namespace Jackdaw.Pal.Simulation;

/// <summary>One change of a file that a power cut may still undo.</summary>
internal abstract class PendingChange
{
    protected PendingChange(long sequence)
    {
        Sequence = sequence;
    }

    /// <summary>Position among all changes of the platform, names included.</summary>
    internal long Sequence { get; }

    internal abstract void Apply(BlockMap map);

    /// <summary>Blocks of the map that become allocated by it.</summary>
    internal virtual long NewBlocks(BlockMap map) => 0;

    /// <summary>What is left of it after a power cut in the middle; null when the file system makes it in one step. A change of many extents takes
    /// many steps.</summary>
    internal virtual PendingChange? Begin(ref SeededBits bits) => null;
}

/// <summary>New contents of neighbouring blocks.</summary>
internal sealed class BlockChange : PendingChange
{
    internal BlockChange(long sequence, long firstBlock, byte[]?[] blocks, bool isDirect)
        : base(sequence)
    {
        FirstBlock = firstBlock;
        Blocks = blocks;
        IsDirect = isDirect;
    }

    internal long FirstBlock { get; }

    /// <summary>Whole blocks, as the cache would write them. Null = replaced by a later durable write.</summary>
    internal byte[]?[] Blocks { get; }

    /// <summary>An unbuffered write. It tears by sectors, no matter what the crash options say.</summary>
    internal bool IsDirect { get; }

    internal override void Apply(BlockMap map)
    {
        for (int i = 0; i < Blocks.Length; i++)
        {
            if (Blocks[i] is { } block)
            {
                map.SetBlock(FirstBlock + i, block);
            }
        }
    }

    internal override long NewBlocks(BlockMap map)
    {
        long count = 0;
        for (int i = 0; i < Blocks.Length; i++)
        {
            count += map.GetBlock(FirstBlock + i) == null ? 1 : 0;
        }

        return count;
    }

    /// <summary>Drops what a later durable write covers: the older data must not overwrite it.</summary>
    internal void Cover(BlockChange durable)
    {
        for (int i = 0; i < Blocks.Length; i++)
        {
            long index = FirstBlock + i - durable.FirstBlock;
            if (index >= 0 && index < durable.Blocks.Length)
            {
                Blocks[i] = null;
            }
        }
    }
}

/// <summary>A new length.</summary>
internal sealed class LengthChange(long sequence, long length) : PendingChange(sequence)
{
    internal override void Apply(BlockMap map) => map.SetLength(length);
}

/// <summary>Growth with real blocks.</summary>
internal sealed class AllocationChange(long sequence, long oldLength, long length) : PendingChange(sequence)
{
    internal override void Apply(BlockMap map)
    {
        map.SetLength(Math.Max(map.Length, length));
        for (long index = oldLength / BlockMap.BlockBytes; index < BlockMap.BlocksFor(length); index++)
        {
            if (map.GetBlock(index) == null)
            {
                map.SetBlock(index, BlockMap.Zeros);
            }
        }
    }

    internal override long NewBlocks(BlockMap map) => BlockMap.BlocksFor(length) - BlockMap.BlocksFor(map.Length);

    internal override PendingChange? Begin(ref SeededBits bits)
    {
        long blocks = bits.Below(checked((int)(BlockMap.BlocksFor(length) - (oldLength / BlockMap.BlockBytes))));
        return blocks == 0 ? null : new AllocationChange(Sequence, oldLength, ((oldLength / BlockMap.BlockBytes) + blocks) * BlockMap.BlockBytes);
    }
}

/// <summary>Blocks returned to the file system.</summary>
internal sealed class HoleChange(long sequence, long firstBlock, long blockCount) : PendingChange(sequence)
{
    internal long FirstBlock => firstBlock;

    internal long BlockCount => blockCount;

    internal override void Apply(BlockMap map)
    {
        long end = Math.Min(firstBlock + blockCount, BlockMap.BlocksFor(map.Length));
        for (long index = firstBlock; index < end; index++)
        {
            map.SetBlock(index, null);
        }
    }

    internal override PendingChange? Begin(ref SeededBits bits) =>
        new HoleChange(Sequence, firstBlock, bits.Below(checked((int)blockCount)));
}

/// <summary>Holes inside the file that are filled with blocks again.</summary>
internal sealed class FillChange(long sequence, long firstBlock, long blockCount) : PendingChange(sequence)
{
    internal override void Apply(BlockMap map)
    {
        for (long index = firstBlock; index < EndIn(map); index++)
        {
            if (map.GetBlock(index) == null)
            {
                map.SetBlock(index, BlockMap.Zeros);
            }
        }
    }

    internal override long NewBlocks(BlockMap map)
    {
        long count = 0;
        for (long index = firstBlock; index < EndIn(map); index++)
        {
            count += map.GetBlock(index) == null ? 1 : 0;
        }

        return count;
    }

    internal override PendingChange? Begin(ref SeededBits bits) =>
        new FillChange(Sequence, firstBlock, bits.Below(checked((int)blockCount)));

    private long EndIn(BlockMap map) => Math.Min(firstBlock + blockCount, BlockMap.BlocksFor(map.Length));
}
