using System.Globalization;
using Jackdaw.Search.Entries;
using Jackdaw.Search.Queries;
using Lucene.Net.Analysis.Core;
using Lucene.Net.QueryParsers.Classic;
using Lucene.Net.Search;
using Lucene.Net.Util;

namespace Jackdaw.Search.Analysis.Reading;

/// <summary>Lucene's parser of its query language. Its queries are of two kinds only: <see cref="BooleanQuery"/> and <see cref="ClassicPart"/>.</summary>
internal sealed class ClassicParser : QueryParser
{
    /// <summary>The most edits of <c>word~2</c>, as in Lucene.</summary>
    private const int EditsMax = 2;

    // The parser needs one, but asks it for nothing: the fields' own analyzers make the words.
    private static readonly KeywordAnalyzer s_unused = new();

    private readonly IndexFields _fields;

    public ClassicParser(string field, IndexFields fields)
        : base(LuceneVersion.LUCENE_48, field, s_unused)
    {
        _fields = fields;
        AllowLeadingWildcard = true;
        LowercaseExpandedTerms = false; // the analyzer of the field decides about the case
    }

    protected override Query GetFieldQuery(string field, string queryText, bool quoted) => GetFieldQuery(field, queryText, 0);

    protected override Query GetFieldQuery(string field, string queryText, int slop) =>
        new ClassicPart(FullText.Phrase(_fields.Find(field), queryText, slop));

    protected override Query GetPrefixQuery(string field, string termStr) => new ClassicPart(new PrefixNode(field, DiscardEscapes(termStr)));

    protected override Query GetWildcardQuery(string field, string termStr) =>
        new ClassicPart(termStr == "*" ? new ExistsNode(field) : new WildcardNode(field, termStr));

    protected override Query GetFuzzyQuery(string field, string termStr, float minSimilarity)
    {
        string text = DiscardEscapes(termStr);
        return new ClassicPart(minSimilarity < 1
            ? new FuzzyNode(field, text, minSimilarity)
            : new NearNode(field, text, (int)Math.Min(minSimilarity, EditsMax)));
    }

    // The expression has to match whole terms, as in Lucene.
    protected override Query GetRegexpQuery(string field, string termStr) => new ClassicPart(new RegexNode(field, $"^(?:{termStr})$"));

    protected override Query GetRangeQuery(string field, string part1, string part2, bool startInclusive, bool endInclusive)
    {
        (SearchValue? low, SearchValue? high) = (NumberOf(part1), NumberOf(part2));
        bool isNumeric = (low is not null || part1 is null) && (high is not null || part2 is null) && (low ?? high) is not null;
        return new ClassicPart(isNumeric
            ? new RangeNode(field, RangeKind.Double, low, startInclusive, high, endInclusive)
            : new RangeNode(field, RangeKind.Text, TextOf(part1), startInclusive, TextOf(part2), endInclusive));
    }

    private static SearchValue? NumberOf(string? text) =>
        long.TryParse(text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out long whole) ? new LongValue(whole, text)
        : double.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture, out double number) && double.IsFinite(number)
            ? new DoubleValue(number, text)
        : null;

    private static TextValue? TextOf(string? text) => text is null ? null : new TextValue(text);

    private static string DiscardEscapes(string text) => text.Replace("\\", "", StringComparison.Ordinal);
}

/// <summary>A condition on its way through Lucene's parser, which gives it a factor. It is never run.</summary>
internal sealed class ClassicPart(SearchNode node) : Query
{
    public SearchNode Node => node;

    public override string ToString(string field) => node.ToString();

    // Two parts are the same only when they are one object.
    public override bool Equals(object? obj) => ReferenceEquals(this, obj);

    public override int GetHashCode() => System.Runtime.CompilerServices.RuntimeHelpers.GetHashCode(this);
}
