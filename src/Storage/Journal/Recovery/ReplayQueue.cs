using System.Diagnostics;

namespace Jackdaw.Storage.Journal.Recovery;

/// <summary>Entries that were read and checked, in order, and wait to be replayed. They are replayed a little later
/// than they are read, so that the thread pool can decode them in the meantime. Opening thread.</summary>
internal sealed unsafe class ReplayQueue(RecoveredPages pages, string storagePath) : IDisposable
{
    /// <summary>Entries read ahead: enough for one other processor to be always busy.</summary>
    private const int EntriesMax = 8;

    /// <summary>Bytes read ahead, as stored and decoded; a single entry may be larger.</summary>
    private const long BytesMax = 64L * 1024 * 1024;

    private readonly Queue<ReplayEntry> _waiting = new();
    private readonly Stack<ReplayEntry> _spare = new();
    private readonly List<ReplayEntry> _all = [];
    private long _waitingBytes;

    /// <summary>An entry to read a payload into.</summary>
    public ReplayEntry Rent()
    {
        if (!_spare.TryPop(out ReplayEntry? entry))
        {
            entry = new ReplayEntry();
            _all.Add(entry);
        }

        return entry;
    }

    /// <summary>Takes back an entry whose payload was damaged.</summary>
    public void Return(ReplayEntry entry)
    {
        Debug.Assert(_all.Contains(entry) && !_spare.Contains(entry));
        _spare.Push(entry);
    }

    /// <summary>Queues an entry, and replays those that have waited long enough.</summary>
    /// <param name="entry">Rented, with its payload read.</param>
    /// <param name="header">Its checked header.</param>
    /// <param name="path">The journal that contains it, for messages.</param>
    /// <exception cref="CorruptedJournalException">An entry cannot be decoded.</exception>
    public void Add(ReplayEntry entry, in JournalEntryHeader header, string path)
    {
        entry.Start(header, path);
        _waiting.Enqueue(entry);
        _waitingBytes += BytesOf(header);
        while (_waiting.Count > EntriesMax || (_waiting.Count > 1 && _waitingBytes > BytesMax))
        {
            ReplayOldest();
        }
    }

    /// <summary>Replays all waiting entries.</summary>
    /// <inheritdoc cref="Add"/>
    public void Complete()
    {
        while (_waiting.Count > 0)
        {
            ReplayOldest();
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _all.ForEach(entry => entry.Dispose());
        _all.Clear();
        _waiting.Clear();
        _spare.Clear();
    }

    private static long BytesOf(in JournalEntryHeader header) => header.StoredBytes + header.RawBytes;

    private void ReplayOldest()
    {
        ReplayEntry entry = _waiting.Peek();
        ref readonly JournalEntryHeader header = ref entry.Header;
        byte* payload = entry.WaitForPayload(out long bytes);
        if (payload == null || !pages.TryReplay(payload, bytes, header.FreedCount, header.PageCount, header.NextPage))
        {
            // The hash matched, so these bytes are what was written: this is not damage on disk.
            throw new CorruptedJournalException(storagePath,
                $"transaction {header.TransactionId} in '{entry.Path}' block {header.Block} cannot be decoded although its hash is right. " +
                JournalRecovery.Advice);
        }

        _waitingBytes -= BytesOf(header);
        Debug.Assert(_waitingBytes >= 0);
        _waiting.Dequeue();
        entry.Finish();
        _spare.Push(entry);
    }
}
