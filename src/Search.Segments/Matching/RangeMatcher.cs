using Jackdaw.Search.Segments.Codes;
using Jackdaw.Search.Segments.Reading;
using Jackdaw.Search.Segments.Storing;

namespace Jackdaw.Search.Segments.Matching;

/// <summary>The entries that have a number of one kind between two others, both included.</summary>
internal sealed unsafe class RangeMatcher(int field, PartKind kind, long low, long high) : Matcher
{
    /// <summary>Where fewer of the values than this share of the entries match, they become a list; else a bitmap.</summary>
    private const int ListShare = 32;

    private NumberView _numbers;
    private int _first;
    private int _end;

    protected override (int Most, bool IsExact) BindCore()
    {
        _numbers = NumberView.Open(Segment, field, kind);
        (_first, _end) = _numbers.Exists ? _numbers.Slice(low, high) : (0, 0);
        return (_end - _first, _end == _first || _numbers.IsSingle);
    }

    protected override Found MatchCore()
    {
        int count = _end - _first;
        if (_numbers.IsSingle && count == Segment.Entries)
        {
            return Found.All;
        }

        int* list = Scratch.Take<int>(count);
        _numbers.CopyEntries(_first, _end, list);
        if ((long)count * ListShare > Segment.Entries)
        {
            ulong* words = Scratch.TakeZeroed<ulong>(Bits.WordsOf(Segment.Entries));
            Bits.AddAll(words, list, count);
            return Found.OfBits(words);
        }

        new Span<int>(list, count).Sort();
        return Found.OfList(list, _numbers.IsSingle ? count : Distinct(list, count));
    }

    protected override int FilterCore(int* entries, int count)
    {
        if (!_numbers.IsSingle)
        {
            return base.FilterCore(entries, count);
        }

        int kept = 0;
        ColumnReader column = _numbers.Column;
        for (int i = 0; i < count; i++)
        {
            int entry = entries[i];
            entries[kept] = entry;
            kept += column.TryRead(entry, out long value) && value >= low && value <= high ? 1 : 0;
        }

        return kept;
    }

    // Looks at the entries from the first one on when that takes fewer steps than sorting all that match.
    protected override int FirstCore(int* target, int most)
    {
        long matches = _end - _first;
        if (!_numbers.IsSingle || matches * matches <= (long)most * Segment.Entries)
        {
            return -1;
        }

        int count = 0;
        ColumnReader column = _numbers.Column;
        for (int entry = 0; entry < Segment.Entries && count < most; entry++)
        {
            if (column.TryRead(entry, out long value) && value >= low && value <= high)
            {
                target[count++] = entry;
            }
        }

        return count;
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
