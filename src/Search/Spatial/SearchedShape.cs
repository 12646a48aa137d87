using Jackdaw.Search.Entries;
using Jackdaw.Search.Queries;

namespace Jackdaw.Search.Spatial;

/// <summary>Makes the shapes that searches compare with.</summary>
public static class SearchedShape
{
    /// <summary>The largest error that a caller may accept: half of a distance.</summary>
    private const double ErrorPercentageMax = 0.5;

    /// <summary>The shape of a condition. It takes up to a second.</summary>
    /// <param name="settings">Those of the field of the condition.</param>
    /// <exception cref="InvalidSearchException">The condition has no shape that can be searched with.</exception>
    public static Shape Of(SpatialNode node, SpatialSettings settings, CancellationToken cancellation)
    {
        cancellation.ThrowIfCancellationRequested(); // there may be many shapes
        if (!(node.ErrorPercentage is >= 0 and <= ErrorPercentageMax))
        {
            throw new InvalidSearchException(
                $"An error of distances of {node.ErrorPercentage} is not possible: use a part of the whole, from 0 to {ErrorPercentageMax}.");
        }

        try
        {
            return node.Shape switch
            {
                CircleShape circle => ShapeReader.Circle(circle.Y, circle.X, circle.Radius, settings, circle.Unit),
                TextShape text => ShapeReader.Read(text.WellKnownText, settings, text.Unit),
                _ => throw new InvalidSearchException($"A shape of kind '{node.Shape.GetType().Name}' cannot be searched with."),
            };
        }
        catch (FormatException e)
        {
            throw new InvalidSearchException(e.Message, e);
        }
    }
}
