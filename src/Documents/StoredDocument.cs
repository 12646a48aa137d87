using Jackdaw.Documents.Extensions;
using Jackdaw.Documents.Identity;

namespace Jackdaw.Documents;

/// <summary>One stored document in a read scope.</summary>
/// <remarks>The spans point into pages of the snapshot. They are valid until the scope is disposed (or its cursor moves), never across an await. Everything is
/// read on demand: reading the etag does not touch the pages of the body.</remarks>
public readonly ref struct StoredDocument
{
    /// <summary>The id in UTF-8, in the casing of the first write.</summary>
    public required ReadOnlySpan<byte> Id { get; init; }

    /// <summary>The key of the id, which <see cref="DocumentIds.TryMakeKey(ReadOnlySpan{byte}, Span{byte}, out int)"/> makes.</summary>
    public required ReadOnlySpan<byte> Key { get; init; }

    public required Etag Etag { get; init; }

    /// <summary>The change vector; empty when it is only the local replica's entry for the etag.</summary>
    public ReadOnlySpan<byte> ChangeVector { get; init; }

    /// <summary>The version of the document.</summary>
    public DocumentVersion Version => new(Etag, ChangeVector);

    /// <summary>The ticks of the UTC time of the write, as in <see cref="DateTime.Ticks"/>.</summary>
    public required long LastModifiedTicks { get; init; }

    /// <summary>The collection in UTF-8; <c>@empty</c> for a document without one.</summary>
    public required ReadOnlySpan<byte> Collection { get; init; }

    public required DocumentFlags Flags { get; init; }

    /// <summary>Canonical UTF-8 JSON without whitespace whose end is <c>"@metadata":{...}}</c>.</summary>
    public required ReadOnlySpan<byte> Body { get; init; }

    /// <summary>The offset in <see cref="Body"/> of the opening brace of the value of <c>@metadata</c>.</summary>
    public required int MetadataOffset { get; init; }

    /// <summary>The texts of its extensions in the metadata.</summary>
    internal ShownExtensions Extensions { get; init; }

    /// <summary>The body with the texts of its extensions in its metadata. It is a copy only when there are any.</summary>
    /// <param name="known">The kinds that are shown.</param>
    internal ReadOnlySpan<byte> BodyWith(DocumentExtensions known)
    {
        if (!Extensions.IsAny)
        {
            return Body;
        }

        int bytes = Extensions.Measure(known);
        if (bytes == 0)
        {
            return Body;
        }

        // The comma before the first member is left out when there is no member before it.
        int overlap = Body[MetadataOffset + 1] == '}' ? 1 : 0;
        byte[] whole = new byte[Body.Length + bytes - overlap];
        int start = Body.Length - 2;
        Extensions.Write(known, whole.AsSpan(start - overlap));
        Body[..start].CopyTo(whole);
        "}}"u8.CopyTo(whole.AsSpan(whole.Length - 2));
        return whole;
    }
}
