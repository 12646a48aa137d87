using System.Text;
using Jackdaw.Indexing.Definitions.Model;
using Jackdaw.Search;

namespace Jackdaw.Indexing.Records;

/// <summary>What the documents' storage knows of one index. Immutable: a change is another record under the same name.</summary>
/// <remarks>It is in the storage of the documents, not in the index's own, so that one transaction changes the names of two indexes: a
/// replacement takes the place of the index it replaces at once or not at all.</remarks>
internal sealed record IndexRecord
{
    /// <summary>Before the name of an index that is to take the place of another one.</summary>
    public const string ReplacementPrefix = "ReplacementOf/";

    /// <summary>Before the names of indexes that queries made.</summary>
    public const string AutoPrefix = "Auto/";

    /// <summary>Before the name of a collection whose documents an index made that is gone: they go in the background. No index; its folder
    /// is a mark that no other such record has.</summary>
    public const string LeftOutputsPrefix = "LeftOutputs/";

    /// <summary>As the user gave it; unique in its database without regard to case.</summary>
    public required string Name { get; init; }

    /// <summary>Its folder below that of all indexes of the database; never used again by another index.</summary>
    public required string Folder { get; init; }

    /// <summary>UTF-8 JSON of the definition.</summary>
    public required ReadOnlyMemory<byte> Definition { get; init; }

    /// <summary>Name of the search engine that writes it. Stays the same as long as its folder.</summary>
    public string Engine { get; init; } = SearchEngines.Unnamed;

    public IndexState State { get; init; }

    public IndexLockMode LockMode { get; init; }

    public IndexPriority Priority { get; init; } = IndexPriority.Normal;

    /// <summary>UTC ticks.</summary>
    public required long CreatedTicks { get; init; }

    /// <summary>Whether a query made it.</summary>
    public bool IsAuto => Name.StartsWith(AutoPrefix, StringComparison.OrdinalIgnoreCase);

    /// <summary>The index whose place it takes when it has caught up; null for all others.</summary>
    public string? Replaces => Name.StartsWith(ReplacementPrefix, StringComparison.OrdinalIgnoreCase) ? Name[ReplacementPrefix.Length..] : null;

    /// <summary>The collection whose documents go; null for an index.</summary>
    public string? LeftOutputs => Name.StartsWith(LeftOutputsPrefix, StringComparison.OrdinalIgnoreCase) ? Name[LeftOutputsPrefix.Length..] : null;

    /// <summary>The name as a key: UTF-8 in lower case.</summary>
    public static byte[] KeyOf(string name) => Encoding.UTF8.GetBytes(name.ToLowerInvariant());
}
