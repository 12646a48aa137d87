namespace Jackdaw.Storage.Journal;

/// <summary>Place of an entry: number of the journal file and 4 KB block in it.</summary>
/// <param name="Journal">Number of the file, from 1 on; 0 = no journal.</param>
/// <param name="Block">Block of the entry's header; block 0 is the file's header record.</param>
/// <param name="EntryHash">Payload hash of the entry: what the next entry names as its predecessor.</param>
public readonly record struct JournalPosition(long Journal, long Block, ulong EntryHash);
