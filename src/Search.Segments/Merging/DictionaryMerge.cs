using Jackdaw.Search.Segments.Codes;
using Jackdaw.Search.Segments.Collecting;
using Jackdaw.Search.Segments.Memory;
using Jackdaw.Search.Segments.Reading;
using Jackdaw.Search.Segments.Storing;
using Jackdaw.Search.Segments.Writing;

namespace Jackdaw.Search.Segments.Merging;

/// <summary>Merges dictionaries with the lists of their entries. Terms without an entry that stays are left out.</summary>
internal sealed unsafe class DictionaryMerge : PartMerge
{
    private const int StepTerms = 256;

    private readonly DictionaryParts _parts;
    private readonly NativeList<int>[] _places; // for each term of a source its new place; -1 for one that is left out
    private readonly NativeList<ulong>[] _used;
    private readonly int[] _ordinals; // of the cursors
    private readonly ulong[] _heads;
    private readonly int[] _least;
    private readonly NativeList<int> _entries = new();
    private readonly NativeList<int> _frequencies = new();
    private readonly NativeList<int> _positionBytes = new();
    private readonly NativeBuffer _positions = new();
    private readonly DictionaryView[] _dictionaries;
    private readonly DictionaryCursor[] _cursors;
    private byte[]? _prefix;

    public DictionaryMerge(MergeSources sources, SegmentWriter writer, SegmentTools tools, int field, DictionaryParts parts)
        : base(sources, writer, tools, field)
    {
        _parts = parts;
        _places = [.. sources.Ids.Select(_ => new NativeList<int>())];
        _used = [.. sources.Ids.Select(_ => new NativeList<ulong>())];
        _ordinals = new int[sources.Count];
        _heads = new ulong[sources.Count];
        _least = new int[sources.Count];
        _dictionaries = new DictionaryView[sources.Count];
        _cursors = new DictionaryCursor[sources.Count];
    }

    /// <summary>The terms that were written.</summary>
    public int Count { get; private set; }

    /// <summary>For each new entry the place of its term, when each entry has one and that is wanted; else null.</summary>
    public NativeList<int>? PlaceOfEntry { get; init; }

    /// <summary>The new place of a term.</summary>
    /// <exception cref="Jackdaw.Storage.CorruptionException">The source has no such term.</exception>
    public int PlaceOf(int source, int ordinal) => (uint)ordinal < (uint)_places[source].Count ? _places[source][ordinal]
        : throw new Jackdaw.Storage.CorruptionException(
            $"A column of segment {Sources.Ids[source]} of the index names term {ordinal}, and its dictionary has fewer.");

    public override IEnumerable<PartKind> Reads => [_parts.Terms, _parts.Index, _parts.Postings, _parts.Positions];

    public override void Open()
    {
        for (int i = 0; i < Sources.Count; i++)
        {
            _dictionaries[i] = DictionaryView.Open(Sources.Views[i], Field, _parts);
            if (!_dictionaries[i].Exists)
            {
                continue;
            }

            _cursors[i] = new DictionaryCursor(_dictionaries[i], Sources.Arena);
            if (_prefix is not null && _ordinals[i] < _dictionaries[i].Count)
            {
                _cursors[i].MoveTo(_ordinals[i]);
            }
        }
    }

    public override bool Step()
    {
        if (_prefix is null)
        {
            Begin();
        }

        for (int left = StepTerms; left > 0; left--)
        {
            int count = FindLeast();
            if (count == 0)
            {
                Tools.Dictionary.End();
                Dispose();
                return false;
            }

            Arena.Mark mark = Sources.Scratch.Now();
            bool isWritten = WriteTerm(count);
            Sources.Scratch.Return(mark);
            for (int i = 0; i < count; i++)
            {
                MoveNext(_least[i], isWritten);
            }

            Count += isWritten ? 1 : 0;
        }

        return true;
    }

    // The places stay for the columns.
    private void Dispose()
    {
        _entries.Dispose();
        _frequencies.Dispose();
        _positionBytes.Dispose();
        _positions.Dispose();
        foreach (NativeList<ulong> used in _used)
        {
            used.Dispose();
        }
    }

    private void Begin()
    {
        _prefix = FindPrefix();
        var sample = new TermSample(Sources, Tools.Symbols, _prefix.Length);
        bool hasSymbols = _parts.MayHaveSymbols && sample.FindSymbols(_dictionaries, _cursors, Writer.Sizes.SymbolTermBytesMin);
        Tools.Dictionary.Begin(Writer, Field, _parts, _prefix, hasSymbols ? Tools.Symbols.Table : null);
        for (int i = 0; i < Sources.Count; i++)
        {
            if (_dictionaries[i].Exists)
            {
                _places[i].Resize(_dictionaries[i].Count);
                _cursors[i].MoveTo(0);
                _heads[i] = HeadOf(i);
                if (_parts.Postings == 0)
                {
                    FindUsed(i);
                }
            }
        }
    }

    // What the least and the greatest term of all have in common.
    private byte[] FindPrefix()
    {
        byte[]? least = null, greatest = null;
        for (int i = 0; i < Sources.Count; i++)
        {
            if (!_dictionaries[i].Exists)
            {
                continue;
            }

            _cursors[i].MoveTo(0);
            least = least is null || _cursors[i].Span.SequenceCompareTo(least) < 0 ? _cursors[i].Span.ToArray() : least;
            _cursors[i].MoveTo(_dictionaries[i].Count - 1);
            greatest = greatest is null || _cursors[i].Span.SequenceCompareTo(greatest) > 0 ? _cursors[i].Span.ToArray() : greatest;
        }

        return least is null ? [] : least[..least.AsSpan().CommonPrefixLength(greatest)];
    }

    private ulong HeadOf(int source) => Term.HeadOf(_cursors[source].Text + _prefix!.Length, _cursors[source].Length - _prefix.Length);

    private bool IsOn(int source) => _dictionaries[source].Exists && _ordinals[source] < _dictionaries[source].Count;

    // The sources that are at the least term, in order.
    private int FindLeast()
    {
        int count = 0;
        for (int i = 0; i < Sources.Count; i++)
        {
            if (!IsOn(i))
            {
                continue;
            }

            int order = count == 0 ? -1 : _heads[i].CompareTo(_heads[_least[0]]);
            if (count > 0 && order == 0)
            {
                order = _cursors[i].Span.SequenceCompareTo(_cursors[_least[0]].Span);
            }

            if (order < 0)
            {
                count = 0;
            }

            if (order <= 0)
            {
                _least[count++] = i;
            }
        }

        return count;
    }

    private void MoveNext(int source, bool isWritten)
    {
        _places[source][_ordinals[source]++] = isWritten ? Count : -1;
        if (_cursors[source].MoveNext())
        {
            _heads[source] = HeadOf(source);
        }
    }

    private bool WriteTerm(int count)
    {
        ref DictionaryCursor term = ref _cursors[_least[0]];
        if (_parts.Postings == 0)
        {
            if (!IsUsed(count))
            {
                return false;
            }

            Tools.Dictionary.Add(term.Text, term.Length, null, 0);
            return true;
        }

        _entries.Clear();
        _frequencies.Clear();
        _positionBytes.Clear();
        _positions.Clear();
        for (int i = 0; i < count; i++)
        {
            AddEntries(_least[i]);
        }

        if (_entries.IsEmpty)
        {
            return false;
        }

        for (int i = 0; PlaceOfEntry is not null && i < _entries.Count; i++)
        {
            PlaceOfEntry[_entries[i]] = Count;
        }

        Tools.Dictionary.Add(
            term.Text, term.Length, _entries.Items, _entries.Count, _frequencies.Items, _positionBytes.Items, _positions.Start);
        return true;
    }

    private bool IsUsed(int count)
    {
        for (int i = 0; i < count; i++)
        {
            if (Bits.Has(_used[_least[i]].Items, _ordinals[_least[i]]))
            {
                return true;
            }
        }

        return false;
    }

    // The terms of a dictionary without lists that an entry still has.
    private void FindUsed(int source)
    {
        ulong* used = _used[source].Resize(Bits.WordsOf(_dictionaries[source].Count));
        _used[source].Span.Clear();
        var ordinals = ColumnReader.Open(Sources.Views[source], Field, PartKind.SortOrdinals, PartKind.SortOrdinalRows);
        int* map = Sources.MapOf(source);
        if (ordinals.Exists)
        {
            ordinals.RequirePlaces(_dictionaries[source].Count);
        }

        for (int entry = 0; ordinals.Exists && entry < Sources.Views[source].Entries; entry++)
        {
            if (map[entry] >= 0 && ordinals.TryRead(entry, out long ordinal))
            {
                Bits.Add(used, (int)ordinal);
            }
        }
    }

    private void AddEntries(int source)
    {
        ref readonly TermEntries term = ref _cursors[source].Entries;
        int* map = Sources.MapOf(source);
        int* read = Sources.Scratch.Take<int>(term.Count + PostingsReader.Slack);
        int* frequencies = _parts.IsText ? Sources.Scratch.Take<int>(term.Count + PostingsReader.Slack) : null;
        int count = PostingsReader.Read(_dictionaries[source], term, read, frequencies);
        long left = 0;
        byte* next = _parts.IsText ? _dictionaries[source].Positions.At(term.Positions, out left) : null, behind = next + left;
        for (int i = 0; i < count; i++)
        {
            byte* end = _parts.IsText ? VarInt.Skip(next, behind, frequencies[i]) : null;
            if (map[read[i]] >= 0)
            {
                _entries.Add(map[read[i]]);
                if (_parts.IsText)
                {
                    _frequencies.Add(frequencies[i]);
                    _positionBytes.Add((int)(end - next));
                    _positions.AddBytes(next, (int)(end - next));
                }
            }

            next = end;
        }
    }
}
