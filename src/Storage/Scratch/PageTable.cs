using System.Diagnostics;
using Jackdaw.Storage.Paging;

namespace Jackdaw.Storage.Scratch;

/// <summary>The committed versions of pages that are in scratch. Readers are wait-free; changes are made under one lock.</summary>
/// <remarks>
/// Structure: <see cref="PageHeads"/> has the newest version of each page, by address and by record; records lead to the older ones.
/// <code>
/// line: | page 7 | page 91 | .. |
///           |         |
///        [tx 12]   [tx 9]
///           | older   | older
///        [tx 10]      0
/// </code>
/// A look-up needs page number and transaction of the newest version. Both are in the header of that page, which the
/// caller reads next in any case; the record is read only when the header names another page or a newer transaction.
/// 1. Only whole committed transactions are added: a transaction that rolls back never appears here.
/// 2. A snapshot is the pair (arrays, transaction id); it sees the newest version whose transaction is not newer.
/// 3. An unlinked version keeps its links, and its record and memory are parked until every reader that could be using it
///    has ended: until the oldest reader's sequence is above the sequence published when it was unlinked, and above that
///    of the newest captured transaction, which may be published, and get its first readers, at the same moment.
/// 4. A replaced version is removed as soon as no further reader can begin before its successor, and not only when the page changes again: most
/// pages change once or twice between two flushes, and would be kept twice.
/// 5. Arrays are replaced, never resized: an old snapshot walks the arrays it was published with.
/// 6. A freed page with versions here gets a version without memory: flush must not write the older ones over a page that
///    may by then be part of a new overflow run.
/// </remarks>
public sealed unsafe class PageTable
{
    private const int InitialSize = 1024;

    /// <summary>Replaced versions that each addition examines: more than it adds, so that the queue becomes short again
    /// after a long reader, and few, so that no commit waits for all of them.</summary>
    private const int CutsPerAdd = 2;

    private readonly ScratchPool _pool;
    private readonly Queue<Parked> _parked = new();
    private readonly Queue<Replacement> _replacements = new(); // versions whose predecessor was still needed; oldest first
    private Arrays _arrays = new(InitialSize);
    private int _used = 1; // record 0 means "none"
    private int _freeRecord;
    private int _liveRecords;
    private long _newestCaptured;
    private long _addedBytes;
    private long _parkedBytes;

    public PageTable(ScratchPool pool) => _pool = pool;

    /// <summary>Guards changes and enumeration. Order of locks: after it only the scratch pool's lock is taken.</summary>
    public Lock ChangeLock { get; } = new();

    /// <summary>Versions linked at the moment; for statistics.</summary>
    public int Count => Volatile.Read(ref _liveRecords);

    /// <summary>Versions that the arrays can hold.</summary>
    public int Capacity => _arrays.Size;

    /// <summary>Bytes of all versions ever added. The difference to the value in a snapshot is what was added after it.</summary>
    public long AddedBytes => Volatile.Read(ref _addedBytes);

    /// <summary>The view to publish with a transaction. Caller holds <see cref="ChangeLock"/>.</summary>
    public Snapshot Capture(long transactionId)
    {
        Debug.Assert(ChangeLock.IsHeldByCurrentThread);
        _newestCaptured = Math.Max(_newestCaptured, StateSequence.FirstOf(transactionId));
        return new Snapshot(_arrays, transactionId, _addedBytes);
    }

    /// <summary>The view to publish a transaction with once more, after pages left the table. Caller holds
    /// <see cref="ChangeLock"/>.</summary>
    public Snapshot Recapture(in Snapshot captured, long transactionId)
    {
        Snapshot snapshot = Capture(transactionId);
        return new Snapshot(snapshot, captured.AddedBytes);
    }

    /// <summary>Adds the version of a page that a transaction wrote, and unlinks versions that no reader can need.</summary>
    /// <param name="page">First page of the run.</param>
    /// <param name="pages">Pages of the run; 0 = the page was freed.</param>
    /// <param name="address">Its memory, owned by the table from now on, with its own number and transaction in its header; null when
    /// freed.</param>
    /// <param name="transactionId">Not smaller than that of any version here.</param>
    /// <param name="floor">Oldest transaction that a reader or a running commit may read.</param>
    /// <param name="sequence">Sequence of the published state, for parking.</param>
    public void Add(PageNumber page, int pages, byte* address, long transactionId, long floor, long sequence)
    {
        Debug.Assert(ChangeLock.IsHeldByCurrentThread);
        CutReplaced(floor, sequence);
        int index = TakeRecord();
        VersionRecord* records = _arrays.Records;
        PageHeads.Slot slot = _arrays.Heads.Find(page.Value, records);
        VersionRecord* record = records + index;
        *record = new VersionRecord { Page = page.Value, Transaction = transactionId, Address = (nint)address, Pages = pages };
        _liveRecords++;
        _addedBytes += BytesOf(*record);
        if (slot.IsNone)
        {
            AddHead(page.Value, (nint)address, index);
            return;
        }

        Debug.Assert(records[slot.Record].Transaction < transactionId);
        record->Older = slot.Record;
        slot.Set(page.Value, (nint)address, index);
        CutBehind(records, index, floor, sequence);
        if (record->Older != 0)
        {
            _replacements.Enqueue(new Replacement(transactionId, index));
        }
    }

    /// <summary>True when any version of the page is here and is not a freed mark. Caller holds the lock.</summary>
    public bool HasVersion(PageNumber page)
    {
        Debug.Assert(ChangeLock.IsHeldByCurrentThread);
        PageHeads.Slot slot = _arrays.Heads.Find(page.Value, _arrays.Records);
        return !slot.IsNone && _arrays.Records[slot.Record].Pages != 0;
    }

    /// <summary>Unlinks the versions of a page up to a transaction, after they reached the data file.</summary>
    public void Remove(PageNumber page, long transactionId, long sequence)
    {
        Debug.Assert(ChangeLock.IsHeldByCurrentThread);
        VersionRecord* records = _arrays.Records;
        PageHeads.Slot slot = _arrays.Heads.Find(page.Value, records);
        if (slot.IsNone)
        {
            return;
        }

        int head = slot.Record;
        Debug.Assert(records[head].Page == page.Value);
        if (records[head].Transaction <= transactionId)
        {
            slot.Clear();
            ParkChain(records, head, sequence);
            return;
        }

        int newer = head;
        int index = records[head].Older;
        while (index != 0 && records[index].Transaction > transactionId)
        {
            newer = index;
            index = records[index].Older;
        }

        ParkBehind(records, newer, sequence);
    }

    /// <summary>Newest version of every page that a transaction may see, in no order; freed marks have 0 pages.</summary>
    public void Collect(long transactionId, List<PageVersion> versions)
    {
        Debug.Assert(ChangeLock.IsHeldByCurrentThread);
        foreach (int head in _arrays.Heads.ListRecords())
        {
            int index = _arrays.FindVisible(head, transactionId);
            if (index != 0)
            {
                VersionRecord* record = _arrays.Records + index;
                versions.Add(new PageVersion(new PageNumber(record->Page), record->Pages, record->Address));
            }
        }
    }

    /// <summary>Reuses records that were unlinked before every active reader began.</summary>
    /// <param name="oldestSequence">Sequence of the oldest active reader; <see cref="long.MaxValue"/> when there is none.</param>
    /// <returns>False when something is left that a reader may see.</returns>
    public bool Reclaim(long oldestSequence)
    {
        Debug.Assert(ChangeLock.IsHeldByCurrentThread);
        while (_parked.TryPeek(out Parked parked) && parked.Sequence < oldestSequence)
        {
            _parked.Dequeue();
            VersionRecord* record = _arrays.Records + parked.Index;
            _parkedBytes -= BytesOf(*record);
            if (record->Pages != 0)
            {
                _pool.Return((byte*)record->Address, record->Pages);
            }

            *record = new VersionRecord { Page = -1, Older = _freeRecord };
            _freeRecord = parked.Index;
        }

        return _parked.Count == 0;
    }

    /// <summary>Bytes of unlinked versions that wait for a reader. Caller holds the lock.</summary>
    /// <param name="oldestSequence">Sequence of the oldest active reader.</param>
    public long ParkedBytesFor(long oldestSequence)
    {
        Debug.Assert(ChangeLock.IsHeldByCurrentThread);
        long bytes = _parkedBytes;
        foreach (Parked parked in _parked)
        {
            if (parked.Sequence >= oldestSequence)
            {
                break;
            }

            bytes -= BytesOf(_arrays.Records[parked.Index]);
        }

        return bytes;
    }

    /// <summary>Replaces the arrays by small ones when the table is empty and no reader can use an earlier version.
    /// Earlier snapshots keep the old arrays, which are empty.</summary>
    /// <returns>Whether the arrays changed: then a state should be published with the new ones.</returns>
    public bool TryTrim()
    {
        Debug.Assert(ChangeLock.IsHeldByCurrentThread);
        if (_liveRecords != 0 || _parked.Count != 0 || _arrays.Size == InitialSize)
        {
            return false;
        }

        Debug.Assert(_parkedBytes == 0);
        _arrays = new Arrays(InitialSize);
        _used = 1;
        _freeRecord = 0;
        _parked.TrimExcess();
        _replacements.Clear(); // of versions that a flush removed
        _replacements.TrimExcess();
        return true;
    }

    private static long BytesOf(in VersionRecord record) => record.Pages == 0 ? 0 : ScratchPool.BytesOf(record.Pages);

    /// <summary>Keeps the newest version that the floor sees and unlinks all older ones.</summary>
    private void CutBehind(VersionRecord* records, int index, long floor, long sequence)
    {
        while (index != 0 && records[index].Transaction > floor)
        {
            index = records[index].Older;
        }

        if (index != 0 && records[index].Older != 0)
        {
            ParkBehind(records, index, sequence);
        }
    }

    /// <summary>Unlinks a few of the versions whose successors the floor sees by now.</summary>
    private void CutReplaced(long floor, long sequence)
    {
        VersionRecord* records = _arrays.Records;
        for (int i = 0; i < CutsPerAdd && _replacements.TryPeek(out Replacement replacement) && replacement.Transaction <= floor; i++)
        {
            _replacements.Dequeue();
            Debug.Assert(replacement.Index < _used);
            VersionRecord* record = records + replacement.Index;

            // The record may have been freed since, and reused for another version.
            if (record->Transaction == replacement.Transaction && !record->IsUnlinked && record->Older != 0)
            {
                ParkBehind(records, replacement.Index, sequence);
            }
        }
    }

    private void ParkBehind(VersionRecord* records, int index, long sequence)
    {
        int rest = records[index].Older;
        Volatile.Write(ref records[index].Older, 0);
        ParkChain(records, rest, sequence);
    }

    private void ParkChain(VersionRecord* records, int index, long sequence)
    {
        sequence = Math.Max(sequence, _newestCaptured);
        for (; index != 0; index = records[index].Older)
        {
            records[index].MarkUnlinked();
            _parked.Enqueue(new Parked(sequence, index));
            _parkedBytes += BytesOf(records[index]);
            _liveRecords--;
        }
    }

    private int TakeRecord()
    {
        if (_freeRecord == 0 && _used == _arrays.Size)
        {
            Grow();
        }

        if (_freeRecord == 0)
        {
            return _used++;
        }

        int index = _freeRecord;
        Debug.Assert(_arrays.Records[index].Page == -1, "a free record is in use");
        _freeRecord = _arrays.Records[index].Older;
        return index;
    }

    private void AddHead(long page, nint address, int record)
    {
        while (!_arrays.Heads.TryAdd(page, address, record))
        {
            Grow();
        }
    }

    private void Grow()
    {
        Arrays old = _arrays;
        for (int size = old.Size * 2; !TryCopy(old, size); size *= 2)
        {
        }
    }

    /// <summary>Switches to larger arrays; false when even those are too small for the heads.</summary>
    private bool TryCopy(Arrays old, int size)
    {
        var larger = new Arrays(size);
        new ReadOnlySpan<VersionRecord>(old.Records, _used).CopyTo(new Span<VersionRecord>(larger.Records, size));
        foreach (int head in old.Heads.ListRecords())
        {
            VersionRecord* record = old.Records + head;
            if (!larger.Heads.TryAdd(record->Page, record->Address, head))
            {
                return false;
            }
        }

        _arrays = larger;
        return true;
    }

    /// <summary>A version picked for flush.</summary>
    public readonly record struct PageVersion(PageNumber Page, int Pages, nint Address);

    private readonly record struct Parked(long Sequence, int Index);

    /// <summary>A version, by its transaction and record, that has an older one.</summary>
    private readonly record struct Replacement(long Transaction, int Index);

    /// <summary>The part of the table that one published state sees.</summary>
    public readonly struct Snapshot
    {
        private readonly Arrays _arrays;
        private readonly long _transactionId;

        internal Snapshot(Arrays arrays, long transactionId, long addedBytes)
        {
            _arrays = arrays;
            _transactionId = transactionId;
            AddedBytes = addedBytes;
        }

        internal Snapshot(in Snapshot other, long addedBytes)
            : this(other._arrays, other._transactionId, addedBytes)
        {
        }

        /// <summary><see cref="PageTable.AddedBytes"/> when the transaction was ordered.</summary>
        public long AddedBytes { get; }

        /// <summary>Address of the page's newest visible version; null when the data file has it.</summary>
        public byte* Find(PageNumber page)
        {
            Arrays arrays = _arrays;
            PageHeads.Candidates candidates = arrays.Heads.Look(page.Value);
            while (candidates.MoveNext())
            {
                var newest = (PageHeader*)candidates.Address;
                if (newest != null && newest->PageNumber == page && newest->LastTransactionId <= _transactionId)
                {
                    return (byte*)newest;
                }

                int head = candidates.Slot.Record;
                if (arrays.Records[head].Page == page.Value)
                {
                    return (byte*)arrays.Records[arrays.FindVisible(head, _transactionId)].Address;
                }
            }

            return null;
        }
    }

    /// <summary>Heads and records of one size. Record 0 is never used: its address is null.</summary>
    internal sealed class Arrays(int size)
    {
        private readonly LineArray<VersionRecord> _records = new(size);

        public int Size => size;

        public PageHeads Heads { get; } = new(size);

        public VersionRecord* Records => _records.Items;

        /// <summary>Record of the newest version from this one on that a transaction sees; 0 = none.</summary>
        public int FindVisible(int index, long transactionId)
        {
            while (index != 0 && Records[index].Transaction > transactionId)
            {
                index = Volatile.Read(ref Records[index].Older);
            }

            return index;
        }
    }
}
