using Jackdaw.Search.Analysis;
using Jackdaw.Search.Entries;
using Jackdaw.Search.Lucene.Matching;
using Jackdaw.Search.Lucene.Fields;
using Jackdaw.Search.Queries;
using Lucene.Net.Index;
using Lucene.Net.Search;

namespace Jackdaw.Search.Lucene.Translation;

/// <summary>Turns search trees into queries of Lucene.</summary>
/// <param name="fields">How the fields of the index are searched.</param>
/// <param name="isMeasured">Whether each node gets a meter.</param>
internal sealed class QueryTranslator(IndexFields fields, bool isMeasured = false)
{
    /// <summary>Nodes below each other; more would end the process by its stack.</summary>
    private const int DepthMax = 256;

    private readonly List<NodeMeter> _meters = [];

    /// <summary>Meters of what was translated, with those below them; empty when nothing is measured.</summary>
    public IReadOnlyList<NodeMeter> Meters => _meters;

    public Query Translate(SearchNode node, int depth = 0)
    {
        if (depth > DepthMax)
        {
            throw new InvalidSearchException($"The search is nested deeper than {DepthMax}: simplify it.");
        }

        int before = _meters.Count;
        Query query = Make(node, depth);
        if (!isMeasured)
        {
            return query;
        }

        (string name, string detail) = NodeText.Of(node);
        var meter = new NodeMeter(name, detail, _meters[before..]);
        _meters.RemoveRange(before, _meters.Count - before);
        _meters.Add(meter);
        return new MeasuredQuery(query, meter);
    }

    private Query Make(SearchNode node, int depth)
    {
        return node switch
        {
            AllNode => new MatchAllDocsQuery(),
            NoneNode => new BooleanQuery(),
            TermNode term => Equal(term.Field, term.Value),
            InNode list => Any(list.Values.Select(value => Equal(list.Field, value))),
            AllInNode list => All(list.Values.Select(value => Equal(list.Field, value))),
            RangeNode range => Range(range),
            PrefixNode prefix => Prefix(prefix.Field, prefix.Text),
            SuffixNode suffix => Suffix(suffix.Field, suffix.Text),
            ContainsNode part => Contains(part.Field, part.Text),
            FullTextNode text => FullText(text),
            ExistsNode exists => new TermQuery(new Term(IndexTerms.Present, exists.Field)),
            AndNode and => All(and.Nodes.Select(child => Translate(child, depth + 1))),
            OrNode or => Any(or.Nodes.Select(child => Translate(child, depth + 1))),
            NotNode not => new BooleanQuery { { new MatchAllDocsQuery(), Occur.MUST }, { Translate(not.Node, depth + 1), Occur.MUST_NOT } },
            BoostNode boost => Boost(boost, depth),
            _ => throw new InvalidSearchException($"This engine does not run '{node.GetType().Name}' yet."),
        };
    }

    private Query Boost(BoostNode boost, int depth)
    {
        if (!(boost.Factor > 0))
        {
            throw new InvalidSearchException($"A boost of {boost.Factor} is not possible: use a factor above 0.");
        }

        // A query of its own around it: the inner one may have a boost too.
        return new BooleanQuery(disableCoord: true) { { Translate(boost.Node, depth + 1), Occur.MUST } }.With(query => query.Boost = boost.Factor);
    }

    private string Normalize(string field, string text) => IndexTerms.AnalyzerOf(fields.Find(field)).Normalize(text);

    private TermQuery Text(string field, string text) => new(new Term(field, Normalize(field, text)));

    private Query Equal(string field, SearchValue value) => value switch
    {
        NullValue => new TermQuery(new Term(IndexTerms.Nulls, field)),
        TextValue text => Text(field, text.Text),
        BooleanValue boolean => Text(field, boolean.Value ? "true" : "false"),
        LongValue number => Any([Number(field, value, true, value, true), Text(field, number.Text)]),
        DoubleValue number => Any([Number(field, value, true, value, true), Text(field, number.Text)]),
        DateValue date => Any([Number(field, value, true, value, true), Text(field, date.Text)]),
        _ => throw new InvalidSearchException($"A value of kind '{value.GetType().Name}' cannot be compared."),
    };

    private Query Range(RangeNode range)
    {
        if (range.Kind != RangeKind.Text)
        {
            return Number(range.Field, range.Low, range.IncludesLow, range.High, range.IncludesHigh);
        }

        return TermRangeQuery.NewStringRange(
            range.Field, TextOf(range.Field, range.Low), TextOf(range.Field, range.High), range.IncludesLow, range.IncludesHigh);
    }

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

        return Any(parts);
    }

    private static long? TicksOf(string field, SearchValue? value) => value switch
    {
        null => null,
        DateValue date => date.Ticks,
        LongValue number => number.Value,
        _ => throw new InvalidSearchException($"A range of dates in '{field}' ends at '{value.GetType().Name}': give two dates."),
    };

    private TermPredicateQuery Prefix(string field, string text)
    {
        string form = Normalize(field, text);
        return new TermPredicateQuery(field, form + "*", form, _ => true);
    }

    private TermPredicateQuery Suffix(string field, string text)
    {
        string form = Normalize(field, text);
        return new TermPredicateQuery(field, "*" + form, "", term => term.EndsWith(form, StringComparison.Ordinal));
    }

    private TermPredicateQuery Contains(string field, string text)
    {
        string form = Normalize(field, text);
        return new TermPredicateQuery(field, "*" + form + "*", "", term => term.Contains(form, StringComparison.Ordinal));
    }

    private Query FullText(FullTextNode node)
    {
        if (node.Slop is { } slop)
        {
            return Phrase(node.Field, node.Text, slop) ?? new BooleanQuery();
        }

        Query[] words = [.. TextWords.Split(node.Text).Select(word => Word(node.Field, word)).OfType<Query>()];
        return words.Length > 0 && node.Operator == WordOperator.And ? All(words) : Any(words);
    }

    private Query? Word(string field, string word)
    {
        bool atStart = word.StartsWith('*');
        bool atEnd = word.EndsWith('*');
        if (!atStart && !atEnd)
        {
            return Phrase(field, word, 0);
        }

        string rest = word.Trim('*');
        return rest.Length == 0 ? new TermQuery(new Term(IndexTerms.Present, field))
            : !atStart ? Prefix(field, rest)
            : atEnd ? Contains(field, rest) : Suffix(field, rest);
    }

    private Query? Phrase(string field, string text, int slop)
    {
        IReadOnlyList<TextToken> tokens = IndexTerms.AnalyzerOf(fields.Find(field)).Analyze(text);
        if (tokens.Count < 2)
        {
            return tokens.Count == 0 ? null : new TermQuery(new Term(field, tokens[0].Term));
        }

        var phrase = new PhraseQuery { Slop = slop };
        foreach (TextToken token in tokens)
        {
            phrase.Add(new Term(field, token.Term), token.Position - tokens[0].Position);
        }

        return phrase;
    }

    private static Query Any(IEnumerable<Query> queries) => Combine(queries, Occur.SHOULD, new BooleanQuery());

    private static Query All(IEnumerable<Query> queries) => Combine(queries, Occur.MUST, new MatchAllDocsQuery());

    private static Query Combine(IEnumerable<Query> queries, Occur occur, Query whenEmpty)
    {
        Query[] all = [.. queries];
        while (all.Length > BooleanQuery.MaxClauseCount)
        {
            all = [.. all.Chunk(BooleanQuery.MaxClauseCount).Select(chunk => Combine(chunk, occur, whenEmpty))];
        }

        var combined = new BooleanQuery(disableCoord: true);
        foreach (Query query in all)
        {
            combined.Add(query, occur);
        }

        return all.Length switch
        {
            0 => whenEmpty,
            1 => all[0],
            _ => combined,
        };
    }
}

/// <summary>Small additions to queries.</summary>
internal static class QueryExtensions
{
    /// <summary>The same query, changed.</summary>
    public static Query With(this Query query, Action<Query> change)
    {
        change(query);
        return query;
    }
}
