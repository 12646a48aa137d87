using System.Globalization;
using Jackdaw.Search.Queries;

namespace Jackdaw.Search.Vectors.Answers;

/// <summary>A score for each node of a graph; nodes without one are NaN. Immutable.</summary>
internal sealed class AllScores(float[] scores, float? minimum) : NodeScores
{
    public override uint[]? Nodes => null;

    public override bool TryGet(uint node, out float score)
    {
        score = node < scores.Length ? scores[node] : float.NaN;
        return score >= (minimum ?? float.NegativeInfinity);
    }

    public override string Describe() =>
        minimum is null ? "all" : string.Create(CultureInfo.InvariantCulture, $"all with a cosine from {minimum} on");
}
