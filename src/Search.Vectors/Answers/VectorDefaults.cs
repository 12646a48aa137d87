namespace Jackdaw.Search.Vectors.Answers;

/// <summary>What searches of vectors get that do not say it themselves.</summary>
/// <param name="Candidates">Null: as many as the recall of the graph asks for.</param>
/// <param name="MinimumSimilarity">Null: every entry with a vector matches.</param>
public sealed record VectorDefaults(int? Candidates, float? MinimumSimilarity)
{
    public static VectorDefaults None { get; } = new(null, null);
}
