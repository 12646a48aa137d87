namespace Jackdaw.Documents.Commands;

/// <summary>A command failed after its batch had begun to write, which only a rollback of the transaction can undo. The exception never leaves the database:
/// the merger runs the other commands again, and the batch is answered with the status. The command itself knows the reason; its own batch may have written the
/// version that it found.</summary>
internal sealed class BatchRefusedException(WriteStatus status, int command)
    : Exception($"Command {command} of a batch is refused as {status}.")
{
    public WriteStatus Status { get; } = status;

    public int Command { get; } = command;
}
