using System.Diagnostics;
using System.Numerics;
using System.Runtime.CompilerServices;
using Jackdaw.Storage.Paging;

namespace Jackdaw.Storage.Scratch;

/// <summary>Where the newest version of each page in scratch is: a hash table of cache lines, so that a look-up waits for
/// memory once, and then for the page itself. Changed by one thread at a time, read by any without a lock.</summary>
/// <remarks>
/// A line:
/// <code>
/// offset size field
///      0  5*8 heads: tag of the page (28 bits), address of its newest version / 4096 (36 bits; 0 = the page was freed);
///             0 = empty slot
///     40  5*4 records: index of that version's record
///     60    4 line in which the bucket continues, 0 = none
/// </code>
/// A slot's record is written before its head. A reader that reads a head and then the record therefore finds the record
/// of that version or of a newer one; or, when the slot was emptied and reused in between, that of another page, which
/// it notices by the page number in the record.
/// </remarks>
internal sealed unsafe class PageHeads
{
    private const int SlotsPerLine = 5;
    private const int AddressBits = 36;
    private const int AddressUnitBits = 12;
    private const int PagesPerBucket = 4;
    private const int BucketsPerSpareLine = 4;
    private const ulong TagMask = ~0UL << AddressBits;

    /// <summary>Part of every tag, so that a head is never 0.</summary>
    private const ulong TagMark = 1UL << AddressBits;

    private readonly LineArray<Line> _lines;
    private readonly int _shift;
    private int _used;

    /// <param name="pages">Pages that the table should hold; a power of two.</param>
    public PageHeads(int pages)
    {
        int buckets = pages / PagesPerBucket;
        _used = buckets;
        _shift = 64 - BitOperations.Log2((uint)buckets);
        _lines = new LineArray<Line>(buckets + (buckets / BucketsPerSpareLine));
    }

    /// <summary>First slot to check for a page.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public Candidates Look(long page) => new(_lines.Items, _shift, page);

    /// <summary>The slot of a page; none when the page has none.</summary>
    /// <param name="page">Number of the page.</param>
    /// <param name="records">Records that the slots refer to.</param>
    public Slot Find(long page, VersionRecord* records)
    {
        Candidates candidates = Look(page);
        while (candidates.MoveNext())
        {
            if (records[candidates.Slot.Record].Page == page)
            {
                return candidates.Slot;
            }
        }

        return default;
    }

    /// <summary>Gives a page that has no slot one; false when there is no room for it.</summary>
    public bool TryAdd(long page, nint address, int record)
    {
        Line* line = _lines.Items + BucketOf(page, _shift);
        while (true)
        {
            for (int i = 0; i < SlotsPerLine; i++)
            {
                if (line->Heads[i] == 0)
                {
                    new Slot(line, i).Set(page, address, record);
                    return true;
                }
            }

            if (line->Next == 0)
            {
                if (_used == _lines.Count)
                {
                    return false;
                }

                Volatile.Write(ref line->Next, _used++);
            }

            line = _lines.Items + line->Next;
        }
    }

    /// <summary>The record of each page's newest version, in no order.</summary>
    public IEnumerable<int> ListRecords()
    {
        for (int line = 0; line < _used; line++)
        {
            for (int slot = 0; slot < SlotsPerLine; slot++)
            {
                if (RecordAt(line, slot) is > 0 and int record)
                {
                    yield return record;
                }
            }
        }
    }

    private int RecordAt(int line, int slot) => _lines.Items[line].Heads[slot] == 0 ? 0 : _lines.Items[line].Records[slot];

    private static ulong BucketOf(long page, int shift) => PageNumber.HashOf(page) >> shift;

    /// <summary>From other bits of the hash than the bucket, as long as the table is not huge.</summary>
    private static ulong TagOf(long page) => ((PageNumber.HashOf(page) << 20) & TagMask) | TagMark;

    /// <summary>One cache line.</summary>
    internal struct Line
    {
        public fixed ulong Heads[SlotsPerLine];
        public fixed int Records[SlotsPerLine];
        public int Next;
    }

    /// <summary>Place of one page.</summary>
    internal readonly struct Slot(Line* line, int index)
    {
        public bool IsNone => line == null;

        /// <summary>Record of the newest version.</summary>
        public int Record => Volatile.Read(ref line->Records[index]);

        public void Set(long page, nint address, int record)
        {
            Debug.Assert(address >> (AddressBits + AddressUnitBits) == 0 && (address & ((1 << AddressUnitBits) - 1)) == 0);
            Volatile.Write(ref line->Records[index], record);
            Volatile.Write(ref line->Heads[index], TagOf(page) | ((ulong)address >> AddressUnitBits));
        }

        public void Clear() => Volatile.Write(ref line->Heads[index], 0);
    }

    /// <summary>The slots whose tag is that of a page: nearly always its own or none.</summary>
    internal ref struct Candidates
    {
        private readonly Line* _lines;
        private readonly ulong _tag;
        private Line* _line;
        private int _index;

        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        public Candidates(Line* lines, int shift, long page)
        {
            _lines = lines;
            _tag = TagOf(page);
            _line = lines + BucketOf(page, shift);
            _index = -1;
        }

        /// <summary>Address in the head; 0 = the page was freed.</summary>
        public nint Address { get; private set; }

        /// <summary>The slot.</summary>
        public readonly Slot Slot => new(_line, _index);

        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        public bool MoveNext()
        {
            while (true)
            {
                while (++_index < SlotsPerLine)
                {
                    ulong head = Volatile.Read(ref _line->Heads[_index]);
                    if ((head & TagMask) == _tag)
                    {
                        Address = (nint)((head & ~TagMask) << AddressUnitBits);
                        return true;
                    }
                }

                int next = Volatile.Read(ref _line->Next);
                if (next == 0)
                {
                    return false;
                }

                _line = _lines + next;
                _index = -1;
            }
        }
    }
}
