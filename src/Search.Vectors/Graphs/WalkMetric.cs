using System.Runtime.CompilerServices;

namespace Jackdaw.Search.Vectors.Graphs;

/// <summary>What a walk compares. The walk is compiled for each metric.</summary>
internal interface IWalkMetric
{
    /// <summary>1 minus the cosine of what is looked for and a node.</summary>
    float Distance(GraphView graph, uint node);
}

/// <summary>Compares codes.</summary>
internal readonly unsafe struct CodeMetric(byte* query) : IWalkMetric
{
    private readonly byte* _query = query;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public float Distance(GraphView graph, uint node) => graph.CodeDistance(_query, node);
}

/// <summary>Compares vectors.</summary>
internal readonly unsafe struct VectorMetric(float* vector, byte* query) : IWalkMetric
{
    private readonly float* _vector = vector;
    private readonly byte* _query = query;

    public float Distance(GraphView graph, uint node) => graph.VectorDistance(_vector, _query, node);
}
