using Jackdaw.Documents;
using Jackdaw.Documents.Commands;
using Jackdaw.Documents.Database;
using Jackdaw.Documents.Operations;
using Jackdaw.Documents.Patching;
using Jackdaw.Documents.Reading;
using Jackdaw.Queries.Rows;
using Jackdaw.Scripting.Caching;
using Jackdaw.Scripting.Patches;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Queries.Changes;

/// <summary>Changes the documents that a query finds by its script, batch by batch, while clients watch its operation.</summary>
/// <remarks>All documents are found before the first one is changed, so that none is changed twice. The script changes the version that is
/// stored at that moment, which may be newer than the one that was found. Each batch is a transaction, so that documents that were changed
/// stay changed when the operation ends early.</remarks>
/// <param name="database">The database of the documents.</param>
/// <param name="run">Finds the documents; disposed by the caller.</param>
/// <param name="scripts">The engines of the script.</param>
/// <param name="operation">Shows the progress.</param>
/// <param name="perSecondMax">The most documents that are changed in a second; null for no bound.</param>
/// <param name="time">The clock of that bound, and of the scripts of a batch.</param>
internal sealed class PatchByQuery(
    DocumentDatabase database, QueryRun run, QueryScripts scripts, Operation operation, long? perSecondMax, TimeProvider time)
{
    /// <summary>The most documents of one transaction. When one of them is written in between, the scripts of all run again.</summary>
    public const int BatchMax = 128;

    private BulkInsertCounts _counts;

    /// <summary>Whether the operation lists the documents that were changed.</summary>
    public bool WithDetails { get; init; }

    /// <summary>Runs to the end.</summary>
    /// <param name="script">The script of the query.</param>
    /// <param name="ended">Ends it between two batches, and within a script.</param>
    public async Task RunAsync(ScriptPatch script, CancellationToken ended)
    {
        KeyList keys = Find(ended);
        _counts = new BulkInsertCounts(0, 0, null) { Total = keys.Count };
        operation.Report(_counts);
        var patch = new PatchScript(run.Plan.Syntax.Text, run.Plan.Request.Parameters) { Parsed = script };
        var pace = new OperationPace(perSecondMax, time);
        foreach (List<byte[]> batch in keys.InBatches((int)Math.Clamp(perSecondMax ?? BatchMax, 1, BatchMax)))
        {
            ended.ThrowIfCancellationRequested();
            await PatchAsync(batch, patch, ended).ConfigureAwait(false);
            await pace.WaitAsync(_counts.Documents, ended).ConfigureAwait(false);
        }
    }

    private KeyList Find(CancellationToken ended)
    {
        var keys = new KeyList();
        using var matching = new MatchingKeys(run, BatchMax) { TakesChanged = true };
        bool isMore = true;
        while (isMore)
        {
            ended.ThrowIfCancellationRequested();
            using (var read = new RenewedRead(database, ReaderKind.List, time, ended))
            {
                isMore = matching.Step(read);
            }

            matching.Matches.ForEach(document => keys.Add(document.Key));
            matching.Matches.Clear();
        }

        return keys;
    }

    // Large documents, and those whose scripts take long, are changed in smaller transactions.
    private async ValueTask PatchAsync(
        List<byte[]> keys, PatchScript patch, CancellationToken ended)
    {
        try
        {
            await PatchTogetherAsync(keys, patch, ended).ConfigureAwait(false);
        }
        catch (Exception failure) when (failure is PatchSizeException or PatchTimeException && keys.Count > 1)
        {
            int half = keys.Count / 2;
            await PatchAsync(keys[..half], patch, ended).ConfigureAwait(false);
            await PatchAsync(keys[half..], patch, ended).ConfigureAwait(false);
        }
    }

    private async ValueTask PatchTogetherAsync(
        List<byte[]> keys, PatchScript patch, CancellationToken ended)
    {
        var commands = new PatchCommand[keys.Count];
        for (int i = 0; i < commands.Length; i++)
        {
            commands[i] = new PatchCommand { Patch = patch };
            commands[i].SetId(keys[i], keys[i]);
        }

        (WriteOutcome outcome, WriteBatch written) = await ComputedWrites
            .WriteAsync(database, scripts, Array.ConvertAll(commands, DocumentCommand (command) => command), ended, time: time).ConfigureAwait(false);
        outcome.ThrowUnlessWritten(written, database);
        _counts = new BulkInsertCounts(_counts.Documents + commands.Length, _counts.Batches + 1, commands[^1].Result!.Id) { Total = _counts.Total };
        operation.Report(_counts);
        if (WithDetails)
        {
            operation.AddDetails(commands.Select(command => new ChangedDocument(command.Result!.Id)
            {
                ChangeVector = command.Result.ChangeVectorOf(database),
                Status = command.Result.Status.ToString(),
            }));
        }
    }
}
