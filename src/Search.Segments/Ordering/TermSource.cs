using System.Text;
using Jackdaw.Search.Analysis;
using Jackdaw.Search.Numbers;
using Jackdaw.Search.Segments.Codes;
using Jackdaw.Search.Segments.Fields;
using Jackdaw.Search.Segments.Memory;
using Jackdaw.Search.Segments.Reading;
using Jackdaw.Search.Segments.Storing;
using Jackdaw.Search.Segments.Writing;
using SortKey = Jackdaw.Search.Queries.SortKey;

namespace Jackdaw.Search.Segments.Ordering;

/// <summary>Orders by the first text, a date by its time.</summary>
/// <remarks>Within a segment, texts are compared by their places in its dictionary, and dates by their ticks. Only a segment that has both compares bytes, as
/// segments among each other do.</remarks>
/// <param name="field">Null when the index has no such field.</param>
/// <param name="analyzer">Brings the text of a date into the form of the field's terms.</param>
internal unsafe class TermSource(SortKey key, FieldRecord? field, TextAnalyzer analyzer) : BytesSource(key)
{
    private ColumnReader _ordinals;
    private ColumnReader _dates;
    private EntrySet _datesFirst;
    private DictionaryView _dictionary;
    private byte* _buffer;
    private Arena _arena = null!; // set when it is bound
    private bool _isMixed;
    private SegmentView _segment = null!; // set when it is bound

    /// <summary>Whether values of a segment are always compared as bytes.</summary>
    protected virtual bool NeedsBytes => false;

    public override void Bind(SegmentView segment)
    {
        _segment = segment;
        _arena = segment.Scratch;
        (_ordinals, _dates, _dictionary) = (default, default, default);
        _datesFirst = new EntrySet(null, segment.Entries);
        if (field is null)
        {
            return;
        }

        bool isText = field.Has(FieldTraits.Positions);
        _ordinals = isText
            ? ColumnReader.Open(segment, field.Number, PartKind.SortOrdinals, PartKind.SortOrdinalRows)
            : ColumnReader.Open(segment, field.Number, PartKind.Ordinals, PartKind.OrdinalRows);
        _dictionary = DictionaryView.Open(segment, field.Number, isText ? DictionaryParts.SortTexts : DictionaryParts.Keywords);
        _datesFirst = segment.FindSet(field.Number, PartKind.DatesFirst);
        if (_datesFirst.Count > 0)
        {
            _dates = ColumnReader.Open(segment, field.Number, PartKind.Dates.Of(NumberPart.Column), PartKind.Dates.Of(NumberPart.Rows));
        }

        int texts = !_ordinals.Exists ? 0 : isText ? _ordinals.Head.Rows : _ordinals.Head.Rows - _datesFirst.Count;
        _isMixed = NeedsBytes || (texts > 0 && _datesFirst.Count > 0);
        _buffer = segment.Arena.Take<byte>(sizeof(int) + Term.BytesMax);
    }

    public override OrderWalk? Walk()
    {
        if (_isMixed || field is null || field.Has(FieldTraits.Positions) || !_ordinals.Exists || _ordinals.Head.HasSeveral != 0)
        {
            return null;
        }

        if (_datesFirst.Count == 0)
        {
            return new TermOrderWalk(_segment, _dictionary, _ordinals, Key.IsDescending, MissingFirst);
        }

        var dates = NumberView.Open(_segment, field.Number, PartKind.Dates);
        return dates.Exists && dates.IsSingle ? new NumberOrderWalk(_segment, [dates], this, Key.IsDescending, MissingFirst) : null;
    }

    public override OrderValue Read(int entry, float score)
    {
        bool isDate = _datesFirst.Has(entry);
        if (isDate && TryReadTicks(entry, out long ticks))
        {
            return _isMixed ? Filled(DateText(ticks)) : Number((ulong)ticks);
        }

        if (!_ordinals.Exists || !_ordinals.TryRead(entry, out long ordinal))
        {
            return Missing;
        }

        return _isMixed ? Filled(TermAt((int)ordinal)) : Number((ulong)ordinal);
    }

    public override OrderValue Hold(in OrderValue value, Arena arena) => _isMixed ? Copy(value, arena) : value;

    public override OrderValue Settle(in OrderValue value, Arena arena)
    {
        if (_isMixed || IsMissing(value))
        {
            return Copy(value, arena);
        }

        ulong number = Key.IsDescending ? ~value.Second : value.Second;
        return _datesFirst.Count > 0 ? Copy(DateText((long)number), arena) : Copy(TermAt((int)number), arena);
    }

    public override bool IsNumeric => !_isMixed;

    public override bool IsNumericEverywhere => false;

    public override int CompareHere(in OrderValue left, in OrderValue right) => _isMixed ? Compare(left, right) : CompareNumbers(left, right);

    /// <summary>The term of the current segment with a place in the dictionary.</summary>
    protected ReadOnlySpan<byte> TermAt(int ordinal)
    {
        Arena.Mark mark = _arena.Now();
        var cursor = new DictionaryCursor(_dictionary, _arena);
        cursor.MoveTo(ordinal);
        cursor.Span.CopyTo(new Span<byte>(_buffer + sizeof(int), Term.BytesMax));
        int length = cursor.Length;
        _arena.Return(mark);
        return new ReadOnlySpan<byte>(_buffer + sizeof(int), length);
    }

    private OrderValue Number(ulong value) => new(Present, Key.IsDescending ? ~value : value);

    private OrderValue Filled(ReadOnlySpan<byte> bytes)
    {
        *(int*)_buffer = bytes.Length;
        bytes.CopyTo(new Span<byte>(_buffer + sizeof(int), Term.BytesMax)); // the same place, for a term
        return new OrderValue(Present, (ulong)_buffer);
    }

    private byte[] DateText(long ticks) => Encoding.UTF8.GetBytes(analyzer.Normalize(SortedDates.ToText(ticks)));

    // A date is the first number of its entry as well, unless a number of another kind comes before it.
    private bool TryReadTicks(int entry, out long ticks) => _dates.TryRead(entry, out ticks);
}
