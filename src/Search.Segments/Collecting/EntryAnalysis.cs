using System.Text;
using Jackdaw.Search.Analysis;
using Jackdaw.Search.Entries;
using Jackdaw.Search.Spatial;

namespace Jackdaw.Search.Segments.Collecting;

/// <summary>What code of users makes of an entry's values. It runs before the entry is added, because it may fail. One thread.</summary>
internal sealed class EntryAnalysis : ITokenSink
{
    /// <summary>The fields whose analyzers are remembered: fields that come with entries may be many.</summary>
    private const int KnownMax = 1024;

    private static readonly SpatialSettings s_earth = new();

    private readonly List<ValueAnalysis> _values = [];
    private readonly List<Token> _tokens = [];
    private readonly List<(IndexField Field, List<Shape> Shapes)> _shapes = [];
    private readonly Dictionary<IndexField, TextAnalyzer> _analyzers = new(ReferenceEqualityComparer.Instance);
    private byte[] _bytes = new byte[4096];
    private int _used;

    /// <exception cref="Exception">What an analyzer or the reader of shapes throws.</exception>
    public void Read(IndexEntry entry)
    {
        if (_analyzers.Count > KnownMax)
        {
            _analyzers.Clear();
        }

        _values.Clear();
        _tokens.Clear();
        _shapes.Clear();
        _used = 0;
        for (int i = 0; i < entry.Values.Count; i++)
        {
            EntryValue value = entry.Values[i];
            _values.Add(value.Text is null || value.Field.Indexing == IndexingMode.None ? default : Read(value));
        }
    }

    /// <summary>The analyzer of a value that has a text.</summary>
    public TextAnalyzer AnalyzerOf(int value) => _values[value].Analyzer!;

    /// <summary>Adds the tokens of a value of full text.</summary>
    public void AddTokens(FieldCollector collector, int value)
    {
        for (int i = _values[value].FirstToken; i < _values[value].EndToken; i++)
        {
            Token token = _tokens[i];
            collector.AddToken(_bytes.AsSpan(token.Offset, token.Length), token.Step);
        }
    }

    /// <summary>Adds the shapes of the entry.</summary>
    public void AddShapes(BatchCollector collector, int entry)
    {
        foreach ((IndexField field, List<Shape> shapes) in _shapes)
        {
            FieldCollector target = collector.CollectorOf(field);
            foreach (Shape shape in shapes)
            {
                new CellGrid(field.Spatial ?? s_earth).ForEachEntryTerm(
                    shape, (Field: target, Entry: entry), static (cell, to) => to.Field.AddCell(to.Entry, cell));
            }

            target.AddShapes(entry, ShapeBytes.Write(shapes));
        }
    }

    void ITokenSink.Add(ReadOnlySpan<char> term, int step, int start, int end)
    {
        if (3 * term.Length > TextAnalyzer.TermBytesMax)
        {
            term = TextAnalyzers.Keyword.Normalize(term.ToString()); // cut
        }

        if (_bytes.Length - _used < 3 * term.Length)
        {
            Array.Resize(ref _bytes, (2 * _bytes.Length) + (3 * term.Length));
        }

        int length = Encoding.UTF8.GetBytes(term, _bytes.AsSpan(_used));
        _tokens.Add(new Token(_used, length, step));
        _used += length;
    }

    private ValueAnalysis Read(in EntryValue value)
    {
        if (value.Kind == EntryValueKind.Spatial)
        {
            ReadShape(value);
            return default;
        }

        TextAnalyzer analyzer = Find(value.Field);
        int first = _tokens.Count;
        if (!analyzer.IsWholeValue && value.Kind is (EntryValueKind.Text or EntryValueKind.Date))
        {
            analyzer.Analyze(value.Text!, this);
        }

        return new ValueAnalysis(analyzer, first, _tokens.Count);
    }

    private void ReadShape(in EntryValue value)
    {
        IndexField field = value.Field;
        Shape shape = ShapeReader.ReadKept(value.Text!, field.Spatial ?? s_earth);
        int known = _shapes.FindIndex(one => one.Field.Name == field.Name);
        if (known < 0)
        {
            _shapes.Add((field, [shape]));
        }
        else
        {
            _shapes[known].Shapes.Add(shape);
        }
    }

    private TextAnalyzer Find(IndexField field)
    {
        if (!_analyzers.TryGetValue(field, out TextAnalyzer? analyzer))
        {
            _analyzers.Add(field, analyzer = TextAnalyzers.Of(field));
        }

        return analyzer;
    }

    private readonly record struct ValueAnalysis(TextAnalyzer? Analyzer, int FirstToken, int EndToken);

    private readonly record struct Token(int Offset, int Length, int Step);
}
