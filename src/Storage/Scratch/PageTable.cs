using System.Diagnostics;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Paging;

namespace Jackdaw.Storage.Scratch;

/// <summary>Which committed versions of which pages are in scratch. Readers are wait-free; changes are made under one lock.</summary>
/// <remarks>
/// Structure: hash buckets of chains of pages; each page has its newest version in the bucket chain and older ones behind it.
/// <code>
/// bucket -> [page 7 tx 12] -next-> [page 91 tx 9] -next-> 0
///               | older                | older
///           [page 7 tx 10]             0
/// </code>
/// 1. Only whole committed transactions are added: a transaction that rolls back never appears here.
/// 2. A snapshot is the pair (arrays, transaction id); it sees the newest version whose transaction is not newer.
/// 3. An unlinked version keeps its links, and its entry and memory are PARKED until every reader that could stand on it
///    has ended: until the oldest reader's sequence is above the sequence published when it was unlinked, and above that
///    of the newest captured transaction, which may be published, and found its first readers, in the same moment.
/// 4. Arrays are replaced, never resized: an old snapshot walks the arrays it was published with.
/// 5. A freed page with versions here gets a version without memory: flush must not write the older ones over a page that
///    may by then be part of a new overflow run.
/// </remarks>
public sealed unsafe class PageTable
{
    private const int InitialSize = 1024;

    private readonly ScratchPool _pool;
    private readonly Queue<Parked> _parked = new();
    private Arrays _arrays = new(InitialSize);
    private int _used = 1; // entry 0 means "none"
    private int _freeEntry;
    private int _liveEntries;
    private long _newestCaptured;
    private long _addedBytes;
    private long _parkedBytes;

    public PageTable(ScratchPool pool) => _pool = pool;

    /// <summary>Guards changes and enumeration. Order: taken after nothing, held while taking only the scratch pool's lock.</summary>
    public Lock ChangeLock { get; } = new();

    /// <summary>Versions linked at the moment; for statistics.</summary>
    public int Count => Volatile.Read(ref _liveEntries);

    /// <summary>Versions that the arrays have room for.</summary>
    public int Capacity => _arrays.Entries.Length;

    /// <summary>Bytes of all versions ever added: what was added behind a snapshot is the difference to its own.</summary>
    public long AddedBytes => Volatile.Read(ref _addedBytes);

    /// <summary>The view to publish with a transaction. Caller holds <see cref="ChangeLock"/>.</summary>
    public Snapshot Capture(long transactionId)
    {
        Debug.Assert(ChangeLock.IsHeldByCurrentThread);
        _newestCaptured = Math.Max(_newestCaptured, EnvironmentState.SequenceOf(transactionId));
        return new Snapshot(_arrays, transactionId, _addedBytes);
    }

    /// <summary>The view to publish a transaction with once more, after pages left the table. Caller holds
    /// <see cref="ChangeLock"/>.</summary>
    public Snapshot Recapture(in Snapshot captured, long transactionId)
    {
        Snapshot snapshot = Capture(transactionId);
        return new Snapshot(snapshot, captured.AddedBytes);
    }

    /// <summary>Adds the version of a page that a transaction wrote, and unlinks versions that nobody can need any more.</summary>
    /// <param name="page">First page of the run.</param>
    /// <param name="pages">Pages of the run; 0 = the page was freed.</param>
    /// <param name="address">Its memory, owned by the table from now on; null when freed.</param>
    /// <param name="transactionId">Not smaller than that of any version here.</param>
    /// <param name="floor">Oldest transaction that a reader or a running commit may look at.</param>
    /// <param name="sequence">Sequence of the published state, for parking.</param>
    public void Add(PageNumber page, int pages, byte* address, long transactionId, long floor, long sequence)
    {
        Debug.Assert(ChangeLock.IsHeldByCurrentThread);
        int index = TakeEntry();
        Arrays arrays = _arrays;
        ref int link = ref FindLink(arrays, page.Value);
        int head = link;
        ref Entry entry = ref arrays.Entries[index];
        entry = new Entry { Page = page.Value, Transaction = transactionId, Address = (nint)address, Pages = pages };
        if (head != 0)
        {
            Debug.Assert(arrays.Entries[head].Transaction < transactionId);
            entry.Older = head;
            entry.Next = arrays.Entries[head].Next;
        }

        Volatile.Write(ref link, index);
        _liveEntries++;
        _addedBytes += BytesOf(entry);
        CutBehind(arrays, index, floor, sequence);
    }

    /// <summary>True when any version of the page is here and is not a freed mark. Caller holds the lock.</summary>
    public bool HasVersion(PageNumber page)
    {
        Debug.Assert(ChangeLock.IsHeldByCurrentThread);
        int head = FindLink(_arrays, page.Value);
        return head != 0 && _arrays.Entries[head].Pages != 0;
    }

    /// <summary>Unlinks the versions of a page up to a transaction, after they reached the data file.</summary>
    public void Remove(PageNumber page, long transactionId, long sequence)
    {
        Debug.Assert(ChangeLock.IsHeldByCurrentThread);
        Arrays arrays = _arrays;
        ref int link = ref FindLink(arrays, page.Value);
        if (link == 0)
        {
            return;
        }

        int head = link;
        if (arrays.Entries[head].Transaction <= transactionId)
        {
            Volatile.Write(ref link, arrays.Entries[head].Next);
            ParkChain(arrays, head, sequence);
            return;
        }

        int newer = head;
        int index = arrays.Entries[head].Older;
        while (index != 0 && arrays.Entries[index].Transaction > transactionId)
        {
            newer = index;
            index = arrays.Entries[index].Older;
        }

        Volatile.Write(ref arrays.Entries[newer].Older, 0);
        ParkChain(arrays, index, sequence);
    }

    /// <summary>Newest version of every page that a transaction may see, in no order; freed marks have 0 pages.</summary>
    public void Collect(long transactionId, List<PageVersion> versions)
    {
        Debug.Assert(ChangeLock.IsHeldByCurrentThread);
        Arrays arrays = _arrays;
        foreach (int bucket in arrays.Buckets)
        {
            for (int head = bucket; head != 0; head = arrays.Entries[head].Next)
            {
                int index = head;
                while (index != 0 && arrays.Entries[index].Transaction > transactionId)
                {
                    index = arrays.Entries[index].Older;
                }

                if (index != 0)
                {
                    ref Entry entry = ref arrays.Entries[index];
                    versions.Add(new PageVersion(new PageNumber(entry.Page), entry.Pages, entry.Address));
                }
            }
        }
    }

    /// <summary>Reuses what was unlinked before every active reader began.</summary>
    /// <param name="oldestSequence">Sequence of the oldest active reader; <see cref="long.MaxValue"/> when there is none.</param>
    public void Reclaim(long oldestSequence)
    {
        Debug.Assert(ChangeLock.IsHeldByCurrentThread);
        while (_parked.TryPeek(out Parked parked) && parked.Sequence < oldestSequence)
        {
            _parked.Dequeue();
            ref Entry entry = ref _arrays.Entries[parked.Index];
            _parkedBytes -= BytesOf(entry);
            if (entry.Pages != 0)
            {
                _pool.Return((byte*)entry.Address, entry.Pages);
            }

            entry = new Entry { Next = _freeEntry, Page = -1 };
            _freeEntry = parked.Index;
        }
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

            bytes -= BytesOf(_arrays.Entries[parked.Index]);
        }

        return bytes;
    }

    /// <summary>Begins anew with small arrays when nothing is here and nobody may stand on what was. Snapshots of before keep the old
    /// ones, which are empty.</summary>
    /// <returns>Whether the arrays changed: then a state should be published with the new ones.</returns>
    public bool TryTrim()
    {
        Debug.Assert(ChangeLock.IsHeldByCurrentThread);
        if (_liveEntries != 0 || _parked.Count != 0 || _arrays.Entries.Length == InitialSize)
        {
            return false;
        }

        Debug.Assert(_parkedBytes == 0);
        _arrays = new Arrays(InitialSize);
        _used = 1;
        _freeEntry = 0;
        _parked.TrimExcess();
        return true;
    }

    private static long BytesOf(in Entry entry) => entry.Pages == 0 ? 0 : ScratchPool.BytesOf(entry.Pages);

    private static ref int FindLink(Arrays arrays, long page)
    {
        ref int link = ref arrays.Buckets[arrays.BucketOf(page)];
        while (link != 0 && arrays.Entries[link].Page != page)
        {
            link = ref arrays.Entries[link].Next;
        }

        return ref link;
    }

    /// <summary>Keeps the newest version that the floor sees and unlinks all behind it.</summary>
    private void CutBehind(Arrays arrays, int index, long floor, long sequence)
    {
        while (index != 0 && arrays.Entries[index].Transaction > floor)
        {
            index = arrays.Entries[index].Older;
        }

        if (index != 0 && arrays.Entries[index].Older != 0)
        {
            int rest = arrays.Entries[index].Older;
            Volatile.Write(ref arrays.Entries[index].Older, 0);
            ParkChain(arrays, rest, sequence);
        }
    }

    private void ParkChain(Arrays arrays, int index, long sequence)
    {
        sequence = Math.Max(sequence, _newestCaptured);
        for (; index != 0; index = arrays.Entries[index].Older)
        {
            _parked.Enqueue(new Parked(sequence, index));
            _parkedBytes += BytesOf(arrays.Entries[index]);
            _liveEntries--;
        }
    }

    private int TakeEntry()
    {
        if (_freeEntry == 0 && _used == _arrays.Entries.Length)
        {
            Grow();
        }

        if (_freeEntry == 0)
        {
            return _used++;
        }

        int index = _freeEntry;
        _freeEntry = _arrays.Entries[index].Next;
        return index;
    }

    private void Grow()
    {
        var larger = new Arrays(_arrays.Entries.Length * 2);
        Array.Copy(_arrays.Entries, larger.Entries, _used);
        foreach (int bucket in _arrays.Buckets)
        {
            for (int head = bucket; head != 0;)
            {
                int next = _arrays.Entries[head].Next;
                ref int link = ref larger.Buckets[larger.BucketOf(larger.Entries[head].Page)];
                larger.Entries[head].Next = link;
                link = head;
                head = next;
            }
        }

        _arrays = larger;
    }

    /// <summary>A version picked for flush.</summary>
    public readonly record struct PageVersion(PageNumber Page, int Pages, nint Address);

    private readonly record struct Parked(long Sequence, int Index);

    /// <summary>What one published state sees of the table.</summary>
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
            Entry[] entries = arrays.Entries;
            int index = Volatile.Read(ref arrays.Buckets[arrays.BucketOf(page.Value)]);
            while (index != 0 && entries[index].Page != page.Value)
            {
                index = Volatile.Read(ref entries[index].Next);
            }

            while (index != 0 && entries[index].Transaction > _transactionId)
            {
                index = Volatile.Read(ref entries[index].Older);
            }

            return index == 0 ? null : (byte*)entries[index].Address;
        }
    }

    internal struct Entry
    {
        public long Page;
        public long Transaction;
        public nint Address;
        public int Next;
        public int Older;
        public int Pages;
    }

    internal sealed class Arrays(int size)
    {
        private readonly int _shift = 64 - System.Numerics.BitOperations.Log2((uint)size);

        public int[] Buckets { get; } = new int[size];

        public Entry[] Entries { get; } = new Entry[size];

        public int BucketOf(long page) => (int)(((ulong)page * 0x9E3779B97F4A7C15) >> _shift);
    }
}
