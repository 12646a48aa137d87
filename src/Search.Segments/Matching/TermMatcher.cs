using Jackdaw.Search.Segments.Fields;
using Jackdaw.Search.Segments.Reading;
using Jackdaw.Search.Segments.Scoring;
using Jackdaw.Search.Segments.Storing;
using Jackdaw.Search.Segments.Writing;

namespace Jackdaw.Search.Segments.Matching;

/// <summary>The entries that have a term.</summary>
internal sealed unsafe class TermMatcher : Matcher
{
    private FieldRecord _field = null!; // set by Set
    private ScoreStatistics _statistics = null!;
    private byte* _term;
    private int _length;
    private bool _isText;
    private DictionaryView _dictionary;
    private TermEntries _entries;
    private ColumnReader _ordinals;
    private bool _hasOpenedOrdinals;
    private long _countInAll;

    /// <summary>The dictionary of the bound segment.</summary>
    public ref readonly DictionaryView Dictionary => ref _dictionary;

    /// <summary>What the bound segment has of the term.</summary>
    public ref readonly TermEntries Entries => ref _entries;

    /// <summary>The share that the term has in scores.</summary>
    public float Weight => _statistics.WeightOf(_countInAll);

    /// <param name="term">Its bytes, as long as the search.</param>
    public TermMatcher Set(FieldRecord field, byte* term, int length, ScoreStatistics statistics)
    {
        (_field, _statistics) = (field, statistics);
        _term = term;
        _length = length;
        _isText = field.Has(FieldTraits.Positions);
        _countInAll = 0;
        return this;
    }

    public override bool HasBits => _entries.Count == Segment.Entries || PostingsReader.BitsOf(_dictionary, _entries) != null;

    public override int CountDeleted()
    {
        ulong* bits = PostingsReader.BitsOf(_dictionary, _entries);
        return bits != null ? Segment.CountDeleted(bits) : _entries.Count == Segment.Entries ? Segment.DeletedCount : -1;
    }

    public override void CountForScores() => _countInAll += Most;

    public override void AddScores(int* entries, int count, float* scores, float factor, bool allMatch)
    {
        if (Most > 0)
        {
            AddTermScores(entries, count, scores, factor);
        }
    }

    public override Explanation Explain(int entry)
    {
        float score = 0;
        AddScores(&entry, 1, &score, 1, allMatch: true);
        string name = $"{_field.Name}:{System.Text.Encoding.UTF8.GetString(_term, _length)}";
        return new Explanation(score, $"weight of {name} by BM25, in {_countInAll} of {_statistics.Entries} entries", []);
    }

    protected override (int Most, bool IsExact) BindCore()
    {
        _hasOpenedOrdinals = false;
        _dictionary = DictionaryView.Open(Segment, _field.Number, _isText ? DictionaryParts.Text : DictionaryParts.Keywords);
        return (_dictionary.TryFind(_term, _length, out _entries) ? _entries.Count : 0, true);
    }

    protected override Found MatchCore()
    {
        if (_entries.Count == Segment.Entries)
        {
            return Found.All;
        }

        ulong* bits = PostingsReader.BitsOf(_dictionary, _entries);
        if (bits != null)
        {
            return Found.OfBits(bits, isShared: true);
        }

        int* list = Scratch.Take<int>(_entries.Count + PostingsReader.Slack);
        return Found.OfList(list, PostingsReader.Read(_dictionary, _entries, list));
    }

    protected override int FilterCore(int* entries, int count)
    {
        if (_entries.Count == Segment.Entries)
        {
            return count;
        }

        if (!_isText && count < _entries.Count && OpenOrdinals())
        {
            return _ordinals.Keep(entries, count, _entries.Ordinal, _entries.Ordinal);
        }

        return PostingsFilter.Filter(_dictionary, _entries, entries, count);
    }

    protected override int FirstCore(int* target, int most) =>
        Most == 0 ? 0 : PostingsReader.ReadFirst(_dictionary, _entries, most, target);

    // Of a field with one term in each entry, the column says whether it is this one: no list is read.
    private bool OpenOrdinals()
    {
        if (!_hasOpenedOrdinals)
        {
            _hasOpenedOrdinals = true;
            _ordinals = ColumnReader.Open(Segment, _field.Number, PartKind.Ordinals, PartKind.OrdinalRows);
        }

        return _ordinals.Exists && _ordinals.Head.HasSeveral == 0;
    }

    private void AddTermScores(int* entries, int count, float* scores, float factor)
    {
        Memory.Arena.Mark mark = Scratch.Now();
        float weight = factor * Weight;
        int* places = Scratch.Take<int>(count), frequencies = Scratch.Take<int>(Math.Max(count, _entries.Count) + PostingsReader.Slack);
        int found = PostingsFilter.Locate(_dictionary, _entries, entries, count, places, frequencies);
        if (_isText)
        {
            TextLengths.Open(Segment, _field.Number, _statistics).AddScores(entries, places, frequencies, found, weight, scores);
        }
        else
        {
            for (int i = 0; i < found; i++)
            {
                scores[places[i]] += weight;
            }
        }

        Scratch.Return(mark);
    }
}
