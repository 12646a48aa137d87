using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Jackdaw.Storage.Paging;

namespace Jackdaw.Storage.Journal;

/// <summary>The bytes of a footer: one block that says up to where transactions are durable, those of the journal's
/// owner and those of branches that wrote since the last footer. Committer only.</summary>
internal sealed unsafe class FooterEntry : IDisposable
{
    /// <summary>Most branches that one footer names: as many as fit its block.</summary>
    public const int BranchesMax = (JournalFormat.BlockSize - JournalEntryHeader.SizeOf) / DurableBranch.SizeOf;

    private readonly AlignedBuffer _block = new(JournalFormat.BlockSize);

    /// <summary>Allocates its memory in advance: a footer that could not be built would stop the storage.</summary>
    public FooterEntry() => _block.Ensure(JournalFormat.BlockSize);

    /// <summary>A footer that says that everything up to the given transactions is durable. Valid until the next
    /// call.</summary>
    public BuiltEntry Build(long durableTransaction, List<DurableBranch> branches)
    {
        Debug.Assert(branches.Count <= BranchesMax);
        Debug.Assert(durableTransaction >= 0);
        _block.Restart(JournalFormat.BlockSize);
        Unsafe.InitBlock(_block.Address, 0, JournalFormat.BlockSize);
        ReadOnlySpan<byte> payload = MemoryMarshal.AsBytes(CollectionsMarshal.AsSpan(branches));
        payload.CopyTo(new Span<byte>(_block.Address + JournalEntryHeader.SizeOf, JournalFormat.BlockSize - JournalEntryHeader.SizeOf));
        var entry = new BuiltEntry(_block.Address, JournalFormat.BlockSize);
        entry.Header = new JournalEntryHeader
        {
            Magic = JournalEntryHeader.MagicValue,
            Version = JournalEntryHeader.FormatVersion,
            Flags = JournalEntryOptions.Footer,
            TransactionId = durableTransaction,
            StoredBytes = payload.Length,
            RawBytes = payload.Length,
        };
        return entry;
    }

    /// <inheritdoc/>
    public void Dispose() => _block.Dispose();
}

/// <summary>One branch in a footer: 16 bytes storage id, 8 bytes last durable transaction.</summary>
[StructLayout(LayoutKind.Sequential, Size = SizeOf)]
internal readonly record struct DurableBranch(Guid StorageId, long Transaction)
{
    public const int SizeOf = 24;
}
