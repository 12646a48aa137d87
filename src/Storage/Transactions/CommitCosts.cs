namespace Jackdaw.Storage.Transactions;

/// <summary>What one committed transaction cost, or several together.</summary>
/// <param name="Pages">Changed and new pages and runs.</param>
/// <param name="ChangedBytes">Bytes of those pages: what a page-writing engine would have written.</param>
/// <param name="RawBytes">Journal payload after the diff.</param>
/// <param name="StoredBytes">Journal bytes written, after compression and padding.</param>
/// <param name="PrepareMicroseconds">Checksums, diff and compression.</param>
/// <param name="WriteMicroseconds">The durable write.</param>
public readonly record struct CommitCosts(
    long Pages, long ChangedBytes, long RawBytes, long StoredBytes, long PrepareMicroseconds, long WriteMicroseconds);
