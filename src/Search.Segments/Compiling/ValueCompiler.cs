using System.Text;
using Jackdaw.Search.Analysis.Reading;
using Jackdaw.Search.Entries;
using Jackdaw.Search.Numbers;
using Jackdaw.Search.Queries;
using Jackdaw.Search.Segments.Codes;
using Jackdaw.Search.Segments.Fields;
using Jackdaw.Search.Segments.Matching;
using Jackdaw.Search.Segments.Memory;
using Jackdaw.Search.Segments.Scoring;
using Jackdaw.Search.Segments.Storing;

namespace Jackdaw.Search.Segments.Compiling;

/// <summary>Makes the matchers of values: equality and ranges. One search.</summary>
/// <param name="arena">Memory that lives as long as the search.</param>
internal sealed unsafe class ValueCompiler(
    FieldTable table, IndexFields fields, ScoreStatistics statistics, Arena arena, MatcherPool pool, CancellationToken cancellation)
{
    /// <summary>The matchers of single terms that were made.</summary>
    public int Terms { get; private set; }

    public Matcher Equal(string field, SearchValue value)
    {
        string? term = ValueForms.TermOf(fields.Find(field), value);
        if (term is null)
        {
            return table.Find(field) is { } known ? pool.Take<SetMatcher>().Set(known.Number, PartKind.Nulls) : None();
        }

        if (value is not (LongValue or DoubleValue or DateValue))
        {
            return Term(field, term);
        }

        OrMatcher any = pool.Take<OrMatcher>();
        any.Clear();
        any.Add(Numbers(field, value, true, value, true));
        any.Add(Term(field, term));
        return Any(any);
    }

    public Matcher Range(RangeNode range)
    {
        if (range.Kind != RangeKind.Text)
        {
            return Numbers(range.Field, range.Low, range.IncludesLow, range.High, range.IncludesHigh);
        }

        byte[]? low = EndOf(range.Field, range.Low), high = EndOf(range.Field, range.High);
        return table.Find(range.Field) is { } field && field.Has(FieldTraits.Terms)
            ? new TermsMatcher(field, new RangeSelector(low, range.IncludesLow, high, range.IncludesHigh), cancellation)
            : None();
    }

    /// <summary>Finds the entries with a term, which has the form of the field's terms.</summary>
    public Matcher Term(string field, string term)
    {
        Terms++;
        return table.Find(field) is { } known && known.Has(FieldTraits.Terms) ? Term(known, term) : None();
    }

    /// <summary>Finds the entries with an id.</summary>
    /// <param name="id">UTF-8.</param>
    public Matcher Id(ReadOnlySpan<byte> id)
    {
        byte* bytes = arena.Take<byte>(id.Length);
        id.CopyTo(new Span<byte>(bytes, id.Length));
        return pool.Take<TermMatcher>().Set(new FieldRecord(FieldRecord.OfEntries, FieldTable.EntriesName, FieldTraits.Terms), bytes, id.Length, statistics);
    }

    public TermMatcher Term(FieldRecord field, string term)
    {
        int length = Encoding.UTF8.GetByteCount(term);
        byte* bytes = arena.Take<byte>(length);
        Encoding.UTF8.GetBytes(term, new Span<byte>(bytes, length));
        return pool.Take<TermMatcher>().Set(field, bytes, length, statistics);
    }

    /// <summary>Finds the entries that match one of some conditions at least.</summary>
    public Matcher Any(OrMatcher parts)
    {
        Matcher? only = null;
        int some = 0;
        foreach (Matcher part in parts.Parts)
        {
            if (part is not NoneMatcher)
            {
                only = part;
                some++;
            }
        }

        return some == 0 ? None() : some == 1 ? only! : parts;
    }

    /// <summary>Finds the entries that match each of some conditions; without conditions, all entries.</summary>
    public Matcher All(AndMatcher parts) => parts.Count == 0 ? pool.Take<AllMatcher>() : parts.Count == 1 ? parts.Parts[0] : parts;

    private NoneMatcher None() => pool.Take<NoneMatcher>();

    private Matcher Numbers(string name, SearchValue? low, bool includesLow, SearchValue? high, bool includesHigh)
    {
        FieldRecord field = table.Find(name) ?? new FieldRecord(FieldRecord.OfEntries, name, FieldTraits.None);
        RangeMatcher ranges = pool.Take<RangeMatcher>().Set(field.Number);
        if (low is DateValue || high is DateValue)
        {
            long? lowTicks = ValueForms.TicksOf(fields.Find(name), low), highTicks = ValueForms.TicksOf(fields.Find(name), high);
            Add(ranges, field, FieldTraits.Dates, PartKind.Dates, Least(lowTicks, includesLow), Greatest(highTicks, includesHigh));
        }
        else
        {
            NumericBounds bounds = NumericBounds.From(name, low, includesLow, high, includesHigh);
            Add(ranges, field, FieldTraits.Longs, PartKind.Longs, bounds.LowLong, bounds.HighLong);
            long? lowDouble = low is null ? null : OrderedNumber.Of(bounds.LowDouble), highDouble = high is null ? null : OrderedNumber.Of(bounds.HighDouble);
            Add(ranges, field, FieldTraits.Doubles, PartKind.Doubles, Least(lowDouble, includesLow), Greatest(highDouble, includesHigh));
        }

        return ranges.HasRanges ? ranges : None();
    }

    private static void Add(RangeMatcher ranges, FieldRecord field, FieldTraits trait, PartKind kind, long low, long high)
    {
        if (low <= high && field.Has(trait))
        {
            ranges.Add(new NumberRange(kind, low, high));
        }
    }

    // The least number of a range whose end may be left out.
    private static long Least(long? end, bool includes) => end is not { } low ? long.MinValue : includes || low == long.MaxValue ? low : low + 1;

    private static long Greatest(long? end, bool includes) => end is not { } high ? long.MaxValue : includes || high == long.MinValue ? high : high - 1;

    private byte[]? EndOf(string field, SearchValue? value) =>
        ValueForms.EndOf(fields.Find(field), value) is { } end ? Encoding.UTF8.GetBytes(end) : null;
}
