using Jackdaw.Client.Linq;

namespace Jackdaw.Client.Indexes;

/// <summary>What coordinates mean.</summary>
public enum SpatialFieldType
{
    /// <summary>Latitude and longitude.</summary>
    Geography,

    /// <summary>A plane.</summary>
    Cartesian,
}

/// <summary>How shapes are made into terms.</summary>
public enum SpatialIndexingStrategy
{
    GeohashPrefixTree,
    QuadPrefixTree,
    BoundingBox,
}

/// <summary>How the shapes of a field are indexed.</summary>
public sealed class SpatialOptions
{
    /// <summary>What coordinates mean.</summary>
    public SpatialFieldType Type { get; set; } = SpatialFieldType.Geography;

    /// <summary>How shapes are made into terms.</summary>
    public SpatialIndexingStrategy Strategy { get; set; } = SpatialIndexingStrategy.GeohashPrefixTree;

    /// <summary>Precision: 9 for geohashes are 5 m, 23 for quads.</summary>
    public int MaxTreeLevel { get; set; } = 9;

    /// <summary>Smallest x, or longitude.</summary>
    public double MinX { get; set; } = -180;

    /// <summary>Largest x, or longitude.</summary>
    public double MaxX { get; set; } = 180;

    /// <summary>Smallest y, or latitude.</summary>
    public double MinY { get; set; } = -90;

    /// <summary>Largest y, or latitude.</summary>
    public double MaxY { get; set; } = 90;

    /// <summary>Units of distances in queries.</summary>
    public SpatialUnits Units { get; set; } = SpatialUnits.Kilometers;
}
