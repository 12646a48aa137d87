namespace Jackdaw.Indexing.Definitions.Rows;

/// <summary>How a field is indexed whose name is computed.</summary>
public sealed class CreateFieldOptions
{
    public FieldStorage Storage { get; set; }

    public FieldIndexing? Indexing { get; set; }

    public FieldTermVector? TermVector { get; set; }
}

/// <summary>Whether a field's value is kept.</summary>
public enum FieldStorage
{
    No,
    Yes,
}

/// <summary>How a field is searched.</summary>
public enum FieldIndexing
{
    No,
    Search,
    Exact,
    Highlighting,
    Default,
}

/// <summary>What is kept of a field's terms for each entry.</summary>
public enum FieldTermVector
{
    No,
    Yes,
    WithPositions,
    WithOffsets,
    WithPositionsAndOffsets,
}
