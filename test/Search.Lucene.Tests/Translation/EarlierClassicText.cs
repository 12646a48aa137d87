using System.Globalization;
using Jackdaw.Search.Analysis.Reading;
using Jackdaw.Search.Entries;
using Jackdaw.Search.Lucene.Fields;
using Jackdaw.Search.Lucene.Matching;
using Jackdaw.Search.Lucene.Translation;
using Jackdaw.Search.Queries;
using Lucene.Net.Analysis.Core;
using Lucene.Net.QueryParsers.Classic;
using Lucene.Net.Search;
using Lucene.Net.Util;

namespace Jackdaw.Search.Lucene.Tests.Translation;

/// <summary>Reads texts in the query language of Lucene as it was before they became conditions of every engine: Lucene combines the parts.</summary>
internal sealed class EarlierClassicText : QueryParser
{
    /// <summary>The longest text in characters.</summary>
    private const int LengthMax = 64 * 1024;

    /// <summary>The most open parentheses: the parser calls itself for each, and more would end the process by a stack overflow.</summary>
    private const int DepthMax = 64;

    private readonly ValueQueries _values;
    private readonly CancellationToken _cancellation;
    private readonly IndexFields _fields;

    private EarlierClassicText(string field, IndexFields fields, ValueQueries values, CancellationToken cancellation)
        : base(LuceneVersion.LUCENE_48, field, new KeywordAnalyzer())
    {
        _values = values;
        _cancellation = cancellation;
        _fields = fields;
        AllowLeadingWildcard = true;
        LowercaseExpandedTerms = false; // the analyzer of the field decides about the case
    }

    /// <exception cref="InvalidSearchException">The text cannot be read.</exception>
    public static Query Parse(ClassicQueryNode node, IndexFields fields, ValueQueries values, CancellationToken cancellation)
    {
        if (node.Text.Length > LengthMax || DepthOf(node.Text) > DepthMax)
        {
            throw new InvalidSearchException(
                $"A Lucene text has at most {LengthMax} characters and {DepthMax} nested parentheses: simplify it.");
        }

        if (node.Text.AsSpan().Trim().IsEmpty)
        {
            return new BooleanQuery();
        }

        try
        {
            Query query = new EarlierClassicText(node.Field, fields, values, cancellation).Parse(node.Text);
            return query is BooleanQuery { Clauses.Count: > 0 } all && all.Clauses.All(clause => clause.Occur == Occur.MUST_NOT)
                ? Clauses.All([new MatchAllDocsQuery(), .. all.Clauses.Select(clause => Clauses.Not(clause.Query))])
                : query;
        }
        catch (Exception e) when (e is ParseException or BooleanQuery.TooManyClausesException)
        {
            throw new InvalidSearchException($"The Lucene text '{node.Text}' cannot be read: {e.Message}", e);
        }
    }

    protected override Query GetFieldQuery(string field, string queryText, bool quoted) =>
        GetFieldQuery(field, queryText, 0);

    protected override Query GetFieldQuery(string field, string queryText, int slop) =>
        FullText.Phrase(_fields.Find(field), queryText, slop) is PhraseNode phrase ? TextQueries.Phrase(phrase) : new BooleanQuery();

    protected override Query GetPrefixQuery(string field, string termStr) => Terms(field, new PrefixNode(field, DiscardEscapes(termStr)));

    protected override Query GetWildcardQuery(string field, string termStr) =>
        termStr == "*" ? new SingleTermQuery(new global::Lucene.Net.Index.Term(IndexTerms.Present, field)) : Terms(field, new WildcardNode(field, termStr));

    protected override Query GetFuzzyQuery(string field, string termStr, float minSimilarity)
    {
        string text = DiscardEscapes(termStr);
        return minSimilarity < 1
            ? PatternQueries.Near(field, NearTerm.Of(new FuzzyNode(field, text, minSimilarity), _fields), _cancellation)
            : PatternQueries.Near(field, NearTerm.Of(new NearNode(field, text, (int)Math.Min(minSimilarity, 2)), _fields), _cancellation);
    }

    // The expression has to match whole terms, as in Lucene.
    protected override Query GetRegexpQuery(string field, string termStr) => Terms(field, new RegexNode(field, $"^(?:{termStr})$"));

    protected override Query GetRangeQuery(string field, string part1, string part2, bool startInclusive, bool endInclusive)
    {
        (SearchValue? low, SearchValue? high) = (NumberOf(part1), NumberOf(part2));
        bool isNumeric = (low is not null || part1 is null) && (high is not null || part2 is null) && (low ?? high) is not null;
        return _values.Range(isNumeric
            ? new RangeNode(field, RangeKind.Double, low, startInclusive, high, endInclusive)
            : new RangeNode(field, RangeKind.Text, TextOf(part1), startInclusive, TextOf(part2), endInclusive));
    }

    private Query Terms(string field, SearchNode node) => PatternQueries.Terms(field, TermPattern.Of(node, _fields)!, _cancellation);

    private static SearchValue? NumberOf(string? text) =>
        long.TryParse(text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out long whole) ? new LongValue(whole, text)
        : double.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture, out double number) && double.IsFinite(number)
            ? new DoubleValue(number, text)
        : null;

    private static TextValue? TextOf(string? text) => text is null ? null : new TextValue(text);

    private static string DiscardEscapes(string text) => text.Replace("\\", "", StringComparison.Ordinal);

    private static int DepthOf(string text)
    {
        int depth = 0, most = 0;
        foreach (char c in text)
        {
            depth += c == '(' ? 1 : c == ')' && depth > 0 ? -1 : 0;
            most = Math.Max(most, depth);
        }

        return most;
    }
}
