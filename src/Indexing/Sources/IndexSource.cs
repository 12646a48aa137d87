using Jackdaw.Documents;
using Jackdaw.Documents.Changes;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Rows;

namespace Jackdaw.Indexing.Sources;

/// <summary>Something whose changes an index reads, in the order of their etags. Immutable, any thread.</summary>
/// <remarks>
/// An index asks its sources which writes wake it, how far it has to read to be up to date, and what has changed since. It never asks what kind
/// of source they are. A collection is a source, and so are all counters and all compare exchange values. Items that documents have besides
/// their text, and that can be mapped instead of the text, are an <see cref="ItemSource"/>.
/// </remarks>
internal abstract class IndexSource
{
    /// <summary>The key under which the index stores how far it has read the source. The part before the colon is the kind. Never changes.</summary>
    public abstract string Key { get; }

    /// <summary>For people: "There are changes of ...".</summary>
    public abstract string Description { get; }

    /// <summary>Etag of the last change; None when there was none.</summary>
    public abstract Etag LastEtag(DocumentReadScope read);

    /// <summary>Changes up to this etag may be forgotten. An index that has not read them is built again.</summary>
    /// <remarks>None for collections: their tombstones wait for the indexes, and <see cref="DocumentReadScope.TrimmedEtag"/> covers those that were
    /// removed anyway.</remarks>
    public virtual Etag ForgottenEtag(DocumentReadScope read) => Etag.None;

    /// <summary>Whether a write wakes the index.</summary>
    public abstract bool IsConcernedBy(SourceChange change);

    /// <summary>Walks the changes, oldest first. Lives within the snapshot.</summary>
    /// <param name="after">Changes up to this etag are skipped.</param>
    public abstract SourceCursor OpenChanges(DocumentReadScope read, Etag after);

    /// <summary>What the statistics of an index show about the source; null for nothing.</summary>
    /// <param name="reached">Changes up to here were read.</param>
    public virtual SourceLag? LagOf(DocumentReadScope read, Etag reached) => null;

    public override string ToString() => Key;
}

/// <summary>Walks the changes of a source. One thread.</summary>
internal abstract class SourceCursor
{
    public abstract Etag Etag { get; }

    /// <summary>The key of the document that changed, or the key under which documents load what changed.</summary>
    public abstract ReadOnlySpan<byte> Key { get; }

    /// <summary>Whether the document was deleted, or has left the source.</summary>
    public virtual bool IsDeletion => false;

    public abstract bool MoveNext();

    /// <summary>Finds the document that has to be mapped again. Returns false if there is none, or if it was found before.</summary>
    public virtual bool TryGetDocument(out StoredDocument document)
    {
        document = default;
        return false;
    }
}

/// <summary>What a write has changed, as far as it matters for waking indexes.</summary>
/// <param name="Collection">The collection of the document, in any casing; empty if there is none.</param>
/// <param name="Extension">The slot of the changed extension; -1 if something else was changed.</param>
internal readonly record struct SourceChange(ChangeKind Kind, string Collection, int Extension);
