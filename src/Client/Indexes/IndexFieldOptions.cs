using Jackdaw.Client.Indexes.Translation;

namespace Jackdaw.Client.Indexes;

/// <summary>How a field is searched.</summary>
public enum FieldIndexing
{
    /// <summary>Not at all.</summary>
    No,

    /// <summary>By its words.</summary>
    Search,

    /// <summary>As a whole, with regard to case.</summary>
    Exact,

    /// <summary>By its words, and pieces of it can be shown highlighted.</summary>
    Highlighting,

    /// <summary>As a whole, without regard to case.</summary>
    Default,
}

/// <summary>Whether the index stores the value of a field.</summary>
public enum FieldStorage
{
    Yes,
    No,
}

/// <summary>What the index stores of the words of a field for each entry.</summary>
public enum FieldTermVector
{
    No,
    Yes,
    WithPositions,
    WithOffsets,
    WithPositionsAndOffsets,
}

/// <summary>How one field is indexed. A member that is null has the default.</summary>
public sealed class IndexFieldOptions
{
    /// <summary>Whether the value is kept.</summary>
    public FieldStorage? Storage { get; set; }

    /// <summary>How it is searched.</summary>
    public FieldIndexing? Indexing { get; set; }

    /// <summary>What is kept of its words.</summary>
    public FieldTermVector? TermVector { get; set; }

    /// <summary>How its shapes are indexed.</summary>
    public SpatialOptions? Spatial { get; set; }

    /// <summary>How its vectors are indexed.</summary>
    public VectorOptions? Vector { get; set; }

    /// <summary>Name of the analyzer that finds its words.</summary>
    public string? Analyzer { get; set; }

    /// <summary>Whether queries can ask for similar words.</summary>
    public bool? Suggestions { get; set; }
}

/// <summary>How a field with a computed name is indexed.</summary>
public sealed class CreateFieldOptions : ICodeLiteral
{
    /// <summary>Whether the value is kept.</summary>
    public FieldStorage? Storage { get; set; }

    /// <summary>How it is searched.</summary>
    public FieldIndexing? Indexing { get; set; }

    /// <summary>What is kept of its words.</summary>
    public FieldTermVector? TermVector { get; set; }

    string ICodeLiteral.ToCode()
    {
        string?[] members =
        [
            Storage is { } storage ? $"Storage = FieldStorage.{storage}" : null,
            Indexing is { } indexing ? $"Indexing = FieldIndexing.{indexing}" : null,
            TermVector is { } vector ? $"TermVector = FieldTermVector.{vector}" : null,
        ];
        return $"new CreateFieldOptions {{ {string.Join(", ", members.Where(member => member is not null))} }}";
    }
}
