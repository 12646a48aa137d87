using System.Text;
using Jackdaw.Search.Analysis;
using Jackdaw.Search.Queries;
using Jackdaw.Search.Segments.Fields;
using Jackdaw.Search.Segments.Memory;
using Jackdaw.Search.Segments.Reading;
using SortKey = Jackdaw.Search.Queries.SortKey;

namespace Jackdaw.Search.Segments.Ordering;

/// <summary>Orders as the code of a user says, which compares values.</summary>
internal sealed unsafe class CustomSource(SortKey key, FieldRecord? field, TextAnalyzer analyzer) : SortSource(key)
{
    private const ulong Last = 0; // the value that was read last

    private readonly TextReader _texts = new(key, field, analyzer);
    private readonly List<SortValue> _values = [default]; // value i of the order is that at place i
    private FirstNumbers _numbers;

    public override bool IsNumeric => false;

    public override void Bind(SegmentView segment)
    {
        _texts.Bind(segment);
        _numbers = field is null ? default : FirstNumbers.Open(segment, field.Number);
    }

    public override OrderValue Read(int entry, float score)
    {
        OrderValue text = _texts.Read(entry, score);
        string? read = IsMissing(text) ? null : Encoding.UTF8.GetString(TextReader.TextOf(text));
        _values[(int)Last] = _numbers.Read(entry).ToSortValue(read);
        return _values[(int)Last].IsNull && Key.Nulls != NullOrder.Smallest ? Missing : new OrderValue(Present, Last);
    }

    public override OrderValue Hold(in OrderValue value, Arena arena)
    {
        if (IsMissing(value) || value.Second != Last)
        {
            return value;
        }

        _values.Add(_values[(int)Last]);
        return new OrderValue(Present, (ulong)(_values.Count - 1));
    }

    public override int Compare(in OrderValue left, in OrderValue right)
    {
        if (left.First != right.First || IsMissing(left))
        {
            return left.First.CompareTo(right.First);
        }

        int order = Key.Comparer!.Compare(_values[(int)left.Second], _values[(int)right.Second]);
        return Key.IsDescending ? -Math.Sign(order) : order;
    }

    private sealed class TextReader(SortKey key, FieldRecord? field, TextAnalyzer analyzer) : TermSource(key, field, analyzer)
    {
        protected override bool NeedsBytes => true;

        public static ReadOnlySpan<byte> TextOf(in OrderValue value) => BytesOf(value);
    }
}
