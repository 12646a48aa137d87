namespace Jackdaw.Storage.Tables;

/// <summary>One partition of a partitioned index.</summary>
/// <param name="Value">The bytes that its rows have in common: a copy.</param>
/// <param name="RowCount">Rows.</param>
public readonly record struct TablePartition(byte[] Value, long RowCount);
