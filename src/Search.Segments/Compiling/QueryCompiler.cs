using Jackdaw.Search.Analysis;
using Jackdaw.Search.Analysis.Reading;
using Jackdaw.Search.Entries;
using Jackdaw.Search.Plans;
using Jackdaw.Search.Queries;
using Jackdaw.Search.Segments.Fields;
using Jackdaw.Search.Segments.Matching;
using Jackdaw.Search.Segments.Memory;
using Jackdaw.Search.Segments.Reading;
using Jackdaw.Search.Segments.Scoring;
using Jackdaw.Search.Segments.Storing;
using Jackdaw.Search.Spatial;

namespace Jackdaw.Search.Segments.Compiling;

/// <summary>Turns trees of conditions into matchers. One search.</summary>
internal sealed class QueryCompiler
{
    /// <summary>The most nested nodes; more would end the process by a stack overflow.</summary>
    private const int DepthMax = 256;

    private static readonly SpatialSettings s_earth = new();

    private readonly FieldTable _table;
    private readonly IndexFields _fields;
    private readonly ScoreStatistics _statistics;
    private readonly ValueCompiler _values;
    private readonly Func<SimilarNode, SearchNode> _similar;
    private readonly CancellationToken _cancellation;
    private readonly PartMeter? _reads;
    private readonly List<MatcherMeter> _meters = [];

    /// <param name="table">What the index has of its fields.</param>
    /// <param name="fields">The settings of the fields.</param>
    /// <param name="arena">Memory that lives as long as the search.</param>
    /// <param name="similar">Reads the conditions that stand for "more like this".</param>
    /// <param name="reads">Counts the reads of the search, and each node gets a meter; null when nothing is measured.</param>
    public QueryCompiler(
        FieldTable table, IndexFields fields, ScoreStatistics statistics, Arena arena, PartMeter? reads, Func<SimilarNode, SearchNode> similar,
        CancellationToken cancellation)
    {
        _similar = similar;
        _table = table;
        _fields = fields;
        _statistics = statistics;
        _reads = reads;
        _cancellation = cancellation;
        _values = new ValueCompiler(table, fields, statistics, arena, cancellation);
    }

    /// <summary>Whether matchers know their conditions as texts.</summary>
    public bool IsExplained { get; set; }

    /// <summary>The meters of the compiled nodes, with those below them; empty when nothing is measured.</summary>
    public IReadOnlyList<MatcherMeter> Meters => _meters;

    /// <summary>Whether entries have factors, or had them once.</summary>
    public static bool HasEntryBoosts(FieldTable table) => table.Find(FieldTable.EntriesName)?.Has(FieldTraits.Boosts) == true;

    /// <summary>Compiles a whole search, in which the factors of entries count.</summary>
    /// <exception cref="InvalidSearchException">A node cannot be run as it was given.</exception>
    public Matcher CompileAll(SearchNode node)
    {
        Matcher matcher = Compile(node);
        return HasEntryBoosts(_table) ? new ColumnBoostMatcher(matcher, FieldRecord.OfEntries, "boost of the entry") : matcher;
    }

    /// <exception cref="InvalidSearchException">A node cannot be run as it was given.</exception>
    public Matcher Compile(SearchNode node, int depth = 0)
    {
        if (depth > DepthMax)
        {
            throw new InvalidSearchException($"The search is nested deeper than {DepthMax}: simplify it.");
        }

        int before = _meters.Count, terms = _values.Terms;
        Matcher matcher = Combined(node, child => Compile(child, depth + 1)) ?? Boosted(Single(node), node);
        if (_reads is { } reads)
        {
            (string name, string detail) = NodeText.Of(node);
            var meter = new MatcherMeter(name, detail, _meters[before..], reads) { Terms = _values.Terms > terms ? _values.Terms - terms : -1 };
            _meters.RemoveRange(before, _meters.Count - before);
            _meters.Add(meter);
            matcher = matcher.Meter is null ? matcher : new BoostMatcher(matcher, 1); // a node of one child is that child
            matcher.Meter = meter;
        }

        return matcher;
    }

    // A tree that stands for one node has one meter and one factor, which are those of the node.
    private Matcher Plain(SearchNode node) => Combined(node, Plain) ?? Single(node);

    private Matcher Boosted(Matcher matcher, SearchNode node) =>
        SearchTree.FieldOf(node) is { } name && _table.Find(name) is { } field && field.Has(FieldTraits.Boosts)
            ? new ColumnBoostMatcher(matcher, field.Number, $"boost of {name}")
            : matcher;

    private static Matcher? Combined(SearchNode node, Func<SearchNode, Matcher> compile) => node switch
    {
        AndNode and => ValueCompiler.All([.. and.Nodes.Select(compile)]),
        OrNode or => ValueCompiler.Any([.. or.Nodes.Select(compile)]),
        OptionalNode optional => new OptionalMatcher([.. optional.Nodes.Select(compile)]),
        NotNode not => new NotMatcher(compile(not.Node)),
        BoostNode { Factor: >= 0 } boost => new BoostMatcher(compile(boost.Node), boost.Factor),
        BoostNode boost => throw new InvalidSearchException($"A boost of {boost.Factor} is not possible: use a factor of 0 or more."),
        IntersectNode { Nodes.Count: > 1 } intersect => new IntersectMatcher([.. intersect.Nodes.Select(compile)]),
        IntersectNode => throw new InvalidSearchException("An intersection needs two conditions or more."),
        _ => null,
    };

    private Matcher Single(SearchNode node)
    {
        Matcher matcher = Make(node);
        if (IsExplained)
        {
            (string name, string detail) = NodeText.Of(node);
            matcher.Text = detail.Length == 0 ? name : detail;
        }

        return matcher;
    }

    private Matcher Make(SearchNode node) => node switch
    {
        AllNode => new AllMatcher(),
        NoneNode => new NoneMatcher(),
        TermNode term => _values.Equal(term.Field, term.Value),
        InNode list => ValueCompiler.Any([.. list.Values.Select(value => _values.Equal(list.Field, value))]),
        AllInNode list => ValueCompiler.All([.. list.Values.Select(value => _values.Equal(list.Field, value))]),
        RangeNode range => _values.Range(range),
        FuzzyNode fuzzy => Near(fuzzy.Field, NearTerm.Of(fuzzy, _fields)),
        NearNode near => Near(near.Field, NearTerm.Of(near, _fields)),
        FullTextNode text => Plain(FullText.Read(text, _fields)),
        PhraseNode phrase => Phrase(phrase),
        ClassicQueryNode text => Plain(ClassicQuery.Parse(text, _fields)),
        SpatialNode spatial => Spatial(spatial),
        HasVectorNode vector => _table.Find(vector.Field) is { } field ? new SetMatcher(field.Number, PartKind.Nodes, isColumn: true) : new NoneMatcher(),
        ScoredNode scored => _table.Find(scored.Field) is { } field ? new NodesMatcher(field.Number, scored.Scores, _cancellation) : new NoneMatcher(),
        ExistsNode exists => _table.Find(exists.Field) is { } field ? new SetMatcher(field.Number, PartKind.Present) : new NoneMatcher(),
        SimilarNode similar => Plain(_similar(similar)),
        IdNode id => _values.Id(id.Id.Span),
        _ when TermPattern.Of(node, _fields) is { } pattern => Pattern(node, pattern),
        _ => throw new InvalidSearchException($"This engine does not run '{node.GetType().Name}' yet."),
    };

    private Matcher Pattern(SearchNode node, TermPattern pattern) => Terms(
        SearchTree.FieldOf(node)!, seesLongTexts => new PatternSelector(pattern.Prefix, node is PrefixNode ? null : pattern.IsMatch, seesLongTexts));

    // A term that was cut is compared as it is.
    private Matcher Near(string field, NearTerm near) => Terms(field, _ => new PatternSelector("", near.IsMatch, seesLongTexts: false));

    private Matcher Terms(string name, Func<bool, TermSelector> select) => _table.Find(name) is { } field && field.Has(FieldTraits.Terms)
        ? new TermsMatcher(field, select(field.Has(FieldTraits.LongTexts)), _cancellation)
        : new NoneMatcher();

    // The shape is made in any case, because it may be wrong.
    private Matcher Spatial(SpatialNode node)
    {
        SpatialSettings settings = _fields.Find(node.Field).Spatial ?? s_earth;
        Shape shape = SearchedShape.Of(node, settings, _cancellation);
        return _table.Find(node.Field) is { } field
            ? new SpatialMatcher(field.Number, settings, node.Relation, shape, _cancellation)
            : new NoneMatcher();
    }

    private Matcher Phrase(PhraseNode node)
    {
        if (node.Words.Count == 1)
        {
            return _values.Term(node.Field, FormOf(node.Words[0].Term));
        }

        if (_table.Find(node.Field) is not { } field || !field.Has(FieldTraits.Positions))
        {
            return new NoneMatcher();
        }

        TermMatcher[] words = [.. node.Words.Select(word => _values.Term(field, FormOf(word.Term)))];
        return new PhraseMatcher(
            field, words, [.. node.Words.Select(word => word.Position)], node.Slop, string.Join(' ', node.Words.Select(word => word.Term)), _statistics,
            [.. node.Words.Select(word => FirstOf(node.Words, word.Term))], _cancellation);
    }

    // A term that is too long was cut when it was indexed.
    private static string FormOf(string term) => TextAnalyzers.Keyword.Normalize(term);

    private static int FirstOf(IReadOnlyList<PhraseWord> words, string term)
    {
        int first = 0;
        while (words[first].Term != term)
        {
            first++;
        }

        return first;
    }
}
