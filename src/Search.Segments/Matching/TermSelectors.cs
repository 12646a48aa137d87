using System.Text;
using Jackdaw.Search.Segments.Codes;
using Jackdaw.Search.Segments.Reading;

namespace Jackdaw.Search.Segments.Matching;

/// <summary>Terms between two others, in the order of their bytes.</summary>
/// <param name="low">Null: open.</param>
/// <param name="high">Null: open.</param>
internal sealed unsafe class RangeSelector(byte[]? low, bool includesLow, byte[]? high, bool includesHigh) : TermSelector
{
    public override bool Begin(ref DictionaryCursor cursor)
    {
        if (low is null)
        {
            return base.Begin(ref cursor);
        }

        fixed (byte* text = low)
        {
            return cursor.Seek(text, low.Length, out bool isExact) && (!isExact || includesLow || cursor.MoveNext());
        }
    }

    public override bool Has(in DictionaryCursor cursor) => true;

    public override bool IsBehind(in DictionaryCursor cursor)
    {
        if (high is null)
        {
            return false;
        }

        int order = cursor.Span.SequenceCompareTo(high);
        return order > 0 || (order == 0 && !includesHigh);
    }
}

/// <summary>Terms that begin with a text and match a condition.</summary>
/// <param name="prefix">The text with which all of them begin; may be empty.</param>
/// <param name="matches">Null: all of them match.</param>
/// <param name="seesLongTexts">Whether values that are too long to be terms are meant too.</param>
internal sealed unsafe class PatternSelector(string prefix, Func<string, bool>? matches, bool seesLongTexts) : TermSelector
{
    private readonly byte[] _prefix = Encoding.UTF8.GetBytes(prefix);

    public override bool Begin(ref DictionaryCursor cursor)
    {
        if (_prefix.Length == 0)
        {
            return base.Begin(ref cursor);
        }

        fixed (byte* text = _prefix)
        {
            return cursor.Seek(text, _prefix.Length, out _);
        }
    }

    // The term of a value that was cut is only the beginning of it, with a hash: the value itself is looked at.
    public override bool Has(in DictionaryCursor cursor)
    {
        if (matches is null && !seesLongTexts)
        {
            return true;
        }

        if (matches is null && cursor.Length <= Term.UncutBytesMax)
        {
            return true;
        }

        string term = Encoding.UTF8.GetString(cursor.Span);
        return !(seesLongTexts && Analysis.TextAnalyzer.IsCut(term)) && (matches is null || matches(term));
    }

    public override bool IsBehind(in DictionaryCursor cursor) => !cursor.Span.StartsWith(_prefix);

    public override bool HasLongText(ReadOnlySpan<byte> text) =>
        seesLongTexts && text.StartsWith(_prefix) && (matches is null || matches(Encoding.UTF8.GetString(text)));
}
