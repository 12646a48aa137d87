using System.Globalization;
using System.Text.Unicode;
using Jackdaw.Search.Results;

namespace Jackdaw.Queries.Searching;

/// <summary>What the metadata of a row says about its hit.</summary>
/// <param name="Score">How well it matches.</param>
/// <param name="Distance">Null unless rows are ordered by distance.</param>
internal readonly record struct HitMetadata(float Score, PlacedDistance? Distance)
{
    /// <summary>The most bytes of all members: their names, and four numbers of up to 24 characters.</summary>
    public const int BytesMax = 256;

    private static ReadOnlySpan<byte> ScoreName => ",\"@index-score\":"u8;

    /// <summary>Writes the members, each with a comma before it.</summary>
    /// <param name="members">Room for <see cref="BytesMax"/> bytes.</param>
    /// <returns>The length.</returns>
    public int Write(Span<byte> members)
    {
        ScoreName.CopyTo(members);

        // Boosts may multiply to infinity, for which JSON has no number.
        float score = float.IsFinite(Score) ? Score : 0;
        score.TryFormat(members[ScoreName.Length..], out int digits, "R", CultureInfo.InvariantCulture);
        int length = ScoreName.Length + digits;
        if (Distance is { } found)
        {
            Utf8.TryWrite(members[length..], CultureInfo.InvariantCulture,
                $",\"@spatial\":{{\"Distance\":{found.Distance:R},\"Latitude\":{found.Y:R},\"Longitude\":{found.X:R}}}", out int more);
            length += more;
        }

        return length;
    }
}
