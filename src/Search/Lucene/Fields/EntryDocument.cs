using Jackdaw.Search.Analysis;
using Jackdaw.Search.Entries;
using Lucene.Net.Documents;
using Lucene.Net.Util;

namespace Jackdaw.Search.Lucene.Fields;

/// <summary>Turns entries into documents of Lucene. One thread.</summary>
internal sealed class EntryDocument
{
    private static readonly FieldType s_term = Frozen(new FieldType(StringField.TYPE_NOT_STORED));
    private static readonly FieldType s_text = Frozen(new FieldType(TextField.TYPE_NOT_STORED));
    private static readonly FieldType s_textWithVectors = Frozen(new FieldType(TextField.TYPE_NOT_STORED)
    {
        StoreTermVectors = true,
        StoreTermVectorPositions = true,
        StoreTermVectorOffsets = true,
    });

    private static readonly FieldType s_long = Frozen(new FieldType(Int64Field.TYPE_NOT_STORED) { NumericPrecisionStep = IndexTerms.PrecisionStep });
    private static readonly FieldType s_double = Frozen(new FieldType(DoubleField.TYPE_NOT_STORED) { NumericPrecisionStep = IndexTerms.PrecisionStep });

    private readonly HashSet<string> _columns = new(StringComparer.Ordinal);
    private readonly HashSet<string> _present = new(StringComparer.Ordinal);
    private Document _document = [];

    public Document Make(IndexEntry entry)
    {
        _document = [];
        _columns.Clear();
        _present.Clear();
        _document.Add(new Field(IndexTerms.Id, entry.Id, s_term));
        _document.Add(new SortedDocValuesField(IndexTerms.Id, new BytesRef(entry.Id)));
        foreach (EntryValue value in entry.Values)
        {
            Add(value);
        }

        return _document;
    }

    private void Add(in EntryValue value)
    {
        IndexField field = value.Field;
        if (value.Text is not null && (field.IsStored || value.Kind == EntryValueKind.Stored))
        {
            _document.Add(new StoredField(field.Name, value.Text));
        }

        if (value.Kind == EntryValueKind.Stored || field.Indexing == IndexingMode.None)
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
                throw new NotSupportedException($"Field '{field.Name}' is spatial: shapes are not indexed yet.");
            case EntryValueKind.Long:
                AddLong(IndexTerms.Longs(field.Name), value.Long);
                break;
            case EntryValueKind.Double when IndexTerms.IsWhole(value.Double, out long whole):
                AddLong(IndexTerms.Longs(field.Name), whole);
                break;
            case EntryValueKind.Double when !double.IsNaN(value.Double):
                AddDouble(IndexTerms.Doubles(field.Name), value.Double);
                break;
            case EntryValueKind.Date:
                AddLong(IndexTerms.Ticks(field.Name), value.Long);
                break;
        }

        if (value.Text is { } text)
        {
            AddTerms(field, text, value.Kind == EntryValueKind.Text);
        }
    }

    private void AddTerms(IndexField field, string text, bool isText)
    {
        TextAnalyzer analyzer = IndexTerms.AnalyzerOf(field);
        if (isText && !analyzer.IsWholeValue)
        {
            _document.Add(new Field(field.Name, text, field.HasTermVectors ? s_textWithVectors : s_text));
        }
        else
        {
            _document.Add(new Field(field.Name, analyzer.Normalize(text), s_term));
        }

        if (_columns.Add(field.Name))
        {
            _document.Add(new SortedDocValuesField(field.Name, new BytesRef(analyzer.Normalize(text))));
        }
    }

    private void AddLong(string name, long value)
    {
        _document.Add(new Int64Field(name, value, s_long));
        if (_columns.Add(name))
        {
            _document.Add(new NumericDocValuesField(name, value));
        }
    }

    private void AddDouble(string name, double value)
    {
        _document.Add(new DoubleField(name, value, s_double));
        if (_columns.Add(name))
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
