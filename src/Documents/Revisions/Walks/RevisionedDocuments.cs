using Jackdaw.Documents.Commands;
using Jackdaw.Documents.Database;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Rows;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Documents.Revisions.Walks;

/// <summary>Walks over all documents of a database that have revisions, some at a time, each time in a new snapshot.</summary>
/// <param name="database">The database of the documents.</param>
internal sealed class RevisionedDocuments(DocumentDatabase database)
{
    /// <summary>The most documents of one snapshot.</summary>
    public const int BatchMax = 128;

    private byte[] _last = [];

    /// <summary>The most revisions of one snapshot.</summary>
    public int RevisionsPerStep { get; init; } = RevisionStep.RevisionsMax;

    /// <summary>The current number of documents with revisions.</summary>
    public long Count()
    {
        using DocumentReadScope read = database.BeginRead(ReaderKind.Statistics);
        return new RevisionTrees(read.Transaction.Trees).Documents;
    }

    /// <summary>Visits the next documents.</summary>
    /// <param name="look">Called for each key, in their order. It returns false when the step ended in the middle of the document's revisions; then the next
    /// step calls it again for the same key.</param>
    /// <returns>False when there are no more.</returns>
    public bool Next(Func<RevisionStep, byte[], bool> look)
    {
        using DocumentReadScope read = database.BeginRead(ReaderKind.List);
        var revisions = new RevisionReader(read.Transaction, database.Replica);
        List<byte[]> keys = revisions.Trees.ListDocuments(_last, BatchMax);
        var step = new RevisionStep(read, revisions, RevisionsPerStep);
        foreach (byte[] key in keys)
        {
            if (!look(step, key))
            {
                return true;
            }

            _last = key;
            if (step.IsSpent)
            {
                return true;
            }
        }

        return keys.Count == BatchMax;
    }

    /// <summary>The collection of a document, or that of its newest revision when it is deleted; in lower case.</summary>
    public static byte[] CollectionOf(DocumentReadScope read, RevisionReader revisions, byte[] key)
    {
        if (read.TryGet(key, out StoredDocument stored))
        {
            byte[] collection = new byte[DocumentRowBuilding.CollectionKeyBytesMax];
            return collection[..DocumentRowBuilding.MakeCollectionKey(stored.Collection, collection)];
        }

        using RevisionCursor cursor = revisions.Open(key, Etag.Maximum);
        return cursor.MoveNext() ? cursor.Current.CollectionKey.ToArray() : [];
    }

    /// <summary>The keys of collections that a request names, for look-ups; null for all collections.</summary>
    public static HashSet<byte[]>? KeysOf(IReadOnlyCollection<byte[]>? collections)
    {
        if (collections is null)
        {
            return null;
        }

        var keys = new HashSet<byte[]>(ByteTextComparer.Instance);
        foreach (byte[] name in collections)
        {
            byte[] key = new byte[DocumentRowBuilding.CollectionKeyBytesMax];
            keys.Add(key[..DocumentRowBuilding.MakeCollectionKey(name, key)]);
        }

        return keys;
    }

    /// <summary>Writes commands as one transaction.</summary>
    public async Task WriteAsync(IReadOnlyList<DocumentCommand> commands, CancellationToken ended)
    {
        if (commands.Count > 0)
        {
            var batch = new WriteBatch { Commands = commands.ToArray() };
            WriteOutcome outcome = await database.WriteAsync(batch, ended).ConfigureAwait(false);
            outcome.ThrowUnlessWritten(batch, database);
        }
    }
}
