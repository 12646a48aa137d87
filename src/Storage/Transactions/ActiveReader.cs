namespace Jackdaw.Storage.Transactions;

/// <summary>The content of a reader slot.</summary>
/// <param name="Sequence">Of the state it reads; 0 = there is no reader.</param>
/// <param name="BeganMs"><see cref="System.Environment.TickCount64"/> when it began.</param>
/// <param name="Kind">The work of the reader.</param>
/// <param name="AddedBytes"><see cref="Scratch.PageTable.AddedBytes"/> of its state.</param>
public readonly record struct ActiveReader(long Sequence, long BeganMs, ReaderKind Kind, long AddedBytes);

/// <summary>The purpose of a snapshot; for statistics, chosen by the code that begins it.</summary>
public enum ReaderKind
{
    /// <summary>Not specified.</summary>
    Other,

    /// <summary>Values by their keys.</summary>
    Load,

    /// <summary>A page of an ordered walk.</summary>
    List,

    /// <summary>One step of a walk without an end.</summary>
    Stream,

    /// <summary>A batch of an index.</summary>
    Index,

    /// <summary>Counts and sizes.</summary>
    Statistics,

    /// <summary>The write transaction, until its entry is durable.</summary>
    Write,

    /// <summary>A flush, while it writes pages.</summary>
    Flush,

    /// <summary>A walk over everything.</summary>
    Verification,
}
