using System.Text.Json;
using Jackdaw.Documents.Answers;
using Jackdaw.Documents.Rows;
using Jackdaw.Indexing;
using Jackdaw.Indexing.Building;
using Jackdaw.Indexing.Definitions.Model;
using Jackdaw.Indexing.Sources;
using Jackdaw.Search.Vectors;

namespace Jackdaw.Server.Http.Handlers.Indexes;

/// <summary>Writes the statistics of one index as clients read them.</summary>
internal static class IndexStatsAnswers
{
    public static void Write(Utf8JsonWriter json, DatabaseIndex index, DocumentReadScope read)
    {
        IndexDefinition definition = IndexDefinitionAnswers.Of(index);
        bool isStale = index.DescribeStaleness(read).Count > 0;
        json.WriteStartObject();
        json.WriteString("Name"u8, index.Name);
        WriteCounts(json, index.Totals);
        json.WriteString("ReduceOutputCollection"u8, definition.OutputReduceToCollection);
        json.WriteString("PatternForReferences"u8, definition.PatternForOutputReduceToCollectionReferences);
        json.WriteNumber("MappedPerSecondRate"u8, Math.Round(index.Counters.MappedPerSecond, 1));
        json.WriteNumber("ReducedPerSecondRate"u8, Math.Round(index.Counters.ReducedPerSecond, 1));
        json.WriteNumber("MaxNumberOfOutputsPerDocument"u8, index.Totals.OutputsMax);
        WriteCollections(json, index, read);
        WriteTime(json, "LastQueryingTime", index.Counters.LastQuery);
        json.WriteString("State"u8, index.Record.State.ToString());
        json.WriteString("Priority"u8, index.Record.Priority.ToString());
        WriteTime(json, "CreatedTimestamp", new DateTime(index.Record.CreatedTicks, DateTimeKind.Utc));
        WriteTime(json, "LastIndexingTime", index.LastIndexing);
        json.WriteBoolean("IsStale"u8, isStale);
        json.WriteString("LockMode"u8, index.Record.LockMode.ToString());
        json.WriteString("Type"u8, (index.Fault is null ? definition.Type : IndexType.Faulty).ToString());
        json.WriteString("SearchEngineType"u8, index.Record.Engine);
        json.WriteString("ArchivedDataProcessingBehavior"u8,
            (definition.ArchivedDataProcessingBehavior ?? ArchivedDataProcessing.ExcludeArchived).ToString());
        json.WriteString("Status"u8, index.Status.ToString());
        json.WriteNumber("EntriesCount"u8, CountEntries(index));
        WriteVectorFields(json, index);
        json.WriteNumber("ErrorsCount"u8, index.Failures.Count);
        json.WriteString("SourceType"u8, definition.SourceType.ToString());
        json.WriteBoolean("IsTestIndex"u8, false);
        json.WriteBoolean("IsInvalidIndex"u8, index.Record.State == IndexState.Error || index.Fault is not null);
        json.WriteEndObject();
    }

    /// <summary>Writes one index in the statistics of its database.</summary>
    /// <param name="read">Null to leave out everything that has to be read from documents.</param>
    public static void WriteSummary(Utf8JsonWriter json, DatabaseIndex index, DocumentReadScope? read)
    {
        IndexDefinition definition = IndexDefinitionAnswers.Of(index);
        json.WriteStartObject();
        json.WriteString("Name"u8, index.Name);
        if (read is not null)
        {
            json.WriteBoolean("IsStale"u8, index.DescribeStaleness(read).Count > 0);
        }

        json.WriteString("State"u8, index.Record.State.ToString());
        json.WriteString("LockMode"u8, index.Record.LockMode.ToString());
        json.WriteString("Priority"u8, index.Record.Priority.ToString());
        json.WriteString("Type"u8, (index.Fault is null ? definition.Type : IndexType.Faulty).ToString());
        json.WriteString("SearchEngineType"u8, index.Record.Engine);
        if (read is not null)
        {
            WriteTime(json, "LastIndexingTime", index.LastIndexing);
        }

        json.WriteString("SourceType"u8, definition.SourceType.ToString());
        json.WriteEndObject();
    }

    public static void WriteProgress(Utf8JsonWriter json, DatabaseIndex index, DocumentReadScope read)
    {
        IndexDefinition definition = IndexDefinitionAnswers.Of(index);
        List<SourceLag> lags = index.Builder is { } builder ? builder.LagsIn(read) : [];
        long left = lags.Sum(lag => lag.Documents + lag.Tombstones);
        double rate = index.Counters.MappedPerSecond;
        json.WriteStartObject();
        json.WriteString("Name"u8, index.Name);
        json.WriteString("Type"u8, definition.Type.ToString());
        json.WriteString("SourceType"u8, definition.SourceType.ToString());
        json.WriteString("IndexRunningStatus"u8, index.Status.ToString());
        json.WriteBoolean("IsStale"u8, index.DescribeStaleness(read).Count > 0);
        json.WriteNumber("ProcessedPerSecond"u8, Math.Round(rate, 1));
        WriteRemaining(json, left, rate, index.IsActive);
        json.WriteStartObject("Collections"u8);
        foreach (SourceLag lag in lags)
        {
            json.WriteStartObject(lag.Name);
            json.WriteNumber("LastProcessedItemEtag"u8, lag.Read.Value);
            json.WriteNumber("LastProcessedTombstoneEtag"u8, lag.Read.Value);
            json.WriteNumber("NumberOfItemsToProcess"u8, lag.Documents);
            json.WriteNumber("NumberOfTombstonesToProcess"u8, lag.Tombstones);
            json.WriteNumber("TotalNumberOfItems"u8, lag.TotalDocuments);
            json.WriteNumber("TotalNumberOfTombstones"u8, lag.Tombstones);
            json.WriteEndObject();
        }

        json.WriteEndObject();
        json.WriteEndObject();
    }

    public static void WritePerformance(Utf8JsonWriter json, DatabaseIndex index)
    {
        json.WriteStartObject();
        json.WriteString("Name"u8, index.Name);
        json.WriteStartArray("Performance"u8);
        foreach (BatchReport batch in index.Counters.Recent)
        {
            json.WriteStartObject();
            json.WriteNumber("Id"u8, batch.Number);
            json.WriteString("Started"u8, JsonAnswers.Date(batch.Began.UtcTicks));
            json.WriteString("Completed"u8, JsonAnswers.Date((batch.Began + batch.Duration).UtcTicks));
            json.WriteNumber("DurationInMs"u8, Math.Round(batch.Duration.TotalMilliseconds, 2));
            json.WriteNumber("InputCount"u8, batch.Documents);
            json.WriteNumber("SuccessCount"u8, batch.Documents - batch.Counts.Errors);
            json.WriteNumber("FailedCount"u8, batch.Counts.Errors);
            json.WriteNumber("ReducedCount"u8, batch.Counts.Reduced);
            json.WriteEndObject();
        }

        json.WriteEndArray();
        json.WriteEndObject();
    }

    private static long CountEntries(DatabaseIndex index)
    {
        try
        {
            return index.Builder?.CountEntries() ?? 0;
        }
        catch (ObjectDisposedException)
        {
            return 0; // It was replaced or deleted at this moment.
        }
    }

    // Nothing for an index without vectors, as clients of other servers expect it.
    private static void WriteVectorFields(Utf8JsonWriter json, DatabaseIndex index)
    {
        IReadOnlyList<VectorFieldState> fields = ReadVectorFields(index);
        if (fields.Count == 0)
        {
            return;
        }

        json.WriteStartArray("VectorFields"u8);
        foreach (VectorFieldState field in fields)
        {
            json.WriteStartObject();
            json.WriteString("Name"u8, field.Field);
            json.WriteNumber("Dimensions"u8, field.Dimensions);
            json.WriteNumber("Vectors"u8, field.Vectors);
            json.WriteNumber("Levels"u8, field.Levels);
            json.WriteString("Recall"u8, field.Recall);
            json.WriteEndObject();
        }

        json.WriteEndArray();
    }

    private static IReadOnlyList<VectorFieldState> ReadVectorFields(DatabaseIndex index)
    {
        try
        {
            return index.Builder?.ReadVectorFields() ?? [];
        }
        catch (ObjectDisposedException)
        {
            return []; // It was replaced or deleted at this moment.
        }
    }

    private static void WriteCounts(Utf8JsonWriter json, IndexTotals totals)
    {
        json.WriteNumber("MapAttempts"u8, totals.Mapped);
        json.WriteNumber("MapSuccesses"u8, totals.Mapped - totals.MapErrors);
        json.WriteNumber("MapErrors"u8, totals.MapErrors);
        json.WriteNumber("MapReferenceAttempts"u8, totals.Referred);
        json.WriteNumber("MapReferenceSuccesses"u8, totals.Referred - totals.ReferenceErrors);
        json.WriteNumber("MapReferenceErrors"u8, totals.ReferenceErrors);
        json.WriteNumber("ReduceAttempts"u8, totals.Reduced);
        json.WriteNumber("ReduceSuccesses"u8, totals.Reduced - totals.ReduceErrors);
        json.WriteNumber("ReduceErrors"u8, totals.ReduceErrors);
    }

    private static void WriteCollections(Utf8JsonWriter json, DatabaseIndex index, DocumentReadScope read)
    {
        json.WriteStartObject("Collections"u8);
        foreach (SourceLag lag in index.Builder is { } builder ? builder.LagsIn(read) : [])
        {
            json.WriteStartObject(lag.Name);
            json.WriteNumber("LastProcessedDocumentEtag"u8, lag.Read.Value);
            json.WriteNumber("LastProcessedTombstoneEtag"u8, lag.Read.Value);
            json.WriteNumber("DocumentLag"u8, lag.Documents);
            json.WriteNumber("TombstoneLag"u8, lag.Tombstones);
            json.WriteEndObject();
        }

        json.WriteEndObject();
    }

    // Unknown before the first batch, and while nothing is being read.
    private static void WriteRemaining(Utf8JsonWriter json, long left, double rate, bool isActive)
    {
        if (left == 0)
        {
            json.WriteString("EstimatedRemainingTime"u8, "00:00:00"u8);
        }
        else if (isActive && rate > 0)
        {
            json.WriteString("EstimatedRemainingTime"u8, TimeSpan.FromSeconds(Math.Ceiling(Math.Min(left / rate, 1e9))).ToString());
        }
        else
        {
            json.WriteNull("EstimatedRemainingTime"u8);
        }
    }

    private static void WriteTime(Utf8JsonWriter json, string name, DateTime? time)
    {
        if (time is { } known)
        {
            json.WriteString(name, JsonAnswers.Date(known.Ticks));
        }
        else
        {
            json.WriteNull(name);
        }
    }
}
