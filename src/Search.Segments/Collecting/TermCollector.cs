using Jackdaw.Search.Segments.Codes;
using Jackdaw.Search.Segments.Memory;
using Jackdaw.Search.Segments.Writing;

namespace Jackdaw.Search.Segments.Collecting;

/// <summary>The terms of one dictionary in a batch, with their entries. One thread.</summary>
/// <param name="table">The terms of all dictionaries.</param>
/// <param name="dictionary">Its number in the table.</param>
internal sealed unsafe class TermCollector(TermTable table, int dictionary) : IDisposable
{
    private const int KeptMax = 1 << 20;

    private readonly NativeList<int> _terms = new(); // numbers in the table, each once
    private readonly NativeList<int> _termOf = new(); // for each place where a term stands
    private readonly NativeList<int> _entryOf = new();
    private readonly NativeList<int> _positionOf = new();

    public bool IsEmpty => _terms.IsEmpty;

    /// <summary>The different terms.</summary>
    public int Count => _terms.Count;

    /// <summary>Adds a term that has no entries.</summary>
    /// <returns>Its number in the table.</returns>
    public int Add(ReadOnlySpan<byte> term)
    {
        int number = table.Add(dictionary, term, out bool isNew);
        if (isNew)
        {
            _terms.Add(number);
        }

        return number;
    }

    /// <summary>Adds a term of an entry. Entries come in order; an entry may have a term several times.</summary>
    public int Add(ReadOnlySpan<byte> term, int entry)
    {
        int number = Add(term);
        _termOf.Add(number);
        _entryOf.Add(entry);
        return number;
    }

    /// <summary>Adds a term of a text. The positions of an entry come in order.</summary>
    public void Add(ReadOnlySpan<byte> term, int entry, int position)
    {
        Add(term, entry);
        _positionOf.Add(position);
    }

    /// <summary>Writes the dictionary. Afterwards <see cref="SegmentTools.Places"/> has the places of its terms; those of other dictionaries stay as they
    /// are.</summary>
    public void Write(SegmentWriter writer, SegmentTools tools, int field, DictionaryParts parts)
    {
        (DictionaryWriter target, TermSorter sorter) = (tools.Dictionary, tools.Sorter);
        int* places = tools.Places;
        ReadOnlySpan<int> sorted = sorter.Sort(table, _terms.Span, out ReadOnlySpan<byte> prefix);
        int symbolBytesMin = parts.MayHaveSymbols ? writer.Sizes.SymbolTermBytesMin : int.MaxValue;
        target.Begin(writer, field, parts, prefix, FindSymbols(tools.Symbols, sorted, prefix.Length, symbolBytesMin));
        for (int i = 0; i < sorted.Length; i++)
        {
            places[sorted[i]] = i;
        }

        if (_termOf.IsEmpty)
        {
            foreach (int term in sorted)
            {
                byte* text = table.TextOf(term, out int length);
                target.Add(text, length, null, 0);
            }
        }
        else
        {
            sorter.Group(_termOf, places, sorted.Length);
            WriteLists(target, sorter, sorted);
        }

        target.End();
    }

    public void Clear()
    {
        _terms.Trim(KeptMax);
        _termOf.Trim(KeptMax);
        _entryOf.Trim(KeptMax);
        _positionOf.Trim(KeptMax);
    }

    public void Dispose()
    {
        _terms.Dispose();
        _termOf.Dispose();
        _entryOf.Dispose();
        _positionOf.Dispose();
    }

    // By a sample of neighbours from all places.
    private SymbolTable? FindSymbols(SymbolTraining symbols, ReadOnlySpan<int> sorted, int prefix, int termBytesMin)
    {
        const int terms = 256;
        if (termBytesMin == int.MaxValue)
        {
            return null;
        }

        symbols.Clear();
        int step = Math.Max(1, sorted.Length / terms);
        for (int i = 1; i < sorted.Length && !symbols.IsFull; i += step)
        {
            byte* before = table.TextOf(sorted[i - 1], out int lengthBefore), text = table.TextOf(sorted[i], out int length);
            int shared = Math.Max(prefix, Term.CommonLength(before, lengthBefore, text, length));
            symbols.Add(text + shared, length - shared);
        }

        return symbols.Run(sorted.Length, termBytesMin) ? symbols.Table : null;
    }

    private void WriteLists(DictionaryWriter target, TermSorter sorter, ReadOnlySpan<int> sorted)
    {
        for (int i = 0; i < sorted.Length; i++)
        {
            byte* text = table.TextOf(sorted[i], out int length);
            ReadOnlySpan<int> places = sorter.GroupOf(i);
            int* entries = sorter.Entries.Resize(places.Length);
            if (_positionOf.IsEmpty)
            {
                target.Add(text, length, entries, CopyEntries(places, entries));
                continue;
            }

            int count = CopyPositions(places, entries, sorter);
            target.Add(text, length, entries, count, sorter.Frequencies.Items, sorter.PositionBytes.Items, sorter.Positions.Start);
        }
    }

    // An entry that has the term several times is listed once.
    private int CopyEntries(ReadOnlySpan<int> places, int* entries)
    {
        int count = 0, last = -1;
        foreach (int place in places)
        {
            int entry = _entryOf[place];
            if (entry != last)
            {
                entries[count++] = last = entry;
            }
        }

        return count;
    }

    private int CopyPositions(ReadOnlySpan<int> places, int* entries, TermSorter sorter)
    {
        int* frequencies = sorter.Frequencies.Resize(places.Length), bytes = sorter.PositionBytes.Resize(places.Length);
        NativeBuffer positions = sorter.Positions;
        positions.Clear();
        int count = 0, last = 0, begun = 0;
        foreach (int place in places)
        {
            int entry = _entryOf[place];
            if (count == 0 || entries[count - 1] != entry)
            {
                entries[count] = entry;
                frequencies[count++] = 0;
                (last, begun) = (0, positions.Length);
            }

            positions.AddVarInt((uint)(_positionOf[place] - last));
            last = _positionOf[place];
            frequencies[count - 1]++;
            bytes[count - 1] = positions.Length - begun;
        }

        return count;
    }
}
