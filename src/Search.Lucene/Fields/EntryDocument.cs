using System.Text;
using Jackdaw.Search.Analysis;
using Jackdaw.Search.Entries;
using Jackdaw.Search.Numbers;
using Jackdaw.Search.Spatial;
using Lucene.Net.Analysis.Core;
using Lucene.Net.Documents;
using Lucene.Net.Util;

namespace Jackdaw.Search.Lucene.Fields;

/// <summary>Turns entries into documents of Lucene. One thread.</summary>
internal sealed class EntryDocument
{
    /// <summary>Shorter texts are never cut.</summary>
    private const int LongMin = TextAnalyzer.TermBytesMax / 3;

    private static readonly FieldType s_term = Frozen(new FieldType(StringField.TYPE_NOT_STORED));
    private static readonly FieldType s_id = Frozen(new FieldType(StringField.TYPE_NOT_STORED) { IsTokenized = true });
    private static readonly FieldType s_text = Frozen(new FieldType(TextField.TYPE_NOT_STORED));
    private static readonly FieldType s_textWithVectors = Frozen(new FieldType(TextField.TYPE_NOT_STORED)
    {
        StoreTermVectors = true,
        StoreTermVectorPositions = true,
        StoreTermVectorOffsets = true,
    });

    private static readonly FieldType s_long = Frozen(new FieldType(Int64Field.TYPE_NOT_STORED) { NumericPrecisionStep = IndexTerms.PrecisionStep });
    private static readonly FieldType s_double = Frozen(new FieldType(DoubleField.TYPE_NOT_STORED) { NumericPrecisionStep = IndexTerms.PrecisionStep });

    private readonly BytesRef _id = new(64);
    private readonly Field _idTerm;
    private readonly SortedDocValuesField _idColumn;
    private readonly HashSet<string> _columns = new(StringComparer.Ordinal);
    private readonly HashSet<string> _numbered = new(StringComparer.Ordinal);
    private readonly Dictionary<string, List<Shape>> _shapes = new(StringComparer.Ordinal);
    private readonly Dictionary<string, List<uint>> _nodes = new(StringComparer.Ordinal);
    private readonly HashSet<string> _present = new(StringComparer.Ordinal);
    private Document _document = [];

    public EntryDocument()
    {
        _idTerm = new Field(IndexTerms.Id, new BytesToken(_id), s_id);
        _idColumn = new SortedDocValuesField(IndexTerms.Id, _id);
    }

    /// <summary>The document of an entry. It is valid until the next one is made.</summary>
    public Document Make(IndexEntry entry)
    {
        _document = [];
        _columns.Clear();
        _numbered.Clear();
        _shapes.Clear();
        _nodes.Clear();
        _present.Clear();
        SetId(entry.Id);
        _document.Add(_idTerm);
        _document.Add(_idColumn);
        foreach (EntryValue value in entry.Values)
        {
            Add(value);
        }

        foreach ((string field, List<Shape> shapes) in _shapes)
        {
            _document.Add(new BinaryDocValuesField(IndexTerms.Shapes(field), new BytesRef(ShapeBytes.Write(shapes))));
        }

        foreach ((string field, List<uint> nodes) in _nodes)
        {
            _document.Add(new Field(IndexTerms.Present, IndexTerms.Nodes(field), s_term));
            NodeColumn.Add(_document, field, nodes);
        }

        AddBoosts(entry);
        return _document;
    }

    private void SetId(ReadOnlySpan<byte> id)
    {
        if (_id.Bytes.Length < id.Length)
        {
            _id.Bytes = new byte[2 * id.Length];
        }

        id.CopyTo(_id.Bytes);
        _id.Length = id.Length;
    }

    private void Add(in EntryValue value)
    {
        IndexField field = value.Field;
        if (value.Kind == EntryValueKind.Stored)
        {
            _document.Add(new StoredField(field.Name, value.Utf8.ToArray()));
        }
        else if (value.Text is not null && field.IsStored)
        {
            _document.Add(new StoredField(field.Name, Encoding.UTF8.GetBytes(value.Text)));
        }

        if (value.Kind == EntryValueKind.Stored || (field.Indexing == IndexingMode.None && value.Kind != EntryValueKind.Node))
        {
            return;
        }

        if (_present.Add(field.Name))
        {
            _document.Add(new Field(IndexTerms.Present, field.Name, s_term));
        }

        switch (value.Kind)
        {
            case EntryValueKind.Null:
                _document.Add(new Field(IndexTerms.Nulls, field.Name, s_term));
                break;
            case EntryValueKind.Spatial:
                AddShape(field, value.Text!);
                return;
            case EntryValueKind.Node:
                AddNode(field, (uint)value.Long);
                return;
            case EntryValueKind.Long:
                AddLong(field, IndexTerms.Longs(field.Name), value.Long);
                break;
            case EntryValueKind.Double when WholeNumbers.IsWhole(value.Double, out long whole):
                AddLong(field, IndexTerms.Longs(field.Name), whole);
                break;
            case EntryValueKind.Double when !double.IsNaN(value.Double):
                AddDouble(field, IndexTerms.Doubles(field.Name), value.Double);
                break;
            case EntryValueKind.Date:
                AddLong(field, IndexTerms.Ticks(field.Name), value.Long);
                break;
        }

        if (value.Text is { } text)
        {
            AddTerms(field, text, value.Kind is EntryValueKind.Text or EntryValueKind.Date);
            AddColumn(field, value.Kind == EntryValueKind.Date ? SortedDates.ToText(value.Long) : text);
        }
    }

    private void AddBoosts(IndexEntry entry)
    {
        if (entry.Boost == 1 && entry.FieldBoosts.Count == 0)
        {
            return;
        }

        foreach (NumericDocValuesField? boost in entry.FieldBoosts
            .Select(boost => BoostColumn.Make(BoostColumn.Of(boost.Key), boost.Value))
            .Append(BoostColumn.Make(BoostColumn.OfEntries, entry.Boost)))
        {
            if (boost is not null)
            {
                _document.Add(boost);
            }
        }
    }

    private void AddShape(IndexField field, string text)
    {
        SpatialSettings settings = field.Spatial ?? SpatialSettings.OfEarth;
        Shape shape = ShapeReader.ReadKept(text, settings);
        if (!_shapes.TryGetValue(field.Name, out List<Shape>? shapes))
        {
            _shapes.Add(field.Name, shapes = []);
        }

        shapes.Add(shape);
        foreach (string cell in new CellGrid(settings).EntryTerms(shape))
        {
            _document.Add(new Field(IndexTerms.Cells(field.Name), cell, s_term));
        }
    }

    private void AddNode(IndexField field, uint node)
    {
        if (!_nodes.TryGetValue(field.Name, out List<uint>? nodes))
        {
            _nodes.Add(field.Name, nodes = []);
        }

        if (!nodes.Contains(node))
        {
            nodes.Add(node);
            _document.Add(new Field(IndexTerms.Nodes(field.Name), IndexTerms.NodeTerm(node), s_term));
        }
    }

    // Entries are ordered by their first value.
    private void AddColumn(IndexField field, string text)
    {
        if (_columns.Add(field.Name))
        {
            _document.Add(new SortedDocValuesField(field.Name, new BytesRef(TextAnalyzers.Of(field).Normalize(text))));
        }
    }

    // All values of a field of full text are added with positions, numbers too, because one value without positions would remove the positions of all others.
    private void AddTerms(IndexField field, string text, bool isText)
    {
        TextAnalyzer analyzer = TextAnalyzers.Of(field);
        if (analyzer.IsWholeValue && text.Length > LongMin)
        {
            AddLong(field, analyzer, text);
        }

        FieldType type = analyzer.IsWholeValue ? s_term : field.HasTermVectors ? s_textWithVectors : s_text;
        _document.Add(isText || analyzer.IsWholeValue
            ? new Field(field.Name, analyzer.IsWholeValue ? analyzer.Normalize(text) : text, type)
            : new Field(field.Name, new KeywordTokenizer(new StringReader(analyzer.Normalize(text))), type));
    }

    // Searches by a part of a value read it, because its term is cut.
    private void AddLong(IndexField field, TextAnalyzer analyzer, string text)
    {
        string whole = analyzer.WholeForm(text);
        if (analyzer.Normalize(text).Length < whole.Length)
        {
            _document.Add(new StoredField(IndexTerms.LongTexts(field.Name), Encoding.UTF8.GetBytes(whole)));
            _document.Add(new Field(IndexTerms.Long, field.Name, s_term));
        }
    }

    private void AddLong(IndexField field, string name, long value)
    {
        _document.Add(new Int64Field(name, value, s_long));
        if (_numbered.Add(field.Name))
        {
            _document.Add(new NumericDocValuesField(name, value));
        }
    }

    private void AddDouble(IndexField field, string name, double value)
    {
        _document.Add(new DoubleField(name, value, s_double));
        if (_numbered.Add(field.Name))
        {
            _document.Add(new DoubleDocValuesField(name, value));
        }
    }

    private static FieldType Frozen(FieldType type)
    {
        type.Freeze();
        return type;
    }
}
