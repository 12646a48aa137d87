using System.Buffers.Binary;
using System.Security.Cryptography;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Rows;
using Jackdaw.Storage;
using Jackdaw.Storage.Transactions;
using Jackdaw.Storage.Trees;

namespace Jackdaw.Documents.Revisions;

/// <summary>The trees beside the table of revisions, in one transaction.</summary>
/// <remarks>
/// <code>
/// tree             key                            value
/// RevisionCounts   document key                   revisions (8), etag up to which older ones may be missing (8)
/// RevisionBin      etag of a deletion, big-endian key of a document that is not stored
/// RevisionVectors  SHA-256 of a change vector     etag (8): of revisions whose row stores the vector
/// RevisionPurges   document key                   etag (8): revisions up to it are purged, and their rows still have to be removed
/// </code>
/// The same is in docs/formats/revisions.md.
/// </remarks>
internal sealed class RevisionTrees(TreeCatalog trees)
{
    private const string CountsName = "RevisionCounts";
    private const string BinName = "RevisionBin";
    private const string VectorsName = "RevisionVectors";
    private const string PurgesName = "RevisionPurges";
    private const int CountBytes = 2 * sizeof(long);

    // In a snapshot, they are null when there are no revisions.
    private readonly BTree? _counts = trees.OpenTree(CountsName);
    private readonly BTree? _bin = trees.OpenTree(BinName);
    private readonly BTree? _vectors = trees.OpenTree(VectorsName);
    private readonly BTree? _purges = trees.OpenTree(PurgesName);

    /// <summary>The number of documents that have revisions.</summary>
    public long Documents => _counts?.EntryCount ?? 0;

    /// <summary>The number of deleted documents among them.</summary>
    public long Deleted => _bin?.EntryCount ?? 0;

    /// <summary>Reads the counts of all revisions, after the storage was opened.</summary>
    public static RevisionTotals ReadTotals(ReadTransaction read) =>
        new(RevisionTable.Open(read).Count, new RevisionTrees(read.Trees).Deleted);

    /// <summary>The number of revisions of a document.</summary>
    public long Count(ReadOnlySpan<byte> key) => Parse(key).Count;

    /// <summary>The etag up to which revisions of a document may be missing, because they were removed or never kept; None when none is missing. After a
    /// removal that added no revision, it is the last etag of the database at that time: an answer with a smaller or the same last etag may not be complete any
    /// more, although the newest revision is still the same.</summary>
    public Etag RemovedAt(ReadOnlySpan<byte> key) => Parse(key).Removed;

    /// <summary>Adds to the count of a document. A document without revisions has no entry.</summary>
    public long Add(ReadOnlySpan<byte> key, int revisions)
    {
        (long count, Etag removed) = Parse(key);
        count += revisions;
        if (count <= 0)
        {
            _counts!.Delete(key);
            return 0;
        }

        Write(key, count, removed);
        return count;
    }

    /// <summary>Notes that revisions of a document up to an etag may be missing.</summary>
    public void SetRemoved(ReadOnlySpan<byte> key, Etag last)
    {
        (long count, Etag removed) = Parse(key);
        if (count > 0 && last.Value > removed.Value)
        {
            Write(key, count, last);
        }
    }

    /// <summary>Whether a revision is purged, so that nobody sees it any more.</summary>
    /// <param name="key">The key of the document.</param>
    public bool IsPurged(ReadOnlySpan<byte> key, Etag etag) => etag.Value <= PurgedTo(key).Value;

    /// <summary>Revisions of a document up to this etag are purged; None when there are no rows of purged revisions.</summary>
    public Etag PurgedTo(ReadOnlySpan<byte> key) => _purges is { EntryCount: > 0 } && _purges.TryGet(key, out ReadOnlySpan<byte> value)
        ? new Etag(BinaryPrimitives.ReadInt64LittleEndian(value))
        : Etag.None;

    /// <summary>Purges all revisions of a document; their rows are removed later.</summary>
    /// <param name="last">The etag of the youngest revision, or a larger one.</param>
    public void BeginPurge(ReadOnlySpan<byte> key, Etag last)
    {
        _counts!.Delete(key);
        BinaryPrimitives.WriteInt64LittleEndian(_purges!.Reserve(key, sizeof(long)), last.Value);
    }

    /// <summary>Is called when no rows of purged revisions of a document are left.</summary>
    public void EndPurge(ReadOnlySpan<byte> key) => _purges!.Delete(key);

    /// <summary>Finds a document that still has rows of purged revisions; null when there is none.</summary>
    public byte[]? FindPurge()
    {
        if (_purges is null)
        {
            return null;
        }

        using BTreeCursor cursor = _purges.OpenCursor();
        return cursor.SeekFirst() ? cursor.Key.ToArray() : null;
    }

    public void AddToBin(Etag deletion, ReadOnlySpan<byte> key) => _bin!.Put(BinKey(deletion, stackalloc byte[sizeof(long)]), key);

    /// <returns>False when it was not in the bin.</returns>
    public bool RemoveFromBin(Etag deletion) => _bin!.Delete(BinKey(deletion, stackalloc byte[sizeof(long)]));

    /// <summary>The etags of the newest deletions of documents that are still deleted.</summary>
    /// <param name="below">Only smaller etags.</param>
    public IEnumerable<Etag> ListBin(Etag below)
    {
        if (_bin is null)
        {
            yield break;
        }

        byte[] first = new byte[sizeof(long)];
        BinKey(below, first);
        using BTreeCursor cursor = _bin.OpenCursor();
        bool isOn = cursor.Seek(first) ? cursor.MovePrevious() : cursor.SeekLast();
        for (; isOn; isOn = cursor.MovePrevious())
        {
            yield return new Etag(BinaryPrimitives.ReadInt64BigEndian(cursor.Key));
        }
    }

    /// <summary>The keys of documents that have revisions, in their order.</summary>
    /// <param name="after">Only later keys; empty for all.</param>
    public List<byte[]> ListDocuments(ReadOnlySpan<byte> after, int countMax)
    {
        List<byte[]> keys = [];
        if (_counts is null)
        {
            return keys;
        }

        using BTreeCursor cursor = _counts.OpenCursor();
        bool isOn = after.IsEmpty ? cursor.SeekFirst() : cursor.Seek(after);
        isOn = isOn && cursor.Key.SequenceEqual(after) ? cursor.MoveNext() : isOn;
        for (; isOn && keys.Count < countMax; isOn = cursor.MoveNext())
        {
            keys.Add(cursor.Key.ToArray());
        }

        return keys;
    }

    /// <summary>Finds the revision that stores a change vector.</summary>
    public bool TryFindVector(ReadOnlySpan<byte> vector, out Etag etag)
    {
        etag = Etag.None;
        if (_vectors is null || !_vectors.TryGet(Hash(vector), out ReadOnlySpan<byte> value))
        {
            return false;
        }

        etag = new Etag(BinaryPrimitives.ReadInt64LittleEndian(value));
        return true;
    }

    /// <summary>Adds the change vector of a stored revision. It does nothing for an empty one, which the etag determines.</summary>
    public void AddVector(ReadOnlySpan<byte> vector, Etag etag)
    {
        if (!vector.IsEmpty)
        {
            BinaryPrimitives.WriteInt64LittleEndian(_vectors!.Reserve(Hash(vector), sizeof(long)), etag.Value);
        }
    }

    /// <summary>Removes the change vector of a removed revision.</summary>
    public void RemoveVector(ReadOnlySpan<byte> vector, Etag etag)
    {
        if (!vector.IsEmpty && TryFindVector(vector, out Etag known) && known == etag)
        {
            _vectors!.Delete(Hash(vector));
        }
    }

    private static byte[] Hash(ReadOnlySpan<byte> vector) => SHA256.HashData(vector);

    private static Span<byte> BinKey(Etag etag, Span<byte> key)
    {
        BinaryPrimitives.WriteInt64BigEndian(key, etag.Value);
        return key;
    }

    private (long Count, Etag Removed) Parse(ReadOnlySpan<byte> key)
    {
        if (_counts is null || !_counts.TryGet(key, out ReadOnlySpan<byte> value))
        {
            return default;
        }

        return value.Length == CountBytes
            ? (BinaryPrimitives.ReadInt64LittleEndian(value), new Etag(BinaryPrimitives.ReadInt64LittleEndian(value[sizeof(long)..])))
            : throw new CorruptionException($"An entry of the tree '{CountsName}' has {value.Length} bytes.");
    }

    private void Write(ReadOnlySpan<byte> key, long count, Etag removed)
    {
        Span<byte> value = _counts!.Reserve(key, CountBytes);
        BinaryPrimitives.WriteInt64LittleEndian(value, count);
        BinaryPrimitives.WriteInt64LittleEndian(value[sizeof(long)..], removed.Value);
    }
}
