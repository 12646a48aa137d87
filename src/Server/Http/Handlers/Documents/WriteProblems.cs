using System.Runtime.CompilerServices;
using Jackdaw.Documents;
using Jackdaw.Documents.Commands;
using Jackdaw.Documents.Patching;
using Jackdaw.Documents.Store;
using Jackdaw.Server.Http.Problems;
using Jackdaw.Server.Http.Routing;

namespace Jackdaw.Server.Http.Handlers.Documents;

/// <summary>Writes of requests, and their outcomes other than success as answers.</summary>
internal static class WriteProblems
{
    /// <summary>Writes one command.</summary>
    /// <exception cref="RequestRefusedException">It was not written.</exception>
    public static ValueTask<WriteOutcome> WriteAsync(this RequestContext context, DocumentCommand command) =>
        context.WriteAsync(new WriteBatch { Commands = new[] { command } });

    /// <summary>Writes a batch.</summary>
    /// <exception cref="RequestRefusedException">It was not written.</exception>
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    public static async ValueTask<WriteOutcome> WriteAsync(this RequestContext context, WriteBatch batch)
    {
        WriteOutcome outcome = await context.Database.WriteAsync(batch, context.Aborted).ConfigureAwait(false);
        context.Cost = outcome.Cost;
        Check(outcome, batch, context.Database);
        return outcome;
    }

    /// <summary>Writes a batch with computed commands.</summary>
    /// <exception cref="RequestRefusedException">It was not written.</exception>
    public static async ValueTask<WriteOutcome> WriteComputedAsync(
        this RequestContext context, ReadOnlyMemory<DocumentCommand> commands, Func<PatchTrace?>? trace = null, bool isTried = false)
    {
        (WriteOutcome outcome, WriteBatch batch) = await ComputedWrites
            .WriteAsync(context.Database, context.Server.Scripts, commands, context.Aborted, trace, isTried).ConfigureAwait(false);
        context.Cost = outcome.Cost;
        Check(outcome, batch, context.Database);
        return outcome;
    }

    /// <exception cref="RequestRefusedException">The batch was not written.</exception>
    public static void Check(in WriteOutcome outcome, WriteBatch batch, DocumentDatabase database)
    {
        switch (outcome.Status)
        {
            case WriteStatus.Applied:
                return;
            case WriteStatus.Conflict:
            case WriteStatus.NumbersExhausted:
            case WriteStatus.HiLoUnreadable:
            case WriteStatus.Refused:
            case WriteStatus.NothingToRevise:
                CommandRefusal refusal = batch.Commands.Span[outcome.FailedCommand].MakeRefusal(batch, database);
                throw new RequestRefusedException(
                    new Problem(refusal.Status, refusal.Type, refusal.Message) { WriteDetails = refusal.WriteDetails });
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
            default:
                throw new RequestRefusedException(Problem.Unavailable(ProblemTypes.DatabaseLoading,
                    $"Database '{database.Name}' is being closed; nothing of this transaction was written, try again."));
        }
    }
}
