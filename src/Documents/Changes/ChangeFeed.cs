using System.Buffers.Binary;
using System.Diagnostics;
using Jackdaw.Documents.Identity;

namespace Jackdaw.Documents.Changes;

/// <summary>The changes of one database in the order of their commits, for any number of consumers. Any
/// thread.</summary>
/// <remarks>
/// 1. A transaction is reported after it is durable and visible, and before the requests that wrote it are answered: a
///    consumer finds a reported change in any snapshot that it begins afterwards, and a client that subscribed before
///    it wrote finds its change in the feed once it has its answer.
/// 2. Transactions are reported completely and in the order of their ids. Only those that took an etag are reported.
/// 3. Changes that consumers have not read are kept in a log of at most <see cref="BytesMax"/> bytes for all consumers together. A consumer that falls further
/// behind gets a gap with the etags that it missed. A transaction that is too large to be recorded, or that was executing when the first consumer subscribed,
/// becomes a gap too.
/// 4. The writer never waits for a consumer. Without consumers nothing is recorded. A consumer that did not dispose its subscription counts until the garbage
/// collector finds it.
/// </remarks>
public sealed class ChangeFeed
{
    /// <summary>The default for the bytes that may wait for consumers: a second with 100,000 changes.</summary>
    public const long DefaultBytesMax = 8 * 1024 * 1024;

    /// <summary>The bytes before the changes of a transaction in the log: id, etag before, last etag, bytes, count.</summary>
    private const int HeaderBytes = 32;

    private readonly Lock _lock = new(); // guards everything below except the recorders
    private readonly ChangeLog _log = new();
    private readonly ChangeRecorder[] _recorders = [new(), new()];
    private FeedConsumer[] _consumers = []; // replaced as a whole
    private Header _dropped; // the last transaction that was dropped before all consumers had read it
    private Etag _last;
    private FeedEndReason _end;

    /// <param name="last">The last etag of the database when it was opened.</param>
    public ChangeFeed(Etag last) => _last = last;

    /// <summary>The most bytes that may wait for consumers; tests make it smaller.</summary>
    public long BytesMax { get; internal set; } = DefaultBytesMax;

    /// <summary>The bytes of memory that wait for consumers.</summary>
    public long HeldBytes
    {
        get
        {
            lock (_lock)
            {
                return _log.HeldBytes;
            }
        }
    }

    /// <summary>Subscribes to the changes; the consumer disposes the subscription.</summary>
    /// <remarks>After the feed has ended, the subscription reports the end at once.</remarks>
    public ChangeSubscription Subscribe()
    {
        lock (_lock)
        {
            var consumer = new FeedConsumer(_log.End, _last);
            _consumers = [.. _consumers, consumer];
            return new ChangeSubscription(this, consumer, _last);
        }
    }

    /// <summary>The recorder for the changes of a transaction; null when there is no consumer. Called on the writer thread when the transaction
    /// begins.</summary>
    internal ChangeRecorder? Begin(long transactionId)
    {
        // Two recorders alternate: this transaction is executed while the previous one is written, and the one before
        // that is published.
        ChangeRecorder recorder = _recorders[transactionId & 1];
        if (Volatile.Read(ref _consumers).Length == 0)
        {
            recorder.Forget();
            return null;
        }

        recorder.Begin(transactionId);
        return recorder;
    }

    /// <summary>Called for each transaction, in order, when it is durable and visible.</summary>
    /// <param name="transactionId">The id of the transaction.</param>
    /// <param name="last">The last etag of the database after it.</param>
    internal void Publish(long transactionId, Etag last)
    {
        FeedConsumer[] told;
        lock (_lock)
        {
            Debug.Assert(last.Value >= _last.Value, "transactions are published in their order");
            if (last == _last)
            {
                return; // The transaction wrote no document.
            }

            told = _consumers;
            if (told.Length > 0)
            {
                Append(transactionId, last);
            }

            _last = last;
        }

        foreach (FeedConsumer consumer in told)
        {
            consumer.Wake();
        }
    }

    /// <summary>Ends the feed. Consumers read the rest, and then the end.</summary>
    internal void End(FeedEndReason reason)
    {
        Debug.Assert(reason != FeedEndReason.None);
        FeedConsumer[] told;
        lock (_lock)
        {
            _end = _end == FeedEndReason.None ? reason : _end;
            told = _consumers;
        }

        foreach (FeedConsumer consumer in told)
        {
            consumer.Wake();
        }
    }

    internal void Remove(FeedConsumer consumer)
    {
        lock (_lock)
        {
            consumer.IsRemoved = true;
            _consumers = [.. _consumers.Where(other => other != consumer)];
            DropRead();
        }

        consumer.Wake();
    }

    /// <summary>Reads the next item of a consumer.</summary>
    /// <param name="consumer">Receives it.</param>
    /// <param name="buffer">Takes its changes.</param>
    /// <param name="item">The next item.</param>
    /// <param name="bytesWanted">When it returns false, the bytes that the buffer must have, or 0.</param>
    /// <returns>False when there is no item yet.</returns>
    internal bool TryRead(FeedConsumer consumer, byte[] buffer, out FeedItem item, out int bytesWanted)
    {
        bytesWanted = 0;
        lock (_lock)
        {
            if (consumer.IsRemoved)
            {
                item = EndOf(consumer, FeedEndReason.Unsubscribed);
            }
            else if (consumer.Position < _log.Start)
            {
                item = GapOf(consumer, _dropped);
                consumer.Position = _log.Start;
            }
            else if (consumer.Position < _log.End)
            {
                return TryReadNext(consumer, buffer, out item, out bytesWanted);
            }
            else if (_end != FeedEndReason.None)
            {
                item = EndOf(consumer, _end);
            }
            else
            {
                item = default;
                return false;
            }

            return true;
        }
    }

    /// <summary>Registers a consumer to be woken by the next change; false when there is already something to
    /// read.</summary>
    internal bool TryBeginWait(FeedConsumer consumer)
    {
        lock (_lock)
        {
            bool hasNews = consumer.IsRemoved || consumer.Position < _log.End || _end != FeedEndReason.None;
            if (!hasNews)
            {
                consumer.BeginWait();
            }

            return !hasNews;
        }
    }

    private static FeedItem EndOf(FeedConsumer consumer, FeedEndReason reason) =>
        new(FeedItemKind.End, consumer.Delivered, consumer.Delivered, 0, 0, default) { Reason = reason };

    private static FeedItem GapOf(FeedConsumer consumer, in Header missed)
    {
        var item = new FeedItem(FeedItemKind.Gap, consumer.Delivered, missed.Last, missed.TransactionId, 0, default);
        consumer.Delivered = missed.Last;
        return item;
    }

    private bool TryReadNext(FeedConsumer consumer, byte[] buffer, out FeedItem item, out int bytesWanted)
    {
        Header header = ReadHeader(consumer.Position);
        bytesWanted = 0;
        if (header.Count == 0)
        {
            item = GapOf(consumer, header);
        }
        else if (header.Bytes > buffer.Length)
        {
            bytesWanted = header.Bytes;
            item = default;
            return false;
        }
        else
        {
            Memory<byte> changes = buffer.AsMemory(0, header.Bytes);
            _log.Read(consumer.Position + HeaderBytes, changes.Span);
            Debug.Assert(header.After == consumer.Delivered, "the items of a consumer follow on each other");
            item = new FeedItem(
                FeedItemKind.Changes, header.After, header.Last, header.TransactionId, header.Count, changes);
            consumer.Delivered = header.Last;
        }

        consumer.Position += HeaderBytes + header.Bytes;
        DropRead();
        return true;
    }

    private void Append(long transactionId, Etag last)
    {
        ChangeRecorder recorder = _recorders[transactionId & 1];
        bool isRecorded = recorder.Holds(transactionId, last);
        ReadOnlySpan<byte> changes = isRecorded ? recorder.Bytes : default;
        Span<byte> header = stackalloc byte[HeaderBytes];
        BinaryPrimitives.WriteInt64LittleEndian(header, transactionId);
        BinaryPrimitives.WriteInt64LittleEndian(header[8..], _last.Value);
        BinaryPrimitives.WriteInt64LittleEndian(header[16..], last.Value);
        BinaryPrimitives.WriteInt32LittleEndian(header[24..], changes.Length);
        BinaryPrimitives.WriteInt32LittleEndian(header[28..], isRecorded ? recorder.Count : 0);
        while (_log.End > _log.Start && _log.End - _log.Start + HeaderBytes + changes.Length > BytesMax)
        {
            _dropped = ReadHeader(_log.Start);
            _log.DropBefore(_log.Start + HeaderBytes + _dropped.Bytes);
        }

        _log.Append(header);
        _log.Append(changes);
        recorder.Trim();
    }

    private Header ReadHeader(long position)
    {
        Span<byte> header = stackalloc byte[HeaderBytes];
        _log.Read(position, header);
        return new Header(
            BinaryPrimitives.ReadInt64LittleEndian(header),
            new Etag(BinaryPrimitives.ReadInt64LittleEndian(header[8..])),
            new Etag(BinaryPrimitives.ReadInt64LittleEndian(header[16..])),
            BinaryPrimitives.ReadInt32LittleEndian(header[24..]),
            BinaryPrimitives.ReadInt32LittleEndian(header[28..]));
    }

    /// <summary>Drops everything that all consumers have read.</summary>
    private void DropRead()
    {
        Debug.Assert(_lock.IsHeldByCurrentThread);
        if (_consumers.Length == 0)
        {
            _log.Clear();
            return;
        }

        long read = _log.End;
        foreach (FeedConsumer consumer in _consumers)
        {
            read = Math.Min(read, consumer.Position);
        }

        // A consumer that is before the start of the log gets a gap, and keeps nothing in the log.
        _log.DropBefore(Math.Max(read, _log.Start));
    }

    /// <summary>A transaction in the log. It has no changes when they were not recorded.</summary>
    private readonly record struct Header(long TransactionId, Etag After, Etag Last, int Bytes, int Count);
}
