using System.Text.Json;

namespace Jackdaw.Server.Documents.Commands;

/// <summary>Why a command, and with it its batch, was not written.</summary>
/// <param name="Status">HTTP status of the answer.</param>
/// <param name="Type">Exception type that official clients know.</param>
/// <param name="Message">What was wrong, where, and what to do.</param>
internal sealed record CommandRefusal(int Status, string Type, string Message)
{
    public const string ConcurrencyType = "Raven.Client.Exceptions.ConcurrencyException";
    public const string InvalidOperationType = "System.InvalidOperationException";

    /// <summary>Writes members that the type carries beside those that all have. Called when the command may be another request's: holds
    /// copies.</summary>
    public Action<Utf8JsonWriter>? WriteDetails { get; init; }
}

/// <summary>A command of a batch cannot be done after the batch had begun to write: only its transaction's rollback
/// undoes that. Never leaves the store: the merger runs the other commands again, and the batch is answered with the status. The command
/// itself knows why; what it has met may be the batch's own.</summary>
internal sealed class BatchRefusedException(WriteStatus status, int command)
    : Exception($"Command {command} of a batch is refused as {status}.")
{
    public WriteStatus Status { get; } = status;

    public int Command { get; } = command;
}
