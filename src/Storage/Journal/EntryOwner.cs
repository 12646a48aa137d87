using System.Diagnostics;

namespace Jackdaw.Storage.Journal;

/// <summary>The storage that an entry belongs to, and the state of the chain of its entries. Changed by
/// <see cref="JournalWriter"/> alone, which asserts that its lock is held.</summary>
internal sealed class EntryOwner(Guid storageId, long durableTransaction, ulong previousHash)
{
    /// <summary>Identity of the storage.</summary>
    public Guid StorageId => storageId;

    /// <summary>Last transaction known to be durable.</summary>
    public long DurableTransaction { get; private set; } = durableTransaction;

    /// <summary>Payload hash of its entry, which the next entry names as its predecessor.</summary>
    public ulong PreviousHash { get; private set; } = previousHash;

    /// <summary>Is called when an entry of the storage became durable.</summary>
    public void OnWritten(in JournalEntryHeader header)
    {
        Debug.Assert(header.IsTransaction && header.StorageId == storageId);
        Invariant.Check(header.TransactionId == DurableTransaction + 1, "transactions become durable out of order");
        DurableTransaction = header.TransactionId;
        PreviousHash = header.PayloadHash;
    }
}

/// <summary>One entry of a journal write.</summary>
/// <param name="Owner">The storage that owns it.</param>
/// <param name="Entry">The built entry; its header is completed when it is written.</param>
/// <param name="File">The file under the owner's own name and number.</param>
/// <param name="Promised">Bytes of the journal that were reserved for it.</param>
internal readonly record struct GroupedEntry(EntryOwner Owner, BuiltEntry Entry, JournalFile File, long Promised);
