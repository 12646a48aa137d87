using System.Text;
using Jackdaw.Documents;
using Jackdaw.Documents.Commands;
using Jackdaw.Documents.Operations;
using Jackdaw.Documents.Reading;
using Jackdaw.Documents.Store;
using Jackdaw.Json.Refusals;
using Jackdaw.Queries.Execution;
using Jackdaw.Queries.Language;
using Jackdaw.Queries.Planning;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Queries.Changes;

/// <summary>Deletes the documents that a query finds, batch by batch, while clients watch its operation.</summary>
/// <remarks>Each batch is a transaction: what an operation that ends early has deleted stays deleted. A document that is
/// written while the operation runs stays: nobody knows whether its new version is one that the query finds.</remarks>
/// <param name="database">Whose documents.</param>
/// <param name="query">Which of them; disposed by the caller.</param>
/// <param name="operation">Told of the progress.</param>
/// <param name="perSecondMax">Documents that are deleted in a second at most; null: as fast as it goes.</param>
/// <param name="time">Clock of that bound.</param>
internal sealed class DeleteByQuery(
    DocumentDatabase database, CollectionQuery query, Operation operation, long? perSecondMax, TimeProvider time)
{
    /// <summary>The operation lists what was deleted.</summary>
    public bool WithDetails { get; init; }

    /// <summary>Documents of one transaction: few enough for other writes to come in between, many enough to share its
    /// journal write.</summary>
    public const int BatchMax = 1024;

    /// <summary>Refuses queries whose results are no documents that could be deleted.</summary>
    public static void Check(QuerySyntax query, QueryChangeKind kind)
    {
        if (query.GroupBy.Count > 0)
        {
            throw InvalidQueryException.At(query.Text, query.From.TextPosition,
                kind == QueryChangeKind.Delete
                    ? "a delete by query deletes documents; a group is none."
                    : "a patch by query changes documents; a group is none.");
        }

        int? position = query.Select?.TextPosition ?? (query.Includes is [var first, ..] ? first.TextPosition : null);
        if (position is { } unwanted)
        {
            throw InvalidQueryException.At(
                query.Text, unwanted, "a query that changes documents finds whole documents; leave 'select' and 'include' out.");
        }
    }

    /// <summary>Refuses what an index has found and must not be deleted.</summary>
    /// <exception cref="RefusedException">It is behind, or has groups instead of documents.</exception>
    public static void Check(CollectionQuery query, QueryChangeKind kind, bool allowStale)
    {
        if (query.Found is { IsReduced: true } reduced)
        {
            throw InvalidQueryException.At(query.Syntax.Text, query.Syntax.From.TextPosition,
                $"the index '{reduced.IndexName}' has groups, and a {kind.ToString().ToLowerInvariant()} by query changes documents; " +
                "ask an index without a reduce.");
        }

        if (query.Found is { IsStale: true } stale && !allowStale)
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
        using var keys = new MatchingKeys(query, batchMax);
        var counts = new BulkInsertCounts(0, 0, null);
        var pace = new OperationPace(perSecondMax, time);
        bool isMore = true;
        long looked = 0;
        while (isMore)
        {
            ended.ThrowIfCancellationRequested();
            (isMore, long total) = Gather(keys, ended);
            if (keys.Found.Count == 0)
            {
                continue;
            }

            long deleted = await DeleteAsync(keys.Found, ended).ConfigureAwait(false);
            counts = new BulkInsertCounts(counts.Documents + deleted, counts.Batches + 1, Encoding.UTF8.GetString(keys.Found[^1].Id))
            {
                Total = Math.Max(total, counts.Total),
            };
            looked += keys.Found.Count;
            keys.Found.Clear();
            operation.Report(counts);
            await pace.WaitAsync(looked, ended).ConfigureAwait(false);
        }
    }

    private (bool IsMore, long Total) Gather(MatchingKeys keys, CancellationToken ended)
    {
        using var read = new RenewedRead(database, ReaderKind.List, time, ended);
        long total = query.CountsByWalking ? 0
            : query.Found is { } found ? Math.Clamp(found.Total - query.Wanted.Skip, 0, query.Wanted.Take)
            : CollectionNames.StoredCount(read.Scope, query, CollectionNames.Find(read.Scope, query.Syntax.From.Source));
        return (keys.Step(read), total);
    }

    // Those that are still as they were found.
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

/// <summary>What becomes of the documents that a query finds.</summary>
internal enum QueryChangeKind
{
    Delete,
    Patch,
}
