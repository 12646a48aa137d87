using Jackdaw.Search.Segments.Codes;
using Jackdaw.Search.Segments.Reading;

namespace Jackdaw.Search.Segments.Ordering;

/// <summary>Walks over the entries of a segment in the order of one key, group by group; the entries of a group are equal in the key. One search.</summary>
/// <param name="missingFirst">Whether entries without a value come first.</param>
internal abstract unsafe class OrderWalk(SegmentView segment, bool missingFirst)
{
    private bool _hasMissing = true; // still to come

    protected SegmentView Segment => segment;

    /// <summary>The entries of the next group, in order.</summary>
    /// <param name="entries">Memory of the segment's scratch; the caller may change it.</param>
    /// <returns>False at the end.</returns>
    public bool MoveNext(out int* entries, out int count)
    {
        if (missingFirst && TakeMissing(out entries, out count))
        {
            return true;
        }

        return MoveNextValue(out entries, out count) || TakeMissing(out entries, out count);
    }

    protected abstract bool MoveNextValue(out int* entries, out int count);

    /// <summary>Removes the entries that have a value.</summary>
    protected abstract void RemovePresent(ulong* words);

    protected static void Remove(ulong* words, in EntrySet set, SegmentView segment)
    {
        if (set.HasAll)
        {
            new Span<ulong>(words, Bits.WordsOf(segment.Entries)).Clear();
            return;
        }

        if (set.Words != null)
        {
            Bits.AndNot(words, set.Words, Bits.WordsOf(segment.Entries));
            return;
        }

        int* entries = segment.Scratch.Take<int>(set.Count);
        set.CopyTo(entries);
        for (int i = 0; i < set.Count; i++)
        {
            words[entries[i] >> 6] &= ~(1UL << (entries[i] & 63));
        }
    }

    private bool TakeMissing(out int* entries, out int count)
    {
        entries = null;
        count = 0;
        if (!_hasMissing)
        {
            return false;
        }

        _hasMissing = false;
        ulong* words = segment.Scratch.TakeZeroed<ulong>(Bits.WordsOf(segment.Entries));
        Bits.AddRange(words, 0, segment.Entries);
        RemovePresent(words);
        count = Bits.Count(words, Bits.WordsOf(segment.Entries));
        entries = segment.Scratch.Take<int>(count);
        Bits.CopyTo(words, segment.Entries, entries);
        return count > 0;
    }
}

/// <summary>Walks over terms: each entry has one at most.</summary>
internal sealed unsafe class TermOrderWalk(SegmentView segment, DictionaryView dictionary, ColumnReader ordinals, bool isDescending, bool missingFirst)
    : OrderWalk(segment, missingFirst)
{
    private DictionaryCursor _cursor = new(dictionary, segment.Arena);
    private int _next = isDescending ? dictionary.Count - 1 : 0;

    protected override bool MoveNextValue(out int* entries, out int count)
    {
        entries = null;
        count = 0;
        if (_next < 0 || _next >= dictionary.Count)
        {
            return false;
        }

        if (isDescending || _next == 0)
        {
            _cursor.MoveTo(_next);
        }
        else
        {
            _cursor.MoveNext();
        }

        _next += isDescending ? -1 : 1;
        entries = Segment.Scratch.Take<int>(_cursor.Entries.Count + PostingsReader.Slack);
        count = PostingsReader.Read(dictionary, _cursor.Entries, entries);
        return true;
    }

    protected override void RemovePresent(ulong* words) => Remove(words, ordinals.Entries, Segment);
}

/// <summary>Walks over numbers: each entry has one at most.</summary>
internal sealed unsafe class NumberOrderWalk : OrderWalk
{
    private readonly NumberView[] _numbers;
    private readonly SortSource _source;
    private readonly bool _isDescending;
    private readonly int[] _next;
    private readonly int[] _ends; // of the group

    public NumberOrderWalk(SegmentView segment, NumberView[] numbers, SortSource source, bool isDescending, bool missingFirst)
        : base(segment, missingFirst)
    {
        (_numbers, _source, _isDescending) = (numbers, source, isDescending);
        _next = new int[numbers.Length];
        _ends = new int[numbers.Length];
        for (int i = 0; i < numbers.Length; i++)
        {
            _next[i] = isDescending ? numbers[i].Count - 1 : 0;
        }
    }

    protected override bool MoveNextValue(out int* entries, out int count)
    {
        count = CountGroup();
        entries = Segment.Scratch.Take<int>(count);
        int at = 0;
        for (int i = 0; i < _numbers.Length && count > 0; i++)
        {
            for (; _next[i] != _ends[i]; _next[i] += Step)
            {
                entries[at++] = _numbers[i].EntryAt(_next[i]);
            }
        }

        new Span<int>(entries, count).Sort();
        return count > 0;
    }

    protected override void RemovePresent(ulong* words)
    {
        foreach (NumberView view in _numbers)
        {
            Remove(words, view.Column.Entries, Segment);
        }
    }

    private int Step => _isDescending ? -1 : 1;

    private int CountGroup()
    {
        int first = FindFirst(), count = 0;
        if (first < 0)
        {
            return 0;
        }

        OrderValue value = ValueOf(first, _next[first]);
        for (int i = 0; i < _numbers.Length; i++)
        {
            int end = _next[i];
            for (; IsOn(i, end) && _source.CompareHere(ValueOf(i, end), value) == 0; end += Step)
            {
                count++;
            }

            _ends[i] = end;
        }

        return count;
    }

    private bool IsOn(int kind, int place) => place >= 0 && place < _numbers[kind].Count;

    private OrderValue ValueOf(int kind, int place) => _source.Read(_numbers[kind].EntryAt(place), 0);

    private int FindFirst()
    {
        int first = -1;
        for (int i = 0; i < _numbers.Length; i++)
        {
            if (IsOn(i, _next[i]) && (first < 0 || _source.CompareHere(ValueOf(i, _next[i]), ValueOf(first, _next[first])) < 0))
            {
                first = i;
            }
        }

        return first;
    }
}
