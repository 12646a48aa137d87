using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using Jackdaw.Pal.InMemory;
using Jackdaw.Pal.Interop;

namespace Jackdaw.Pal.Simulation;

/// <summary>A file of the simulation: what programs see, what the disk holds, and the changes in between.</summary>
/// <remarks>Invariant: <see cref="Durable"/> with all of <see cref="Pending"/> applied is <see cref="Current"/>, unless
/// a sync lied. Guarded by the platform's lock; only mapped memory is read without it.</remarks>
[SuppressMessage("Design", "CA1001", Justification = "The view is disposed with the last mapping, which counts it.")]
internal sealed unsafe class SimulatedContent : MemoryContent
{
    // 256 KB: few calls, and still a small array of the pool.
    private const int RunBlocksMax = 64;

    private readonly VolumeSpace _space;
    private FileDescriptor? _view;
    private int _mappings;

    /// <summary>A new file, or one after a power cut: there are only the disk's contents.</summary>
    internal SimulatedContent(ulong id, VolumeSpace space, BlockMap contents)
        : base(id)
    {
        _space = space;
        space.UsedBytes += contents.AllocatedBlocks * BlockMap.BlockBytes;
        Current = contents;
        Durable = contents.Snapshot();
    }

    /// <summary>The cache: what reads and mappings see.</summary>
    internal BlockMap Current { get; }

    /// <summary>What is certainly on the disk.</summary>
    internal BlockMap Durable { get; }

    /// <summary>Changes that the disk may or may not have, oldest first.</summary>
    internal List<PendingChange> Pending { get; } = [];

    /// <summary>A cached change: visible now, durable after <see cref="Sync"/>.</summary>
    internal void Change(PendingChange change)
    {
        Pending.Add(change);
        Show(change);
    }

    /// <summary>Ends an unbuffered write whose changes were announced in <see cref="Pending"/>.</summary>
    /// <param name="announced">Growth, if any, and the blocks.</param>
    /// <param name="written">The blocks that arrived: those announced, or what a failed write left.</param>
    internal void CompleteDirect(List<PendingChange> announced, BlockChange written)
    {
        Pending.RemoveAll(announced.Contains);
        // The inode goes to the disk as a whole, so older changes of length and holes go with it.
        foreach (PendingChange older in Pending.Where(older => older is not BlockChange))
        {
            older.Apply(Durable);
        }

        Pending.RemoveAll(older => older is not BlockChange);
        if (announced.Count > 1)
        {
            Show(announced[0]);
            announced[0].Apply(Durable);
        }

        Show(written);
        written.Apply(Durable);
        // Older data in the cache must not overwrite it.
        Pending.ForEach(older => (older as BlockChange)?.Cover(written));
    }

    /// <summary>All pending changes reach the disk.</summary>
    internal void Sync()
    {
        Pending.ForEach(change => change.Apply(Durable));
        Pending.Clear();
    }

    /// <summary>A sync that lost everything: the data counts as clean in the cache, but is not on the disk.</summary>
    /// <param name="isReverted">True: the cache shows the disk's data again (btrfs); false: the lost data (ext4,
    /// XFS).</param>
    internal void LosePending(bool isReverted)
    {
        var lost = Pending.OfType<BlockChange>().ToList();
        foreach (PendingChange change in Pending.Where(change => change is not BlockChange))
        {
            change.Apply(Durable);
        }

        Pending.Clear();
        if (!isReverted)
        {
            return;
        }

        foreach (BlockChange change in lost)
        {
            var old = new byte[]?[change.Blocks.Length];
            for (int i = 0; i < old.Length; i++)
            {
                old[i] = Durable.GetBlock(change.FirstBlock + i) ?? BlockMap.Zeros;
            }

            Show(new BlockChange(change.Sequence, change.FirstBlock, old, isDirect: false));
        }
    }

    /// <summary>Makes a change visible. The disk is not changed.</summary>
    internal void Show(PendingChange change)
    {
        long blocksBefore = Current.AllocatedBlocks;
        change.Apply(Current);
        _space.UsedBytes += (Current.AllocatedBlocks - blocksBefore) * BlockMap.BlockBytes;
        if (_view == null)
        {
            return;
        }

        Check(LibPal.pal_file_set_length(_view, Current.Length, out NativeError error), error);
        switch (change)
        {
            case BlockChange blocks:
                CopyToView(blocks.FirstBlock, blocks.Blocks.Length);
                break;
            case HoleChange hole:
                Check(LibPal.pal_file_punch(_view, hole.FirstBlock * BlockMap.BlockBytes,
                    hole.BlockCount * BlockMap.BlockBytes, out error), error);
                break;
        }
    }

    internal MappedRange Map(long reserveBytes, string path)
    {
        if (_view == null)
        {
            Check(LibPal.pal_memory_file(out int descriptor, out NativeError error), error);
            _view = new FileDescriptor(descriptor);
            Check(LibPal.pal_file_set_length(_view, Current.Length, out error), error);
            CopyToView(0, BlockMap.BlocksFor(Current.Length));
        }

        var range = new MappedRange(_view, reserveBytes, path);
        _mappings++;
        return range;
    }

    internal void Unmap()
    {
        if (--_mappings == 0)
        {
            _view?.Dispose();
            _view = null;
        }
    }

    /// <inheritdoc/>
    internal override void Free()
    {
        // The space is free again; the blocks stay while a crash could bring the name back.
        _space.UsedBytes -= Current.AllocatedBlocks * BlockMap.BlockBytes;
    }

    private static void Check(int status, in NativeError error) => PalFailure.ThrowIf(status, error, "(simulated)");

    // One copy and one call per run of blocks: a crash state that is mapped pays a call per 256 KB, not per block.
    private void CopyToView(long first, long count)
    {
        long end = Math.Min(first + count, BlockMap.BlocksFor(Current.Length));
        byte[] run = ArrayPool<byte>.Shared.Rent(RunBlocksMax * BlockMap.BlockBytes);
        try
        {
            for (long index = first; index < end;)
            {
                int blocks = 0;
                // A hole needs no copy, because a new view has a hole there already. Blocks of a change are never holes.
                while (blocks < RunBlocksMax && index + blocks < end && Current.GetBlock(index + blocks) is { } block)
                {
                    block.CopyTo(run, blocks * BlockMap.BlockBytes);
                    blocks++;
                }

                WriteToView(run, index * BlockMap.BlockBytes, blocks * BlockMap.BlockBytes);
                index += Math.Max(1, blocks);
            }
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(run);
        }
    }

    private void WriteToView(byte[] run, long offset, int bytes)
    {
        if (bytes == 0)
        {
            return;
        }

        fixed (byte* first = run)
        {
            // The last block may reach past the end of the file.
            long length = Math.Min(bytes, Current.Length - offset);
            var write = new PalPageWrite { Base = first, Offset = offset, Length = length };
            Check(LibPal.pal_pages_write(
                _view!, PageWriteMode.VectoredFileIo, 0, &write, 1, out _, out NativeError error), error);
        }
    }
}
