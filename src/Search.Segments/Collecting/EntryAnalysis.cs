using System.Text;
using Jackdaw.Search.Analysis;
using Jackdaw.Search.Entries;
using Jackdaw.Search.Spatial;

namespace Jackdaw.Search.Segments.Collecting;

/// <summary>What code of users makes of an entry's values. It runs before the entry is added, because it may fail. One thread.</summary>
internal sealed class EntryAnalysis
{
    private readonly List<(TextAnalyzer? Analyzer, IReadOnlyList<TextToken>? Tokens)> _values = [];
    private static readonly SpatialSettings s_earth = new();

    private readonly List<(IndexField Field, List<Shape> Shapes)> _shapes = [];
    private readonly Dictionary<IndexField, TextAnalyzer> _analyzers = new(ReferenceEqualityComparer.Instance);

    /// <exception cref="Exception">What an analyzer or the reader of shapes throws.</exception>
    public void Read(IndexEntry entry)
    {
        if (_analyzers.Count > 1024)
        {
            _analyzers.Clear(); // fields that came with entries
        }

        _values.Clear();
        _shapes.Clear();
        foreach (EntryValue value in entry.Values)
        {
            if (value.Text is null || value.Kind == EntryValueKind.Spatial || value.Field.Indexing == IndexingMode.None)
            {
                _values.Add(default);
                if (value.Kind == EntryValueKind.Spatial && value.Field.Indexing != IndexingMode.None)
                {
                    ReadShape(value);
                }

                continue;
            }

            TextAnalyzer analyzer = Find(value.Field);
            bool isAnalyzed = !analyzer.IsWholeValue && value.Kind is (EntryValueKind.Text or EntryValueKind.Date);
            _values.Add((analyzer, isAnalyzed ? analyzer.Analyze(value.Text) : null));
        }
    }

    /// <summary>The analyzer of a value that has a text.</summary>
    public TextAnalyzer AnalyzerOf(int value) => _values[value].Analyzer!;

    public IReadOnlyList<TextToken> TokensOf(int value) => _values[value].Tokens!;

    /// <summary>Adds the shapes of the entry.</summary>
    public void AddShapes(BatchCollector collector, int entry)
    {
        foreach ((IndexField field, List<Shape> shapes) in _shapes)
        {
            FieldCollector target = collector.CollectorOf(field);
            foreach (Shape shape in shapes)
            {
                foreach (string cell in new CellGrid(field.Spatial ?? s_earth).EntryTerms(shape))
                {
                    target.AddCell(entry, Encoding.UTF8.GetBytes(cell));
                }
            }

            target.AddShapes(entry, ShapeBytes.Write(shapes));
        }
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
}
