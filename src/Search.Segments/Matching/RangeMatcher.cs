using Jackdaw.Search.Segments.Codes;
using Jackdaw.Search.Segments.Reading;
using Jackdaw.Search.Segments.Storing;

namespace Jackdaw.Search.Segments.Matching;

/// <summary>Numbers of one kind between two others, both included.</summary>
internal readonly record struct NumberRange(PartKind Kind, long Low, long High);

/// <summary>The entries that have a number in one of some ranges of different kinds.</summary>
internal sealed unsafe class RangeMatcher(int field, NumberRange[] ranges) : Matcher
{
    /// <summary>Where fewer of the values than this share of the entries match, they become a list; else a bitmap.</summary>
    private const int ListShare = 32;

    private readonly NumberView[] _numbers = new NumberView[ranges.Length];
    private readonly (int First, int End)[] _slices = new (int, int)[ranges.Length];
    private bool _isSingle; // each entry has one number: no entry is in two ranges

    protected override (int Most, bool IsExact) BindCore()
    {
        long count = 0;
        _isSingle = true;
        for (int i = 0; i < ranges.Length; i++)
        {
            _numbers[i] = NumberView.Open(Segment, field, ranges[i].Kind);
            _slices[i] = _numbers[i].Exists ? _numbers[i].Slice(ranges[i].Low, ranges[i].High) : (0, 0);
            _isSingle &= !_numbers[i].Exists || _numbers[i].IsSingle;
            count += _slices[i].End - _slices[i].First;
        }

        return ((int)Math.Min(count, _isSingle ? count : Segment.Entries), _isSingle || count == 0);
    }

    protected override Found MatchCore()
    {
        if (_isSingle && Most == Segment.Entries)
        {
            return Found.All;
        }

        int count = 0;
        foreach ((int first, int end) in _slices)
        {
            count += end - first;
        }

        int* list = Scratch.Take<int>(count);
        for (int i = 0, at = 0; i < ranges.Length; i++)
        {
            _numbers[i].CopyEntries(_slices[i].First, _slices[i].End, list + at);
            at += _slices[i].End - _slices[i].First;
        }

        if ((long)count * ListShare > Segment.Entries)
        {
            ulong* words = Scratch.TakeZeroed<ulong>(Bits.WordsOf(Segment.Entries));
            Bits.AddAll(words, list, count);
            return Found.OfBits(words);
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

        int kept = 0;
        for (int i = 0; i < count; i++)
        {
            int entry = entries[i];
            entries[kept] = entry;
            kept += Has(entry) ? 1 : 0;
        }

        return kept;
    }

    // Looks at the entries from the first one on when that takes fewer steps than sorting all that match.
    protected override int FirstCore(int* target, int most)
    {
        if (!_isSingle || (long)Most * Most <= (long)most * Segment.Entries)
        {
            return -1;
        }

        int count = 0;
        for (int entry = 0; entry < Segment.Entries && count < most; entry++)
        {
            if (Has(entry))
            {
                target[count++] = entry;
            }
        }

        return count;
    }

    private bool Has(int entry)
    {
        for (int i = 0; i < ranges.Length; i++)
        {
            if (_numbers[i].Exists && _numbers[i].Column.TryRead(entry, out long value))
            {
                return value >= ranges[i].Low && value <= ranges[i].High;
            }
        }

        return false;
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
