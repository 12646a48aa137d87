using Jackdaw.Search.Entries;

namespace Jackdaw.Indexing.Definitions.Model;

/// <summary>How one field is indexed. An option that is null has the value of <see cref="IndexDefinition.AllFields"/>, or else the
/// default.</summary>
internal sealed record IndexFieldOptions
{
    public string? Analyzer { get; init; }

    public FieldIndexingOption? Indexing { get; init; }

    public bool? IsStored { get; init; }

    public bool? Suggestions { get; init; }

    public FieldTermVectorOption? TermVector { get; init; }

    public SpatialOptions? Spatial { get; init; }

    public VectorOptions? Vector { get; init; }

    /// <summary>These options, with the values of others where these are null.</summary>
    public IndexFieldOptions Over(IndexFieldOptions? other) => other is null ? this : new IndexFieldOptions
    {
        Analyzer = Analyzer ?? other.Analyzer,
        Indexing = Indexing ?? other.Indexing,
        IsStored = IsStored ?? other.IsStored,
        Suggestions = Suggestions ?? other.Suggestions,
        TermVector = TermVector ?? other.TermVector,
        Spatial = Spatial ?? other.Spatial,
        Vector = Vector ?? other.Vector,
    };
}

/// <summary>How the shapes of a field are indexed.</summary>
internal sealed record SpatialOptions
{
    public SpatialFieldType Type { get; init; } = SpatialFieldType.Geography;

    public SpatialStrategy Strategy { get; init; } = SpatialStrategy.GeohashPrefixTree;

    /// <summary>Precision: 9 for geohashes (5 m), 23 for quads.</summary>
    public int MaxTreeLevel { get; init; } = 9;

    public double MinX { get; init; } = -180;

    public double MaxX { get; init; } = 180;

    public double MinY { get; init; } = -90;

    public double MaxY { get; init; } = 90;

    public SpatialUnits Units { get; init; } = SpatialUnits.Kilometers;
}

/// <summary>How the vectors of a field are indexed. Null means the default of the configuration.</summary>
internal sealed record VectorOptions
{
    public int? Dimensions { get; init; }

    public EmbeddingType SourceEmbeddingType { get; init; } = EmbeddingType.Single;

    public EmbeddingType DestinationEmbeddingType { get; init; } = EmbeddingType.Single;

    public int? NumberOfCandidatesForIndexing { get; init; }

    public int? NumberOfEdges { get; init; }

    /// <summary>The share of the ten nearest that a search is to find; null: 0.95.</summary>
    public double? TargetRecall { get; init; }
}
