namespace Jackdaw.Storage.Compaction;

/// <summary>The result of a compaction.</summary>
/// <param name="BytesBefore">Bytes of data file and journals before.</param>
/// <param name="BytesAfter">Bytes of data file and journals afterwards.</param>
/// <param name="Entries">Entries of trees and rows of tables that were copied.</param>
public readonly record struct CompactionResult(long BytesBefore, long BytesAfter, long Entries);
