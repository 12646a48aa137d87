using System.Runtime.ExceptionServices;
using Jackdaw.Search.Segments.Memory;

namespace Jackdaw.Search.Segments.Ordering;

/// <summary>The first of some entries, in an order. Entries that are equal in all keys have the order in which they were added. One search.</summary>
internal sealed unsafe class TopHits
{
    private readonly SortSource[] _sources;
    private readonly Arena _arena;
    private readonly int _wanted;
    private readonly int _capacity;
    private readonly bool _isHere;
    private readonly bool _isNumeric; // one key, whose values are compared as numbers
    private readonly OrderValue* _values;
    private readonly int* _ordinals;
    private readonly float* _scores;
    private readonly int* _slots; // of those that are kept, the best first after Sort
    private readonly OrderValue* _candidate;
    private int _used;
    private bool _isFull; // then the last slot has the worst that is wanted

    /// <param name="wanted">The most entries that are wanted; at least 1.</param>
    /// <param name="most">The most entries that can come.</param>
    /// <param name="isHere">Whether the values are those of one segment, to which the sources are bound; else they were settled.</param>
    public TopHits(SortSource[] sources, int wanted, int most, bool isHere, Arena arena)
    {
        _sources = sources;
        _arena = arena;
        _wanted = wanted;
        _isHere = isHere;
        _capacity = (int)Math.Min(most, Math.Max(256, 2L * wanted));
        _values = arena.Take<OrderValue>(Math.Max(1, (long)_capacity * sources.Length));
        _ordinals = arena.Take<int>(_capacity);
        _scores = arena.Take<float>(_capacity);
        _slots = arena.Take<int>(_capacity);
        _candidate = arena.Take<OrderValue>(Math.Max(1, sources.Length));
        _isNumeric = isHere && sources is [{ IsNumeric: true }];
    }

    public int Count { get; private set; }

    /// <summary>Offers an entry of the bound segment. Entries come in order.</summary>
    /// <param name="ordinal">Its number in the index.</param>
    public void Add(int entry, int ordinal, float score)
    {
        if (_isNumeric)
        {
            // Most entries of a large answer are worse than those that are wanted.
            *_candidate = _sources[0].Read(entry, score);
            if (!_isFull || SortSource.CompareNumbers(*_candidate, _values[_slots[_wanted - 1]]) < 0)
            {
                Add(_candidate, ordinal, score);
            }

            return;
        }

        for (int i = 0; i < _sources.Length; i++)
        {
            _candidate[i] = _sources[i].Read(entry, score);
        }

        Add(_candidate, ordinal, score);
    }

    /// <summary>Offers an entry with its values.</summary>
    public void Add(OrderValue* values, int ordinal, float score)
    {
        if (_isFull && CompareValues(values, _values + ((long)_slots[_wanted - 1] * _sources.Length)) >= 0)
        {
            return; // of equal ones the first stays
        }

        if (_used == _capacity)
        {
            Prune();
            Add(values, ordinal, score);
            return;
        }

        int slot = _used++;
        _slots[Count++] = slot;
        for (int i = 0; i < _sources.Length; i++)
        {
            _values[((long)slot * _sources.Length) + i] = _isHere ? _sources[i].Hold(values[i], _arena) : values[i];
        }

        _ordinals[slot] = ordinal;
        _scores[slot] = score;
    }

    /// <summary>Sorts the entries, and forgets those that are not wanted.</summary>
    public void Sort()
    {
        SortSlots();
        Count = Math.Min(Count, _wanted);
    }

    /// <summary>The number of an entry in the index, after <see cref="Sort"/>.</summary>
    public int OrdinalAt(int place) => _ordinals[_slots[place]];

    public float ScoreAt(int place) => _scores[_slots[place]];

    /// <summary>The values of an entry.</summary>
    public OrderValue* ValuesAt(int place) => _values + ((long)_slots[place] * _sources.Length);

    /// <summary>Offers the sorted entries of a segment, which is still bound.</summary>
    public void AddSettled(TopHits segment)
    {
        for (int i = 0; i < segment.Count; i++)
        {
            OrderValue* values = segment.ValuesAt(i);
            for (int k = 0; k < _sources.Length; k++)
            {
                _candidate[k] = _sources[k].Settle(values[k], _arena);
            }

            Add(_candidate, segment.OrdinalAt(i), segment.ScoreAt(i));
        }
    }

    /// <summary>Compares two entries' values.</summary>
    public int CompareValues(OrderValue* left, OrderValue* right)
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

    private void SortSlots()
    {
        try
        {
            new Span<int>(_slots, Count).Sort(new SlotComparer(this));
        }
        catch (InvalidOperationException failure) when (failure.InnerException is { } thrown)
        {
            ExceptionDispatchInfo.Throw(thrown); // by the code of a user
        }
    }

    // Forgets those that are not wanted.
    private void Prune()
    {
        SortSlots();
        Count = Math.Min(Count, _wanted);
        _isFull = Count == _wanted;
        _used = Count;
        Compact();
    }

    // Slots 0 to Count - 1 get the kept entries, so that new ones go after them.
    private void Compact()
    {
        OrderValue* values = _arena.Take<OrderValue>(Math.Max(1, (long)Count * _sources.Length));
        int* ordinals = _arena.Take<int>(Count);
        float* scores = _arena.Take<float>(Count);
        for (int i = 0; i < Count; i++)
        {
            new ReadOnlySpan<OrderValue>(ValuesAt(i), _sources.Length).CopyTo(new Span<OrderValue>(values + ((long)i * _sources.Length), _sources.Length));
            ordinals[i] = OrdinalAt(i);
            scores[i] = ScoreAt(i);
        }

        new ReadOnlySpan<OrderValue>(values, Count * _sources.Length).CopyTo(new Span<OrderValue>(_values, Count * _sources.Length));
        new ReadOnlySpan<int>(ordinals, Count).CopyTo(new Span<int>(_ordinals, Count));
        new ReadOnlySpan<float>(scores, Count).CopyTo(new Span<float>(_scores, Count));
        for (int i = 0; i < Count; i++)
        {
            _slots[i] = i;
        }
    }

    private readonly struct SlotComparer(TopHits hits) : IComparer<int>
    {
        public int Compare(int left, int right)
        {
            int order = hits.CompareValues(
                hits._values + ((long)left * hits._sources.Length), hits._values + ((long)right * hits._sources.Length));
            return order != 0 ? order : hits._ordinals[left].CompareTo(hits._ordinals[right]);
        }
    }
}
