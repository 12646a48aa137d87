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

        return new TextLengths(tokens, statistics.FactorsOf(field));
    }

    /// <summary>The share of a term's weight that an entry gets, from 0 to 1 + <see cref="ScoreStatistics.K1"/>.</summary>
    public float Saturate(int entry, int frequency) => Saturate(FactorOf(entry), frequency);

    /// <summary>Adds the scores of a term.</summary>
    /// <param name="entries">Those that are scored, in order.</param>
    /// <param name="places">The places of those that have the term.</param>
    /// <param name="frequencies">How often each of these has the term.</param>
    /// <param name="count">Those that have the term.</param>
    /// <param name="scores">One for each of the entries.</param>
    public void AddScores(int* entries, int* places, int* frequencies, int count, float weight, float* scores)
    {
        if (_tokens.Exists && _tokens.HasAll && _tokens.Head.Width == 1)
        {
            AddScoresOfBytes(entries, places, frequencies, count, weight, scores);
            return;
        }

        for (int i = 0; i < count; i++)
        {
            scores[places[i]] += weight * Saturate(FactorOf(entries[places[i]]), frequencies[i]);
        }
    }

    // Each entry has a text, whose length is a byte.
    private void AddScoresOfBytes(int* entries, int* places, int* frequencies, int count, float weight, float* scores)
    {
        int chunk = -1;
        byte* rows = null;
        int least = (int)_tokens.Head.Least;
        for (int i = 0; i < count; i++)
        {
            int place = places[i], entry = entries[place];
            if (entry >> ColumnHead.ChunkShift != chunk)
            {
                chunk = entry >> ColumnHead.ChunkShift;
                rows = _tokens.Chunk(chunk);
            }

            float factor = _factors[(byte)(least + rows[entry & (ColumnHead.ChunkRows - 1)])]; // there is one for each byte
            scores[place] += weight * Saturate(factor, frequencies[i]);
        }
    }

    private static float Saturate(float factor, int frequency) => frequency * (ScoreStatistics.K1 + 1) / (frequency + factor);

    private float FactorOf(int entry) => _tokens.Exists && _tokens.TryRead(entry, out long code) ? _factors[code] : ScoreStatistics.K1;
}
