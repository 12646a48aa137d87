namespace Jackdaw.Server.Documents.Storage;

/// <summary>A demand of a batch failed after the batch had begun to write: only its transaction's rollback undoes
/// that. Never leaves the store:
/// the merger runs the other commands again, and the batch is answered as a conflict.</summary>
internal sealed class BatchConflictException(int command, Etag actual)
    : Exception($"Command {command} of a batch met version {actual.Value}.")
{
    public int Command { get; } = command;

    public Etag Actual { get; } = actual;
}
