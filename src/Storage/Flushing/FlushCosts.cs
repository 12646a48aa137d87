namespace Jackdaw.Storage.Flushing;

/// <summary>What one flush wrote to the data file.</summary>
/// <param name="TransactionId">Last transaction whose pages are in the data file now.</param>
/// <param name="Pages">Pages written.</param>
/// <param name="Runs">Contiguous ranges: on a rotating disk, seeks.</param>
/// <param name="Calls">System calls.</param>
/// <param name="Bytes">Bytes written.</param>
/// <param name="Leaves">Leaf pages of trees among them.</param>
/// <param name="Branches">Branch pages.</param>
/// <param name="Overflows">Overflow runs.</param>
/// <param name="Rows">Row pages.</param>
/// <param name="Microseconds">Time of the writes.</param>
public readonly record struct FlushCosts(
    long TransactionId, long Pages, long Runs, long Calls, long Bytes, long Leaves, long Branches, long Overflows, long Rows, long Microseconds);
