using Jackdaw.Search.Entries;
using Jackdaw.Search.Queries;
using Jackdaw.Search.Results;
using Jackdaw.Search.Vectors.Answers;
using Jackdaw.Search.Vectors.Graphs;
using Jackdaw.Search.Vectors.Recall;
using Jackdaw.Search.Vectors.Walks;

namespace Jackdaw.Search.Vectors;

/// <summary>One search that may have conditions on vectors, over all its pages. It finds the nearest vectors once, and asks the engine for their entries.
/// One thread at a time.</summary>
/// <remarks>
/// 1. A condition on vectors means: the entry has a vector, whose cosine with one of the query is not below the minimum.
/// 2. When the best hits by this one condition are wanted, a walk over the graph finds their nodes, with the other conditions as a filter. As many nodes are
/// asked for as the engine needs for the wanted entries. The total is exact without a minimum; with one it is the number that the walk found.
/// 3. Otherwise all vectors are compared, and the total is exact. So it is when entries have factors of their own, because the nearest need not be the best.
/// 4. Scores are kept for later pages, whose snapshots may have other vectors at the same nodes.
/// </remarks>
public sealed class VectorSearch
{
    /// <summary>More hits than this come from comparing all vectors.</summary>
    private const int WalkedMax = 4096;

    /// <summary>The candidates of a walk while the recall of a graph is not known.</summary>
    private const int DefaultWidth = 128;

    private readonly VectorSearchIndex _index;
    private readonly SearchNode _query;
    private readonly long _wanted;
    private (long Total, PlanNode Step)? _nearest; // what a walk found
    private bool _isResolved;

    /// <param name="query">The condition; it need not have conditions on vectors.</param>
    /// <param name="wanted">The number of hits that all pages together can have; <see cref="long.MaxValue"/> for all.</param>
    public VectorSearch(VectorSearchIndex index, SearchNode query, long wanted)
    {
        _index = index;
        _query = VectorCondition.WithDefaults(query, index.Defaults);
        _wanted = wanted;
        Resolved = _query;
        HasVectors = VectorCondition.IsIn(query);
    }

    /// <summary>Whether there is any condition on vectors.</summary>
    public bool HasVectors { get; }

    /// <summary>The condition without <see cref="VectorNode"/>s, for the other questions to the engine. It is the condition as given until the first search.
    /// </summary>
    public SearchNode Resolved { get; private set; }

    /// <summary>Searches a page.</summary>
    /// <param name="request">Its query is that of this search.</param>
    /// <exception cref="InvalidSearchException">A vector has other dimensions than the field.</exception>
    public SearchResults Search(Searcher searcher, SearchRequest request, CancellationToken cancellationToken)
    {
        if (HasVectors && !_isResolved)
        {
            bool isByScore = request.Sort.Count == 0 || request.Sort is [{ By: SortBy.Score, IsDescending: false }, ..];
            if (isByScore && request.Take > 0 && TryFindNearest(searcher, request, cancellationToken) is { } nearest)
            {
                return WithStep(nearest);
            }

            Resolve(searcher, cancellationToken);
        }

        return WithStep(searcher.Search(request with { Query = Resolved }, cancellationToken));
    }

    private SearchResults WithStep(SearchResults found) => _nearest is var (total, step)
        ? found with { Total = total, Plan = found.Plan with { Inputs = [.. found.Plan.Inputs, step] } }
        : found;

    /// <summary>Finds all vectors that match, for answers that count entries, such as facets.</summary>
    /// <exception cref="InvalidSearchException">A vector has other dimensions than the field.</exception>
    public void Resolve(Searcher searcher, CancellationToken cancellationToken)
    {
        if (HasVectors && !_isResolved)
        {
            Resolved = VectorCondition.Resolve(_query, node => Compare(searcher, node, cancellationToken));
            _isResolved = true;
        }
    }

    // Point 2 of the remarks. Null when all vectors must be compared.
    private SearchResults? TryFindNearest(Searcher searcher, SearchRequest request, CancellationToken cancellation)
    {
        if (_wanted > WalkedMax || searcher.HasBoosts || VectorCondition.Lone(_query, out IReadOnlyList<SearchNode> filter) is not { IsExact: false } vector
            || _index.Find(searcher.Transaction.Trees, vector.Field, out GraphHeader header) is not { } graph)
        {
            return null;
        }

        Check(vector, graph);
        var all = new HasVectorNode(vector.Field);
        NodeSet? allowed = filter.Count == 0 ? null : new NodeSet(header.Nodes);
        long matching = allowed is null
            ? searcher.Search(new SearchRequest(all, [], 0, 0), cancellation).Total
            : searcher.CollectNodes(new AndNode([.. filter, all]), vector.Field, allowed, cancellation);
        using GraphLease lease = graph.Rent(searcher.Transaction, header);
        return TryFindNearest(searcher, request, lease.Searcher, vector, allowed, matching, cancellation);
    }

    private SearchResults? TryFindNearest(
        Searcher searcher, SearchRequest request, GraphSearcher graph, VectorNode vector, NodeSet? allowed, long matching, CancellationToken cancellation)
    {
        long nodes = allowed?.Count ?? graph.View.Header.Live;
        long entries = Math.Min(_wanted, matching);
        RecallTable? recall = RecallTable.Read(searcher.Transaction.Trees, vector.Field);
        int width = vector.Candidates ?? recall?.Choose(_index.TargetOf(vector.Field)).Width ?? DefaultWidth;
        int before = -1;
        for (long count = Math.Max(1, entries); count <= WalkedMax; count *= 2)
        {
            Dictionary<uint, float> scores = Nearest(graph, vector, (int)count, width, allowed, out bool isCut, cancellation);
            SearchNode resolved = VectorCondition.Resolve(_query, _ => new ScoredNode(vector.Field, new FewScores(scores)));
            SearchResults found = searcher.Search(request with { Query = resolved }, cancellation);
            bool isAll = count >= nodes || (isCut && scores.Count == before);
            if (isAll || (vector.MinimumSimilarity is null && found.Total >= entries))
            {
                (Resolved, _isResolved) = (resolved, true);
                _nearest = (vector.MinimumSimilarity is null ? matching : found.Total,
                    new PlanNode("vector", $"{vector.Field}: {DescribeWay(graph, recall)}", scores.Count, TimeSpan.Zero, []));
                return found;
            }

            // A minimum is reached when a wider walk finds no more above it.
            (before, width) = isCut ? (scores.Count, 2 * width) : (-1, width);
        }

        return null;
    }

    private static string DescribeWay(GraphSearcher graph, RecallTable? recall) =>
        graph.Width is { } width ? $"{graph.Way}; {recall?.Describe(recall.At(width)) ?? RecallTable.Unknown}" : graph.Way;

    /// <param name="isCut">Whether the minimum left out some that were found, so that all others were found.</param>
    private static Dictionary<uint, float> Nearest(
        GraphSearcher graph, VectorNode vector, int count, int width, NodeSet? allowed, out bool isCut, CancellationToken cancellation)
    {
        var scores = new Dictionary<uint, float>();
        isCut = vector.MinimumSimilarity is not null;
        foreach (float[] query in vector.Vectors)
        {
            bool isCutHere = false;
            foreach (ulong key in graph.Find(query, count, width, allowed, cancellation))
            {
                float cosine = CosineOf(key);
                if (cosine < vector.MinimumSimilarity)
                {
                    isCutHere = true;
                    break;
                }

                uint node = NodeKey.Node(key);
                scores[node] = Math.Max(cosine, scores.GetValueOrDefault(node, float.NegativeInfinity));
            }

            isCut &= isCutHere;
        }

        return scores;
    }

    private static float CosineOf(ulong key) => Math.Clamp(1 - NodeKey.Distance(key), -1, 1);

    // Point 3 of the remarks.
    private SearchNode Compare(Searcher searcher, VectorNode vector, CancellationToken cancellation)
    {
        if (_index.Find(searcher.Transaction.Trees, vector.Field, out GraphHeader header) is not { } graph)
        {
            return new NoneNode();
        }

        Check(vector, graph);
        using GraphLease lease = graph.Rent(searcher.Transaction, header);
        float[] scores = new float[header.Nodes];
        float[] others = vector.Vectors.Count > 1 ? new float[header.Nodes] : [];
        lease.Searcher.FillCosines(vector.Vectors[0], scores, cancellation);
        foreach (float[] query in vector.Vectors.Skip(1))
        {
            lease.Searcher.FillCosines(query, others, cancellation);
            for (int node = 0; node < scores.Length; node++)
            {
                scores[node] = MathF.Max(scores[node], others[node]); // both are NaN, or none
            }
        }

        return new ScoredNode(vector.Field, new AllScores(scores, vector.MinimumSimilarity));
    }

    private static void Check(VectorNode vector, FieldGraph graph)
    {
        if (vector.Vectors.FirstOrDefault(query => query.Length != graph.Dimensions) is { } other)
        {
            throw new InvalidSearchException(
                $"A vector of the query has {Embedding.Count(other.Length)}, but the vectors of the field '{vector.Field}' have {graph.Dimensions:N0}.");
        }
    }
}
