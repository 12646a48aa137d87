using Jackdaw.Storage.Paging;
using Jackdaw.Storage.Scratch;
using Jackdaw.Storage.Trees;

namespace Jackdaw.Storage.Environments;

/// <summary>All that a transaction needs to see one state of a storage. Immutable; published by one reference write.</summary>
/// <param name="Sequence">Grows with every publication: the transaction id in the upper bits, and in the lower
/// <see cref="MinorBits"/> the publications of the same transaction after flushes.</param>
/// <param name="TransactionId">Last transaction in the state.</param>
/// <param name="Pages">Which pages are in scratch.</param>
/// <param name="Root">Header of the root tree, which names all other trees.</param>
/// <param name="NextPage">First page number that is not in use.</param>
/// <param name="ClientState">What the layer above attached to the transaction; null until it did.</param>
public sealed record EnvironmentState(
    long Sequence,
    long TransactionId,
    PageTable.Snapshot Pages,
    TreeHeader Root,
    PageNumber NextPage,
    object? ClientState)
{
    /// <summary>Bits of the sequence below the transaction id: a million flushes between two transactions, while
    /// 2^43 transactions last for decades at full speed.</summary>
    public const int MinorBits = 20;

    /// <summary>Payload hash of the transaction's journal entry, what the next entry names as its predecessor; set by the journal lane
    /// before the state is published.</summary>
    public ulong EntryHash { get; init; }

    /// <summary>Sequence of the first publication of a transaction.</summary>
    public static long SequenceOf(long transactionId) => (transactionId << MinorBits) | 1;

    /// <summary>Transaction id of a sequence.</summary>
    public static long TransactionOf(long sequence) => sequence >> MinorBits;
}
