using System.Runtime.CompilerServices;

namespace Jackdaw.Storage.Journal;

/// <summary>The bytes of a footer: an entry that is only a header, one block. Journal lane only.</summary>
internal sealed unsafe class FooterEntry : IDisposable
{
    private readonly AlignedBuffer _block = new(JournalFormat.BlockSize);

    /// <summary>A footer that says: everything up to the transaction is durable. Valid until the next call.</summary>
    public BuiltEntry Build(long durableTransaction)
    {
        _block.Restart(JournalFormat.BlockSize);
        Unsafe.InitBlock(_block.Address, 0, JournalFormat.BlockSize);
        var entry = new BuiltEntry(_block.Address, JournalFormat.BlockSize);
        entry.Header = new JournalEntryHeader
        {
            Magic = JournalEntryHeader.MagicValue,
            Version = JournalEntryHeader.FormatVersion,
            Flags = JournalEntryOptions.Footer,
            TransactionId = durableTransaction,
        };
        return entry;
    }

    /// <inheritdoc/>
    public void Dispose() => _block.Dispose();
}
