using System.Text;
using Jackdaw.Indexing.Definitions.Model;
using Jackdaw.Search;

namespace Jackdaw.Indexing.Records;

/// <summary>The record of one index. Immutable: a change is another record with the same name.</summary>
/// <remarks>It is in the storage of the documents and not in that of the index, so that one transaction can change the names of two indexes:
/// a replacement takes the place of its index at once or not at all.</remarks>
internal sealed record IndexRecord
{
    /// <summary>The name of an index that will take the place of another one begins with this.</summary>
    public const string ReplacementPrefix = "ReplacementOf/";

    /// <summary>The name of an auto index begins with this.</summary>
    public const string AutoPrefix = "Auto/";

    /// <summary>Followed by the name of a collection without an owner: its documents were made by an index that was deleted, and are deleted in the
    /// background. This record is not an index; its folder is a mark that no other such record has.</summary>
    public const string LeftOutputsPrefix = "LeftOutputs/";

    /// <summary>The name as the user gave it. It is unique in the database without regard to case.</summary>
    public required string Name { get; init; }

    /// <summary>Its folder in the folder of all indexes of the database. No other index ever uses it.</summary>
    public required string Folder { get; init; }

    /// <summary>UTF-8 JSON of the definition.</summary>
    public required ReadOnlyMemory<byte> Definition { get; init; }

    /// <summary>The name of the search engine that writes it. It changes only together with the folder.</summary>
    public string Engine { get; init; } = SearchEngines.Unnamed;

    public IndexState State { get; init; }

    public IndexLockMode LockMode { get; init; }

    public IndexPriority Priority { get; init; } = IndexPriority.Normal;

    /// <summary>The definitions that it had before; see <see cref="IndexHistory"/>. Empty when there are none.</summary>
    public ReadOnlyMemory<byte> History { get; init; }

    /// <summary>UTC ticks.</summary>
    public required long CreatedTicks { get; init; }

    /// <summary>Whether this replacement was begun to move its index to <see cref="Engine"/>. Then no setting chooses another engine for it. False once it has
    /// taken the place of its index.</summary>
    public bool IsMove { get; init; }

    /// <summary>Whether it is an auto index, or the replacement of one.</summary>
    public bool IsAuto => (Replaces ?? Name).StartsWith(AutoPrefix, StringComparison.OrdinalIgnoreCase);

    /// <summary>The index whose place it will take when it has caught up; null for all other indexes.</summary>
    public string? Replaces => Name.StartsWith(ReplacementPrefix, StringComparison.OrdinalIgnoreCase) ? Name[ReplacementPrefix.Length..] : null;

    /// <summary>The collection whose documents are being deleted; null for an index.</summary>
    public string? LeftOutputs => Name.StartsWith(LeftOutputsPrefix, StringComparison.OrdinalIgnoreCase) ? Name[LeftOutputsPrefix.Length..] : null;

    /// <summary>The name as a key: UTF-8 in lower case.</summary>
    public static byte[] KeyOf(string name) => Encoding.UTF8.GetBytes(name.ToLowerInvariant());
}
