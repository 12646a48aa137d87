using Jackdaw.Search.Segments.Memory;

namespace Jackdaw.Search.Segments.Ordering;

/// <summary>The first of some entries, in an order. Entries that are equal in all keys have the order in which they were added. One search.</summary>
/// <remarks>A heap whose root is the worst that is kept, until it is sorted.</remarks>
internal sealed unsafe class TopHits
{
    /// <summary>Entries whose ranks are read at once.</summary>
    private const int RankedAtOnce = 512;

    private readonly SortSource[] _sources;
    private readonly Arena _arena;
    private readonly int _wanted;
    private readonly bool _isHere;
    private readonly OrderValue* _values;
    private readonly int* _ordinals;
    private readonly float* _scores;
    private readonly int* _slots; // the heap; the best first after Sort
    private readonly OrderValue* _candidate;
    private readonly ulong* _ranks; // null when the first key has none
    private ulong _worstRank; // of the first key, when all wanted are there

    /// <param name="wanted">The most entries that are wanted.</param>
    /// <param name="most">The most entries that can come.</param>
    /// <param name="isHere">Whether values are compared as those of the segment to which the sources are bound; else they were settled.</param>
    public TopHits(SortSource[] sources, int wanted, int most, bool isHere, Arena arena)
    {
        _sources = sources;
        _arena = arena;
        _isHere = isHere;
        _wanted = Math.Min(wanted, most);
        _values = arena.Take<OrderValue>((long)_wanted * sources.Length);
        _ordinals = arena.Take<int>(_wanted);
        _scores = arena.Take<float>(_wanted);
        _slots = arena.Take<int>(_wanted);
        _candidate = arena.Take<OrderValue>(sources.Length);
        _ranks = isHere && sources[0].IsNumeric ? arena.Take<ulong>(RankedAtOnce) : null;
    }

    public int Count { get; private set; }

    /// <summary>Whether each further entry takes the place of another one.</summary>
    public bool IsFull => Count == _wanted;

    /// <summary>The values of the worst entry that is kept. One at least is.</summary>
    public OrderValue* Worst => ValuesOf(_slots[0]);

    /// <summary>Offers entries of the bound segment, in order.</summary>
    /// <param name="firstOrdinal">The number of the segment's first entry in the index.</param>
    /// <param name="scores">Null when there are none.</param>
    public void AddAll(int* entries, int count, int firstOrdinal, float* scores)
    {
        int from = 0;
        for (; from < count && (!IsFull || _ranks == null); from++)
        {
            Add(entries[from], firstOrdinal + entries[from], scores == null ? 0 : scores[from]);
        }

        for (; from < count; from += RankedAtOnce)
        {
            AddRanked(entries + from, Math.Min(RankedAtOnce, count - from), firstOrdinal, scores == null ? null : scores + from);
        }
    }

    /// <summary>Offers an entry of the bound segment. Entries come in order.</summary>
    /// <param name="ordinal">Its number in the index.</param>
    public void Add(int entry, int ordinal, float score)
    {
        for (int i = 0; i < _sources.Length; i++)
        {
            _candidate[i] = _sources[i].Read(entry, score);
        }

        Add(_candidate, ordinal, score);
    }

    /// <summary>Sorts the entries, the best first. No more can be offered.</summary>
    public void Sort()
    {
        int count = Count;
        for (int end = count - 1; end > 0; end--)
        {
            (_slots[0], _slots[end]) = (_slots[end], _slots[0]);
            SiftDown(end);
        }
    }

    /// <summary>The number of an entry in the index, after <see cref="Sort"/>.</summary>
    public int OrdinalAt(int place) => _ordinals[_slots[place]];

    public float ScoreAt(int place) => _scores[_slots[place]];

    /// <summary>Offers the entries of a segment, which is still bound.</summary>
    public void AddSettled(TopHits segment)
    {
        segment.Sort(); // the order in which equal ones were added
        for (int i = 0; i < segment.Count; i++)
        {
            OrderValue* values = segment.ValuesOf(segment._slots[i]);
            for (int k = 0; k < _sources.Length; k++)
            {
                _candidate[k] = _sources[k].Settle(values[k], _arena);
            }

            if (IsFull && CompareValues(_candidate, Worst) >= 0)
            {
                return; // and those that follow are not better
            }

            Add(_candidate, segment.OrdinalAt(i), segment.ScoreAt(i));
        }
    }

    // Most entries of a large answer are worse than those that are wanted, and the first key says so.
    private void AddRanked(int* entries, int count, int firstOrdinal, float* scores)
    {
        _sources[0].ReadRanks(entries, count, scores, _ranks);
        for (int i = 0; i < count; i++)
        {
            if (_ranks[i] <= _worstRank)
            {
                Add(entries[i], firstOrdinal + entries[i], scores == null ? 0 : scores[i]);
            }
        }
    }

    private void Add(OrderValue* values, int ordinal, float score)
    {
        if (!IsFull)
        {
            Put(Count, values, ordinal, score);
            _slots[Count] = Count;
            SiftUp(Count++);
        }
        else if (_wanted > 0 && CompareValues(values, Worst) < 0)
        {
            Put(_slots[0], values, ordinal, score); // of equal ones the first stays
            SiftDown(Count);
        }
        else
        {
            return;
        }

        if (_ranks != null && IsFull)
        {
            _worstRank = _sources[0].RankOf(*Worst);
        }
    }

    private void Put(int slot, OrderValue* values, int ordinal, float score)
    {
        for (int i = 0; i < _sources.Length; i++)
        {
            ValuesOf(slot)[i] = _isHere ? _sources[i].Hold(values[i], _arena) : values[i];
        }

        _ordinals[slot] = ordinal;
        _scores[slot] = score;
    }

    private void SiftUp(int at)
    {
        while (at > 0 && IsWorse(_slots[at], _slots[(at - 1) / 2]))
        {
            int parent = (at - 1) / 2;
            (_slots[at], _slots[parent]) = (_slots[parent], _slots[at]);
            at = parent;
        }
    }

    private void SiftDown(int count)
    {
        for (int at = 0; ;)
        {
            int child = (2 * at) + 1;
            if (child + 1 < count && IsWorse(_slots[child + 1], _slots[child]))
            {
                child++;
            }

            if (child >= count || !IsWorse(_slots[child], _slots[at]))
            {
                return;
            }

            (_slots[at], _slots[child]) = (_slots[child], _slots[at]);
            at = child;
        }
    }

    private bool IsWorse(int slot, int other)
    {
        int order = CompareValues(ValuesOf(slot), ValuesOf(other));
        return order > 0 || (order == 0 && _ordinals[slot] > _ordinals[other]);
    }

    private int CompareValues(OrderValue* left, OrderValue* right)
    {
        for (int i = 0; i < _sources.Length; i++)
        {
            int order = _isHere ? _sources[i].CompareHere(left[i], right[i]) : _sources[i].Compare(left[i], right[i]);
            if (order != 0)
            {
                return order;
            }
        }

        return 0;
    }

    private OrderValue* ValuesOf(int slot) => _values + ((long)slot * _sources.Length);
}
