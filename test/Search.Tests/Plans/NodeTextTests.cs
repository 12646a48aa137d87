using Jackdaw.Search.Plans;
using Jackdaw.Search.Queries;

namespace Jackdaw.Search.Tests.Plans;

/// <summary>What plans call conditions and orders.</summary>
public sealed class NodeTextTests
{
    [Fact]
    public void Of_EveryKindOfNode_HasAName()
    {
        // Searches replace nodes of vectors before an engine sees them.
        Type[] kinds = [.. typeof(SearchNode).Assembly.GetTypes().Where(type => type.IsSubclassOf(typeof(SearchNode)) && type != typeof(VectorNode))];
        Assert.True(kinds.Length > 20, $"{kinds.Length} kinds");
        SearchNode[] nodes = Nodes();
        Assert.Empty(kinds.Except(nodes.Select(node => node.GetType())));
        Assert.DoesNotContain(nodes, node => NodeText.Of(node).Name == node.GetType().Name || NodeText.Of(node).Name.Length == 0);
    }

    [Fact]
    public void Of_Nodes_ShowsWhatIsSearched() => Assert.Equal(
        [
            "all ", "none ", "term F = 'a'", "in F in (1, true)", "all in F all in (null)", "range 1 < F <= '2' (as text)", "prefix F: a*", "suffix F: *a",
            "contains F: *a*", "wildcard F: a?*", "regex F: /a/", "fuzzy F: a ~0.5", "fuzzy F: a within 2 edits",
            "phrase F: \"a b\" within 1", "text F: a b (all words)",
            "phrase F: \"a b\" within 2", "lucene F: +a", "within F: 1.5 around 2, 3", "intersects F: POINT(1 2)", "has vector F", "exists F",
            "and ", "or ", "optional ", "not ", "boost 1.5", "intersect by id", "similar ", "vectors F: 10 nearest",
        ],
        Nodes().Select(node => $"{NodeText.Of(node).Name} {NodeText.Of(node).Detail}"));

    [Fact]
    public void Of_LongLists_ShowsTheirBeginning()
    {
        SearchValue[] values = [.. Enumerable.Range(0, 9).Select(i => new LongValue(i, $"{i}"))];
        Assert.Equal("F in (0, 1, 2, 3, 4 and 4 more)", NodeText.Of(new InNode("F", values)).Detail);
        Assert.Equal("F in (0, 1, 2, 3, 4)", NodeText.Of(new InNode("F", values[..5])).Detail);
        var shape = new TextShape(new string('P', 101));
        Assert.Equal($"F: {new string('P', 100)}...", NodeText.Of(new SpatialNode("F", SpatialRelation.Within, shape)).Detail);
    }

    [Theory]
    [InlineData(SortBy.Score, "", false, "score")]
    [InlineData(SortBy.Text, "Name", true, "Name as text desc")]
    [InlineData(SortBy.AlphaNumeric, "Name", false, "Name as alphanumeric")]
    public void Of_Order_NamesFieldAndKind(SortBy by, string field, bool isDescending, string text) =>
        Assert.Equal(text, NodeText.Of(new SortKey(by, field, isDescending)));

    private static SearchNode[] Nodes() =>
    [
        new AllNode(), new NoneNode(), new TermNode("F", new TextValue("a")), new InNode("F", [new LongValue(1, "1"), new BooleanValue(true)]),
        new AllInNode("F", [new NullValue()]), new RangeNode("F", RangeKind.Text, new LongValue(1, "1"), false, new DateValue("2", 2), true),
        new PrefixNode("F", "a"), new SuffixNode("F", "a"), new ContainsNode("F", "a"), new WildcardNode("F", "a?*"), new RegexNode("F", "a"),
        new FuzzyNode("F", "a", 0.5f), new NearNode("F", "a", 2),
        new FullTextNode("F", "a b", WordOperator.And, 1), new FullTextNode("F", "a b", WordOperator.And),
        new PhraseNode("F", [new PhraseWord("a", 0), new PhraseWord("b", 1)], 2), new ClassicQueryNode("F", "+a"),
        new SpatialNode("F", SpatialRelation.Within, new CircleShape(1.5, 2, 3)),
        new SpatialNode("F", SpatialRelation.Intersects, new TextShape("POINT(1 2)")), new HasVectorNode("F"), new ExistsNode("F"),
        new AndNode([]), new OrNode([]), new OptionalNode([]), new NotNode(new AllNode()), new BoostNode(new AllNode(), 1.5f), new IntersectNode([]),
        new SimilarNode(null, [], new SimilarOptions()), new ScoredNode("F", new Scored()),
    ];

    private sealed class Scored : NodeScores
    {
        public override uint[]? Nodes => null;

        public override bool TryGet(uint node, out float score)
        {
            score = 0;
            return false;
        }

        public override string Describe() => "10 nearest";
    }
}
