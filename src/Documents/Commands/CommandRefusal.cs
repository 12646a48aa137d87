using System.Text.Json;

namespace Jackdaw.Documents.Commands;

/// <summary>Why a command, and with it its batch, was not written.</summary>
/// <param name="Status">HTTP status of the answer.</param>
/// <param name="Type">Exception type that official clients know.</param>
/// <param name="Message">What was wrong, where, and what to do.</param>
internal sealed record CommandRefusal(int Status, string Type, string Message)
{
    public const string ConcurrencyType = "Raven.Client.Exceptions.ConcurrencyException";
    public const string InvalidOperationType = "System.InvalidOperationException";

    /// <summary>A version of a document is to be kept, and there is no document.</summary>
    public static CommandRefusal NothingToRevise(string id) => new(
        500, InvalidOperationType,
        $"A revision of document '{id}' cannot be created, because the document does not exist; store it first. Nothing of this transaction was written.");

    /// <summary>Writes members that only this exception type has. When it runs, the command object may already serve
    /// another request, so it holds copies.</summary>
    public Action<Utf8JsonWriter>? WriteDetails { get; init; }
}

/// <summary>A command failed after its batch had begun to write: only a rollback of the transaction undoes that. Never
/// leaves the store: the merger runs the other commands again, and the batch is answered with the status. The command
/// itself knows the reason; what it found may have been written by its own batch.</summary>
internal sealed class BatchRefusedException(WriteStatus status, int command)
    : Exception($"Command {command} of a batch is refused as {status}.")
{
    public WriteStatus Status { get; } = status;

    public int Command { get; } = command;
}
