using Jackdaw.Documents.Identity;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Documents;

/// <summary>One snapshot of one database: everything one request reads comes from here.</summary>
/// <remarks>
/// 1. A scope sees every write that was acknowledged before it began, and none that came later.
/// 2. It pins pages: it is held for as long as bytes are copied, never across an await or a network write.
/// 3. Used by one thread at a time. Scopes may be pooled: nothing of a scope is used after its disposal. Ids are found
/// by their keys (lower case, made and checked once by the request with <see cref="DocumentIds"/>), ordered as bytes.
/// </remarks>
public abstract class DocumentReadScope : IDisposable
{
    /// <summary>Etag of the last write the snapshot contains; <see cref="Etag.None"/> for an empty database.</summary>
    public abstract Etag LastEtag { get; }

    public abstract DocumentCounts Counts { get; }

    /// <summary>The snapshot itself, for code that keeps tables of its own besides the documents.</summary>
    public abstract ReadTransaction Transaction { get; }

    /// <summary>Finds one document. Allocates nothing.</summary>
    /// <param name="key">1 to <see cref="DocumentIds.KeyBytesMax"/> bytes.</param>
    public abstract bool TryGet(ReadOnlySpan<byte> key, out StoredDocument document);

    /// <summary>Walks the documents whose key starts with <paramref name="prefix"/>, ordered by key.</summary>
    /// <param name="prefix">In lower case; empty means all documents.</param>
    /// <param name="after">Keys up to and including this one are skipped by a seek; empty means none.</param>
    public abstract DocumentCursor OpenByIdPrefix(ReadOnlySpan<byte> prefix, ReadOnlySpan<byte> after);

    /// <summary>Walks documents by etag.</summary>
    /// <param name="collection">UTF-8, any casing; empty means all collections.</param>
    /// <param name="start">First etag that may be returned: ascending walks begin at or above, descending ones at or
    /// below it.</param>
    public abstract DocumentCursor OpenByEtag(ReadOnlySpan<byte> collection, EtagOrder order, Etag start);

    /// <summary>Collections that have documents, ordered by name.</summary>
    public abstract IReadOnlyList<CollectionCount> GetCollections();

    /// <summary>Identities, ordered by lower-cased name.</summary>
    /// <returns>Name lower-cased, with its trailing <c>|</c>, and the last value given out.</returns>
    public abstract IReadOnlyList<KeyValuePair<string, long>> GetIdentities(int start, int count);

    public void Dispose()
    {
        Dispose(true);
        GC.SuppressFinalize(this);
    }

    protected virtual void Dispose(bool disposing)
    {
    }
}
