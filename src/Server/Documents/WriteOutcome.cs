using Jackdaw.Server.Documents.Identity;

namespace Jackdaw.Server.Documents;

/// <summary>Outcome of a batch; what each command came to is in the command.</summary>
public readonly record struct WriteOutcome
{
    public required WriteStatus Status { get; init; }

    /// <summary>Conflict and NumbersExhausted: index of the command that could not be done, which says why.</summary>
    public int FailedCommand { get; init; }

    /// <summary>Applied: etag of the last write of the database that the batch has seen or made.</summary>
    public Etag LastEtag { get; init; }

    public WriteCost Cost { get; init; }
}
