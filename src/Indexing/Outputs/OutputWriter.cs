using System.Text;
using Jackdaw.Documents;
using Jackdaw.Documents.Commands;
using Jackdaw.Documents.Database;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Rows;
using Jackdaw.Indexing.Records;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Transactions;
using Jackdaw.Storage.Trees;

namespace Jackdaw.Indexing.Outputs;

/// <summary>Writes the documents that an index makes of its groups. Used by the thread of the index's runs, except for
/// <see cref="IsPending"/>.</summary>
/// <remarks>
/// 1. A batch of the index writes its changed groups to "output pending", in its transaction.
/// 2. Pending documents are written through the merger, and when that is durable they are removed from "output pending". After a crash in
///    between they are written again, which changes nothing.
/// 3. An index that is new in its folder (created, reset, rebuilt, a replacement) does not know what an earlier one has written: when it has
///    caught up once, it deletes the documents of its collections that an index made and that none of its own groups makes.
/// A replacement writes nothing before it has its name; the command checks that (<see cref="WriteOutputsCommand"/>).
/// </remarks>
internal sealed class OutputWriter : IDisposable
{
    /// <summary>Documents of one transaction. It is small, because writes of users wait for it.</summary>
    private const int DocumentsMax = 256;

    /// <summary>Bytes of one transaction, for the same reason.</summary>
    private const long BytesMax = 1 << 20;

    /// <summary>Documents that are looked at in one snapshot: some milliseconds.</summary>
    private const int LookedAtMax = 4096;

    private readonly DocumentDatabase _database;
    private readonly StorageEnvironment _storage;
    private readonly OutputDefinition _definition;
    private readonly PendingOutputs _pending;
    private readonly Action<string> _refused;
    private volatile bool _isPending;
    private bool _isSwept;
    private int _sweptCollections;
    private Etag _sweptTo;

    /// <param name="refused">Called with the reason when a document is not written.</param>
    public OutputWriter(DocumentDatabase database, StorageEnvironment storage, OutputDefinition definition, Action<string> refused)
    {
        _refused = refused;
        _database = database;
        _storage = storage;
        _definition = definition;
        _pending = new PendingOutputs(definition);
        using ReadTransaction read = storage.BeginRead();
        _isSwept = read.Trees.FindTree(StateTree) is { } state && state.Contains(SweptKey);
        _isPending = !_isSwept || read.Trees.FindTree(OutputStore.PendingTree) is { EntryCount: > 0 };
    }

    public OutputDefinition Definition => _definition;

    /// <summary>Whether documents are still to be written. Any thread.</summary>
    public bool IsPending => _isPending;

    private static ReadOnlySpan<byte> StateTree => "index state"u8;

    private static ReadOnlySpan<byte> SweptKey => "outputs swept"u8;

    /// <summary>A batch has noted outputs.</summary>
    public void NoteBatch() => _isPending = true;

    /// <summary>Writes some of what is pending.</summary>
    /// <param name="record">The current record of the index.</param>
    /// <param name="hasCaughtUp">The index has read all documents.</param>
    /// <returns>Whether there is more.</returns>
    public bool Step(IndexRecord record, bool hasCaughtUp)
    {
        if (!_isPending || record.Replaces is not null)
        {
            return false;
        }

        List<(byte[] Pending, OutputDocument Document)> outputs;
        using (ReadTransaction read = _storage.BeginRead())
        {
            outputs = _pending.Read(read.Trees, DocumentsMax, BytesMax);
        }

        if (outputs.Count > 0)
        {
            return TryWrite(record, [.. outputs.Select(output => output.Document)]) && Forget(outputs);
        }

        if (_isSwept)
        {
            _isPending = false;
            return false;
        }

        return hasCaughtUp && Sweep(record);
    }

    public void Dispose() => _pending.Dispose();

    private bool Forget(List<(byte[] Pending, OutputDocument Document)> outputs)
    {
        using WriteTransaction write = _storage.BeginWrite();
        BTree pending = write.Trees.CreateTree(OutputStore.PendingTree);
        foreach ((byte[] key, _) in outputs)
        {
            pending.Delete(key);
        }

        write.Commit();
        return true;
    }

    private bool Sweep(IndexRecord record)
    {
        string[] collections = [.. _definition.Collections];
        List<OutputDocument> gone = FindForeign(collections[_sweptCollections], isListing: _sweptCollections > 0, out Etag reached, out bool isEnd);
        if (gone.Count > 0 && !TryWrite(record, gone))
        {
            return false;
        }

        _sweptTo = reached;
        if (isEnd)
        {
            _sweptCollections++;
            _sweptTo = Etag.None;
        }

        if (_sweptCollections == collections.Length)
        {
            using WriteTransaction write = _storage.BeginWrite();
            write.Trees.CreateTree(StateTree).Put(SweptKey, [1]);
            write.Commit();
            _isSwept = true;
        }

        return true;
    }

    // Documents that an index made, but not this one.
    private List<OutputDocument> FindForeign(string collection, bool isListing, out Etag reached, out bool isEnd)
    {
        var found = new List<OutputDocument>();
        using DocumentReadScope documents = _database.BeginRead(ReaderKind.Index);
        using ReadTransaction read = _storage.BeginRead();
        ChangeCursor cursor = documents.OpenChanges(Encoding.UTF8.GetBytes(collection), _sweptTo);
        int looked = 0;
        reached = _sweptTo;
        isEnd = true;
        while (cursor.MoveNext())
        {
            reached = cursor.Etag;
            if (!cursor.IsTombstone && WriteOutputsCommand.IsOutput(cursor.Document) && !_pending.IsLive(read.Trees, cursor.Key, isListing))
            {
                found.Add(new OutputDocument(cursor.Document.Id.ToArray(), cursor.Key.ToArray(), null) { Seen = cursor.Etag });
            }

            if (++looked == LookedAtMax || found.Count == DocumentsMax)
            {
                isEnd = false;
                break;
            }
        }

        return found;
    }

    // False: the index does not own them any more, or the database is being closed.
    private bool TryWrite(IndexRecord record, IReadOnlyList<OutputDocument> documents)
    {
        var command = new WriteOutputsCommand(record.Name, record.Folder, documents);
        var batch = new WriteBatch { Commands = new DocumentCommand[] { command } };
        WriteOutcome outcome = _database.WriteAsync(batch, CancellationToken.None).AsTask().GetAwaiter().GetResult();
        foreach (string id in outcome.Status == WriteStatus.Applied ? command.Spared : [])
        {
            _refused($"The list '{id}' is not written, because a document that no index made has this id; "
                + "use another PatternForOutputReduceToCollectionReferences.");
        }

        return outcome.Status switch
        {
            WriteStatus.Applied => true,
            WriteStatus.Conflict or WriteStatus.Closing => false,
            _ => throw new IOException($"Documents that the index makes could not be written ({outcome.Status})."),
        };
    }
}
