using System.Diagnostics;
using Jackdaw.Pal;

namespace Jackdaw.Storage.Journal;

/// <summary>Appends entries to the current journal file, one durable write each, and moves on to the next file. Journal lane only.</summary>
/// <remarks>A failed write is final: the state of the disk behind it is unknown, so nothing is retried and the owner stops.</remarks>
internal sealed unsafe class JournalWriter(Guid storageId, TimeProvider time, Func<long, JournalFile> takeNextFile, Action fileHalfFull)
{
    private JournalFile? _file;
    private bool _announced;
    private ulong _previousHash;

    /// <summary>Bytes written to journals since the storage opened.</summary>
    public long BytesWritten { get; private set; }

    /// <summary>Durable writes since the storage opened.</summary>
    public long Writes { get; private set; }

    /// <summary>Where recovery left the chain of entry hashes.</summary>
    public void ContinueFrom(ulong previousHash) => _previousHash = previousHash;

    /// <summary>Writes one entry and returns when it is durable.</summary>
    /// <param name="entry">Built entry; its header is completed here.</param>
    /// <param name="durableTransaction">Last transaction known to be durable before this write.</param>
    public JournalPosition Write(BuiltEntry entry, long durableTransaction)
    {
        long blocks = entry.Bytes / JournalFormat.BlockSize;
        JournalFile file = GetFileWithRoom(blocks);
        ref JournalEntryHeader header = ref entry.Header;
        header.Incarnation = file.Incarnation;
        header.StorageId = storageId;
        header.DurableTransaction = durableTransaction;
        header.Block = file.NextBlock;
        header.UtcTicks = time.GetUtcNow().UtcTicks;
        header.PreviousHash = _previousHash;
        header.PayloadHash = header.ComputePayloadHash(entry.Address + JournalEntryHeader.SizeOf);
        header.Seal();
        Debug.Assert(header.BlockCount == blocks);
        Invariant.Check(header.IsValid(file.Incarnation, file.NextBlock, file.Blocks), "an entry does not decode before it is written");
        var vector = new PalVector { Base = entry.Address, Length = entry.Bytes };
        file.File!.WriteJournal(new ReadOnlySpan<PalVector>(in vector), file.NextBlock * JournalFormat.BlockSize);
        var position = new JournalPosition(file.Number, file.NextBlock, header.PayloadHash);
        Advance(file, blocks, entry.Bytes);
        if ((header.Flags & JournalEntryOptions.Footer) == 0)
        {
            file.LastTransaction = header.TransactionId;
            _previousHash = header.PayloadHash;
        }

        return position;
    }

    /// <summary>Bytes left in the current file, one block kept back: a footer may be written between the look and the entry.</summary>
    public long RoomBytes => _file is { } file ? (file.Blocks - file.NextBlock - 1) * JournalFormat.BlockSize : 0;

    /// <summary>True when a footer fits without moving on to the next file.</summary>
    public bool HasRoomForFooter => _file is { } file && file.NextBlock < file.Blocks;

    private void Advance(JournalFile file, long blocks, long bytes)
    {
        file.NextBlock += blocks;
        BytesWritten += bytes;
        Writes++;
        if (!_announced && file.NextBlock * 2 > file.Blocks)
        {
            _announced = true;
            fileHalfFull();
        }
    }

    private JournalFile GetFileWithRoom(long blocks)
    {
        if (_file is { } current && current.NextBlock + blocks <= current.Blocks)
        {
            return current;
        }

        JournalFile next = takeNextFile((blocks + 1) * JournalFormat.BlockSize);
        Invariant.Check(next.NextBlock == 1 && next.Blocks > blocks, "a prepared journal has no room");
        _file?.Close();
        _file = next;
        _announced = false;
        return next;
    }
}
