using Jackdaw.Json;

namespace Jackdaw.Server.Notices;

/// <summary>One notice of a round: what watches compare, and the text that is sent. Extents are in the bytes of the round.</summary>
internal readonly record struct NoticeEntry
{
    public required NoticeKind Kind { get; init; }

    /// <summary>Key of the document's id, of the index's name, or the digits of the operation's number.</summary>
    public TextExtent Key { get; init; }

    /// <summary>Key of the collection.</summary>
    public TextExtent Collection { get; init; }

    /// <summary>Of a change of an extension: key of the name of what was changed.</summary>
    public TextExtent Name { get; init; }

    /// <summary>Of a change of an extension: its slot.</summary>
    public int Extension { get; init; }

    /// <summary>The notice as JSON, up to the members that only some readers get: the object Value and the notice itself are still
    /// open.</summary>
    public TextExtent Json { get; init; }

    /// <summary>The id, the index's name or the key of a compare exchange value as a JSON string.</summary>
    public TextExtent NameText { get; init; }

    /// <summary>The collection as a JSON string.</summary>
    public TextExtent CollectionText { get; init; }

    /// <summary>Etag of a change; of a gap, its last. 0 for all other kinds.</summary>
    public long Etag { get; init; }

    /// <summary>Of a gap: the last etag before it.</summary>
    public long After { get; init; }

    /// <summary>Whether what clients hold in their caches may be old.</summary>
    public bool ChangesCaches { get; init; }
}

/// <summary>Which watches a notice is for.</summary>
internal enum NoticeKind
{
    /// <summary>A document was put or deleted.</summary>
    Document,

    /// <summary>A document of the server: told to who watches it by its id or watches all, not by its collection.</summary>
    SystemDocument,

    /// <summary>A document left a collection for another: for watchers of the collection it is deleted.</summary>
    DocumentMove,

    /// <summary>Told to caches alone: a document that an index made, a compare exchange value.</summary>
    CacheDocument,
    CacheCompareExchange,

    /// <summary>Something of an extension of a document was changed.</summary>
    Extension,
    Index,
    Operation,

    /// <summary>Changes that nobody knows any more: all watches of extensions lost some.</summary>
    ExtensionGap,

    /// <summary>As <see cref="ExtensionGap"/>, for all watches of documents too.</summary>
    ChangeGap,
}
