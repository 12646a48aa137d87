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
/// 2. The scripts run over one snapshot, and the batch is made: first the versions of everything that was read, then the writes.
/// 3. The writer checks the versions. When one has changed, everything begins again at 2 with a newer snapshot. In that case somebody else's write has
/// succeeded, so that there is always progress.
/// </remarks>
internal static class ComputedWrites
{
    /// <summary>The most attempts of one request. Patches wait for each other, so that only ordinary writes can come in between. If a document is written that
    /// often while a script runs, more attempts would not help.</summary>
    public const int AttemptsMax = 1_000;

    /// <summary>Writes a batch.</summary>
    /// <param name="commands">The commands. Some are computed; all hold their results afterwards.</param>
    /// <param name="trace">Records the actions and outputs of the scripts of the last attempt; null when nobody wants them.</param>
    /// <param name="isTried">Whether nothing is written.</param>
    /// <param name="time">The clock for the time limit of one attempt; null for that of the system.</param>
    /// <returns>The outcome, and the batch that contains its failed command.</returns>
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
            $"Other writes changed the documents of the patch {AttemptsMax} times while its script ran; nothing of it was written. " +
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
        using var runner = new PatchScripts(scripts, database.Extensions);
        var computed = new ComputedBatch(new PatchView(database, read, database.Patches.Numbers), runner, time, ended) { Trace = trace };
        WriteBatch? batch = computed.Make(commands);
        return (batch, computed.Checks, new WriteOutcome { Status = WriteStatus.Applied, LastEtag = read.LastEtag });
    }
}
