using System.Text;

using Jackdaw.Server.Documents;

namespace Jackdaw.Server.Http;

/// <summary>Outcomes of writes other than success, as answers.</summary>
internal static class WriteProblems
{
    /// <exception cref="RequestRefusedException">The batch was not taken, or demanded a version that is not there.</exception>
    public static void Check(in WriteResult result, WriteBatch batch, DocumentDatabase database)
    {
        Check(result.Status, database);
        if (result.Status is not (WriteStatus.Conflict or WriteStatus.NumbersExhausted))
        {
            return;
        }

        WriteCommand failed = batch.Commands.Span[result.FailedCommand];
        string id = Encoding.UTF8.GetString(failed.Id.Span);
        throw result.Status == WriteStatus.Conflict
            ? new RequestRefusedException(DocumentAnswers.Conflict(database, id, failed.Expected, result))
            : IdentityExhausted(database, id);
    }

    public static RequestRefusedException IdentityExhausted(DocumentDatabase database, string name) => new(new Problem(
        400, ProblemTypes.InvalidOperation,
        $"The identity '{name}' of database '{database.Name}' has no next number: the largest is {long.MaxValue}. Nothing of this " +
            "transaction was written; use another name, or set it back with POST identity/seed and force=true."));

    public static RequestRefusedException HiLoExhausted(DocumentDatabase database, string tag) => new(new Problem(
        400, ProblemTypes.InvalidOperation,
        $"The HiLo numbers of '{tag}' in database '{database.Name}' are used up: the largest is {long.MaxValue}. Nothing was written; use " +
            $"another tag, or send a smaller lastMax and correct 'Max' in document 'Raven/Hilo/{tag}'."));

    /// <summary>For writes that demand no version, and take no number or say themselves that there is none.</summary>
    /// <exception cref="RequestRefusedException">The write was not taken.</exception>
    public static void Check(WriteStatus status, DocumentDatabase database)
    {
        switch (status)
        {
            case WriteStatus.QueueFull:
                throw new RequestRefusedException(Problem.Unavailable(ProblemTypes.Timeout,
                    $"Database '{database.Name}' has had a full write queue for seconds; nothing of this transaction was written, try again."));
            case WriteStatus.DiskFull:
                throw new RequestRefusedException(new Problem(507, ProblemTypes.Server,
                    $"The disk of database '{database.Name}' is full; nothing of this transaction was written, free some space and try again."));
            case WriteStatus.TooLarge:
                throw new RequestRefusedException(Problem.TooLarge(
                    "The request changes more than one transaction may; nothing of this transaction was written, send it in several parts."));
            case WriteStatus.Closing:
                throw new RequestRefusedException(Problem.Unavailable(ProblemTypes.DatabaseLoading,
                    $"Database '{database.Name}' is being closed; nothing of this transaction was written, try again."));
            case WriteStatus.Applied:
            case WriteStatus.Conflict:
            case WriteStatus.NumbersExhausted:
            default:
                return;
        }
    }
}
