namespace Jackdaw.Documents.Commands;

/// <summary>A command failed after its batch had begun to write: only a rollback of the transaction undoes that. Never
/// leaves the store: the merger runs the other commands again, and the batch is answered with the status. The command
/// itself knows the reason; what it found may have been written by its own batch.</summary>
internal sealed class BatchRefusedException(WriteStatus status, int command)
    : Exception($"Command {command} of a batch is refused as {status}.")
{
    public WriteStatus Status { get; } = status;

    public int Command { get; } = command;
}
