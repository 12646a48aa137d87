namespace Jackdaw.Server.Documents;

/// <summary>Outcome of a batch.</summary>
public readonly record struct WriteResult
{
    public required WriteStatus Status { get; init; }

    /// <summary>Applied: one entry per command, in order; null when none were wanted.</summary>
    public WriteCommandResult[]? Results { get; init; }

    /// <summary>Conflict: index of the command whose demand was not met. NumbersExhausted: of the one whose id could
    /// not be completed.</summary>
    public int FailedCommand { get; init; }

    /// <summary>Conflict: etag of the stored version, <see cref="Etag.None"/> when the document is missing.</summary>
    public Etag ActualEtag { get; init; }

    /// <summary>Conflict: the stored version may be the demanded one, but an earlier command of the batch changes the
    /// document before.</summary>
    public bool IsChangedEarlier { get; init; }

    public WriteCost Cost { get; init; }
}
