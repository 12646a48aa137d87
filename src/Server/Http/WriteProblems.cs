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
        if (result.Status == WriteStatus.Conflict)
        {
            WriteCommand failed = batch.Commands.Span[result.FailedCommand];
            throw new RequestRefusedException(DocumentAnswers.Conflict(
                database, Encoding.UTF8.GetString(failed.Id.Span), failed.Expected, result.ActualEtag));
        }
    }

    /// <summary>For writes that demand no version.</summary>
    /// <exception cref="RequestRefusedException">The write was not taken.</exception>
    public static void Check(WriteStatus status, DocumentDatabase database)
    {
        switch (status)
        {
            case WriteStatus.QueueFull:
                throw new RequestRefusedException(Problem.Unavailable(ProblemTypes.Timeout,
                    $"Database '{database.Name}' has had a full write queue for seconds; nothing was written, try again."));
            case WriteStatus.DiskFull:
                throw new RequestRefusedException(new Problem(507, ProblemTypes.Server,
                    $"The disk of database '{database.Name}' is full; nothing was written, free some space and try again."));
            case WriteStatus.TooLarge:
                throw new RequestRefusedException(Problem.TooLarge(
                    "The request changes more than one transaction may; nothing was written, send it in several parts."));
            case WriteStatus.Closing:
                throw new RequestRefusedException(Problem.Unavailable(ProblemTypes.DatabaseLoading,
                    $"Database '{database.Name}' is being closed; nothing was written, try again."));
            case WriteStatus.Applied:
            case WriteStatus.Conflict:
            default:
                return;
        }
    }
}
