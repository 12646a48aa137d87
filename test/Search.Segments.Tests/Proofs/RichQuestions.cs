using System.Globalization;
using System.Text;
using Jackdaw.Search.Queries;
using Jackdaw.Search.Results;
using Jackdaw.Search.Tests;
using SortKey = Jackdaw.Search.Queries.SortKey;

namespace Jackdaw.Search.Segments.Tests.Proofs;

/// <summary>Everything that can be asked of <see cref="RichEntries"/>: each kind of condition, order and answer. The answers are texts.</summary>
internal static class RichQuestions
{
    private static readonly TextValue s_group = new("group1");

    private static readonly SearchNode[] s_nodes =
    [
        new AllNode(),
        new TermNode("Few", s_group),
        new TermNode("Many", new TextValue("everythird")),
        new TermNode("Many", new TextValue("shared prefix 77")),
        new TermNode("Text", new TextValue("the")),
        new TermNode("Text", new TextValue("fox3")),
        new InNode("Few", [s_group, new TextValue("group2"), new NullValue()]),
        new AllInNode("Many", [new TextValue("everythird"), new TextValue("shared prefix 300")]),
        new PrefixNode("Many", "shared prefix 1"),
        new SuffixNode("Many", "9"),
        new ContainsNode("Many", "ix 2"),
        new WildcardNode("Few", "gr?up*"),
        new RegexNode("Many", "[13]{2}$"),
        new FuzzyNode("Few", "groupe1", 0.5f),
        new FullTextNode("Text", "brown fox7", WordOperator.And),
        new FullTextNode("Text", "\"lazy dogs\" word5", WordOperator.Or),
        new FullTextNode("Text", "quick dogs", WordOperator.Or, 6),
        new PhraseNode("Text", [new PhraseWord("red", 0), new PhraseWord("red", 1), new PhraseWord("fox10", 2)], 1),
        new ClassicQueryNode("Text", "+quick -brown fox1*"),
        new RangeNode("Whole", RangeKind.Long, new LongValue(100, "100"), true, new LongValue(500, "500"), false),
        new RangeNode("Broken", RangeKind.Double, new DoubleValue(1.5, "1.5"), true, null, false),
        new RangeNode("Mixed", RangeKind.Double, new DoubleValue(2, "2"), true, new DoubleValue(4.5, "4.5"), true),
        new RangeNode("Date", RangeKind.Long, new DateValue("2020-03-01", new DateTime(2020, 3, 1).Ticks), true, null, false),
        new RangeNode("Many", RangeKind.Text, new TextValue("shared prefix 2"), true, new TextValue("shared prefix 4"), true),
        new ExistsNode("Sparse"),
        new TermNode("Sparse", new NullValue()),
        new PrefixNode("Long", "aaa"),
        new ContainsNode("Long", "b11"),
        new SpatialNode("Place", SpatialRelation.Within, new CircleShape(3000, 20, 20)),
        new SpatialNode("Place", SpatialRelation.Disjoint, new TextShape("POLYGON((-50 -50, 50 -50, 50 50, -50 50, -50 -50))")),
        new HasVectorNode("Vector"),
        new ScoredNode("Vector", new Scores([3, 9, 27, 120])),
        new ScoredNode("Vector", new Scores(null)),
        new IntersectNode([new TermNode("Few", s_group), new TermNode("Sparse", new TextValue("x1"))]),
        new AndNode(
            [new FullTextNode("Text", "the", WordOperator.Or), new TermNode("Few", s_group), new NotNode(new TermNode("Text", new TextValue("brown")))]),
        new AndNode([new RangeNode("Whole", RangeKind.Long, new LongValue(10, "10"), true, null, false), new OptionalNode([new TermNode("Few", s_group)])]),
        new OrNode([new TermNode("Many", new TextValue("shared prefix 12")), new BoostNode(new FullTextNode("Text", "fox12", WordOperator.Or), 2)]),
    ];

    private static readonly SortKey[][] s_orders =
    [
        [],
        [new SortKey(SortBy.Score)],
        [new SortKey(SortBy.Text, "Few"), new SortKey(SortBy.Text, "Many", true)],
        [new SortKey(SortBy.Text, "Text")],
        [new SortKey(SortBy.Text, "DateOrText", false, NullOrder.Last)],
        [new SortKey(SortBy.Text, "Date", true)],
        [new SortKey(SortBy.Long, "Whole")],
        [new SortKey(SortBy.Double, "Mixed", true), new SortKey(SortBy.Id)],
        [new SortKey(SortBy.AlphaNumeric, "Many")],
        [new SortKey(SortBy.Random) { Seed = 5 }],
        [new SortKey(SortBy.Distance, "Place") { Y = 10, X = 10 }],
    ];

    /// <summary>All questions, by name.</summary>
    public static IReadOnlyList<(string Name, Func<Searcher, string> Ask)> All { get; } = [.. Searches(), .. Others()];

    private static IEnumerable<(string, Func<Searcher, string>)> Searches()
    {
        for (int i = 0; i < s_nodes.Length; i++)
        {
            SearchNode node = s_nodes[i];
            SortKey[] order = s_orders[i % s_orders.Length];
            bool hasScores = i % 3 == 0;
            int take = i % 2 == 0 ? 1000 : 15;
            yield return ($"{node} by {string.Join<SortKey>(',', order)}", searcher => Hits(searcher, node, order, take, hasScores));
        }

        foreach (SortKey[] order in s_orders)
        {
            yield return ($"all by {string.Join<SortKey>(',', order)}", searcher => Hits(searcher, new AllNode(), order, 25, false));
            SearchNode half = new NotNode(new TermNode("Few", s_group));
            yield return ($"half by {string.Join<SortKey>(',', order)}", searcher => Hits(searcher, half, order, 20, true));
        }
    }

    private static IEnumerable<(string, Func<Searcher, string>)> Others()
    {
        yield return ("stored", searcher => string.Join('|', Ordinals(searcher).SelectMany(ordinal => searcher.ReadTexts(ordinal))));
        yield return ("terms of entries", searcher =>
            string.Join('|', searcher.ReadTerms([.. Ordinals(searcher)], default).Select(terms => string.Join(',', terms))));
        foreach (string field in new[] { "Few", "Many", "Text", "Whole", "Sparse" })
        {
            yield return ("terms of " + field, searcher => string.Join('|', searcher.ListTerms(field, null, 3000)));
            yield return ("facets of " + field, searcher => Facets(searcher, new FacetRequest(field, [], [])));
        }

        FacetAggregation[] sums = [new(FacetFunction.Sum, "Whole"), new(FacetFunction.Average, "Mixed")];
        yield return ("sums of Few", searcher => Facets(searcher, new FacetRequest("Few", [], sums)));
        yield return ("ranges", searcher => Facets(searcher, new FacetRequest(null, [s_nodes[19], s_nodes[20]], sums)));
        yield return ("suggestions", searcher => string.Join('|', searcher.Suggest(
            new SuggestionRequest("Few", ["groop1"], 5, SimilarityMeasure.Levenshtein, 0.4, true), default)));
        yield return ("nodes", Nodes);
        yield return ("explanation", searcher => searcher.Explain(
            new OrNode([s_nodes[4], s_nodes[15], s_nodes[1]]), Ordinals(searcher).FirstOrDefault(), default));
        yield return ("distance", searcher => string.Join('|', Ordinals(searcher).Select(ordinal => searcher.DistanceOf(ordinal, s_orders[10][0]))));
        yield return ("snapshot", Snapshot);
        var options = new SimilarOptions { TermFrequencyMin = 1, DocumentFrequencyMin = 1 };
        yield return ("similar", searcher => Hits(
            searcher, new SimilarNode(new TermNode("Many", new TextValue("shared prefix 24")), [], options), [], 20, true));
        yield return ("fields", searcher =>
            $"{string.Join(',', searcher.ListFields().Concat(searcher.ListIndexedFields()))} {searcher.EntryCount} {searcher.HasBoosts}");
    }

    private static string Nodes(Searcher searcher)
    {
        var nodes = new NodeSet(200);
        return $"{searcher.CollectNodes(new TermNode("Few", s_group), "Vector", nodes, default)} {nodes.Count}";
    }

    private static string Snapshot(Searcher searcher)
    {
        using SearchSnapshot snapshot = searcher.Keep();
        using Searcher later = snapshot.BeginSearch();
        return Hits(later, s_nodes[6], s_orders[2], 40, false);
    }

    private static IEnumerable<int> Ordinals(Searcher searcher) =>
        searcher.Search(new SearchRequest(new AllNode(), [], 0, 1000), default).Hits.Where((_, i) => i % 23 == 0).Select(hit => hit.Ordinal);

    private static string Hits(Searcher searcher, SearchNode node, IReadOnlyList<SortKey> order, int take, bool hasScores)
    {
        SearchResults found = searcher.Search(new SearchRequest(node, order, 0, take) { WithScores = hasScores }, default);
        var text = new StringBuilder().Append(found.Total);
        foreach (SearchHit hit in found.Hits)
        {
            text.Append(' ').Append(hit.IdText()).Append(hasScores ? hit.Score.ToString("R", CultureInfo.InvariantCulture) : "");
        }

        return text.ToString();
    }

    private static string Facets(Searcher searcher, FacetRequest request)
    {
        IReadOnlyList<FacetBucket> buckets = searcher.CountFacets(s_nodes[20], request, out long total, default);
        return total + ": " + string.Join('|', buckets.Select(bucket => $"{bucket.Term} {bucket.Count} {string.Join(',', bucket.Values)}"));
    }

    private sealed class Scores(uint[]? nodes) : NodeScores
    {
        public override uint[]? Nodes => nodes;

        public override bool TryGet(uint node, out float score)
        {
            score = 1f / (1 + node);
            return nodes is null || nodes.Contains(node);
        }

        public override string Describe() => "scores";
    }
}
