using System.Runtime.CompilerServices;
using Jackdaw.Documents;
using Jackdaw.Documents.Commands;
using Jackdaw.Documents.Database;
using Jackdaw.Documents.Patching;
using Jackdaw.Json.Refusals;
using Jackdaw.Server.Http.Routing;

namespace Jackdaw.Server.Http.Handlers.Documents;

/// <summary>Writes the commands of requests, and turns all outcomes except success into answers.</summary>
internal static class WriteProblems
{
    /// <summary>Writes one command.</summary>
    /// <exception cref="RefusedException">Nothing was written.</exception>
    public static ValueTask<WriteOutcome> WriteAsync(this RequestContext context, DocumentCommand command) =>
        context.WriteAsync(new WriteBatch { Commands = new[] { command } });

    /// <summary>Writes a batch.</summary>
    /// <exception cref="RefusedException">Nothing was written.</exception>
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    public static async ValueTask<WriteOutcome> WriteAsync(this RequestContext context, WriteBatch batch)
    {
        WriteOutcome outcome = await context.Database.WriteAsync(batch, mayRunHere: true, context.Aborted).ConfigureAwait(false);
        context.Cost = outcome.Cost;
        outcome.ThrowUnlessWritten(batch, context.Database);
        return outcome;
    }

    /// <summary>Writes a batch with computed commands.</summary>
    /// <exception cref="RefusedException">Nothing was written.</exception>
    public static async ValueTask<WriteOutcome> WriteComputedAsync(
        this RequestContext context, ReadOnlyMemory<DocumentCommand> commands, Func<PatchTrace?>? trace = null, bool isTried = false)
    {
        (WriteOutcome outcome, WriteBatch batch) = await ComputedWrites
            .WriteAsync(context.Database, context.Server.Scripts, commands, context.Aborted, trace, isTried).ConfigureAwait(false);
        context.Cost = outcome.Cost;
        outcome.ThrowUnlessWritten(batch, context.Database);
        return outcome;
    }
}
