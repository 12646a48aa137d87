using System.Diagnostics;
using System.Runtime.InteropServices;
using Jackdaw.Pal;

namespace Jackdaw.Storage.Journal;

/// <summary>Appends entries to the current journal file, all of a group in one durable write, and switches to the next
/// file. Its caller holds <see cref="Lock"/>.</summary>
/// <remarks>A failed write is final: what reached the disk is unknown, so nothing is retried, and the storages with an
/// entry in the write stop.</remarks>
internal sealed unsafe class JournalWriter(TimeProvider time, JournalPreallocator space)
{
    private readonly List<PalVector> _vectors = [];
    private bool _announced;

    /// <summary>The write lock: one group is built and written at a time. Guards everything that a write uses, also the
    /// chains of the owners.</summary>
    public Lock Lock { get; } = new();

    /// <summary>Durable writes since the storage opened.</summary>
    public long Writes { get; private set; }

    /// <summary>Their cost.</summary>
    public DurableWriteCost Cost { get; } = new();

    /// <summary>The file that is written to; null before the first entry. Any thread may read it.</summary>
    public JournalFile? Current { get; private set; }

    /// <summary>The file for an entry with this number of blocks: the current one, or the next one when it does not fit.</summary>
    public JournalFile MakeRoom(long blocks)
    {
        Debug.Assert(Lock.IsHeldByCurrentThread);
        Debug.Assert(blocks > 0);
        if (Current is { } current && current.NextBlock + blocks <= current.Blocks)
        {
            return current;
        }

        JournalFile? next = space.TryTake(MoveOnTo);
        Invariant.Check(next?.Blocks > blocks, "no journal was reserved for an entry");
        return next!;
    }

    /// <summary>Switches to the next file before this one is full; false while the next file is too small for all
    /// reservations.</summary>
    public bool TryMoveOn(JournalFile from)
    {
        Debug.Assert(Lock.IsHeldByCurrentThread);
        return Current == from && space.TryTake(MoveOnTo) is not null;
    }

    /// <summary>Writes a group to the current file and returns when it is durable. The reservations for it are
    /// consumed.</summary>
    public void Write(List<GroupedEntry> group)
    {
        Debug.Assert(Lock.IsHeldByCurrentThread);
        Debug.Assert(group.Count > 0, "an empty write would only cost a sync");
        JournalFile file = Current!;
        Invariant.Check(!file.IsClosed, "an entry is written to a closed journal");
        long block = file.NextBlock;
        _vectors.Clear();
        foreach (ref GroupedEntry entry in CollectionsMarshal.AsSpan(group))
        {
            Seal(entry, file, block);
            block += entry.Entry.Bytes / JournalFormat.BlockSize;
            _vectors.Add(new PalVector { Base = entry.Entry.Address, Length = entry.Entry.Bytes });
        }

        long started = Stopwatch.GetTimestamp();
        file.File!.WriteJournal(CollectionsMarshal.AsSpan(_vectors), file.NextBlock * JournalFormat.BlockSize);
        Cost.Add((block - file.NextBlock) * JournalFormat.BlockSize, Stopwatch.GetTimestamp() - started);
        Advance(file, block);
        foreach (ref GroupedEntry entry in CollectionsMarshal.AsSpan(group))
        {
            OnWritten(entry);
        }
    }

    // The previous file is closed first: a storage that removes its names from the open files finds each file either
    // open and listed, or closed.
    private void MoveOnTo(JournalFile next)
    {
        Debug.Assert(Lock.IsHeldByCurrentThread);
        Debug.Assert(next.Number > (Current?.Number ?? 0), "journals are used in the order of their numbers");
        Invariant.Check(next.NextBlock == 1, "a prepared journal was written to");
        Current?.Close();
        Current = next;
        _announced = false;
    }

    private void Seal(in GroupedEntry grouped, JournalFile file, long block)
    {
        BuiltEntry entry = grouped.Entry;
        ref JournalEntryHeader header = ref entry.Header;
        header.Incarnation = file.Incarnation;
        header.StorageId = grouped.Owner.StorageId;
        header.DurableTransaction = grouped.Owner.DurableTransaction;
        header.Block = block;
        header.UtcTicks = time.GetUtcNow().UtcTicks;
        header.PreviousHash = grouped.Owner.PreviousHash;
        header.PayloadHash = header.ComputePayloadHash(entry.Address + JournalEntryHeader.SizeOf);
        header.Seal();
        Debug.Assert(header.BlockCount * JournalFormat.BlockSize == entry.Bytes);
        Invariant.Check(header.IsValid(file.Incarnation, block, file.Blocks), "an entry does not decode before it is written");
    }

    private void OnWritten(in GroupedEntry grouped)
    {
        BuiltEntry entry = grouped.Entry;
        Debug.Assert(entry.Bytes % JournalFormat.BlockSize == 0);
        if (entry.Header.IsTransaction)
        {
            Debug.Assert(grouped.Promised > 0, "every transaction has a reservation");
            grouped.File.LastTransaction = entry.Header.TransactionId;
            grouped.Owner.OnWritten(entry.Header);
        }

        if (grouped.Promised > 0)
        {
            space.Reservation.OnWritten(entry.Bytes, grouped.Promised);
        }
    }

    private void Advance(JournalFile file, long nextBlock)
    {
        Writes++;
        Debug.Assert(nextBlock > file.NextBlock && nextBlock <= file.Blocks);
        file.NextBlock = nextBlock;
        if (file.NextBlock * 2 > file.Blocks && (!_announced || space.IsWorthAnotherTry))
        {
            _announced = true;
            space.RequestNext();
        }
    }
}
