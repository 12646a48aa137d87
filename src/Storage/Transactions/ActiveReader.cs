namespace Jackdaw.Storage.Transactions;

/// <summary>What a reader slot tells.</summary>
/// <param name="Sequence">Of the state it reads; 0 = there is no reader.</param>
/// <param name="BeganMs"><see cref="System.Environment.TickCount64"/> when it began.</param>
/// <param name="Kind">What it does.</param>
/// <param name="AddedBytes"><see cref="Scratch.PageTable.AddedBytes"/> of its state.</param>
public readonly record struct ActiveReader(long Sequence, long BeganMs, ReaderKind Kind, long AddedBytes);
