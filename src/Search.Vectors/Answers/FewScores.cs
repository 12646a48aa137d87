using System.Globalization;
using Jackdaw.Search.Queries;

namespace Jackdaw.Search.Vectors.Answers;

/// <summary>The scores of the nodes that a search has found. Immutable.</summary>
internal sealed class FewScores : NodeScores
{
    private readonly uint[] _nodes;
    private readonly float[] _scores;

    /// <param name="scores">By node.</param>
    public FewScores(IReadOnlyDictionary<uint, float> scores)
    {
        _nodes = [.. scores.Keys.Order()];
        _scores = [.. _nodes.Select(node => scores[node])];
    }

    public override uint[]? Nodes => _nodes;

    public override bool TryGet(uint node, out float score)
    {
        int index = Array.BinarySearch(_nodes, node);
        score = index >= 0 ? _scores[index] : 0;
        return index >= 0;
    }

    public override string Describe() => string.Create(CultureInfo.InvariantCulture, $"{_nodes.Length} nearest");
}
