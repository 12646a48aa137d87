using System.Text;
using Jackdaw.Documents;
using Jackdaw.Documents.Commands;
using Jackdaw.Documents.Database;
using Jackdaw.Documents.Operations;
using Jackdaw.Documents.Reading;
using Jackdaw.Json.Refusals;
using Jackdaw.Queries.Language;
using Jackdaw.Queries.Planning;
using Jackdaw.Queries.Rows;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Queries.Changes;

/// <summary>Deletes the documents that a query finds, batch by batch, while clients watch its operation.</summary>
/// <remarks>Each batch is a transaction, so that documents that were deleted stay deleted when the operation ends early. A document that
/// is written while the operation runs stays, because nobody knows whether the query finds its new version.</remarks>
/// <param name="database">The database of the documents.</param>
/// <param name="run">Finds the documents; disposed by the caller.</param>
/// <param name="operation">Shows the progress.</param>
/// <param name="perSecondMax">The most documents that are deleted in a second; null for no bound.</param>
/// <param name="time">The clock of that bound.</param>
internal sealed class DeleteByQuery(
    DocumentDatabase database, QueryRun run, Operation operation, long? perSecondMax, TimeProvider time)
{
    /// <summary>Whether the operation lists the documents that were deleted.</summary>
    public bool WithDetails { get; init; }

    /// <summary>The most documents of one transaction: few enough for other writes to come in between, many enough to share its journal
    /// write.</summary>
    public const int BatchMax = 1024;

    /// <summary>Refuses queries whose results are not documents that could be changed.</summary>
    public static void Check(QuerySyntax query, QueryChangeKind kind)
    {
        if (query.GroupBy.Count > 0)
        {
            throw InvalidQueryException.At(query.Text, query.From.TextPosition,
                kind == QueryChangeKind.Delete
                    ? "a delete by query deletes documents, and a group is not a document."
                    : "a patch by query changes documents, and a group is not a document.");
        }

        int? position = query.Select?.TextPosition ?? (query.Includes is [var first, ..] ? first.TextPosition : null);
        if (position is { } unwanted)
        {
            throw InvalidQueryException.At(
                query.Text, unwanted, "a query that changes documents finds whole documents; leave 'select' and 'include' out.");
        }
    }

    /// <summary>Refuses to change what an index has found when that may be wrong.</summary>
    /// <exception cref="RefusedException">The index is stale, or has groups instead of documents.</exception>
    public static void Check(QueryRun run, QueryChangeKind kind, bool allowStale)
    {
        if (run.IndexAnswer is { HasRows: true } reduced)
        {
            throw InvalidQueryException.At(run.Plan.Syntax.Text, run.Plan.Syntax.From.TextPosition,
                $"the index '{reduced.IndexName}' has groups, and a {kind.ToString().ToLowerInvariant()} by query changes documents; " +
                "ask an index without a reduce.");
        }

        if (run.IndexAnswer is { IsStale: true } stale && !allowStale)
        {
            throw new RefusedException(RefusalKind.NotPossible,
                $"The index '{stale.IndexName}' is stale: it has not read all documents, and what it finds may not be what should be changed. " +
                $"Nothing was {(kind == QueryChangeKind.Delete ? "deleted" : "patched")}. Wait longer (staleTimeout), or allow it (allowStale=true).");
        }
    }

    /// <summary>Runs to the end.</summary>
    /// <param name="ended">Ends it between two batches.</param>
    public async Task RunAsync(CancellationToken ended)
    {
        int batchMax = (int)Math.Clamp(perSecondMax ?? BatchMax, 1, BatchMax);
        using var keys = new MatchingKeys(run, batchMax);
        var counts = new BulkInsertCounts(0, 0, null);
        var pace = new OperationPace(perSecondMax, time);
        bool isMore = true;
        long looked = 0;
        while (isMore)
        {
            ended.ThrowIfCancellationRequested();
            (isMore, long total) = Gather(keys, ended);
            if (keys.Matches.Count == 0)
            {
                continue;
            }

            long deleted = await DeleteAsync(keys.Matches, ended).ConfigureAwait(false);
            counts = new BulkInsertCounts(counts.Documents + deleted, counts.Batches + 1, Encoding.UTF8.GetString(keys.Matches[^1].Id))
            {
                Total = Math.Max(total, counts.Total),
            };
            looked += keys.Matches.Count;
            keys.Matches.Clear();
            operation.Report(counts);
            await pace.WaitAsync(looked, ended).ConfigureAwait(false);
        }
    }

    private (bool IsMore, long Total) Gather(MatchingKeys keys, CancellationToken ended)
    {
        using var read = new RenewedRead(database, ReaderKind.List, time, ended);
        long total = run.CountsByWalking ? 0
            : run.IndexAnswer is { } answer ? Math.Clamp(answer.Total - run.Plan.Skip, 0, run.Plan.Take)
            : CollectionNames.StoredCount(read.Scope, run.Plan, CollectionNames.Find(read.Scope, run.Plan.Syntax.From.Source));
        return (keys.Step(read), total);
    }

    // Deletes the documents that nobody has written since they were found.
    private async ValueTask<long> DeleteAsync(
        List<MatchingKey> documents, CancellationToken ended)
    {
        var commands = new DeleteCommand[documents.Count];
        for (int i = 0; i < commands.Length; i++)
        {
            commands[i] = new DeleteCommand { OnlyAt = documents[i].Etag };
            commands[i].SetId(documents[i].Id, documents[i].Key);
        }

        var batch = new WriteBatch { Commands = commands };
        WriteOutcome outcome = await database.WriteAsync(batch, ended).ConfigureAwait(false);
        outcome.ThrowUnlessWritten(batch, database);
        if (WithDetails)
        {
            operation.AddDetails(commands.Where(command => command.Deleted)
                .Select(command => new ChangedDocument(Encoding.UTF8.GetString(command.Id.Span)) { Etag = command.Etag.Value }));
        }

        return commands.Count(command => command.Deleted);
    }
}

/// <summary>How the documents that a query finds are changed.</summary>
internal enum QueryChangeKind
{
    Delete,
    Patch,
}
