using Jackdaw.Json.Paths;

namespace Jackdaw.Queries.Language;

/// <summary>One step of a path.</summary>
/// <param name="Name">The name of a member; null for brackets.</param>
/// <param name="Position">The number of <c>[3]</c>; null for a member, and for <c>[]</c>, which stands for each element.</param>
/// <param name="IsQuoted">The name was written in quotes or as a key in brackets.</param>
internal readonly record struct FieldSegment(string? Name, int? Position, bool IsQuoted)
{
    /// <summary>Whether the step stands for each element of an array.</summary>
    public bool IsEach => Name is null && Position is null;
}

/// <summary>The place of a value in a document: <c>ShipTo.City</c>, <c>Lines[].Product</c>,
/// <c>@metadata.'Some-Key'</c>.</summary>
/// <param name="Parts">At least one.</param>
/// <param name="TextPosition">Offset in the query.</param>
internal sealed record FieldPath(IReadOnlyList<FieldSegment> Parts, int TextPosition)
{
    /// <summary>Whether the path was written in quotes as a whole. Then it is a field, never a keyword or a literal.</summary>
    public bool IsQuoted => Parts[0].IsQuoted;

    public string FirstName => Parts[0].Name!;

    /// <summary>The path without quotes, as the names of columns show it. Different paths may have the same name.</summary>
    public string Name => ToDocument().PlainText;

    /// <summary>The path after an alias: <c>City</c> of <c>o.City</c>; null for the alias alone.</summary>
    public FieldPath? WithoutFirst => Parts.Count > 1 ? this with { Parts = [.. Parts.Skip(1)] } : null;

    /// <summary>The place in a document.</summary>
    public DocumentPath ToDocument() => new(Parts.Select(part => new PathPart(part.Name, part.Position)));

    public override string ToString() => Name;
}
