using Jackdaw.Search.Segments.Codes;
using Jackdaw.Search.Segments.Reading;
using Jackdaw.Search.Segments.Storing;

namespace Jackdaw.Search.Segments.Matching;

/// <summary>Numbers of one kind between two others, both included.</summary>
internal readonly record struct NumberRange(PartKind Kind, long Low, long High);

/// <summary>The entries that have a number in one of some ranges of different kinds.</summary>
internal sealed unsafe class RangeMatcher : Matcher
{
    /// <summary>The most ranges: one of each kind.</summary>
    private const int RangesMax = 3;

    /// <summary>Where fewer of the values than this share of the entries match, they become a list; else a bitmap.</summary>
    private const int ListShare = 32;

    /// <summary>Where more of the values than this share of the entries match, a bitmap sorts them.</summary>
    private const int SortShare = 512;

    /// <summary>Entries that are looked at together.</summary>
    private const int LookedAtOnce = 256;

    private readonly NumberRange[] _ranges = new NumberRange[RangesMax];
    private readonly NumberView[] _numbers = new NumberView[RangesMax];
    private readonly (int First, int End)[] _slices = new (int, int)[RangesMax];
    private int _field;
    private int _count;
    private long _values; // of the bound segment in all ranges
    private bool _isSingle; // each entry has one number: no entry is in two ranges

    /// <summary>Whether there is a range at all.</summary>
    public bool HasRanges => _count > 0;

    public RangeMatcher Set(int field)
    {
        (_field, _count) = (field, 0);
        return this;
    }

    /// <summary>Adds a range of another kind.</summary>
    public void Add(NumberRange range) => _ranges[_count++] = range;

    public override int CountDeleted()
    {
        int count = 0;
        for (int i = 0; i < _count && count >= 0; i++)
        {
            int deleted = !_numbers[i].Exists ? 0
                : DeletedPlaces.Count(Segment, (_field << 8) | (byte)_ranges[i].Kind, _numbers[i], _slices[i].First, _slices[i].End);
            count = deleted < 0 ? -1 : count + deleted;
        }

        return count;
    }

    protected override (int Most, bool IsExact) BindCore()
    {
        _values = 0;
        _isSingle = true;
        for (int i = 0; i < _count; i++)
        {
            _numbers[i] = NumberView.Open(Segment, _field, _ranges[i].Kind);
            _slices[i] = _numbers[i].Exists ? _numbers[i].Slice(_ranges[i].Low, _ranges[i].High) : (0, 0);
            _isSingle &= !_numbers[i].Exists || _numbers[i].IsSingle;
            _values += _slices[i].End - _slices[i].First;
        }

        return ((int)Math.Min(_values, _isSingle ? _values : Segment.Entries), _isSingle || _values == 0);
    }

    protected override Found MatchCore()
    {
        if (_isSingle && Most == Segment.Entries)
        {
            return Found.All;
        }

        int count = (int)_values;
        int* list = Scratch.Take<int>(count);
        for (int i = 0, at = 0; i < _count; i++)
        {
            _numbers[i].CopyEntries(_slices[i].First, _slices[i].End, list + at);
            at += _slices[i].End - _slices[i].First;
        }

        if (_values * SortShare > Segment.Entries)
        {
            ulong* words = Scratch.TakeZeroed<ulong>(Bits.WordsOf(Segment.Entries));
            Bits.AddAll(words, list, count);
            return _values * ListShare > Segment.Entries ? Found.OfBits(words) : Found.OfList(list, Bits.CopyTo(words, Segment.Entries, list));
        }

        new Span<int>(list, count).Sort();
        return Found.OfList(list, _isSingle ? count : Distinct(list, count));
    }

    protected override int FilterCore(int* entries, int count)
    {
        if (!_isSingle)
        {
            return base.FilterCore(entries, count);
        }

        return _count == 1 ? Keep(0, entries, count) : KeepAny(entries, count);
    }

    // Looks at the entries from the first one on when that takes fewer steps than sorting all that match.
    protected override int FirstCore(int* target, int most)
    {
        if (!_isSingle || (long)Most * Most <= (long)most * Segment.Entries)
        {
            return -1;
        }

        int count = 0;
        for (int from = 0; from < Segment.Entries && count < most; from += LookedAtOnce)
        {
            int looked = Math.Min(LookedAtOnce, Segment.Entries - from);
            Memory.Arena.Mark mark = Scratch.Now();
            int* entries = Scratch.Take<int>(looked);
            for (int i = 0; i < looked; i++)
            {
                entries[i] = from + i;
            }

            int kept = Math.Min(FilterCore(entries, looked), most - count);
            new ReadOnlySpan<int>(entries, kept).CopyTo(new Span<int>(target + count, kept));
            count += kept;
            Scratch.Return(mark);
        }

        return count;
    }

    private int Keep(int range, int* entries, int count) =>
        _numbers[range].Exists ? _numbers[range].Column.Keep(entries, count, _ranges[range].Low, _ranges[range].High) : 0;

    // Each entry is in one of the ranges at most.
    private int KeepAny(int* entries, int count)
    {
        Memory.Arena.Mark mark = Scratch.Now();
        int* all = Scratch.Take<int>(count), some = Scratch.Take<int>(count), merged = Scratch.Take<int>(count);
        new ReadOnlySpan<int>(entries, count).CopyTo(new Span<int>(all, count));
        int kept = Keep(0, entries, count);
        for (int i = 1; i < _count; i++)
        {
            new ReadOnlySpan<int>(all, count).CopyTo(new Span<int>(some, count));
            int added = Keep(i, some, count);
            if (added > 0)
            {
                kept = Merge(entries, kept, some, added, merged);
                new ReadOnlySpan<int>(merged, kept).CopyTo(new Span<int>(entries, kept));
            }
        }

        Scratch.Return(mark);
        return kept;
    }

    // Two lists without common entries.
    private static int Merge(int* left, int leftCount, int* right, int rightCount, int* target)
    {
        int l = 0, r = 0, at = 0;
        while (l < leftCount && r < rightCount)
        {
            target[at++] = left[l] < right[r] ? left[l++] : right[r++];
        }

        int count = leftCount - l;
        new ReadOnlySpan<int>(left + l, count).CopyTo(new Span<int>(target + at, count));
        new ReadOnlySpan<int>(right + r, rightCount - r).CopyTo(new Span<int>(target + at + count, rightCount - r));
        return leftCount + rightCount;
    }

    private static int Distinct(int* list, int count)
    {
        int kept = 0;
        for (int i = 0; i < count; i++)
        {
            if (kept == 0 || list[kept - 1] != list[i])
            {
                list[kept++] = list[i];
            }
        }

        return kept;
    }
}
