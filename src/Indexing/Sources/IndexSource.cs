using Jackdaw.Documents;
using Jackdaw.Documents.Changes;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Rows;

namespace Jackdaw.Indexing.Sources;

/// <summary>Something that an index follows: its changes, in the order of their etags. Immutable, any thread.</summary>
/// <remarks>
/// An index asks its sources and never what they are: which writes wake it, how far it has to read to be up to date, and what changed since.
/// A collection is one, and so are all counters and all compare exchange values. What documents have besides their text, and is mapped instead
/// of it, is an <see cref="ItemSource"/>.
/// </remarks>
internal abstract class IndexSource
{
    /// <summary>Under this key the index's storage notes how far the source was read; what stands before a colon is the kind. Never changes.</summary>
    public abstract string Key { get; }

    /// <summary>For people: "There are changes of ...".</summary>
    public abstract string Description { get; }

    /// <summary>Etag of the last change; None when there was none.</summary>
    public abstract Etag LastEtag(DocumentReadScope read);

    /// <summary>Changes up to this etag may be forgotten: an index that has not read them is built again.</summary>
    /// <remarks>None for collections: tombstones wait for the indexes, and <see cref="DocumentReadScope.TrimmedEtag"/> tells of those that did
    /// not.</remarks>
    public virtual Etag ForgottenEtag(DocumentReadScope read) => Etag.None;

    /// <summary>Whether a write wakes the index.</summary>
    public abstract bool IsConcernedBy(SourceChange change);

    /// <summary>Walks the changes, oldest first. Lives within the snapshot.</summary>
    /// <param name="after">Changes up to this etag are skipped.</param>
    public abstract SourceCursor OpenChanges(DocumentReadScope read, Etag after);

    /// <summary>What the statistics of an index show of the source, as of a collection; null: nothing.</summary>
    /// <param name="reached">Changes up to here were read.</param>
    public virtual SourceLag? LagOf(DocumentReadScope read, Etag reached) => null;

    public override string ToString() => Key;
}

/// <summary>Walks the changes of a source. One thread.</summary>
internal abstract class SourceCursor
{
    public abstract Etag Etag { get; }

    /// <summary>Key of the document that changed, or what stands for the thing that changed among the keys of what documents load.</summary>
    public abstract ReadOnlySpan<byte> Key { get; }

    /// <summary>Whether the document is gone from here.</summary>
    public virtual bool IsDeletion => false;

    public abstract bool MoveNext();

    /// <summary>The document that has to be mapped again; false: there is none, or it came before.</summary>
    public virtual bool TryGetDocument(out StoredDocument document)
    {
        document = default;
        return false;
    }
}

/// <summary>What a write was of, as far as it matters for waking indexes.</summary>
/// <param name="Collection">Of the document, in any casing; empty when there is none.</param>
/// <param name="Extension">Slot of the extension of which something was changed; -1: the change is of something else.</param>
internal readonly record struct SourceChange(ChangeKind Kind, string Collection, int Extension);
