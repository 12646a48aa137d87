using System.Diagnostics;
using Jackdaw.Storage.Paging;

namespace Jackdaw.Storage.Journal;

/// <summary>The bytes of an entry with the link records of the branches whose first entry in a file is in the same
/// write. Used by <c>PendingEntries</c> alone, which asserts that the write lock is held.</summary>
/// <remarks>A branch's link to the file is durable before its first entry. If the link is lost nevertheless, because a
/// file system does not sync folders or the link was deleted, the root's recovery restores it from the
/// record.</remarks>
internal sealed unsafe class LinkEntry : IDisposable
{
    private readonly AlignedBuffer _buffer = new(JournalFormat.BlockSize);

    /// <summary>An entry with the records, which takes at most one block for each. Valid until the next call.</summary>
    public BuiltEntry Build(long durableTransaction, List<LinkRecord> records)
    {
        Debug.Assert(records.Count > 0);
        int payloadBytes = records.Sum(record => record.Bytes);
        long bytes = JournalFormat.BlocksFor(JournalEntryHeader.SizeOf + payloadBytes) * JournalFormat.BlockSize;
        _buffer.Restart((int)bytes);
        var all = new Span<byte>(_buffer.Address, (int)bytes);
        all.Clear();
        int end = JournalEntryHeader.SizeOf;
        foreach (LinkRecord record in records)
        {
            end += record.Write(all[end..]);
        }

        Debug.Assert(end == JournalEntryHeader.SizeOf + payloadBytes);
        Debug.Assert(bytes <= (long)records.Count * JournalFormat.BlockSize, "a block is reserved for each record");
        var entry = new BuiltEntry(_buffer.Address, bytes);
        entry.Header = new JournalEntryHeader
        {
            Magic = JournalEntryHeader.MagicValue,
            Version = JournalEntryHeader.FormatVersion,
            Flags = JournalEntryOptions.Links,
            TransactionId = durableTransaction,
            StoredBytes = payloadBytes,
            RawBytes = payloadBytes,
        };
        return entry;
    }

    /// <inheritdoc/>
    public void Dispose() => _buffer.Dispose();
}
