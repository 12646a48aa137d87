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

    /// <summary>UTF-8 name of a counter, as stored; empty for all other kinds. <see cref="Id"/> and
    /// <see cref="Collection"/> are those of its document.</summary>
    public ReadOnlySpan<byte> Counter { get; init; }

    /// <summary>Value of the counter after the change; 0 when it was deleted.</summary>
    public long CounterValue { get; init; }

    /// <summary>Whether a counter was changed.</summary>
    public bool IsOfCounter => Kind is ChangeKind.CounterPut or ChangeKind.CounterDelete or ChangeKind.CounterIncrement;
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

    /// <summary>A counter was made, or set to a value.</summary>
    CounterPut = 6,

    /// <summary>A counter was deleted; not told for those that go with their document.</summary>
    CounterDelete = 7,

    /// <summary>A counter that was there was changed by a difference.</summary>
    CounterIncrement = 8,

    /// <summary>A document got an attachment, or another one under its name. The id is the key of the attachment; its document follows as a
    /// change of its own.</summary>
    AttachmentPut = 9,
}
