using Jackdaw.Json;

namespace Jackdaw.Server.Notices;

/// <summary>One notice of a batch: the values that watches compare, and the text that is sent. Extents lie in the bytes of the batch.</summary>
internal readonly record struct NoticeEntry
{
    public required NoticeKind Kind { get; init; }

    /// <summary>The key of the document's id or of the index's name, or the digits of the operation's number.</summary>
    public TextExtent Key { get; init; }

    /// <summary>Key of the collection.</summary>
    public TextExtent Collection { get; init; }

    /// <summary>For a change of an extension, the key of the changed name.</summary>
    public TextExtent Name { get; init; }

    /// <summary>For a change of an extension, the slot of the extension.</summary>
    public int Extension { get; init; }

    /// <summary>The notice as JSON, up to the members that only some readers get: the object Value and the notice itself are still
    /// open.</summary>
    public TextExtent Json { get; init; }

    /// <summary>The id, the index's name or the key of a compare exchange value as a JSON string.</summary>
    public TextExtent NameText { get; init; }

    /// <summary>The collection as a JSON string.</summary>
    public TextExtent CollectionText { get; init; }

    /// <summary>The etag of a change, or the last etag of a gap. 0 for all other kinds.</summary>
    public long Etag { get; init; }

    /// <summary>For a gap, the last etag before it.</summary>
    public long After { get; init; }

    /// <summary>Whether the caches of clients may be outdated.</summary>
    public bool ChangesCaches { get; init; }
}

/// <summary>The kind of a notice, which decides the watches that it is for.</summary>
internal enum NoticeKind
{
    /// <summary>A document was put or deleted.</summary>
    Document,

    /// <summary>A document of the server was changed. It is for watches of its id and of all documents, but not for watches of its collection.</summary>
    SystemDocument,

    /// <summary>A document moved to another collection. For watches of the old collection it is deleted.</summary>
    DocumentMove,

    /// <summary>Only for caches: a document that an index made, or a compare exchange value, was changed.</summary>
    CacheDocument,
    CacheCompareExchange,

    /// <summary>Something of an extension of a document was changed.</summary>
    Extension,
    Index,
    Operation,

    /// <summary>Changes were lost, so that all watches of extensions missed some.</summary>
    ExtensionGap,

    /// <summary>Like <see cref="ExtensionGap"/>, but for all watches of documents too.</summary>
    ChangeGap,
}
