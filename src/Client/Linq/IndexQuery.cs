namespace Jackdaw.Client.Linq;

/// <summary>RQL with its parameters.</summary>
/// <param name="Query">The text; each value in it is a parameter.</param>
/// <param name="Parameters">Values by the names of the parameters, without the dollar sign: null, texts, numbers, truth values, lists of them,
/// JSON.</param>
public sealed record RqlText(string Query, IReadOnlyDictionary<string, object?> Parameters)
{
    public override string ToString() => Query;
}

/// <summary>Where the values of a projection come from.</summary>
public enum ProjectionBehavior
{
    /// <summary>From the index where it stores the field, otherwise from the document.</summary>
    Default,

    /// <summary>From the index; a field that it does not store is null.</summary>
    FromIndex,

    /// <summary>From the index; a field that it does not store is an error.</summary>
    FromIndexOrThrow,

    /// <summary>From the document.</summary>
    FromDocument,

    /// <summary>From the document; a field that it does not have is an error.</summary>
    FromDocumentOrThrow,
}

/// <summary>The kind of an answer's rows.</summary>
public enum ResultKind
{
    /// <summary>Whole documents: entities, which a session tracks.</summary>
    Documents,

    /// <summary>Objects that the query makes; they are not tracked. A member that is null in a row, and whose type has no null, has the default of
    /// its type, as it has for a document without the field.</summary>
    Projections,

    /// <summary>Objects with one property, whose value is the result.</summary>
    Values,

    /// <summary>No rows: only the number of results is wanted.</summary>
    None,

    /// <summary>Documents or projections, as each row says.</summary>
    Rows,
}

/// <summary>How a row becomes a result.</summary>
/// <param name="Property">For <see cref="ResultKind.Values"/>, the property that is the result. If it is missing or null, the result is the default
/// of its type.</param>
public readonly record struct ResultShape(ResultKind Kind, string? Property = null);

/// <summary>A query as it is sent.</summary>
public sealed class IndexQuery
{
    /// <summary>RQL.</summary>
    public required string Query { get; set; }

    /// <summary>Values of the parameters, by their names, without the dollar sign. Default: none.</summary>
    public IReadOnlyDictionary<string, object?> QueryParameters { get; set; } = new Dictionary<string, object?>();

    /// <summary>Whether the answer waits until the index has read everything that was written before.</summary>
    public bool WaitForNonStaleResults { get; set; }

    /// <summary>How long it waits. Null: 15 seconds.</summary>
    public TimeSpan? WaitForNonStaleResultsTimeout { get; set; }

    /// <summary>Entities are not tracked by the session.</summary>
    public bool NoTracking { get; set; }

    /// <summary>Whether no cache is used.</summary>
    public bool NoCaching { get; set; }

    /// <summary>Where the values of a projection come from.</summary>
    public ProjectionBehavior ProjectionBehavior { get; set; }

    /// <summary>The kind of the rows. Default: each row says it.</summary>
    public ResultShape Shape { get; init; } = new(ResultKind.Rows);

    /// <summary>What the query began with: results of a base type are objects of this type. Null if it is not known.</summary>
    internal Type? DocumentType { get; init; }

    /// <summary>The type of documents that are asked for as objects of a type.</summary>
    internal Type TypeFor(Type asked) => DocumentType is { } own && asked.IsAssignableFrom(own) ? own : asked;

    /// <summary>Name of the collection; null when the query asks an index, or when only its text says what it asks.</summary>
    public string? Collection { get; init; }

    /// <summary>Name of the index; null when the query asks a collection, or when only its text says what it asks.</summary>
    public string? IndexName { get; init; }

    /// <summary>Paths of ids whose documents are included.</summary>
    public IReadOnlyList<string> Includes { get; init; } = [];

    /// <summary>Gets what the server says about a stream, before its first result.</summary>
    internal Action<QueryStatistics>? BeforeStream { get; set; }
}
