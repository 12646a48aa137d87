using System.Globalization;

namespace Jackdaw.Search.Queries;

/// <summary>The value of one entry, as the code of a user's sorter compares it. Every search engine hands over the same. Immutable.</summary>
/// <remarks>Of a field with several values it is the first one. Texts have the form of the field's terms: lower case, unless the field is indexed with
/// Exact.</remarks>
public readonly record struct SortValue
{
    private readonly string? _text;

    private SortValue(string? text, double? number, DateTime? date)
    {
        _text = text;
        Number = number;
        Date = date;
    }

    /// <summary>The value of an entry without the field, or with null in it.</summary>
    public static SortValue Null => default;

    /// <summary>Whether there is no value.</summary>
    public bool IsNull => _text is null && Number is null && Date is null;

    /// <summary>The value as text; empty when there is none. A date is written like <c>2024-03-01T12:00:00.0000000Z</c>.</summary>
    public string Text => _text ?? Number?.ToString(CultureInfo.InvariantCulture) ?? Date?.ToString("O", CultureInfo.InvariantCulture) ?? "";

    /// <summary>The value as a number; null when there is no value, or another kind of value, such as a date.</summary>
    public double? Number { get; }

    /// <summary>The value as date and time in UTC; null when there is no value, or another kind of value.</summary>
    public DateTime? Date { get; }

    /// <summary>A text that is neither a number nor a date.</summary>
    public static SortValue OfText(string text) => new(text, null, null);

    /// <summary>A number.</summary>
    /// <param name="text">As it is indexed; null for the usual form.</param>
    public static SortValue OfNumber(double number, string? text = null) => new(text, number, null);

    /// <summary>A date.</summary>
    /// <param name="ticks">In UTC.</param>
    public static SortValue OfDate(long ticks) => new(null, null, new DateTime(ticks, DateTimeKind.Utc));
}
