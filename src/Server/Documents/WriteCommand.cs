using Jackdaw.Server.Documents.Json;

namespace Jackdaw.Server.Documents;

/// <summary>One prepared command. The memory it points to belongs to the caller and stays unchanged until the write has
/// been answered.</summary>
/// <remarks>Ids of a put: one that ends with <c>/</c> gets 19 digits of its etag, a dash and the node tag appended; one that
/// ends with <c>|</c> gets the next value of that identity, with <c>/</c> in the place of the bar; both only the writer can do, and
/// both pass over numbers that a document has. All others are stored as they are.</remarks>
public readonly struct WriteCommand
{
    public required WriteCommandKind Kind { get; init; }

    /// <summary>UTF-8 as the client sent it, checked with <see cref="DocumentIds"/>; never empty. A put whose completed
    /// id would be longer than <see cref="DocumentIds.IdBytesMax"/> was refused before.</summary>
    public required ReadOnlyMemory<byte> Id { get; init; }

    /// <summary>The id's key; of a put whose id the server completes, the key of what was sent.</summary>
    public required ReadOnlyMemory<byte> Key { get; init; }

    public ExpectedVersion Expected { get; init; }

    /// <summary>Put only: canonical JSON that ends with <c>"@metadata":{...}}</c>, virtual members removed.</summary>
    public ReadOnlyMemory<byte> Body { get; init; }

    /// <summary>Put only: see <see cref="StoredDocument.MetadataOffset"/>.</summary>
    public int MetadataOffset { get; init; }

    /// <summary>Put only: UTF-8, <c>@empty</c> when the document names none.</summary>
    public ReadOnlyMemory<byte> Collection { get; init; }
}
