using System.Globalization;
using System.Text;
using Jackdaw.Json;
using Jackdaw.Json.Tape;

namespace Jackdaw.Queries.Planning.Conditions;

/// <summary>The value on the right of an operator, ready to be compared with values of documents.</summary>
/// <remarks>
/// <list type="bullet">
/// <item>Values are equal when their texts in an index are equal: the casing of strings does not count (invariant), <c>'5'</c> equals 5 and
/// <c>'true'</c> equals true. Two numbers are compared as numbers, exactly, so that 5 equals 5.0, and two ISO dates by their times. Only null
/// equals null.</item>
/// <item>Only numbers have an order against a number, and only dates have one against an ISO date, by their times. Any other string is
/// compared with texts by their code points, in lower case. Null, objects and missing values have no order.</item>
/// </list>
/// Immutable; any thread.
/// </remarks>
internal sealed class ComparedTerm
{
    /// <summary>What clients send for an open lower end of a range.</summary>
    public const string OpenLow = "*";

    /// <summary>What clients send for an open upper end of a range.</summary>
    public const string OpenHigh = "NULL";

    private readonly QueryValue _value;
    private readonly bool _isExact;
    private readonly string _text;
    private readonly byte[]? _asciiText;
    private readonly long? _ticks;

    /// <param name="value">Not a list: a comparison with several values has a term for each of them.</param>
    /// <param name="isExact">The casing of strings counts.</param>
    /// <param name="isText">A date is ordered as a text, because the other end of its range is not a date.</param>
    public ComparedTerm(QueryValue value, bool isExact, bool isText = false)
    {
        _value = value;
        _isExact = isExact;
        _text = Fold(value.Text);
        _asciiText = Ascii.IsValid(_text) ? Encoding.ASCII.GetBytes(_text) : null;
        _ticks = isText ? null : value.Ticks;
    }

    public QueryValue Value => _value;

    /// <summary>Whether the term is an open lower end, as in <c>F &gt; '*'</c>.</summary>
    public bool IsOpenLow => _value.Kind == QueryValueKind.Null || IsText(OpenLow);

    /// <summary>Whether the term is an open upper end.</summary>
    public bool IsOpenHigh => _value.Kind == QueryValueKind.Null || IsText(OpenHigh);

    public bool EqualTo(TapeValue value) => value.Kind switch
    {
        JsonKind.Null => _value.Kind == QueryValueKind.Null,
        JsonKind.True => _value.Kind != QueryValueKind.Null && _text == "true",
        JsonKind.False => _value.Kind != QueryValueKind.Null && _text == "false",
        JsonKind.Number when _value.IsNumber => CompareNumber(value) == 0,
        JsonKind.Number => _value.Kind == QueryValueKind.String && TermOf(value) == _text,
        JsonKind.String when _value.Kind is QueryValueKind.Null or QueryValueKind.Object => false,
        JsonKind.String => EqualsText(value),
        _ => false,
    };

    /// <summary>The order of a document's value against this one; null when they have no order.</summary>
    public int? Compare(TapeValue value)
    {
        if (_value.IsNumber)
        {
            return value.Kind == JsonKind.Number ? CompareNumber(value) : null;
        }

        if (_value.Kind is not (QueryValueKind.String or QueryValueKind.Boolean) || !HasTerm(value))
        {
            return null;
        }

        if (_ticks is { } ticks)
        {
            return TicksOf(value) is { } time ? time.CompareTo(ticks) : null;
        }

        return CompareCodePoints(TermOf(value), _text);
    }

    /// <summary>Whether a value's text begins with this one.</summary>
    public bool StartsOf(TapeValue value) => HasTerm(value) && TermOf(value).StartsWith(_text, StringComparison.Ordinal);

    /// <summary>Whether a value's text ends with this one.</summary>
    public bool EndsOf(TapeValue value) => HasTerm(value) && TermOf(value).EndsWith(_text, StringComparison.Ordinal);

    /// <summary>Whether a value's text contains this one.</summary>
    public bool PartOf(TapeValue value) => HasTerm(value) && TermOf(value).Contains(_text, StringComparison.Ordinal);

    /// <summary>Whether a text of the server's own, such as an id, is equal.</summary>
    public bool EqualTo(string text) => _value.Kind == QueryValueKind.String && Fold(text) == _text;

    /// <summary>Whether a value has a text at all.</summary>
    public static bool HasTerm(TapeValue value) =>
        value.Kind is JsonKind.String or JsonKind.Number or JsonKind.True or JsonKind.False;

    private bool IsText(string text) => _value.Kind == QueryValueKind.String && _value.Text == text;

    private string Fold(string text) => _isExact ? text : text.ToLowerInvariant();

    // Exact even where a double cannot hold a long: when both are the same double, the whole parts decide.
    private int CompareNumber(TapeValue value)
    {
        value.TryGetDouble(out double number);
        int order = number.CompareTo(_value.Double);
        return order != 0 ? order
            : (value.TryGetInt64(out long whole) ? whole : (Int128)number).CompareTo(
                _value.Kind == QueryValueKind.Long ? _value.Long : (Int128)_value.Double);
    }

    // This is the order of UTF-8 and of the terms of an index: surrogates come after all other characters.
    private static int CompareCodePoints(string left, string right)
    {
        int length = Math.Min(left.Length, right.Length);
        int same = left.AsSpan(0, length).CommonPrefixLength(right);
        if (same == length)
        {
            return left.Length.CompareTo(right.Length);
        }

        (char a, char b) = (left[same], right[same]);
        return char.IsSurrogate(a) == char.IsSurrogate(b) ? a.CompareTo(b) : char.IsSurrogate(a) ? 1 : -1;
    }

    private string TermOf(TapeValue value) => value.Kind switch
    {
        JsonKind.String => Fold(value.ToText()!),
        JsonKind.True => "true",
        JsonKind.False => "false",
        _ when value.TryGetInt64(out long whole) => whole.ToString(CultureInfo.InvariantCulture),
        _ => value.TryGetDouble(out double number) ? Fold(QueryValue.NumberText(number)) : "",
    };

    // Most texts are ASCII, which is compared without a copy.
    private bool EqualsText(TapeValue value)
    {
        if (_asciiText is { } wanted && value.TryGetPlainText(out ReadOnlySpan<byte> text) && Ascii.IsValid(text))
        {
            if (_isExact ? text.SequenceEqual(wanted) : Ascii.EqualsIgnoreCase(text, wanted))
            {
                return true;
            }
        }
        else if (TermOf(value) == _text)
        {
            return true;
        }

        return _value.Ticks is { } ticks && TicksOf(value) == ticks;
    }

    private static long? TicksOf(TapeValue value) =>
        value.Kind == JsonKind.String && IsoDate.TryRead(value.ToText(), out long ticks) ? ticks : null;
}
