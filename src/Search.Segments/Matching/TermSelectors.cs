using System.Text;
using Jackdaw.Search.Analysis;
using Jackdaw.Search.Analysis.Reading;
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

/// <summary>Terms that meet a condition.</summary>
/// <param name="seesLongTexts">Whether values that are too long to be terms are meant too.</param>
internal sealed unsafe class PatternSelector(TermPattern pattern, bool isPrefix, bool seesLongTexts) : TermSelector
{
    private readonly byte[] _prefix = Encoding.UTF8.GetBytes(pattern.Prefix);
    private char[] _characters = []; // of the current term, where it is looked at as a text

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
    public override bool Has(in DictionaryCursor cursor) =>
        !(seesLongTexts && cursor.Length > Term.UncutBytesMax && TextAnalyzer.IsCut(TextOf(cursor.Span))) && IsMatch(cursor.Span);

    public override bool IsBehind(in DictionaryCursor cursor) => !cursor.Span.StartsWith(_prefix);

    public override bool HasLongText(ReadOnlySpan<byte> text) => seesLongTexts && text.StartsWith(_prefix) && IsMatch(text);

    // Terms that are looked at have the prefix.
    private bool IsMatch(ReadOnlySpan<byte> term) => isPrefix
        || (pattern.Part is not { } part ? pattern.IsMatch(TextOf(term)) : pattern.IsPartAtEnd ? term.EndsWith(part) : term.IndexOf(part) >= 0);

    private ReadOnlySpan<char> TextOf(ReadOnlySpan<byte> term)
    {
        if (_characters.Length < term.Length)
        {
            _characters = new char[2 * term.Length];
        }

        return _characters.AsSpan(0, Encoding.UTF8.GetChars(term, _characters));
    }
}
