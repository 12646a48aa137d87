using System.Text;
using Jackdaw.Server.Documents;
using Jackdaw.Server.Documents.Commands;
using Jackdaw.Server.Documents.Operations;
using Jackdaw.Server.Documents.Store;
using Jackdaw.Server.Http.Reading;
using Jackdaw.Server.Queries.Language;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Server.Queries.Execution;

/// <summary>Deletes the documents that a query finds, batch by batch, while clients watch its operation.</summary>
/// <remarks>Each batch is a transaction: what an operation that ends early has deleted stays deleted. A document that is
/// written while the operation runs may be passed by.</remarks>
/// <param name="database">Whose documents.</param>
/// <param name="query">Which of them; disposed by the caller.</param>
/// <param name="operation">Told of the progress.</param>
/// <param name="perSecondMax">Documents that are deleted in a second at most; null: as fast as it goes.</param>
/// <param name="time">Clock of that bound.</param>
internal sealed class DeleteByQuery(
    DocumentDatabase database, CollectionQuery query, Operation operation, long? perSecondMax, TimeProvider time)
{
    /// <summary>Documents of one transaction: few enough for other writes to come in between, many enough to share its
    /// journal write.</summary>
    public const int BatchMax = 1024;

    /// <summary>Refuses queries whose results are no documents that could be deleted.</summary>
    public static void Check(QuerySyntax query)
    {
        int? position = query.Select?.TextPosition ?? (query.Includes is [var first, ..] ? first.TextPosition : null);
        if (position is { } unwanted)
        {
            throw InvalidQueryException.At(
                query.Text, unwanted, "a delete by query deletes whole documents; leave 'select' and 'include' out.");
        }
    }

    /// <summary>Runs to the end.</summary>
    /// <param name="check">Throws for an outcome that is a failure.</param>
    /// <param name="ended">Ends it between two batches.</param>
    public async Task RunAsync(Action<WriteOutcome, WriteBatch> check, CancellationToken ended)
    {
        int batchMax = (int)Math.Clamp(perSecondMax ?? BatchMax, 1, BatchMax);
        using var keys = new MatchingKeys(query, batchMax);
        var counts = new BulkInsertCounts(0, 0, null);
        long began = time.GetTimestamp();
        bool isMore = true;
        while (isMore)
        {
            ended.ThrowIfCancellationRequested();
            (isMore, long total) = Gather(keys, ended);
            if (keys.Found.Count == 0)
            {
                continue;
            }

            await DeleteAsync(keys.Found, check, ended).ConfigureAwait(false);
            counts = new BulkInsertCounts(
                counts.Documents + keys.Found.Count, counts.Batches + 1, Encoding.UTF8.GetString(keys.Found[^1].Id))
            {
                Total = Math.Max(total, counts.Total),
            };
            keys.Found.Clear();
            operation.Report(counts);
            await WaitAsync(counts.Documents, began, ended).ConfigureAwait(false);
        }
    }

    private (bool IsMore, long Total) Gather(MatchingKeys keys, CancellationToken ended)
    {
        using var read = new RenewedRead(database, ReaderKind.List, time, ended);
        long total = query.CountsByWalking
            ? 0
            : QueryAnswers.StoredCount(read.Scope, query, CollectionNames.Find(read.Scope, query.Syntax.From.Source));
        return (keys.Step(read), total);
    }

    private async ValueTask DeleteAsync(
        List<(byte[] Id, byte[] Key)> documents, Action<WriteOutcome, WriteBatch> check, CancellationToken ended)
    {
        var commands = new DocumentCommand[documents.Count];
        for (int i = 0; i < commands.Length; i++)
        {
            var command = new DeleteCommand();
            command.SetId(documents[i].Id, documents[i].Key);
            commands[i] = command;
        }

        var batch = new WriteBatch { Commands = commands };
        check(await database.WriteAsync(batch, ended).ConfigureAwait(false), batch);
    }

    // As long as the documents so far may take.
    private async ValueTask WaitAsync(long documents, long began, CancellationToken ended)
    {
        if (perSecondMax is { } perSecond)
        {
            TimeSpan due = TimeSpan.FromSeconds((double)documents / perSecond) - time.GetElapsedTime(began);
            if (due > TimeSpan.Zero)
            {
                await Task.Delay(due, time, ended).ConfigureAwait(false);
            }
        }
    }
}
