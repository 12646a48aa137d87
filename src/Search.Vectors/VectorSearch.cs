using Jackdaw.Search.Queries;
using Jackdaw.Search.Results;
using Jackdaw.Search.Vectors.Answers;
using Jackdaw.Search.Vectors.Graphs;
using Jackdaw.Search.Vectors.Walks;

namespace Jackdaw.Search.Vectors;

/// <summary>One search that may have conditions on vectors, over all its pages. It finds the nearest vectors once, and asks the engine for their entries.
/// One thread at a time.</summary>
/// <remarks>
/// 1. A condition on vectors means: the entry has a vector, whose cosine with one of the query is not below the minimum. So totals are exact.
/// 2. When the best hits by this one condition are wanted, a walk over the graph finds their nodes, with the other conditions as a filter. As many nodes are
/// asked for as the engine needs for the wanted entries.
/// 3. Otherwise all vectors are compared.
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
    private readonly List<PlanNode> _steps = [];
    private long? _total;
    private bool _isResolved;

    /// <param name="query">The condition; it need not have conditions on vectors.</param>
    /// <param name="wanted">The number of hits that all pages together can have; <see cref="long.MaxValue"/> for all.</param>
    public VectorSearch(VectorSearchIndex index, SearchNode query, long wanted)
    {
        _index = index;
        _query = VectorCondition.WithDefaults(query, index.Defaults);
        _wanted = wanted;
        Resolved = _query;
        HasVectors = VectorCondition.In(query).Any();
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
            if (!isByScore || request.Take == 0 || !TryFindNearest(searcher, cancellationToken))
            {
                Resolve(searcher, cancellationToken);
            }
        }

        SearchResults found = searcher.Search(request with { Query = Resolved }, cancellationToken);
        return _total is { } total
            ? found with { Total = total, Plan = found.Plan with { Inputs = [.. found.Plan.Inputs, .. _steps] } }
            : found;
    }

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

    // Point 2 of the remarks.
    private bool TryFindNearest(Searcher searcher, CancellationToken cancellation)
    {
        if (_wanted > WalkedMax || VectorCondition.Lone(_query, out IReadOnlyList<SearchNode> filter) is not { IsExact: false } vector
            || _index.Find(searcher.Transaction.Trees, vector.Field, out GraphHeader header) is not { } graph)
        {
            return false;
        }

        Check(vector, graph);
        SearchNode all = filter.Count == 0 ? new HasVectorNode(vector.Field) : new AndNode([.. filter, new HasVectorNode(vector.Field)]);
        long matching = searcher.Search(new SearchRequest(all, [], 0, 0), cancellation).Total;
        NodeSet? allowed = Filter(searcher, filter, all, vector.Field, header, cancellation);
        GraphSearcher graphSearcher = graph.Rent(searcher.Transaction, header);
        try
        {
            return TryFindNearest(searcher, graphSearcher, vector, allowed, matching, cancellation);
        }
        finally
        {
            graph.Return(graphSearcher);
        }
    }

    private bool TryFindNearest(
        Searcher searcher, GraphSearcher graph, VectorNode vector, NodeSet? allowed, long matching, CancellationToken cancellation)
    {
        long nodes = allowed?.Count ?? graph.View.Header.Live;
        long entries = Math.Min(_wanted, matching);
        int width = vector.Candidates ?? _index.WidthOf(searcher.Transaction.Trees, vector.Field) ?? DefaultWidth;
        int before = -1;
        for (long count = Math.Max(1, entries); count <= WalkedMax; count *= 2)
        {
            Dictionary<uint, float> scores = Nearest(graph, vector, (int)count, width, allowed, out bool isCut, cancellation);
            SearchNode resolved = VectorCondition.Resolve(_query, _ => new ScoredNode(vector.Field, new FewScores(scores)));
            long found = entries == 0 ? 0 : searcher.Search(new SearchRequest(resolved, [], 0, 0), cancellation).Total;
            bool isAll = count >= nodes || (isCut && scores.Count == before);
            if (isAll || (vector.MinimumSimilarity is null && found >= entries))
            {
                (Resolved, _isResolved, _total) = (resolved, true, vector.MinimumSimilarity is null ? matching : found);
                _steps.Add(new PlanNode("vector", $"{vector.Field}: {graph.Way}", scores.Count, TimeSpan.Zero, []));
                return true;
            }

            // A minimum is reached when a wider walk finds no more above it.
            (before, width) = isCut ? (scores.Count, 2 * width) : (-1, width);
        }

        return false;
    }

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

    private static NodeSet? Filter(
        Searcher searcher, IReadOnlyList<SearchNode> filter, SearchNode all, string field, in GraphHeader header, CancellationToken cancellation)
    {
        if (filter.Count == 0)
        {
            return null;
        }

        var nodes = new NodeSet(header.Nodes);
        searcher.CollectNodes(all, field, nodes, cancellation);
        return nodes;
    }

    // Point 3 of the remarks.
    private SearchNode Compare(Searcher searcher, VectorNode vector, CancellationToken cancellation)
    {
        if (_index.Find(searcher.Transaction.Trees, vector.Field, out GraphHeader header) is not { } graph)
        {
            return new NoneNode();
        }

        Check(vector, graph);
        GraphSearcher graphSearcher = graph.Rent(searcher.Transaction, header);
        try
        {
            float[] scores = new float[header.Nodes];
            float[] others = vector.Vectors.Count > 1 ? new float[header.Nodes] : [];
            graphSearcher.FillCosines(vector.Vectors[0], scores, null, cancellation);
            foreach (float[] query in vector.Vectors.Skip(1))
            {
                graphSearcher.FillCosines(query, others, null, cancellation);
                for (int node = 0; node < scores.Length; node++)
                {
                    scores[node] = MathF.Max(scores[node], others[node]); // both are NaN, or none
                }
            }

            return new ScoredNode(vector.Field, new AllScores(scores, vector.MinimumSimilarity));
        }
        finally
        {
            graph.Return(graphSearcher);
        }
    }

    private static void Check(VectorNode vector, FieldGraph graph)
    {
        if (vector.Vectors.FirstOrDefault(query => query.Length != graph.Dimensions) is { } other)
        {
            throw new InvalidSearchException(
                $"A vector of the query has {other.Length} dimensions, but those of field '{vector.Field}' have {graph.Dimensions}.");
        }
    }
}
