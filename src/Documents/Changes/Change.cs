using Jackdaw.Documents.Identity;

namespace Jackdaw.Documents.Changes;

/// <summary>One change of a database. A view: valid until its source moves on.</summary>
public readonly ref struct Change
{
    public required ChangeKind Kind { get; init; }

    /// <summary>UTF-8: the document's id, or the key of the compare exchange value, as stored.</summary>
    public required ReadOnlySpan<byte> Id { get; init; }

    /// <summary>UTF-8, as in the document that was put, deleted or moved; empty for compare exchange.</summary>
    public required ReadOnlySpan<byte> Collection { get; init; }

    /// <summary>Of the document or of its tombstone; the index of a compare exchange value.</summary>
    public required Etag Etag { get; init; }

    /// <summary>Empty when it is only the local replica's entry for the etag.</summary>
    public required ReadOnlySpan<byte> ChangeVector { get; init; }

    /// <summary>An index made the document. Unknown of a deletion that is read from the storage: then false.</summary>
    public bool IsArtificial { get; init; }

    /// <summary>Slot of the extension of which something was changed; only of the kinds that are about extensions. <see cref="Id"/> and
    /// <see cref="Collection"/> are those of the document then.</summary>
    public int Extension { get; init; }

    /// <summary>UTF-8 name of what was changed, as stored; empty unless the kind is about extensions.</summary>
    public ReadOnlySpan<byte> Name { get; init; }

    /// <summary>What the extension tells of the change; empty unless the kind is about extensions. Of a counter: 8 bytes little-endian, its
    /// value after the change.</summary>
    public ReadOnlySpan<byte> Payload { get; init; }

    /// <summary>Whether an extension of a document was changed.</summary>
    public bool IsOfExtension => Kind is ChangeKind.ExtensionPut or ChangeKind.ExtensionDelete or ChangeKind.ExtensionChange;
}

/// <summary>What happened; below 128. New kinds are added at the end; a consumer skips kinds that it does not know.</summary>
public enum ChangeKind : byte
{
    /// <summary>A document was inserted or overwritten.</summary>
    DocumentPut = 1,

    /// <summary>A document was deleted from its collection. Its etag is that of the tombstone.</summary>
    DocumentDelete = 2,

    /// <summary>A document left the collection that the change names, because its put in another one follows as the
    /// next change of the same transaction. For readers of the collection this is a deletion; readers of all documents
    /// may skip it. Its etag is that of the tombstone. When read from the storage it appears as
    /// <see cref="DocumentDelete"/>.</summary>
    DocumentMove = 3,

    /// <summary>A compare exchange value was inserted or overwritten. Its etag is its new index; it has no
    /// collection.</summary>
    CompareExchangePut = 4,

    /// <summary>A compare exchange value was deleted. There is no tombstone: a consumer that missed the change just no
    /// longer finds the key.</summary>
    CompareExchangeDelete = 5,

    /// <summary>A document got something of an extension, or something else under the same name.</summary>
    ExtensionPut = 6,

    /// <summary>Something of an extension was deleted; not told for what goes with its document.</summary>
    ExtensionDelete = 7,

    /// <summary>Something of an extension that was there was changed by a difference, as a counter is incremented.</summary>
    ExtensionChange = 8,
}
