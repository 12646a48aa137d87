using Jackdaw.Search.Analysis.Reading;
using Jackdaw.Search.Entries;
using Jackdaw.Search.Lucene.Fields;
using Jackdaw.Search.Lucene.Files;
using Jackdaw.Search.Lucene.Matching;
using Jackdaw.Search.Plans;
using Jackdaw.Search.Queries;
using Jackdaw.Search.Spatial;
using Lucene.Net.Index;
using Lucene.Net.Search;

namespace Jackdaw.Search.Lucene.Translation;

/// <summary>Turns search trees into queries of Lucene. One search.</summary>
internal sealed class QueryTranslator
{
    /// <summary>The most nested nodes; more would end the process by a stack overflow.</summary>
    private const int DepthMax = 256;

    private readonly IndexFields _fields;
    private readonly ValueQueries _values;
    private readonly CancellationToken _cancellation;
    private readonly ReadMeter? _reads;
    private readonly IReadOnlySet<string> _boosts;
    private readonly List<NodeMeter> _meters = [];

    /// <param name="fields">The settings of the fields of the index.</param>
    /// <param name="boosts">The columns of factors that the index has; null for none.</param>
    /// <param name="reads">Counts the reads of the search, and each node gets a meter; null when nothing is measured.</param>
    /// <param name="cancellation">Ends the search while it reads terms.</param>
    public QueryTranslator(IndexFields fields, IReadOnlySet<string>? boosts, ReadMeter? reads, CancellationToken cancellation)
    {
        _boosts = boosts ?? new HashSet<string>();
        _fields = fields;
        _reads = reads;
        _cancellation = cancellation;
        _values = new ValueQueries(fields);
    }

    /// <summary>The meters of the translated nodes, with those below them; empty when nothing is measured.</summary>
    public IReadOnlyList<NodeMeter> Meters => _meters;

    /// <summary>Translates a whole search, in which the factors of entries count.</summary>
    /// <exception cref="InvalidSearchException">A node cannot be run as it was given.</exception>
    public Query TranslateAll(SearchNode node)
    {
        Query query = Translate(node);
        return _boosts.Contains(BoostColumn.OfEntries) ? new BoostedQuery(query, BoostColumn.OfEntries) : query;
    }

    /// <exception cref="InvalidSearchException">A node cannot be run as it was given.</exception>
    public Query Translate(SearchNode node, int depth = 0)
    {
        if (depth > DepthMax)
        {
            throw new InvalidSearchException($"The search is nested deeper than {DepthMax}: simplify it.");
        }

        int before = _meters.Count;
        Query query = Combined(node, child => Translate(child, depth + 1)) ?? Boosted(Single(node), node);
        if (_reads is not { } reads)
        {
            return query;
        }

        (string name, string detail) = NodeText.Of(node);
        var meter = new NodeMeter(name, detail, _meters[before..], () => reads.Count);
        _meters.RemoveRange(before, _meters.Count - before);
        _meters.Add(meter);
        return new MeasuredQuery(query, meter);
    }

    private Query Boosted(Query query, SearchNode node) =>
        _boosts.Count > 0 && SearchTree.FieldOf(node) is { } field && BoostColumn.Of(field) is var column && _boosts.Contains(column)
            ? new BoostedQuery(query, column)
            : query;

    // A tree that stands for one node has one meter and one factor, which are those of the node.
    private Query Plain(SearchNode node) => Combined(node, Plain) ?? Single(node);

    private Query? Combined(SearchNode node, Func<SearchNode, Query> translate) => node switch
    {
        AndNode and => Clauses.All(and.Nodes.Select(translate)),
        OrNode or => Clauses.Any(or.Nodes.Select(translate)),
        OptionalNode optional => Clauses.Any(optional.Nodes.Select(translate).Prepend(Clauses.Boost(new MatchAllDocsQuery(), 0))),
        NotNode not => Clauses.Not(translate(not.Node)),
        BoostNode { Factor: >= 0 } boost => Clauses.Boost(translate(boost.Node), boost.Factor),
        BoostNode boost => throw new InvalidSearchException($"A boost of {boost.Factor} is not possible: use a factor of 0 or more."),
        IntersectNode { Nodes.Count: > 1 } intersect => new IntersectQuery([.. intersect.Nodes.Select(translate)], _cancellation),
        SimilarNode similar => new SimilarQuery(similar, similar.Source is null ? null : translate(similar.Source), _fields, _cancellation),
        IntersectNode => throw new InvalidSearchException("An intersection needs two conditions or more."),
        _ => null,
    };

    private Query Single(SearchNode node) => node switch
    {
        AllNode => new MatchAllDocsQuery(),
        NoneNode => new BooleanQuery(),
        TermNode term => _values.Equal(term.Field, term.Value),
        InNode list => Clauses.Any(list.Values.Select(value => _values.Equal(list.Field, value))),
        AllInNode list => Clauses.All(list.Values.Select(value => _values.Equal(list.Field, value))),
        RangeNode range => _values.Range(range),
        PrefixNode prefix => Terms(prefix, prefix.Field),
        SuffixNode suffix => Terms(suffix, suffix.Field),
        ContainsNode part => Terms(part, part.Field),
        WildcardNode wildcard => Terms(wildcard, wildcard.Field),
        RegexNode regex => Terms(regex, regex.Field),
        FuzzyNode fuzzy => PatternQueries.Near(fuzzy.Field, NearTerm.Of(fuzzy, _fields), _cancellation),
        NearNode near => PatternQueries.Near(near.Field, NearTerm.Of(near, _fields), _cancellation),
        FullTextNode text => Plain(FullText.Read(text, _fields)),
        PhraseNode phrase => TextQueries.Phrase(phrase),
        ClassicQueryNode text => new ClassicQueries(Single).Translate(ClassicQuery.Parse(text, _fields)),
        SpatialNode spatial => Spatial(spatial),
        HasVectorNode vector => new SingleTermQuery(new Term(IndexTerms.Present, IndexTerms.Nodes(vector.Field))),
        ScoredNode scored => new NodeQuery(scored.Field, scored.Scores),
        ExistsNode exists => new SingleTermQuery(new Term(IndexTerms.Present, exists.Field)),
        _ => throw new InvalidSearchException($"This engine does not run '{node.GetType().Name}' yet."),
    };

    private Query Terms(SearchNode node, string field) => PatternQueries.Terms(field, TermPattern.Of(node, _fields)!, _cancellation);

    private ConstantScoreQuery Spatial(SpatialNode node)
    {
        SpatialSettings settings = _fields.Find(node.Field).Spatial ?? SpatialSettings.OfEarth;
        Shape searched = SearchedShape.Of(node, settings, _cancellation);
        return new ConstantScoreQuery(new SpatialFilter(node.Field, settings, node.Relation, searched, _cancellation));
    }
}
