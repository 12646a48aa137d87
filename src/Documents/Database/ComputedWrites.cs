using Jackdaw.Documents.Commands;
using Jackdaw.Documents.Patching;
using Jackdaw.Documents.Rows;
using Jackdaw.Scripting;
using Jackdaw.Scripting.Caching;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Documents.Database;

/// <summary>Writes batches with computed commands: patches.</summary>
/// <remarks>
/// 1. The request waits for the turn of the documents that it patches (<see cref="PatchTurns"/>).
/// 2. The scripts run over one snapshot, and the batch is made: the versions of all that was read, then the writes.
/// 3. The writer checks the versions. When one has changed, everything begins again at 2 with a newer snapshot: somebody else's write has
///    succeeded meanwhile, so that all requests together never stand still.
/// </remarks>
internal static class ComputedWrites
{
    /// <summary>Attempts of one request. Patches wait for each other, so that only ordinary writes can come in between: a document that is
    /// written so often while a script runs is not worth a thousand runs more.</summary>
    public const int AttemptsMax = 1_000;

    /// <summary>Writes a batch.</summary>
    /// <param name="commands">Of which some are computed; all hold their results afterwards.</param>
    /// <param name="trace">Gets what the scripts of the last attempt did and said; null: nobody wants that.</param>
    /// <param name="isTried">Nothing is written.</param>
    /// <param name="time">Clock of the bound of one attempt; null: that of the system.</param>
    /// <returns>The outcome, and the batch that its failed command is one of.</returns>
    /// <exception cref="PatchConflictException">A version that the client demanded is not the stored one.</exception>
    /// <exception cref="JavaScriptException">A script failed.</exception>
    public static async ValueTask<(WriteOutcome Outcome, WriteBatch Batch)> WriteAsync(
        DocumentDatabase database, QueryScripts scripts, ReadOnlyMemory<DocumentCommand> commands, CancellationToken ended,
        Func<PatchTrace?>? trace = null, bool isTried = false, TimeProvider? time = null)
    {
        using PatchTurns.Turn turn = await database.Patches.EnterAsync(TargetsOf(commands), ended).ConfigureAwait(false);
        for (int attempt = 0; attempt < AttemptsMax; attempt++)
        {
            (WriteBatch? batch, int checks, WriteOutcome unwritten) = Compute(
                database, scripts, commands.Span, trace?.Invoke(), time ?? TimeProvider.System, ended);
            if (batch is null || isTried)
            {
                return (unwritten, new WriteBatch { Commands = commands });
            }

            WriteOutcome outcome = await database.WriteAsync(batch, ended).ConfigureAwait(false);
            if (outcome.Status != WriteStatus.Conflict || outcome.FailedCommand >= checks)
            {
                return (outcome, batch);
            }
        }

        throw new PatchStarvedException(
            $"What the patch reads was changed by others {AttemptsMax} times while its script ran; nothing of it was written. " +
            "Try again later, or make the script faster.");
    }

    private static List<byte[]> TargetsOf(ReadOnlyMemory<DocumentCommand> commands)
    {
        var targets = new List<byte[]>();
        foreach (DocumentCommand command in commands.Span)
        {
            targets.AddRange(command is ComputedCommand computed ? computed.Targets : []);
        }

        return targets;
    }

    private static (WriteBatch? Batch, int Checks, WriteOutcome Unwritten) Compute(
        DocumentDatabase database, QueryScripts scripts, ReadOnlySpan<DocumentCommand> commands, PatchTrace? trace, TimeProvider time,
        CancellationToken ended)
    {
        using DocumentReadScope read = database.BeginRead(ReaderKind.Load);
        using var runner = new PatchScripts(scripts);
        var computed = new ComputedBatch(new PatchView(database, read, database.Patches.Numbers), runner, time, ended) { Trace = trace };
        WriteBatch? batch = computed.Make(commands);
        return (batch, computed.Checks, new WriteOutcome { Status = WriteStatus.Applied, LastEtag = read.LastEtag });
    }
}
