using Jackdaw.Json.Tape;

namespace Jackdaw.Queries.Planning.Conditions;

/// <summary>The documents that one row of a query is made of.</summary>
internal readonly ref struct EvaluatedDocument
{
    public required TapeValue Root { get; init; }

    /// <summary>UTF-8.</summary>
    public required ReadOnlySpan<byte> Id { get; init; }

    /// <summary>Null when nothing was loaded.</summary>
    public LoadedAliases? Loaded { get; init; }

    /// <summary>What the index stores for the row, for projections; null when it stores nothing.</summary>
    public StoredEntry? Stored { get; init; }

    /// <summary>Source 0 is the document; the loaded ones follow in their order. The value is missing for a document that does not
    /// exist.</summary>
    public TapeValue RootOf(int source) => source == 0 ? Root : Loaded is null ? default : Loaded.RootOf(source - 1);
}
