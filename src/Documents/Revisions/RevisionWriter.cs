using System.Buffers;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Rows;
using Jackdaw.Storage.Tables;

namespace Jackdaw.Documents.Revisions;

/// <summary>The revisions in one transaction, which writes of documents add and remove. Writer's thread.</summary>
/// <remarks>
/// 1. A document has the flag HasRevisions if and only if it has revisions.
/// 2. If the collection of a document is configured, the stored version has a revision, and so has a version that a write replaces, even one that was written
/// before there was a configuration.
/// 3. The newest revision of a deleted document that has revisions is a deletion, and the document is in the bin.
/// </remarks>
internal sealed partial class RevisionWriter : IRevisionWriter
{
    private readonly RevisionKeeper _keeper;
    private readonly DocumentTransaction _documents;
    private readonly Table _table;
    private readonly RevisionTrees _trees;
    private readonly RevisedExtension[] _extensions;
    private RevisionRules? _rules; // rules of the current write; null when it makes no revision
    private Deletion? _deletion; // of the document that is being deleted; null when nothing of it is kept
    private bool _keepsDeletion; // with any configuration
    private Etag _lost; // etag of the replaced version; None when nothing before the first revision is missing

    public RevisionWriter(RevisionKeeper keeper, DocumentTransaction documents)
    {
        _keeper = keeper;
        _documents = documents;
        _table = new Table(documents.Transaction, documents.Transaction.Trees, RevisionTable.Schema);
        _trees = new RevisionTrees(documents.Transaction.Trees);
        _extensions = keeper.ExtensionsOf(documents);
    }

    /// <summary>The kinds of extensions that revisions keep.</summary>
    public IReadOnlyList<RevisedExtension> Extensions => _extensions;

    public RevisionTotals Totals => new(_table.Count, _trees.Deleted);

    public DocumentFlags BeforeReplace(
        ReadOnlySpan<byte> key, ReadOnlySpan<byte> collectionKey, DocumentRow stored, DocumentFlags flags)
    {
        _rules = RulesOf(collectionKey, flags);
        if (_rules is null or { KeepsNone: true })
        {
            return flags;
        }

        KeepReplaced(key, stored);
        return flags | DocumentFlags.HasRevisions;
    }

    public DocumentFlags BeforeInsert(ReadOnlySpan<byte> key, ReadOnlySpan<byte> collectionKey, DocumentFlags flags)
    {
        _rules = RulesOf(collectionKey, flags);
        bool hasRevisions = _rules is { KeepsNone: false };
        if (_trees.Deleted > 0 && _trees.Count(key) > 0)
        {
            hasRevisions = true;
            if (TryFindNewest(key, out RevisionRow newest) && newest.IsDelete)
            {
                _trees.RemoveFromBin(newest.Etag);
            }
        }

        return hasRevisions ? flags | DocumentFlags.HasRevisions : flags;
    }

    public void AfterPut(ReadOnlySpan<byte> key, DocumentRow written)
    {
        if (_rules is not { } rules)
        {
            return;
        }

        if (!rules.KeepsNone)
        {
            Add(key, written, DocumentFlags.Revision);
            _trees.SetRemoved(key, _lost);
            _lost = Etag.None;
        }

        if (Trim(key, rules, isAdded: !rules.KeepsNone) == 0 && (written.Flags & DocumentFlags.HasRevisions) != 0)
        {
            _documents.SetHasRevisions(key, false);
        }
    }

    public void Keep(ReadOnlySpan<byte> key, DocumentRow stored, ReadOnlySpan<byte> collectionKey)
    {
        if (RulesOf(collectionKey, stored.Flags) is { KeepsNone: false } && KeepOnce(key, stored, DocumentFlags.None))
        {
            _documents.SetHasRevisions(key, true);
        }
    }

    public void BeforeDelete(ReadOnlySpan<byte> key, DocumentRow stored)
    {
        _rules = RulesOf(stored.CollectionKey, stored.Flags);
        bool hasRevisions = (stored.Flags & DocumentFlags.HasRevisions) != 0;
        _deletion = _rules is not null || hasRevisions || _keepsDeletion ? Deletion.Of(stored) : null;
        if (_rules is { KeepsNone: false, PurgesOnDelete: false } || _keepsDeletion)
        {
            KeepOnce(key, stored, DocumentFlags.None);
        }
    }

    public void AfterDelete(ReadOnlySpan<byte> key, Etag tombstone)
    {
        if (_deletion is not { } deletion)
        {
            return;
        }

        if (_keepsDeletion)
        {
            AddDeletion(key, tombstone, deletion);
            return;
        }

        if (_rules is { PurgesOnDelete: true } or { KeepsNone: true })
        {
            Purge(key, tombstone);
            return;
        }

        AddDeletion(key, tombstone, deletion);
        if (_rules is { } rules)
        {
            Trim(key, rules, isAdded: true);
        }
    }

    public bool Force(ReadOnlySpan<byte> key, DocumentRow stored)
    {
        if (_documents.TryWriteExtended(key))
        {
            _documents.TryFind(key, out stored);
        }

        bool isMade = KeepOnce(key, stored, DocumentFlags.ForceCreated);
        if (isMade)
        {
            _documents.SetHasRevisions(key, true);
        }

        return isMade;
    }

    /// <summary>Whether a revision of the stored version has the current extensions, because values of counters change without a new version.</summary>
    public bool IsCurrent(ReadOnlySpan<byte> key, DocumentRow stored, RevisionRow kept) => FindChanged(key, stored, kept) is null;

    // Finds the first extension for which the document and the revision differ.
    private RevisedExtension? FindChanged(ReadOnlySpan<byte> key, DocumentRow stored, RevisionRow kept)
    {
        foreach (RevisedExtension extension in _extensions)
        {
            if (!IsCurrent(key, stored, kept, extension))
            {
                return extension;
            }
        }

        return null;
    }

    private bool IsCurrent(ReadOnlySpan<byte> key, DocumentRow stored, RevisionRow kept, RevisedExtension extension)
    {
        var text = new ArrayBufferWriter<byte>();
        ReadOnlySpan<byte> shown = stored.Extensions[extension];
        if (!shown.IsEmpty)
        {
            extension.DescribeRevision(_documents, key, shown, text);
        }

        return text.WrittenSpan.SequenceEqual(kept.Extension(extension));
    }

    /// <summary>Keeps the current form of a document, even if the configuration does not, because no client has written the version that will replace
    /// it.</summary>
    /// <param name="stored">The stored row, which is invalid afterwards.</param>
    public void KeepCurrent(byte[] key, DocumentRow stored)
    {
        if (TryFind(stored.Etag, out RevisionRow kept) && FindChanged(key, stored, kept) is { } changed)
        {
            _documents.Extend(key, changed); // a version with the current values
        }

        Force(key, stored);
    }

    /// <summary>Deletes a document that <see cref="KeepCurrent"/> has kept. Its revisions stay, even if the configuration would remove them.</summary>
    public void DeleteKept(DocumentRow stored, byte[] key)
    {
        _keepsDeletion = true;
        _documents.Delete(stored, key);
        _keepsDeletion = false;
    }

    /// <summary>The revisions of a transaction, for commands that change them.</summary>
    public static RevisionWriter Of(DocumentTransaction documents) => (RevisionWriter)documents.Revisions;

    /// <summary>The number of revisions of a document.</summary>
    public long Count(ReadOnlySpan<byte> key) => _trees.Count(key);

    /// <summary>Finds a revision by its etag.</summary>
    public bool TryFind(Etag etag, out RevisionRow revision)
    {
        bool isThere = _table.TryGetByNumber(RevisionTable.ByEtag, etag.Value, out TableRow row);
        revision = new RevisionRow(row);
        return isThere && !_trees.IsPurged(revision.DocumentKey, etag);
    }

    /// <summary>Finds the newest revision of a document.</summary>
    public bool TryFindNewest(ReadOnlySpan<byte> key, out RevisionRow newest)
    {
        using var cursor = new RevisionCursor(_table, key, Etag.Maximum, _trees.PurgedTo(key));
        bool isThere = cursor.MoveNext();
        newest = isThere ? cursor.Current : default;
        return isThere;
    }

    private RevisionRules? RulesOf(ReadOnlySpan<byte> collectionKey, DocumentFlags flags) =>
        (flags & DocumentFlags.Artificial) != 0 ? null : _keeper.Configuration?.FindEnabled(collectionKey);

    // The extensions before the changes of this batch are gone. If the version was not kept before these changes, no revision is better than a wrong one.
    private void KeepReplaced(ReadOnlySpan<byte> key, DocumentRow stored)
    {
        if (_documents.FindExtended(key) is not { IsPending: true })
        {
            KeepOnce(key, stored, DocumentFlags.None);
        }
        else if (_trees.Count(key) == 0)
        {
            _lost = stored.Etag;
        }
    }

    // Keeps the stored version unless it is kept already. Versions before the first one that is kept in this way are unknown.
    private bool KeepOnce(ReadOnlySpan<byte> key, DocumentRow stored, DocumentFlags more)
    {
        bool isKept = (stored.Flags & DocumentFlags.Artificial) != 0
            || ((stored.Flags & DocumentFlags.HasRevisions) != 0 && TryFind(stored.Etag, out _));
        if (isKept)
        {
            return false;
        }

        var before = new Etag(stored.Etag.Value - 1);
        bool isFirst = _trees.Count(key) == 0;
        Add(key, stored, DocumentFlags.Revision | more);
        if (isFirst)
        {
            _trees.SetRemoved(key, before);
        }

        return true;
    }

    private sealed record Deletion(byte[] Id, byte[] CollectionKey, byte[] Collection)
    {
        public ReadOnlySpan<byte> CollectionName => Collection.Length == 0 ? CollectionKey : Collection;

        public static Deletion Of(DocumentRow stored) => new(
            stored.Row.GetColumn(DocumentTable.IdColumn).ToArray(), stored.CollectionKey.ToArray(),
            stored.Row.GetColumn(DocumentTable.CollectionColumn).ToArray());
    }
}
