namespace Jackdaw.Server.Documents.Commands;

/// <summary>A command of a batch cannot be done after the batch had begun to write: only its transaction's rollback
/// undoes that. Never leaves the store: the merger runs the other commands again, and the batch is answered with the status. The command
/// itself knows why; what it has met may be the batch's own.</summary>
internal sealed class BatchRefusedException(WriteStatus status, int command)
    : Exception($"Command {command} of a batch is refused as {status}.")
{
    public WriteStatus Status { get; } = status;

    public int Command { get; } = command;
}
