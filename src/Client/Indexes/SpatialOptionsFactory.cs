#pragma warning disable CA1822 // Users write o.Geography.Default(): the factories are objects.

using Jackdaw.Client.Linq;

namespace Jackdaw.Client.Indexes;

/// <summary>Says how the shapes of a field are indexed.</summary>
public sealed class SpatialOptionsFactory
{
    internal SpatialOptionsFactory()
    {
    }

    /// <summary>Latitude and longitude.</summary>
    public GeographySpatialOptionsFactory Geography { get; } = new();

    /// <summary>A plane.</summary>
    public CartesianSpatialOptionsFactory Cartesian { get; } = new();
}

/// <summary>Fields of latitude and longitude.</summary>
public sealed class GeographySpatialOptionsFactory
{
    internal GeographySpatialOptionsFactory()
    {
    }

    /// <summary>Geohashes of 9 characters.</summary>
    public SpatialOptions Default(SpatialUnits units = SpatialUnits.Kilometers) => GeohashPrefixTreeIndex(9, units);

    /// <summary>The rectangle around each shape.</summary>
    public SpatialOptions BoundingBoxIndex(SpatialUnits units = SpatialUnits.Kilometers) =>
        new() { Strategy = SpatialIndexingStrategy.BoundingBox, MaxTreeLevel = 0, Units = units };

    /// <summary>Geohashes.</summary>
    /// <param name="maxTreeLevel">Characters of a hash.</param>
    public SpatialOptions GeohashPrefixTreeIndex(int maxTreeLevel, SpatialUnits units = SpatialUnits.Kilometers) =>
        new() { MaxTreeLevel = maxTreeLevel, Units = units };

    /// <summary>Squares within squares.</summary>
    /// <param name="maxTreeLevel">How often a square is divided.</param>
    public SpatialOptions QuadPrefixTreeIndex(int maxTreeLevel, SpatialUnits units = SpatialUnits.Kilometers) =>
        new() { Strategy = SpatialIndexingStrategy.QuadPrefixTree, MaxTreeLevel = maxTreeLevel, Units = units };
}

/// <summary>Fields of shapes in a plane.</summary>
public sealed class CartesianSpatialOptionsFactory
{
    internal CartesianSpatialOptionsFactory()
    {
    }

    /// <summary>The rectangle around each shape.</summary>
    public SpatialOptions BoundingBoxIndex() =>
        new() { Type = SpatialFieldType.Cartesian, Strategy = SpatialIndexingStrategy.BoundingBox, MaxTreeLevel = 0 };

    /// <summary>Squares within squares.</summary>
    /// <param name="maxTreeLevel">How often a square is divided.</param>
    public SpatialOptions QuadPrefixTreeIndex(int maxTreeLevel, SpatialBounds bounds) => new()
    {
        Type = SpatialFieldType.Cartesian,
        Strategy = SpatialIndexingStrategy.QuadPrefixTree,
        MaxTreeLevel = maxTreeLevel,
        MinX = bounds.MinX,
        MinY = bounds.MinY,
        MaxX = bounds.MaxX,
        MaxY = bounds.MaxY,
    };
}

/// <summary>The rectangle that all shapes of a field lie in.</summary>
public readonly record struct SpatialBounds(double MinX, double MinY, double MaxX, double MaxY);
