using Jackdaw.Search.Entries;
using Jackdaw.Search.Queries;

namespace Jackdaw.Search.Analysis.Reading;

/// <summary>Values of conditions in the form in which entries have them.</summary>
public static class ValueForms
{
    /// <summary>The term that a value has, which numbers and dates have besides their numbers.</summary>
    /// <returns>Null for the value null, which has no term.</returns>
    /// <exception cref="InvalidSearchException">Values of this kind have no terms.</exception>
    public static string? TermOf(IndexField field, SearchValue value) => value switch
    {
        NullValue => null,
        TextValue text => Normalize(field, text.Text),
        BooleanValue boolean => Normalize(field, boolean.Value ? "true" : "false"),
        LongValue number => Normalize(field, number.Text),
        DoubleValue number => Normalize(field, number.Text),
        DateValue date => Normalize(field, date.Text),
        _ => throw new InvalidSearchException($"A value of kind '{value.GetType().Name}' cannot be compared."),
    };

    /// <summary>The end of a range of terms; null for an open end.</summary>
    /// <exception cref="InvalidSearchException">The value has no text.</exception>
    public static string? EndOf(IndexField field, SearchValue? value) => value switch
    {
        null => null,
        TextValue text => Normalize(field, text.Text),
        LongValue number => Normalize(field, number.Text),
        DoubleValue number => Normalize(field, number.Text),
        DateValue date => Normalize(field, date.Text),
        BooleanValue boolean => boolean.Value ? "true" : "false",
        _ => throw new InvalidSearchException($"A range of texts in '{field.Name}' cannot end at '{value.GetType().Name}'."),
    };

    /// <summary>The end of a range of dates in UTC ticks; null for an open end.</summary>
    /// <exception cref="InvalidSearchException">The value is neither a date nor a whole number.</exception>
    public static long? TicksOf(IndexField field, SearchValue? value) => value switch
    {
        null => null,
        DateValue date => date.Ticks,
        LongValue number => number.Value,
        _ => throw new InvalidSearchException($"A range of dates in '{field.Name}' ends at '{value.GetType().Name}': give two dates."),
    };

    private static string Normalize(IndexField field, string text) => TextAnalyzers.Of(field).Normalize(text);
}
