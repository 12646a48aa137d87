using Jackdaw.Search.Analysis;
using Jackdaw.Search.Entries;
using Jackdaw.Search.Lucene.Fields;
using Jackdaw.Search.Lucene.Matching;
using Jackdaw.Search.Numbers;
using Jackdaw.Search.Queries;
using Lucene.Net.Index;
using Lucene.Net.Search;

namespace Jackdaw.Search.Lucene.Translation;

/// <summary>Makes queries of values of a field: equality and ranges.</summary>
internal sealed class ValueQueries(IndexFields fields)
{
    /// <summary>Brings a text into the form of the field's terms.</summary>
    public string Normalize(string field, string text) => TextAnalyzers.Of(fields.Find(field)).Normalize(text);

    /// <inheritdoc cref="AnalyzedText.PartOf"/>
    public string PartOf(string field, string part) => AnalyzedText.PartOf(fields.Find(field), part);

    /// <inheritdoc cref="AnalyzedText.PatternOf"/>
    public string PatternOf(string field, string pattern, bool hasSingle) => AnalyzedText.PatternOf(fields.Find(field), pattern, hasSingle);

    public Query Equal(string field, SearchValue value) => value switch
    {
        NullValue => new SingleTermQuery(new Term(IndexTerms.Nulls, field)),
        TextValue text => Text(field, text.Text),
        BooleanValue boolean => Text(field, boolean.Value ? "true" : "false"),
        LongValue number => Clauses.Any([Number(field, value, true, value, true), Text(field, number.Text)]),
        DoubleValue number => Clauses.Any([Number(field, value, true, value, true), Text(field, number.Text)]),
        DateValue date => Clauses.Any([Number(field, value, true, value, true), Text(field, date.Text)]),
        _ => throw new InvalidSearchException($"A value of kind '{value.GetType().Name}' cannot be compared."),
    };

    public Query Range(RangeNode range)
    {
        if (range.Kind != RangeKind.Text)
        {
            return Number(range.Field, range.Low, range.IncludesLow, range.High, range.IncludesHigh);
        }

        return TermRangeQuery.NewStringRange(
            range.Field, TextOf(range.Field, range.Low), TextOf(range.Field, range.High), range.IncludesLow, range.IncludesHigh);
    }

    private SingleTermQuery Text(string field, string text) => new(new Term(field, Normalize(field, text)));

    private string? TextOf(string field, SearchValue? value) => value switch
    {
        null => null,
        TextValue text => Normalize(field, text.Text),
        LongValue number => Normalize(field, number.Text),
        DoubleValue number => Normalize(field, number.Text),
        DateValue date => Normalize(field, date.Text),
        BooleanValue boolean => boolean.Value ? "true" : "false",
        _ => throw new InvalidSearchException($"A range of texts in '{field}' cannot end at '{value.GetType().Name}'."),
    };

    private static Query Number(string field, SearchValue? low, bool includesLow, SearchValue? high, bool includesHigh)
    {
        if (low is DateValue || high is DateValue)
        {
            return NumericRangeQuery.NewInt64Range(IndexTerms.Ticks(field), IndexTerms.PrecisionStep,
                TicksOf(field, low), TicksOf(field, high), includesLow, includesHigh);
        }

        NumericBounds bounds = NumericBounds.From(field, low, includesLow, high, includesHigh);
        List<Query> parts = [];
        if (bounds.LowLong <= bounds.HighLong)
        {
            parts.Add(NumericRangeQuery.NewInt64Range(
                IndexTerms.Longs(field), IndexTerms.PrecisionStep, bounds.LowLong, bounds.HighLong, true, true));
        }

        if (bounds.LowDouble <= bounds.HighDouble)
        {
            parts.Add(NumericRangeQuery.NewDoubleRange(
                IndexTerms.Doubles(field), IndexTerms.PrecisionStep,
                low is null ? null : bounds.LowDouble, high is null ? null : bounds.HighDouble, includesLow, includesHigh));
        }

        return Clauses.Any(parts);
    }

    private static long? TicksOf(string field, SearchValue? value) => value switch
    {
        null => null,
        DateValue date => date.Ticks,
        LongValue number => number.Value,
        _ => throw new InvalidSearchException($"A range of dates in '{field}' ends at '{value.GetType().Name}': give two dates."),
    };
}
