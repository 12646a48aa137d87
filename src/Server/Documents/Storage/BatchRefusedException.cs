namespace Jackdaw.Server.Documents.Storage;

/// <summary>A command of a batch cannot be done after the batch had begun to write: only its transaction's rollback
/// undoes that. Never leaves the store:
/// the merger runs the other commands again, and the batch is answered with the status.</summary>
internal sealed class BatchRefusedException(WriteStatus status, int command, byte[] key, bool isChangedEarlier)
    : Exception($"Command {command} of a batch is refused as {status}.")
{
    public WriteStatus Status { get; } = status;

    public int Command { get; } = command;

    /// <summary>Conflict: of the document. The version met is not told: the batch may have made it.</summary>
    public byte[] Key { get; } = key;

    public bool IsChangedEarlier { get; } = isChangedEarlier;
}
