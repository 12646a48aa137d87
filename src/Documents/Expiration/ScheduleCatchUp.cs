using Jackdaw.Documents.Commands;
using Jackdaw.Documents.CompareExchange;
using Jackdaw.Documents.Database;
using Jackdaw.Documents.Extensions;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Parsing;
using Jackdaw.Documents.Rows;
using Jackdaw.Documents.Schedules;
using Jackdaw.Json;
using Jackdaw.Storage.Tables;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Documents.Expiration;

/// <summary>Reads the times of documents and values that were written before there was an index by time. This happens once in the life of a database.</summary>
internal static class ScheduleCatchUp
{
    /// <summary>The most documents that are read from one snapshot.</summary>
    private const int DocumentsMax = 4096;

    /// <summary>The most bytes of documents that are read from one snapshot.</summary>
    private const long BytesMax = 16L << 20;

    /// <summary>Whether there is nothing to do.</summary>
    public static bool IsDone(DocumentReadScope read) => DatabaseTree.KnowsSchedules(read.Transaction.Trees);

    /// <summary>Adds the times of all documents and values to the index. A document that is written at the same time adds its times itself.</summary>
    /// <returns>False when a batch was not written, so that everything has to be tried again.</returns>
    public static async Task<bool> RunAsync(DocumentDatabase database, CancellationToken stop)
    {
        Etag? after = Etag.None;
        while (after is { } from)
        {
            stop.ThrowIfCancellationRequested();
            List<DocumentCommand> commands = ReadDocuments(database, from, out after);
            if (after is null)
            {
                commands.AddRange(ReadValues(database));
                commands.Add(new SchedulesAreKnownCommand());
            }

            foreach (DocumentCommand[] batch in commands.Chunk(ScheduledBatch.ItemsMax))
            {
                WriteOutcome outcome = await database.WriteAsync(new WriteBatch { Commands = batch }, stop).ConfigureAwait(false);
                if (outcome.Status != WriteStatus.Applied)
                {
                    return false;
                }
            }
        }

        return true;
    }

    /// <param name="next">Null when these were the last ones.</param>
    private static List<DocumentCommand> ReadDocuments(DocumentDatabase database, Etag after, out Etag? next)
    {
        var commands = new List<DocumentCommand>();
        using var parser = new DocumentParser(DocumentExtensions.None);
        using DocumentReadScope read = database.BeginRead(ReaderKind.Other);
        using DocumentCursor cursor = read.OpenEveryDocument(new Etag(after.Value + 1));
        long bytes = 0;
        for (int i = 0; i < DocumentsMax && bytes < BytesMax; i++)
        {
            if (!cursor.MoveNext())
            {
                next = null;
                return commands;
            }

            StoredDocument document = cursor.Current;
            bytes += document.Body.Length;
            after = document.Etag;
            if (StoredSchedule.Read(document.Body, document.MetadataOffset, parser) is { } schedule)
            {
                commands.Add(new IndexScheduleCommand(ScheduleDomain.Document, document.Key.ToArray(), document.Etag.Value, TimesOf(schedule)));
            }
        }

        next = after;
        return commands;
    }

    private static ScheduledTime[] TimesOf(DocumentSchedule schedule)
    {
        var times = new ScheduledTime[DocumentSchedule.TimesMax];
        return times[..schedule.CopyTo(times)];
    }

    private static List<DocumentCommand> ReadValues(DocumentDatabase database)
    {
        var commands = new List<DocumentCommand>();
        using var buffer = new PooledBuffer();
        using var parser = new DocumentParser(DocumentExtensions.None);
        using DocumentReadScope read = database.BeginRead(ReaderKind.Other);
        using TableKeyCursor cursor = CompareExchangeTable.Open(read.Transaction).OpenKeys(CompareExchangeTable.ByKey);
        for (bool on = cursor.SeekFirst(); on; on = cursor.MoveNext())
        {
            var row = new CompareExchangeRow(cursor.Row);
            if (row.Value.IndexOf("\"@expires\""u8) < 0)
            {
                continue;
            }

            buffer.Clear();
            try
            {
                var value = new JsonCursor(row.Value, 0, parser);
                CompareExchangeFormat.ReadValue(ref value, buffer, out long ticks);
                if (ticks > 0)
                {
                    var time = new ScheduledTime(ScheduleKind.ExpireValue, ticks);
                    commands.Add(new IndexScheduleCommand(ScheduleDomain.Value, row.Key.ToArray(), row.Etag, [time]));
                }
            }
            catch (DocumentFormatException)
            {
                // As for documents.
            }
        }

        return commands;
    }
}

/// <summary>Adds the times of a document or a value to the index, if it is still the version that was read.</summary>
/// <param name="etag">The etag of the document or the value.</param>
internal sealed class IndexScheduleCommand(ScheduleDomain domain, byte[] key, long etag, ScheduledTime[] times) : DocumentCommand
{
    internal override WriteStatus Apply(DocumentTransaction documents)
    {
        bool isSame = domain == ScheduleDomain.Document
            ? documents.FindVersion(key).Etag.Value == etag
            : CompareExchangeWrites.TryFind(documents, key, out CompareExchangeRow row) && row.Etag == etag;
        if (isSame)
        {
            documents.Schedule.Replace(domain, key, times);
        }

        return WriteStatus.Applied;
    }
}

/// <summary>Notes that all documents and values of the database are in the index by time.</summary>
internal sealed class SchedulesAreKnownCommand : DocumentCommand
{
    internal override WriteStatus Apply(DocumentTransaction documents)
    {
        DatabaseTree.NoteSchedules(documents.Transaction.Trees);
        return WriteStatus.Applied;
    }
}
