using Jackdaw.Server.Documents;

namespace Jackdaw.Server.Http;

/// <summary>Outcomes of writes other than success and conflict, as answers.</summary>
internal static class WriteProblems
{
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
