using Jackdaw.Search.Analysis;
using Jackdaw.Search.Analysis.Reading;
using Jackdaw.Search.Entries;
using Jackdaw.Search.Plans;
using Jackdaw.Search.Queries;
using Jackdaw.Search.Results;
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

    /// <summary>Stands for the depth of the trees that stand for one node.</summary>
    private const int IsPlain = -1;

    private static readonly SpatialSettings s_earth = new();

    private readonly FieldTable _table;
    private readonly IndexFields _fields;
    private readonly ScoreStatistics _statistics;
    private readonly ValueCompiler _values;
    private readonly MatcherPool _pool;
    private readonly Arena _arena;
    private readonly ISimilarSearch _similar;
    private readonly CancellationToken _cancellation;
    private readonly PartMeter? _reads;
    private readonly List<NodeMeter>? _meters;

    /// <param name="table">What the index has of its fields.</param>
    /// <param name="fields">The settings of the fields.</param>
    /// <param name="arena">Memory that lives as long as the search.</param>
    /// <param name="reads">Counts the reads of the search, and each node gets a meter; null when nothing is measured.</param>
    public QueryCompiler(
        FieldTable table, IndexFields fields, ScoreStatistics statistics, Arena arena, MatcherPool pool, PartMeter? reads, ISimilarSearch similar,
        CancellationToken cancellation)
    {
        (_table, _fields, _statistics, _pool, _similar) = (table, fields, statistics, pool, similar);
        _reads = reads;
        _meters = reads is null ? null : [];
        _arena = arena;
        _cancellation = cancellation;
        _values = new ValueCompiler(table, fields, statistics, arena, pool, cancellation);
    }

    /// <summary>Whether matchers know their conditions as texts.</summary>
    public bool IsExplained { get; set; }

    /// <summary>The meters of the compiled nodes, with those below them; empty when nothing is measured.</summary>
    public IReadOnlyList<NodeMeter> Meters => _meters ?? [];

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

        int before = _meters?.Count ?? 0, terms = _values.Terms;
        Matcher matcher = Combined(node, depth + 1) ?? Boosted(Single(node), node);
        return _meters is null ? matcher : Measured(matcher, node, _meters, before, _values.Terms - terms);
    }

    private Matcher Measured(Matcher matcher, SearchNode node, List<NodeMeter> meters, int before, int terms)
    {
        (string name, string detail) = NodeText.Of(node);
        var meter = new NodeMeter(name, detail, meters[before..], CountReads) { Terms = terms > 0 ? terms : -1 };
        meters.RemoveRange(before, meters.Count - before);
        meters.Add(meter);
        matcher = matcher.Meter is null ? matcher : new BoostMatcher(matcher, 1); // a node of one child is that child
        matcher.Meter = meter;
        return matcher;
    }

    private ReadCount CountReads() => _reads!.Count;

    // A tree that stands for one node has one meter and one factor, which are those of the node.
    private Matcher Plain(SearchNode node) => Combined(node, IsPlain) ?? Single(node);

    // The depth of a child, or that it is plain.
    private Matcher Child(SearchNode node, int depth) => depth == IsPlain ? Plain(node) : Compile(node, depth);

    private Matcher Boosted(Matcher matcher, SearchNode node) =>
        SearchTree.FieldOf(node) is { } name && _table.Find(name) is { } field && field.Has(FieldTraits.Boosts)
            ? new ColumnBoostMatcher(matcher, field.Number, $"boost of {name}")
            : matcher;

    private Matcher? Combined(SearchNode node, int depth) => node switch
    {
        AndNode and => _values.All(Filled(_pool.Take<AndMatcher>(), and.Nodes, depth)),
        OrNode or => _values.Any(Filled(_pool.Take<OrMatcher>(), or.Nodes, depth)),
        OptionalNode optional => Filled(_pool.Take<OptionalMatcher>(), optional.Nodes, depth),
        NotNode not => _pool.Take<NotMatcher>().Set(Child(not.Node, depth)),
        BoostNode { Factor: >= 0 } boost => new BoostMatcher(Child(boost.Node, depth), boost.Factor),
        BoostNode boost => throw new InvalidSearchException($"A boost of {boost.Factor} is not possible: use a factor of 0 or more."),
        IntersectNode { Nodes.Count: > 1 } intersect => Filled(_pool.Take<IntersectMatcher>(), intersect.Nodes, depth),
        IntersectNode => throw new InvalidSearchException("An intersection needs two conditions or more."),
        _ => null,
    };

    private T Filled<T>(T parts, IReadOnlyList<SearchNode> nodes, int depth)
        where T : PartsMatcher
    {
        parts.Clear();
        for (int i = 0; i < nodes.Count; i++)
        {
            parts.Add(Child(nodes[i], depth));
        }

        return parts;
    }

    private T FilledWithValues<T>(T parts, string field, IReadOnlyList<SearchValue> values)
        where T : PartsMatcher
    {
        parts.Clear();
        for (int i = 0; i < values.Count; i++)
        {
            parts.Add(_values.Equal(field, values[i]));
        }

        return parts;
    }

    private NoneMatcher None() => _pool.Take<NoneMatcher>();

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
        AllNode => _pool.Take<AllMatcher>(),
        NoneNode => None(),
        TermNode term => _values.Equal(term.Field, term.Value),
        InNode list => _values.Any(FilledWithValues(_pool.Take<OrMatcher>(), list.Field, list.Values)),
        AllInNode list => _values.All(FilledWithValues(_pool.Take<AndMatcher>(), list.Field, list.Values)),
        RangeNode range => _values.Range(range),
        FuzzyNode fuzzy => Near(fuzzy.Field, NearTerm.Of(fuzzy, _fields)),
        NearNode near => Near(near.Field, NearTerm.Of(near, _fields)),
        FullTextNode text => Plain(FullText.Read(text, _fields)),
        PhraseNode phrase => Phrase(phrase),
        ClassicQueryNode text => Plain(ClassicQuery.Parse(text, _fields)),
        SpatialNode spatial => Spatial(spatial),
        HasVectorNode vector => _table.Find(vector.Field) is { } field ? _pool.Take<SetMatcher>().Set(field.Number, PartKind.Nodes, isColumn: true) : None(),
        ScoredNode scored => _table.Find(scored.Field) is { } field ? new NodesMatcher(field.Number, scored.Scores, _cancellation) : None(),
        ExistsNode exists => _table.Find(exists.Field) is { } field ? _pool.Take<SetMatcher>().Set(field.Number, PartKind.Present) : None(),
        SimilarNode similar => Plain(_similar.Read(similar, _cancellation)),
        IdNode id => _values.Id(id.Id.Span),
        _ when TermPattern.Of(node, _fields) is { } pattern => Pattern(node, pattern),
        _ => throw new InvalidSearchException($"This engine does not run '{node.GetType().Name}' yet."),
    };

    private Matcher Pattern(SearchNode node, TermPattern pattern) =>
        Terms(SearchTree.FieldOf(node)!, seesLongTexts => new PatternSelector(pattern, node is PrefixNode, seesLongTexts));

    // A term that was cut is compared as it is.
    private Matcher Near(string field, NearTerm near) => Terms(field, _ => new NearSelector(near, _arena));

    private Matcher Terms(string name, Func<bool, TermSelector> select) => _table.Find(name) is { } field && field.Has(FieldTraits.Terms)
        ? new TermsMatcher(field, select(field.Has(FieldTraits.LongTexts)), _cancellation)
        : None();

    // The shape is made in any case, because it may be wrong.
    private Matcher Spatial(SpatialNode node)
    {
        SpatialSettings settings = _fields.Find(node.Field).Spatial ?? s_earth;
        Shape shape = SearchedShape.Of(node, settings, _cancellation);
        return _table.Find(node.Field) is { } field
            ? new SpatialMatcher(field.Number, settings, node.Relation, shape, _cancellation)
            : None();
    }

    private Matcher Phrase(PhraseNode node)
    {
        if (node.Words.Count == 1)
        {
            return _values.Term(node.Field, FormOf(node.Words[0].Term));
        }

        if (_table.Find(node.Field) is not { } field || !field.Has(FieldTraits.Positions))
        {
            return None();
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
