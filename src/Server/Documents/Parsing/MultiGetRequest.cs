namespace Jackdaw.Server.Documents.Parsing;

/// <summary>One request within a multi_get.</summary>
public sealed class MultiGetRequest
{
    /// <summary>Path, with the database: <c>/databases/shop/docs</c>.</summary>
    public required string Url { get; init; }

    /// <summary>With its leading '?'; empty when there is none.</summary>
    public required string Query { get; init; }

    /// <summary>In upper case; GET when it was not sent.</summary>
    public required string Method { get; init; }

    /// <summary>Names without regard to case; a header of null was not sent.</summary>
    public required IReadOnlyDictionary<string, string> Headers { get; init; }

    /// <summary>The body in UTF-8: the characters of a string, or the JSON of any other value; empty when there is
    /// none.</summary>
    public required ReadOnlyMemory<byte> Content { get; init; }
}
