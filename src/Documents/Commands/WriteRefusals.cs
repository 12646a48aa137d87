using Jackdaw.Documents.Identity;
using Jackdaw.Json.Refusals;

namespace Jackdaw.Documents.Commands;

/// <summary>Turns all outcomes of writes except success into refusals.</summary>
internal static class WriteRefusals
{
    /// <summary>Does nothing when the batch was written.</summary>
    /// <exception cref="RefusedException">The batch was not written.</exception>
    public static void ThrowUnlessWritten(this in WriteOutcome outcome, WriteBatch batch, INamedDatabase database)
    {
        if (outcome.Status != WriteStatus.Applied)
        {
            throw new RefusedException(Of(outcome, batch, database));
        }
    }

    private static Refusal Of(in WriteOutcome outcome, WriteBatch batch, INamedDatabase database) => outcome.Status switch
    {
        WriteStatus.Conflict or WriteStatus.NumbersExhausted or WriteStatus.HiLoUnreadable or WriteStatus.Refused or WriteStatus.NothingToRevise =>
            batch.Commands.Span[outcome.FailedCommand].MakeRefusal(batch, database),
        WriteStatus.QueueFull => new Refusal(
            RefusalKind.Busy,
            $"The write queue of database '{database.Name}' was full for some seconds; nothing of this transaction was written, try again."),
        WriteStatus.DiskFull => new Refusal(
            RefusalKind.DiskFull,
            $"The disk of database '{database.Name}' is full; nothing of this transaction was written, free some space and try again."),
        WriteStatus.TooLarge => new Refusal(
            RefusalKind.TooLarge,
            "The request changes more than one transaction can hold; nothing of this transaction was written, send it in several parts."),
        _ => new Refusal(
            RefusalKind.Closing, $"Database '{database.Name}' is being closed; nothing of this transaction was written, try again."),
    };
}
