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
    private readonly List<ShapeValue> _shapes = [];
    private readonly Dictionary<IndexField, TextAnalyzer> _analyzers = new(ReferenceEqualityComparer.Instance);
    private byte[] _bytes = new byte[4096];
    private int _used;
    private SpatialSettings _settings = s_earth; // of the grid
    private CellGrid _grid = new(s_earth);

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
        for (int i = 0; i < _shapes.Count; i++)
        {
            ShapeValue value = _shapes[i];
            FieldCollector target = collector.CollectorOf(value.Field);
            if (value.Shape is { } shape)
            {
                AddShape(target, entry, GridOf(value.Field), shape);
            }
            else
            {
                AddPoint(target, entry, GridOf(value.Field), value.Y, value.X);
            }
        }
    }

    private static void AddShape(FieldCollector target, int entry, CellGrid grid, Shape shape)
    {
        foreach (string cell in grid.EntryTerms(shape))
        {
            target.AddCell(entry, Encoding.UTF8.GetBytes(cell));
        }

        target.AddShapes(entry, ShapeBytes.Write([shape]));
    }

    private static void AddPoint(FieldCollector target, int entry, CellGrid grid, double y, double x)
    {
        Span<byte> cell = stackalloc byte[CellGrid.NameBytes + 1];
        if (!grid.TryFindCell(y, x, cell))
        {
            AddShape(target, entry, grid, new PointShape(y, x));
            return;
        }

        for (int length = 1; length < CellGrid.NameBytes; length++)
        {
            target.AddCell(entry, cell[..length]);
        }

        cell[CellGrid.NameBytes] = (byte)CellGrid.Mark;
        target.AddCell(entry, cell);
        Span<byte> bytes = stackalloc byte[ShapeBytes.PointBytes];
        ShapeBytes.WritePoint(y, x, bytes);
        target.AddShapes(entry, bytes);
    }

    private CellGrid GridOf(IndexField field)
    {
        SpatialSettings settings = field.Spatial ?? s_earth;
        if (!ReferenceEquals(settings, _settings))
        {
            (_settings, _grid) = (settings, new CellGrid(settings));
        }

        return _grid;
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
        SpatialSettings settings = value.Field.Spatial ?? s_earth;
        bool isPoint = ShapeReader.TryReadPoint(value.Text!, settings, out double y, out double x);
        _shapes.Add(new ShapeValue(value.Field, isPoint ? null : ShapeReader.ReadKept(value.Text!, settings), y, x));
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

    /// <param name="Shape">Null for a point.</param>
    private readonly record struct ShapeValue(IndexField Field, Shape? Shape, double Y, double X);

    private readonly record struct Token(int Offset, int Length, int Step);
}
