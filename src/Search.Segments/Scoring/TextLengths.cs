using Jackdaw.Search.Segments.Reading;
using Jackdaw.Search.Segments.Storing;
using Jackdaw.Search.Segments.Writing;

namespace Jackdaw.Search.Segments.Scoring;

/// <summary>The lengths of the texts of a field in a segment, as factors of BM25.</summary>
internal readonly unsafe struct TextLengths
{
    private readonly ColumnReader _tokens;
    private readonly float* _factors; // for each code of a number of tokens

    private TextLengths(ColumnReader tokens, float* factors)
    {
        _tokens = tokens;
        _factors = factors;
    }

    public static TextLengths Open(SegmentView segment, int field, ScoreStatistics statistics)
    {
        var tokens = ColumnReader.Open(segment, field, PartKind.Norms, PartKind.NormRows);
        if (tokens.Exists)
        {
            tokens.RequirePlaces(TokenCounts.Codes);
        }

        float* factors = segment.Scratch.Take<float>(TokenCounts.Codes);
        float average = statistics.AverageOf(field);
        for (int code = 0; code < TokenCounts.Codes; code++)
        {
            factors[code] = ScoreStatistics.K1 * (1 - ScoreStatistics.B + (ScoreStatistics.B * TokenCounts.Decode(code) / average));
        }

        return new TextLengths(tokens, factors);
    }

    /// <summary>The share of a term's weight that an entry gets, from 0 to 1 + <see cref="ScoreStatistics.K1"/>.</summary>
    public float Saturate(int entry, int frequency)
    {
        float factor = _tokens.Exists && _tokens.TryRead(entry, out long code) ? _factors[code] : ScoreStatistics.K1;
        return frequency * (ScoreStatistics.K1 + 1) / (frequency + factor);
    }
}
