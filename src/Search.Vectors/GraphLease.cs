using Jackdaw.Search.Vectors.Graphs;

namespace Jackdaw.Search.Vectors;

/// <summary>A searcher of a graph that goes back to the graph when the lease ends.</summary>
internal readonly struct GraphLease(FieldGraph graph, GraphSearcher searcher) : IDisposable
{
    public GraphSearcher Searcher => searcher;

    public void Dispose() => graph.Return(searcher);
}
