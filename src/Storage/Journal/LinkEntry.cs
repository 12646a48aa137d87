using Jackdaw.Storage.Paging;

namespace Jackdaw.Storage.Journal;

/// <summary>The bytes of an entry with the link records of the branches whose first entry in a file is in the same
/// write. Guarded by the committer's write lock.</summary>
/// <remarks>A branch's name for the file is durable before its first entry. If the name gets lost all the same, because
/// a file system does not sync folders or somebody deleted it, the root's recovery restores it from the
/// record.</remarks>
internal sealed unsafe class LinkEntry : IDisposable
{
    private readonly AlignedBuffer _buffer = new(JournalFormat.BlockSize);

    /// <summary>An entry with the records, which takes at most one block for each. Valid until the next call.</summary>
    public BuiltEntry Build(long durableTransaction, List<LinkRecord> records)
    {
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
