using System.Diagnostics;

namespace Jackdaw.Storage.Scratch;

/// <summary>Numbers of published states. They grow with every publication: the transaction id in the upper bits, and in the lower
/// ones the publications of the same transaction after flushes.</summary>
public static class StateSequence
{
    /// <summary>Bits below the transaction id: a million flushes between two transactions, while 2^43 transactions last for decades
    /// at full speed.</summary>
    public const int MinorBits = 20;

    /// <summary>Sequence of the first publication of a transaction.</summary>
    public static long FirstOf(long transactionId)
    {
        Debug.Assert(transactionId >= 0 && transactionId <= long.MaxValue >> MinorBits);
        return (transactionId << MinorBits) | 1;
    }

    /// <summary>Transaction id of a sequence.</summary>
    public static long TransactionOf(long sequence) => sequence >> MinorBits;
}
