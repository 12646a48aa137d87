namespace Jackdaw.Search.Segments.Scoring;

/// <summary>What scores by BM25 (Robertson and Zaragoza 2009) need of the whole index. One search.</summary>
/// <param name="entries">The entries of the index, with those that are deleted.</param>
internal sealed class ScoreStatistics(long entries)
{
    /// <summary>How fast more of a word stop to count.</summary>
    public const float K1 = 1.2f;

    /// <summary>How much the length of a text counts.</summary>
    public const float B = 0.75f;

    private readonly Dictionary<int, (long Tokens, long Texts)> _lengths = [];

    public long Entries => entries;

    /// <summary>The weight of a term: rare ones count more.</summary>
    /// <param name="count">The entries that have it.</param>
    public float WeightOf(long count) => (float)Math.Log(1 + ((entries - count + 0.5) / (count + 0.5)));

    /// <summary>Adds the texts of a field in one segment.</summary>
    public void AddLengths(int field, long tokens, long texts)
    {
        (long knownTokens, long knownTexts) = _lengths.GetValueOrDefault(field);
        _lengths[field] = (knownTokens + tokens, knownTexts + texts);
    }

    /// <summary>The tokens that a text of a field has on average.</summary>
    public float AverageOf(int field) => _lengths.TryGetValue(field, out (long Tokens, long Texts) known) && known.Tokens > 0
        ? (float)known.Tokens / known.Texts
        : 1;
}
