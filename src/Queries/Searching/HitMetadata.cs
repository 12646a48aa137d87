using System.Globalization;
using System.Text.Unicode;
using Jackdaw.Search.Results;

namespace Jackdaw.Queries.Searching;

/// <summary>The metadata of a row about its hit: how well it matches, and its distance when rows are ordered by distance.</summary>
internal static class HitMetadata
{
    /// <summary>The most bytes of all members: their names, and four numbers of up to 24 characters.</summary>
    private const int BytesMax = 256;

    /// <returns>Members, each with a comma before it.</returns>
    public static byte[] Write(float score, PlacedDistance? distance)
    {
        Span<byte> members = stackalloc byte[BytesMax];

        // Boosts may multiply to infinity, for which JSON has no number.
        Utf8.TryWrite(members, CultureInfo.InvariantCulture, $",\"@index-score\":{(float.IsFinite(score) ? score : 0):R}", out int length);
        if (distance is { } found)
        {
            Utf8.TryWrite(members[length..], CultureInfo.InvariantCulture,
                $",\"@spatial\":{{\"Distance\":{found.Distance:R},\"Latitude\":{found.Y:R},\"Longitude\":{found.X:R}}}", out int more);
            length += more;
        }

        return members[..length].ToArray();
    }
}
