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

    /// <summary>The etag of the document or of its tombstone; the index of a compare exchange value.</summary>
    public required Etag Etag { get; init; }

    /// <summary>Empty when it is only the local replica's entry for the etag.</summary>
    public required ReadOnlySpan<byte> ChangeVector { get; init; }

    /// <summary>Whether an index made the document. For a deletion that is read from the storage, this is unknown, and false.</summary>
    public bool IsArtificial { get; init; }

    /// <summary>The slot of the changed extension, for the kinds that are about extensions. Then <see cref="Id"/> and <see cref="Collection"/> are those of the
    /// document.</summary>
    public int Extension { get; init; }

    /// <summary>The changed name in UTF-8, as it is stored; empty unless the kind is about extensions.</summary>
    public ReadOnlySpan<byte> Name { get; init; }

    /// <summary>The data that the extension adds to the change; empty unless the kind is about extensions. For a counter: 8 bytes little-endian, its value
    /// after the change.</summary>
    public ReadOnlySpan<byte> Payload { get; init; }

    /// <summary>Whether an extension of a document was changed.</summary>
    public bool IsOfExtension => Kind is ChangeKind.ExtensionPut or ChangeKind.ExtensionDelete or ChangeKind.ExtensionChange;
}

/// <summary>The kind of a change; below 128. New kinds are added at the end, and a consumer skips kinds that it does not know.</summary>
public enum ChangeKind : byte
{
    /// <summary>A document was inserted or overwritten.</summary>
    DocumentPut = 1,

    /// <summary>A document was deleted from its collection. Its etag is that of the tombstone.</summary>
    DocumentDelete = 2,

    /// <summary>A document left the collection that the change names. Its put in another collection follows as the next change of the same transaction. For
    /// readers of the collection this is a deletion; readers of all documents may skip it. Its etag is that of the tombstone. When read from the storage it
    /// appears as
    /// <see cref="DocumentDelete"/>.</summary>
    DocumentMove = 3,

    /// <summary>A compare exchange value was inserted or overwritten. Its etag is its new index; it has no
    /// collection.</summary>
    CompareExchangePut = 4,

    /// <summary>A compare exchange value was deleted. It leaves no tombstone, so a consumer that missed the change cannot find the key later.</summary>
    CompareExchangeDelete = 5,

    /// <summary>A document got something of an extension, or something else under the same name.</summary>
    ExtensionPut = 6,

    /// <summary>Something of an extension was deleted. There is no such change for things that are deleted with their document.</summary>
    ExtensionDelete = 7,

    /// <summary>Something of an extension was changed by a difference, as by the increment of a counter.</summary>
    ExtensionChange = 8,
}
