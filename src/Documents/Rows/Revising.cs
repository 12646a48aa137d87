using Jackdaw.Documents.Identity;

namespace Jackdaw.Documents.Rows;

/// <summary>Keeps the versions of documents. There is one for each database, on the writer's thread.</summary>
internal interface IRevisionKeeper : IDisposable
{
    /// <summary>Whether versions of any collection are kept; read once for each batch.</summary>
    bool IsConfigured { get; }

    /// <summary>The revisions as a transaction sees and changes them.</summary>
    IRevisionWriter Begin(DocumentTransaction documents);
}

/// <summary>The revisions in one transaction. Each write of a document calls a method before it and one after it.</summary>
internal interface IRevisionWriter
{
    /// <summary>The counts, with the changes so far.</summary>
    RevisionTotals Totals { get; }

    /// <summary>Is called before a document replaces another one.</summary>
    /// <param name="key">The key, which is not a view of pages.</param>
    /// <param name="collectionKey">The collection of the new document.</param>
    /// <param name="stored">The replaced document. It is kept, if it has to be kept and is not kept yet.</param>
    /// <param name="flags">The flags of the new document.</param>
    /// <returns>The flags that it has to get.</returns>
    DocumentFlags BeforeReplace(ReadOnlySpan<byte> key, ReadOnlySpan<byte> collectionKey, DocumentRow stored, DocumentFlags flags);

    /// <summary>Is called before a document is added, which may have been deleted before.</summary>
    /// <inheritdoc cref="BeforeReplace"/>
    DocumentFlags BeforeInsert(ReadOnlySpan<byte> key, ReadOnlySpan<byte> collectionKey, DocumentFlags flags);

    /// <summary>Is called after the document was written.</summary>
    void AfterPut(ReadOnlySpan<byte> key, DocumentRow written);

    /// <summary>Is called before a stored document changes. It is kept, if it has to be kept and is not kept yet.</summary>
    /// <param name="stored">The stored row, which is invalid afterwards.</param>
    /// <param name="collectionKey">The collection of the document after the change.</param>
    void Keep(ReadOnlySpan<byte> key, DocumentRow stored, ReadOnlySpan<byte> collectionKey);

    /// <summary>Is called before a document is deleted.</summary>
    void BeforeDelete(ReadOnlySpan<byte> key, DocumentRow stored);

    /// <summary>Is called after the document was deleted, with the vector that the transaction has written last.</summary>
    void AfterDelete(ReadOnlySpan<byte> key, Etag tombstone);

    /// <summary>Keeps the stored document, even if the configuration does not. Changes of its extensions by the batch are written before. Returns false when it
    /// is kept already.</summary>
    /// <param name="stored">The stored row, which is invalid afterwards.</param>
    bool Force(ReadOnlySpan<byte> key, DocumentRow stored);
}

/// <summary>Counts of revisions.</summary>
/// <param name="Revisions">The number of all revisions.</param>
/// <param name="Deleted">The number of deleted documents that have revisions.</param>
internal readonly record struct RevisionTotals(long Revisions, long Deleted);
