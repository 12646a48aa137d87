using System.Globalization;
using Jackdaw.Search.Analysis;
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

    /// <summary>Names of the fields that have a value in an entry which is too long to be a term.</summary>
    public const string Long = "\u0001long";

    /// <summary>Makes fewer terms per number than Lucene's 4: the index is smaller, and ranges are as fast.</summary>
    public const int PrecisionStep = 8;

    /// <summary>The name for whole numbers of a field.</summary>
    public static string Longs(string field) => field + "\u0001L";

    /// <summary>The name for numbers that are not whole, or are too large for a long.</summary>
    public static string Doubles(string field) => field + "\u0001D";

    /// <summary>Ticks of dates.</summary>
    public static string Ticks(string field) => field + "\u0001T";

    /// <summary>The name for values that are too long to be terms; they are stored as a whole.</summary>
    public static string LongTexts(string field) => field + "\u0001X";

    /// <summary>The name for the cells that the shapes of a field touch.</summary>
    public static string Cells(string field) => field + "\u0001S";

    /// <summary>The name of the column with the shapes of a field.</summary>
    public static string Shapes(string field) => field + "\u0001G";

    /// <summary>The name for the nodes of a field of vectors: a term for each, and a column with all nodes of an entry.</summary>
    public static string Nodes(string field) => field + "\u0001V";

    /// <summary>The name of the column with the nodes of entries that have several in a field.</summary>
    public static string NodeLists(string field) => field + "\u0001W";

    /// <summary>The term of a node.</summary>
    public static string NodeTerm(uint node) => node.ToString("x8", CultureInfo.InvariantCulture);

    /// <summary>True for names that only this engine uses.</summary>
    public static bool IsInternal(string name) => name.Contains('\u0001', StringComparison.Ordinal);
}

/// <summary>Lucene's analyzer of a whole index: it has an analyzer for each field. It lives longer than the settings of the fields.</summary>
internal sealed class FieldAnalyzers(SearchIndex index) : AnalyzerWrapper(PER_FIELD_REUSE_STRATEGY)
{
    /// <summary>The number of positions between two values of a field, so that phrases do not cross from one to the other.</summary>
    private const int ValueGap = 1000;

    private static readonly Analyzer s_whole = new global::Lucene.Net.Analysis.Core.KeywordAnalyzer();

    public override int GetPositionIncrementGap(string fieldName) => ValueGap;

    protected override Analyzer GetWrappedAnalyzer(string fieldName) =>
        IndexTerms.IsInternal(fieldName) ? s_whole : TextAnalyzers.Of(index.Fields.Find(fieldName)).Tokens ?? s_whole;
}
