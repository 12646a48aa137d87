using Jackdaw.Documents.Identity;

namespace Jackdaw.Documents.Rows;

/// <summary>What keeps the versions of documents; one of a database. On the writer's thread.</summary>
internal interface IRevisionKeeper : IDisposable
{
    /// <summary>Whether versions of any collection are kept; read once for each batch.</summary>
    bool IsConfigured { get; }

    /// <summary>The revisions as a transaction sees and changes them.</summary>
    IRevisionWriter Begin(DocumentTransaction documents);
}

/// <summary>The revisions in one transaction. Each write of a document calls the method before it and the one behind it.</summary>
internal interface IRevisionWriter
{
    /// <summary>With the changes so far.</summary>
    RevisionTotals Totals { get; }

    /// <summary>A document will replace another one.</summary>
    /// <param name="key">Not a view of pages.</param>
    /// <param name="collectionKey">Of the new document.</param>
    /// <param name="stored">The one that is replaced: kept, if it is to be kept and is not yet.</param>
    /// <param name="flags">Of the new document.</param>
    /// <returns>The flags that it has to get.</returns>
    DocumentFlags BeforeReplace(ReadOnlySpan<byte> key, ReadOnlySpan<byte> collectionKey, DocumentRow stored, DocumentFlags flags);

    /// <summary>A document will be added; it may have been deleted before.</summary>
    /// <inheritdoc cref="BeforeReplace"/>
    DocumentFlags BeforeInsert(ReadOnlySpan<byte> key, ReadOnlySpan<byte> collectionKey, DocumentFlags flags);

    /// <summary>The document has been written.</summary>
    void AfterPut(ReadOnlySpan<byte> key, DocumentRow written);

    /// <summary>What is stored will change: it is kept, if it is to be kept and is not yet.</summary>
    /// <param name="stored">Invalid afterwards.</param>
    /// <param name="collectionKey">Of the document after the change.</param>
    void Keep(ReadOnlySpan<byte> key, DocumentRow stored, ReadOnlySpan<byte> collectionKey);

    /// <summary>A document will be deleted.</summary>
    void BeforeDelete(ReadOnlySpan<byte> key, DocumentRow stored);

    /// <summary>The document has been deleted, with the vector that the transaction has written last.</summary>
    void AfterDelete(ReadOnlySpan<byte> key, Etag tombstone);

    /// <summary>Keeps what is stored, whatever is configured; what the batch has changed of its extensions is written before. False: it is kept
    /// already.</summary>
    /// <param name="stored">Invalid afterwards.</param>
    bool Force(ReadOnlySpan<byte> key, DocumentRow stored);
}

/// <summary>Counts of revisions.</summary>
/// <param name="Revisions">All.</param>
/// <param name="Deleted">Deleted documents that have revisions.</param>
internal readonly record struct RevisionTotals(long Revisions, long Deleted);
