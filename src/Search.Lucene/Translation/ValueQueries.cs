using Jackdaw.Search.Analysis.Reading;
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
    public Query Equal(string field, SearchValue value)
    {
        IndexField settings = fields.Find(field);
        if (ValueForms.TermOf(settings, value) is not { } text)
        {
            return new SingleTermQuery(new Term(IndexTerms.Nulls, field));
        }

        var term = new SingleTermQuery(new Term(field, text));
        return value is LongValue or DoubleValue or DateValue ? Clauses.Any([Number(settings, value, true, value, true), term]) : term;
    }

    public Query Range(RangeNode range)
    {
        IndexField field = fields.Find(range.Field);
        return range.Kind == RangeKind.Text
            ? TermRangeQuery.NewStringRange(
                range.Field, ValueForms.EndOf(field, range.Low), ValueForms.EndOf(field, range.High), range.IncludesLow, range.IncludesHigh)
            : Number(field, range.Low, range.IncludesLow, range.High, range.IncludesHigh);
    }

    private static Query Number(IndexField field, SearchValue? low, bool includesLow, SearchValue? high, bool includesHigh)
    {
        if (low is DateValue || high is DateValue)
        {
            return NumericRangeQuery.NewInt64Range(IndexTerms.Ticks(field.Name), IndexTerms.PrecisionStep,
                ValueForms.TicksOf(field, low), ValueForms.TicksOf(field, high), includesLow, includesHigh);
        }

        NumericBounds bounds = NumericBounds.From(field.Name, low, includesLow, high, includesHigh);
        List<Query> parts = [];
        if (bounds.LowLong <= bounds.HighLong)
        {
            parts.Add(NumericRangeQuery.NewInt64Range(
                IndexTerms.Longs(field.Name), IndexTerms.PrecisionStep, bounds.LowLong, bounds.HighLong, true, true));
        }

        if (bounds.LowDouble <= bounds.HighDouble)
        {
            parts.Add(NumericRangeQuery.NewDoubleRange(
                IndexTerms.Doubles(field.Name), IndexTerms.PrecisionStep,
                low is null ? null : bounds.LowDouble, high is null ? null : bounds.HighDouble, includesLow, includesHigh));
        }

        return Clauses.Any(parts);
    }
}
