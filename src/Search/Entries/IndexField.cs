using System.Collections.Immutable;
using System.Text.Json.Serialization;

namespace Jackdaw.Search.Entries;

/// <summary>How the values of a field are searched.</summary>
public enum IndexingMode
{
    /// <summary>Whole values without regard to case: one term for each, in lower case.</summary>
    Keyword,

    /// <summary>Whole values with regard to case.</summary>
    Exact,

    /// <summary>Full text: the terms that an analyzer makes of the text, with their positions.</summary>
    Text,

    /// <summary>The field is not searched, only stored.</summary>
    None,
}

/// <summary>Units of distances.</summary>
public enum DistanceUnit
{
    Kilometers,
    Miles,
}

/// <summary>The earth or the plane on which the shapes of a field lie. Immutable.</summary>
/// <param name="IsGeography">True: on the earth, in degrees, where x is the longitude. False: in a plane, where distances are those of its numbers.</param>
/// <param name="Unit">The unit of radii and distances that name none; on the earth only.</param>
/// <param name="MinX">The bounds of a plane. Shapes outside them are found too, but more slowly. On the earth -180, 180, -90, 90.</param>
public sealed record SpatialSettings(
    bool IsGeography = true, DistanceUnit Unit = DistanceUnit.Kilometers,
    double MinX = -180, double MaxX = 180, double MinY = -90, double MaxY = 90)
{
    /// <summary>The settings of fields of shapes that have none of their own.</summary>
    public static SpatialSettings OfEarth { get; } = new();

    /// <summary>Whether an entry has the bounding box of a shape in its place. The searched shape is taken as it is.</summary>
    public bool KeepsBoxes { get; init; }
}

/// <summary>What the numbers of a vector are.</summary>
public enum EmbeddingType
{
    /// <summary>Numbers of 32 bits.</summary>
    Single,

    /// <summary>Whole numbers from -128 to 127.</summary>
    Int8,

    /// <summary>Bits, eight in a byte, the lowest bit first. A bit that is set counts as 1, another as -1.</summary>
    Binary,
}

/// <summary>How the vectors of a field are kept and found. Immutable.</summary>
public sealed record VectorSettings
{
    /// <summary>The most neighbours of a vector. More gain nothing, and a vector's record must fit a page.</summary>
    public const int EdgesMax = 256;

    /// <summary>The fewest neighbours of a vector with which a graph holds together.</summary>
    public const int EdgesMin = 2;

    /// <summary>The numbers of each vector; null: as many as the first vector has.</summary>
    public int? Dimensions { get; init; }

    /// <summary>What the vectors of documents and queries consist of.</summary>
    public EmbeddingType Source { get; init; }

    /// <summary>What they are kept as.</summary>
    public EmbeddingType Destination { get; init; }

    /// <summary>The neighbours that a vector gets on each level of the graph; null: as many as the program thinks best.</summary>
    public int? Edges { get; init; }

    /// <summary>The candidates from which the neighbours of a new vector are chosen; null: as many as the program thinks best.</summary>
    public int? CandidatesForIndexing { get; init; }

    /// <summary>The share of the ten nearest that a search without a number of candidates is to find, above 0.5 and below 1.</summary>
    public double TargetRecall { get; init; } = 0.95;
}

/// <summary>A field of an index. Immutable.</summary>
/// <param name="Name">Not empty; compared with regard to case.</param>
public sealed record IndexField(string Name)
{
    public IndexingMode Indexing { get; init; }

    /// <summary>The name of the analyzer of a text field; null for the standard one.</summary>
    public string? Analyzer { get; init; }

    /// <summary>The analyzer of that name when a user wrote it; null when it is found by its name. It is not written with the settings.</summary>
    [JsonIgnore]
    public ITextAnalyzer? CustomAnalyzer { get; init; }

    /// <summary>Whether the values can be read back as they were given.</summary>
    public bool IsStored { get; init; }

    /// <summary>Whether the terms of each entry are kept with positions and offsets, for highlighting and for finding more like an
    /// entry.</summary>
    public bool HasTermVectors { get; init; }

    /// <summary>Whether suggestions may be taken from the terms of the field. The index is the same with and without it; the caller checks it before asking for
    /// suggestions.</summary>
    public bool HasSuggestions { get; init; }

    /// <summary>The settings of a field of shapes; null when its shapes lie on the earth and are measured in kilometers.</summary>
    public SpatialSettings? Spatial { get; init; }

    /// <summary>The settings of a field of vectors; null when it has other values.</summary>
    public VectorSettings? Vector { get; init; }
}

/// <summary>How the fields of an index are indexed. Immutable.</summary>
public sealed class IndexFields
{
    private readonly Dictionary<string, IndexField> _fields;
    private readonly IndexField _others;
    private readonly ImmutableDictionary<string, IndexField> _computed;

    /// <param name="fields">Fields that have their own settings.</param>
    /// <param name="others">The settings of all other fields; its name does not matter. Null: keywords.</param>
    public IndexFields(IEnumerable<IndexField> fields, IndexField? others = null)
        : this(
            fields.ToDictionary(field => field.Name, StringComparer.Ordinal), others ?? new IndexField(""),
            ImmutableDictionary.Create<string, IndexField>(StringComparer.Ordinal))
    {
    }

    private IndexFields(Dictionary<string, IndexField> fields, IndexField others, ImmutableDictionary<string, IndexField> computed)
    {
        _fields = fields;
        _others = others;
        _computed = computed;
    }

    /// <summary>All fields that have settings, and the settings of all other fields.</summary>
    public IEnumerable<IndexField> All => Defined.Concat(_computed.Values);

    /// <summary>The same without the fields whose settings came with entries.</summary>
    public IEnumerable<IndexField> Defined => _fields.Values.Append(_others);

    /// <summary>The settings of a field.</summary>
    public IndexField Find(string name) => _computed.TryGetValue(name, out IndexField? field) || _fields.TryGetValue(name, out field)
        ? field
        : _others with { Name = name };

    /// <summary>A copy with other settings for one field, which came with an entry.</summary>
    public IndexFields With(IndexField computed) => new(_fields, _others, _computed.SetItem(computed.Name, computed));
}
