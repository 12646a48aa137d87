using Jackdaw.Search.Segments.Codes;
using Jackdaw.Search.Segments.Memory;
using Jackdaw.Search.Segments.Storing;
using Jackdaw.Search.Segments.Writing;

namespace Jackdaw.Search.Segments.Collecting;

/// <summary>The numbers of one kind that a field has in a batch. One thread.</summary>
internal sealed unsafe class NumberCollector(PartKind kind) : IDisposable
{
    private const int KeptMax = 1 << 18;

    private readonly NativeList<int> _entries = new();
    private readonly NativeList<long> _firsts = new();
    private readonly NativeList<int> _ordered = new();
    private readonly NativeList<long> _values = new();
    private readonly NativeList<ulong> _seen = new();

    public bool IsEmpty => _ordered.IsEmpty;

    /// <summary>The entry of the number that was added last.</summary>
    public int LastEntry => _ordered.Last;

    /// <summary>Whether an entry, which has the number that was added last, has a number.</summary>
    public bool HasLast(int entry, long value)
    {
        for (int i = _ordered.Count - 1; i >= 0 && _ordered[i] == entry; i--)
        {
            if (_values[i] == value)
            {
                return true;
            }
        }

        return false;
    }

    /// <summary>Adds a number of an entry. Entries come in order.</summary>
    /// <param name="isFirst">Whether it is the first number of the entry, of all kinds.</param>
    public void Add(int entry, long value, bool isFirst)
    {
        _ordered.Add(entry);
        _values.Add(value);
        if (isFirst)
        {
            _entries.Add(entry);
            _firsts.Add(value);
        }
    }

    public void Write(SegmentWriter writer, SegmentTools tools, int field)
    {
        Sort(_values.Span, _ordered.Span);
        bool hasValues = _ordered.Count != _entries.Count || HasOthers(writer.Entries);
        tools.Column.Write(
            writer, field, kind.Of(NumberPart.Column), kind.Of(NumberPart.Rows), _entries.Span, _firsts.Span,
            new ColumnHead { Values = _values.Count, HasSeveral = hasValues ? 1 : 0 });
        tools.Numbers.Begin(writer, field, kind, hasValues);
        for (int i = 0; i < _values.Count; i++)
        {
            tools.Numbers.Add(_ordered[i], _values[i]);
        }

        tools.Numbers.End();
    }

    public void Clear()
    {
        _entries.Trim(KeptMax);
        _firsts.Trim(KeptMax);
        _ordered.Trim(KeptMax);
        _values.Trim(KeptMax);
    }

    public void Dispose()
    {
        _entries.Dispose();
        _firsts.Dispose();
        _ordered.Dispose();
        _values.Dispose();
        _seen.Dispose();
    }

    // As many values as entries with a first one: they are the same entries unless one has none and another has two.
    private bool HasOthers(int entries)
    {
        ulong* seen = _seen.Resize(Bits.WordsOf(entries));
        _seen.Span.Clear();
        foreach (int entry in _entries.Span)
        {
            Bits.Add(seen, entry);
        }

        foreach (int entry in _ordered.Span)
        {
            if (!Bits.Has(seen, entry))
            {
                return true;
            }

            seen[entry >> 6] &= ~(1UL << (entry & 63));
        }

        return false;
    }

    // By value, and those of one value by entry: sorting does not keep their order.
    private static void Sort(Span<long> values, Span<int> entries)
    {
        values.Sort(entries);
        for (int from = 0; from < values.Length;)
        {
            int end = from + 1;
            while (end < values.Length && values[end] == values[from])
            {
                end++;
            }

            if (end - from > 1)
            {
                entries[from..end].Sort();
            }

            from = end;
        }
    }
}
