namespace Jackdaw.Server.Documents.Storage;

/// <summary>A command of a batch cannot be done after the batch had begun to write: only its transaction's rollback
/// undoes that. Never leaves the store:
/// the merger runs the other commands again, and the batch is answered with the status.</summary>
internal sealed class BatchRefusedException(WriteStatus status, int command, Etag actual)
    : Exception($"Command {command} of a batch is refused as {status}; it met version {actual.Value}.")
{
    public WriteStatus Status { get; } = status;

    public int Command { get; } = command;

    public Etag Actual { get; } = actual;
}
