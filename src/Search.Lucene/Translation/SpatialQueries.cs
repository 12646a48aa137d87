using Jackdaw.Search.Entries;
using Jackdaw.Search.Lucene.Fields;
using Jackdaw.Search.Lucene.Matching;
using Jackdaw.Search.Queries;
using Jackdaw.Search.Spatial;
using Lucene.Net.Search;

namespace Jackdaw.Search.Lucene.Translation;

/// <summary>Queries of shapes.</summary>
internal static class SpatialQueries
{
    /// <summary>The largest error that a caller may accept: half of a distance.</summary>
    private const double ErrorPercentageMax = 0.5;

    public static Query Make(SpatialNode node, IndexFields fields, CancellationToken cancellation)
    {
        cancellation.ThrowIfCancellationRequested(); // a shape takes up to a second, and there may be many
        if (!(node.ErrorPercentage is >= 0 and <= ErrorPercentageMax))
        {
            throw new InvalidSearchException(
                $"An error of distances of {node.ErrorPercentage} is not possible: use a part of the whole, from 0 to {ErrorPercentageMax}.");
        }

        SpatialSettings settings = fields.Find(node.Field).Spatial ?? IndexTerms.Earth;
        try
        {
            Shape shape = node.Shape switch
            {
                CircleShape circle => ShapeReader.Circle(circle.Y, circle.X, circle.Radius, settings, circle.Unit),
                TextShape text => ShapeReader.Read(text.WellKnownText, settings, text.Unit),
                _ => throw new InvalidSearchException($"A shape of kind '{node.Shape.GetType().Name}' cannot be searched with."),
            };
            return new ConstantScoreQuery(new SpatialFilter(node.Field, settings, node.Relation, shape, cancellation));
        }
        catch (FormatException e)
        {
            throw new InvalidSearchException(e.Message, e);
        }
    }
}
