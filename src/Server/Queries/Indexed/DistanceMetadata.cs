using System.Globalization;
using System.Text;
using Jackdaw.Search.Results;

namespace Jackdaw.Server.Queries.Indexed;

/// <summary>Distances by which rows are ordered, as clients read them in the metadata.</summary>
internal static class DistanceMetadata
{
    /// <returns>A member with a comma before it; empty without a distance.</returns>
    public static byte[] Write(PlacedDistance? distance) => distance is { } found
        ? Encoding.ASCII.GetBytes(string.Create(CultureInfo.InvariantCulture,
            $",\"@spatial\":{{\"Distance\":{found.Distance:R},\"Latitude\":{found.Y:R},\"Longitude\":{found.X:R}}}"))
        : [];
}
