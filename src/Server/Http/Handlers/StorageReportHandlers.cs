using System.Text.Json;
using Jackdaw.Documents;
using Jackdaw.Documents.Callers;
using Jackdaw.Pal.Measurement;
using Jackdaw.Server.Diagnostics;
using Jackdaw.Server.Http.Answers;
using Jackdaw.Server.Http.Routing;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Flushing;
using Jackdaw.Storage.Merging;
using Jackdaw.Storage.Sharing;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Server.Http.Handlers;

/// <summary>Reports the work of a database's storage, by batch and by flush, to find out why it is slow.</summary>
internal static class StorageReportHandlers
{
    public static void Map(RouteTable routes) =>
        routes.Database("GET", "/debug/storage", Access.Read, RouteTraits.InMultiGet, Report)
            .Says("Reports the work of the database's storage, to find out why it is slow.")
            .Answers(200, "Sizes, commits, batches and flushes.");

    private static ValueTask Report(RequestContext context)
    {
        DatabaseFigures figures = context.Database.Figures ?? throw new ObjectDisposedException(context.Database.Name);
        return context.Json(200, json =>
        {
            json.WriteStartObject();
            WriteSizes(json, figures.Storage);
            WriteOldestReader(json, figures.Storage.OldestReader);
            WriteCommits(json, figures.Commits);
            WriteMerger(json, figures.Merger);
            WriteFlushes(json, figures);
            MemoryReport.Write(json, context.Server.Memory);
            json.WriteNumber("ProcessDeviceWriteBytes"u8, ProcessFigures.DeviceWriteBytes);
            json.WriteEndObject();
        });
    }

    private static void WriteSizes(Utf8JsonWriter json, StorageFigures storage)
    {
        json.WriteNumber("TransactionId"u8, storage.TransactionId);
        json.WriteNumber("FlushedTransaction"u8, storage.FlushedTransaction);
        json.WriteNumber("SyncedTransaction"u8, storage.SyncedTransaction);
        json.WriteNumber("DataBytes"u8, storage.DataBytes);
        json.WriteNumber("JournalBytes"u8, storage.JournalBytes);
        json.WriteNumber("JournalFiles"u8, storage.JournalFiles);
        json.WriteString("JournalProblem"u8, storage.JournalProblem);
        json.WriteString("JournalDeletionProblem"u8, storage.JournalDeletionProblem);
        json.WriteNumber("FailedJournalDeletions"u8, storage.FailedJournalDeletions);
        json.WriteNumber("ScratchBytes"u8, storage.ScratchBytes);
        json.WriteNumber("ScratchMappedBytes"u8, storage.ScratchMappedBytes);
        json.WriteNumber("FlushDebt"u8, Math.Round(storage.FlushDebt, 3));
        json.WriteNumber("WritersPausedMilliseconds"u8, storage.WritersPausedMs);
        WritePinnedJournals(json, storage.PinnedJournals);
        json.WriteNumber("ActiveTransactions"u8, storage.ActiveTransactions);
        json.WriteString("WriteMode"u8, PageWriteModes.NameOf(storage.WriteMode));
    }

    /// <summary>Writes the names of branches that still need journals of the storage; usually there are none.</summary>
    private static void WritePinnedJournals(Utf8JsonWriter json, IReadOnlyList<PinnedJournals> pinned)
    {
        json.WriteStartArray("PinnedJournals"u8);
        foreach (PinnedJournals branch in pinned)
        {
            json.WriteStartObject();
            json.WriteString("Branch"u8, branch.Branch);
            json.WriteNumber("Files"u8, branch.Files);
            json.WriteNumber("Bytes"u8, branch.Bytes);
            json.WriteEndObject();
        }

        json.WriteEndArray();
    }

    private static void WriteOldestReader(Utf8JsonWriter json, OldestReader? oldest)
    {
        if (oldest is not { } reader)
        {
            json.WriteNull("OldestReader"u8);
            return;
        }

        json.WriteStartObject("OldestReader"u8);
        json.WriteString("Kind"u8, reader.Kind.ToString());
        json.WriteNumber("AgeMilliseconds"u8, reader.AgeMs);
        json.WriteNumber("TransactionId"u8, reader.TransactionId);
        json.WriteNumber("RetainedScratchBytes"u8, reader.RetainedScratchBytes);
        json.WriteNumber("RetainedJournals"u8, reader.RetainedJournals);
        json.WriteNumber("RetainedJournalBytes"u8, reader.RetainedJournalBytes);
        json.WriteEndObject();
    }

    private static void WriteCommits(Utf8JsonWriter json, StorageStatistics commits)
    {
        json.WriteStartObject("Commits"u8);
        json.WriteNumber("Count"u8, commits.Commits);
        WriteCosts(json, commits.Sum);
        json.WriteEndObject();
    }

    private static void WriteMerger(Utf8JsonWriter json, MergerStatistics merger)
    {
        json.WriteStartObject("Merger"u8);
        json.WriteNumber("Batches"u8, merger.Batches);
        json.WriteNumber("Commands"u8, merger.Commands);
        json.WriteNumber("LargestBatch"u8, merger.LargestBatch);
        json.WriteNumber("Rollbacks"u8, merger.Rollbacks);
        json.WriteStartObject("ClosedFor"u8);
        foreach (BatchCloseReason reason in Enum.GetValues<BatchCloseReason>())
        {
            json.WriteNumber(reason.ToString(), merger.ClosedFor(reason));
        }

        json.WriteEndObject();
        json.WriteStartArray("RecentBatches"u8);
        foreach (BatchCosts batch in merger.Recent.ToArray())
        {
            WriteBatch(json, batch);
        }

        json.WriteEndArray();
        json.WriteEndObject();
    }

    private static void WriteBatch(Utf8JsonWriter json, in BatchCosts batch)
    {
        json.WriteStartObject();
        json.WriteNumber("TransactionId"u8, batch.TransactionId);
        json.WriteNumber("Commands"u8, batch.Commands);
        json.WriteNumber("QueueDepth"u8, batch.QueueDepth);
        json.WriteString("CloseReason"u8, batch.CloseReason.ToString());
        json.WriteNumber("ExecuteMicroseconds"u8, batch.ExecuteMicroseconds);
        WriteCosts(json, batch.Commit);
        json.WriteEndObject();
    }

    private static void WriteCosts(Utf8JsonWriter json, in CommitCosts costs)
    {
        json.WriteNumber("Pages"u8, costs.Pages);
        json.WriteNumber("ChangedBytes"u8, costs.ChangedBytes);
        json.WriteNumber("DiffBytes"u8, costs.RawBytes);
        json.WriteNumber("JournalBytes"u8, costs.StoredBytes);
        json.WriteNumber("PrepareMicroseconds"u8, costs.PrepareMicroseconds);
        json.WriteNumber("WriteMicroseconds"u8, costs.WriteMicroseconds);
    }

    private static void WriteFlushes(Utf8JsonWriter json, DatabaseFigures figures)
    {
        json.WritePropertyName("Flushes"u8);
        WriteFlush(json, figures.Storage.Flushes);
        json.WriteStartArray("RecentFlushes"u8);
        foreach (FlushCosts flush in figures.Flushes.ToArray())
        {
            WriteFlush(json, flush);
        }

        json.WriteEndArray();
    }

    private static void WriteFlush(Utf8JsonWriter json, in FlushCosts flush)
    {
        json.WriteStartObject();
        json.WriteNumber("TransactionId"u8, flush.TransactionId);
        json.WriteNumber("Pages"u8, flush.Pages);
        json.WriteNumber("Runs"u8, flush.Runs);
        json.WriteNumber("Calls"u8, flush.Calls);
        json.WriteNumber("Bytes"u8, flush.Bytes);
        json.WriteNumber("Leaves"u8, flush.Leaves);
        json.WriteNumber("Branches"u8, flush.Branches);
        json.WriteNumber("Overflows"u8, flush.Overflows);
        json.WriteNumber("Rows"u8, flush.Rows);
        json.WriteNumber("Microseconds"u8, flush.Microseconds);
        json.WriteEndObject();
    }
}
