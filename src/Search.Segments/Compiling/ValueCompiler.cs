using System.Text;
using Jackdaw.Search.Analysis;
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
internal sealed unsafe class ValueCompiler(FieldTable table, IndexFields fields, ScoreStatistics statistics, Arena arena, CancellationToken cancellation)
{
    /// <summary>The matchers of single terms that were made.</summary>
    public int Terms { get; private set; }

    /// <summary>Brings a text into the form of the field's terms.</summary>
    public string Normalize(string field, string text) => TextAnalyzers.Of(fields.Find(field)).Normalize(text);

    public Matcher Equal(string field, SearchValue value) => value switch
    {
        NullValue => table.Find(field) is { } known ? new SetMatcher(known.Number, PartKind.Nulls) : new NoneMatcher(),
        TextValue text => Term(field, Normalize(field, text.Text)),
        BooleanValue boolean => Term(field, Normalize(field, boolean.Value ? "true" : "false")),
        LongValue number => Any([.. Numbers(field, value, true, value, true), Term(field, Normalize(field, number.Text))]),
        DoubleValue number => Any([.. Numbers(field, value, true, value, true), Term(field, Normalize(field, number.Text))]),
        DateValue date => Any([.. Numbers(field, value, true, value, true), Term(field, Normalize(field, date.Text))]),
        _ => throw new InvalidSearchException($"A value of kind '{value.GetType().Name}' cannot be compared."),
    };

    public Matcher Range(RangeNode range)
    {
        if (range.Kind != RangeKind.Text)
        {
            return Any(Numbers(range.Field, range.Low, range.IncludesLow, range.High, range.IncludesHigh));
        }

        byte[]? low = TextOf(range.Field, range.Low), high = TextOf(range.Field, range.High);
        return table.Find(range.Field) is { } field && field.Has(FieldTraits.Terms)
            ? new TermsMatcher(field, new RangeSelector(low, range.IncludesLow, high, range.IncludesHigh), cancellation)
            : new NoneMatcher();
    }

    /// <summary>Finds the entries with a term, which has the form of the field's terms.</summary>
    public Matcher Term(string field, string term)
    {
        Terms++;
        return table.Find(field) is { } known && known.Has(FieldTraits.Terms) ? Term(known, term) : new NoneMatcher();
    }

    public TermMatcher Term(FieldRecord field, string term)
    {
        int length = Encoding.UTF8.GetByteCount(term);
        byte* bytes = arena.Take<byte>(length);
        Encoding.UTF8.GetBytes(term, new Span<byte>(bytes, length));
        return new TermMatcher(field, bytes, length, statistics);
    }

    /// <summary>Finds the entries that match one of some conditions at least.</summary>
    public static Matcher Any(IReadOnlyCollection<Matcher> parts)
    {
        Matcher[] some = [.. parts.Where(part => part is not NoneMatcher)];
        return some.Length switch
        {
            0 => new NoneMatcher(),
            1 => some[0],
            _ => new OrMatcher(some),
        };
    }

    /// <summary>Finds the entries that match each of some conditions; without conditions, all entries.</summary>
    public static Matcher All(IReadOnlyCollection<Matcher> parts) => parts.Count switch
    {
        0 => new AllMatcher(),
        1 => parts.First(),
        _ => new AndMatcher([.. parts]),
    };

    private List<Matcher> Numbers(string name, SearchValue? low, bool includesLow, SearchValue? high, bool includesHigh)
    {
        FieldRecord field = table.Find(name) ?? new FieldRecord(FieldRecord.OfEntries, name, FieldTraits.None);
        List<Matcher> parts = [];
        if (low is DateValue || high is DateValue)
        {
            Add(parts, field, FieldTraits.Dates, PartKind.Dates, Above(TicksOf(name, low), includesLow), Below(TicksOf(name, high), includesHigh));
            return parts;
        }

        NumericBounds bounds = NumericBounds.From(name, low, includesLow, high, includesHigh);
        Add(parts, field, FieldTraits.Longs, PartKind.Longs, bounds.LowLong, bounds.HighLong);
        long lowDouble = OrderedNumber.Of(bounds.LowDouble), highDouble = OrderedNumber.Of(bounds.HighDouble);
        Add(
            parts, field, FieldTraits.Doubles, PartKind.Doubles, low is null ? long.MinValue : Above(lowDouble, includesLow),
            high is null ? long.MaxValue : Below(highDouble, includesHigh));
        return parts;
    }

    private static void Add(List<Matcher> parts, FieldRecord field, FieldTraits trait, PartKind kind, long low, long high)
    {
        if (low <= high && field.Has(trait))
        {
            parts.Add(new RangeMatcher(field.Number, kind, low, high));
        }
    }

    // The least number of a range whose bound may be left out.
    private static long Above(long? bound, bool includes) => bound is not { } low ? long.MinValue : includes ? low : low == long.MaxValue ? low : low + 1;

    private static long Below(long? bound, bool includes) => bound is not { } high ? long.MaxValue : includes ? high : high == long.MinValue ? high : high - 1;

    private byte[]? TextOf(string field, SearchValue? value) => value switch
    {
        null => null,
        TextValue text => Encoding.UTF8.GetBytes(Normalize(field, text.Text)),
        LongValue number => Encoding.UTF8.GetBytes(Normalize(field, number.Text)),
        DoubleValue number => Encoding.UTF8.GetBytes(Normalize(field, number.Text)),
        DateValue date => Encoding.UTF8.GetBytes(Normalize(field, date.Text)),
        BooleanValue boolean => Encoding.UTF8.GetBytes(boolean.Value ? "true" : "false"),
        _ => throw new InvalidSearchException($"A range of texts in '{field}' cannot end at '{value.GetType().Name}'."),
    };

    private static long? TicksOf(string field, SearchValue? value) => value switch
    {
        null => null,
        DateValue date => date.Ticks,
        LongValue number => number.Value,
        _ => throw new InvalidSearchException($"A range of dates in '{field}' ends at '{value.GetType().Name}': give two dates."),
    };
}
