using Jackdaw.Json.Refusals;
using Jackdaw.Pal;
using Jackdaw.Search.Queries;
using Jackdaw.Storage;
using Microsoft.AspNetCore.Connections;

namespace Jackdaw.Server.Http.Problems;

/// <summary>Turns exceptions into answers: refusals by their table, and failures of disks, connections and the like one by one.</summary>
internal static class ProblemMapping
{
    /// <summary>Whether a failure is the client's mistake, or a state that the answer explains. Such a failure writes at most one line to the log, with any
    /// status.</summary>
    public static bool IsExplained(Exception failure) => failure is RequestRefusedException or RefusedException;

    public static Problem ToProblem(Exception failure) => failure switch
    {
        RequestRefusedException refused => refused.Problem,
        RefusedException refused => RefusalAnswers.ToProblem(refused.Refusal),
        InvalidSearchException invalid => new Problem(400, ProblemTypes.InvalidQuery, invalid.Message),
        BadHttpRequestException bad => new Problem(bad.StatusCode, ProblemTypes.BadRequest, bad.Message) { CloseConnection = true },
        IOException io when MessageLength.IsChunkTooLarge(io) => MessageLength.ChunkTooLarge,
        DiskFullException full => new Problem(507, ProblemTypes.Server, full.Message),
        ResourceShortageException shortage => Problem.Unavailable(ProblemTypes.Server, shortage.Message),
        PalException { IsShortage: true } shortage => Problem.Unavailable(ProblemTypes.Server, shortage.Message),
        TimeoutException timeout => Problem.Unavailable(ProblemTypes.Timeout, timeout.Message),
        ConnectionAbortedException => Problem.Unavailable(ProblemTypes.Server, "The connection is being closed."),
        ObjectDisposedException => Problem.Unavailable(
            ProblemTypes.DatabaseLoading, "The database was closed while the request ran; try again."),
        OperationCanceledException => Problem.Unavailable(ProblemTypes.Server, "The server is stopping; try again."),
        _ => new Problem(500, failure.GetType().FullName!, $"{failure.Message} (see the server's log)"),
    };
}
