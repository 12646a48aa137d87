namespace Jackdaw.Indexing.Definitions.Rows;

/// <summary>How a field with a computed name is indexed.</summary>
public sealed class CreateFieldOptions
{
    public FieldStorage Storage { get; set; }

    public FieldIndexing? Indexing { get; set; }

    public FieldTermVector? TermVector { get; set; }
}

/// <summary>Whether the value of a field is stored.</summary>
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

/// <summary>What is stored about the terms of a field for each entry.</summary>
public enum FieldTermVector
{
    No,
    Yes,
    WithPositions,
    WithOffsets,
    WithPositionsAndOffsets,
}
