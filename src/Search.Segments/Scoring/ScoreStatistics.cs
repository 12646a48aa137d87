using Jackdaw.Search.Segments.Memory;
using Jackdaw.Search.Segments.Writing;

namespace Jackdaw.Search.Segments.Scoring;

/// <summary>What scores by BM25 (Robertson and Zaragoza 2009) need of the whole index. One search.</summary>
/// <param name="entries">The entries of the index, with those that are deleted.</param>
/// <param name="arena">Memory that lives as long as the search.</param>
internal sealed unsafe class ScoreStatistics(long entries, Arena arena)
{
    /// <summary>How fast more of a word stop to count.</summary>
    public const float K1 = 1.2f;

    /// <summary>How much the length of a text counts.</summary>
    public const float B = 0.75f;

    private readonly Dictionary<int, FieldLengths> _lengths = [];

    public long Entries => entries;

    /// <summary>The weight of a term: rare ones count more.</summary>
    /// <param name="count">The entries that have it.</param>
    public float WeightOf(long count) => (float)Math.Log(1 + ((entries - count + 0.5) / (count + 0.5)));

    /// <summary>Adds the texts of a field in one segment.</summary>
    public void AddLengths(int field, long tokens, long texts)
    {
        FieldLengths known = _lengths.GetValueOrDefault(field);
        _lengths[field] = new FieldLengths { Tokens = known.Tokens + tokens, Texts = known.Texts + texts };
    }

    /// <summary>What is added to a frequency below the line, for each code of a number of tokens of a field. All texts were added before.</summary>
    public float* FactorsOf(int field)
    {
        FieldLengths lengths = _lengths.GetValueOrDefault(field);
        if (lengths.Factors != null)
        {
            return lengths.Factors;
        }

        float average = lengths.Tokens > 0 ? (float)lengths.Tokens / lengths.Texts : 1;
        lengths.Factors = arena.Take<float>(TokenCounts.Codes);
        for (int code = 0; code < TokenCounts.Codes; code++)
        {
            lengths.Factors[code] = K1 * (1 - B + (B * TokenCounts.Decode(code) / average));
        }

        _lengths[field] = lengths;
        return lengths.Factors;
    }

    private struct FieldLengths
    {
        public long Tokens;
        public long Texts;
        public float* Factors; // made at their first use
    }
}
