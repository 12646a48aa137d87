using System.Globalization;
using Jackdaw.Search.Analysis;
using Jackdaw.Search.Entries;
using Lucene.Net.Analysis;

namespace Jackdaw.Search.Lucene.Fields;

/// <summary>Names of Lucene's fields for a field of ours. The control character keeps them apart from names of users.</summary>
internal static class IndexTerms
{
    /// <summary>The id of each entry, as a term and as a column.</summary>
    public const string Id = "\u0001id";

    /// <summary>Names of the fields that an entry has.</summary>
    public const string Present = "\u0001fields";

    /// <summary>Names of the fields that are null in an entry.</summary>
    public const string Nulls = "\u0001nulls";

    /// <summary>Of fields of shapes that have no settings.</summary>
    public static readonly SpatialSettings Earth = new();

    /// <summary>Fewer terms per number than Lucene's 4: a smaller index, and ranges as fast.</summary>
    public const int PrecisionStep = 8;

    /// <summary>Whole numbers of a field.</summary>
    public static string Longs(string field) => field + "\u0001L";

    /// <summary>Numbers that are not whole, or too large for a whole one.</summary>
    public static string Doubles(string field) => field + "\u0001D";

    /// <summary>Ticks of dates.</summary>
    public static string Ticks(string field) => field + "\u0001T";

    /// <summary>Cells that the shapes of a field touch.</summary>
    public static string Cells(string field) => field + "\u0001S";

    /// <summary>The shapes of a field themselves, as a column.</summary>
    public static string Shapes(string field) => field + "\u0001G";

    /// <summary>A date as a text whose order is that of the dates, however they were written.</summary>
    public static string SortedDate(long ticks) =>
        new DateTime(ticks, DateTimeKind.Utc).ToString("yyyy-MM-dd'T'HH:mm:ss.fffffff'Z'", CultureInfo.InvariantCulture);

    /// <summary>True for names that only this engine uses.</summary>
    public static bool IsInternal(string name) => name.Contains('\u0001', StringComparison.Ordinal);

    /// <summary>A number that a long holds exactly. Each number is indexed once, as what it is, so that comparisons are exact.</summary>
    public static bool IsWhole(double value, out long whole)
    {
        // 2^63 itself is a double and no long.
        bool fits = value >= long.MinValue && value < 9223372036854775808.0 && Math.Floor(value) == value;
        whole = fits ? (long)value : 0;
        return fits;
    }
}

/// <summary>Lucene's analyzer of a whole index: it has an analyzer for each field.</summary>
internal abstract class FieldAnalyzers() : AnalyzerWrapper(PER_FIELD_REUSE_STRATEGY)
{
    /// <summary>Positions between two values of a field: phrases do not cross them.</summary>
    private const int ValueGap = 1000;

    private static readonly Analyzer s_whole = new global::Lucene.Net.Analysis.Core.KeywordAnalyzer();

    protected abstract IndexFields Fields { get; }

    public override int GetPositionIncrementGap(string fieldName) => ValueGap;

    protected override Analyzer GetWrappedAnalyzer(string fieldName) =>
        IndexTerms.IsInternal(fieldName) ? s_whole : TextAnalyzers.Of(Fields.Find(fieldName)).Tokens ?? s_whole;
}

/// <summary>The analyzers of a query.</summary>
internal sealed class QueryAnalyzers(IndexFields fields) : FieldAnalyzers
{
    protected override IndexFields Fields => fields;
}

/// <summary>The analyzers of a writer, which lives longer than the settings of the fields.</summary>
internal sealed class WritingAnalyzers(SearchIndex index) : FieldAnalyzers
{
    protected override IndexFields Fields => index.Fields;
}
