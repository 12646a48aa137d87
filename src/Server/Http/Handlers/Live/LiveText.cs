using System.Text.Json;
using Jackdaw.Documents.Answers;
using Jackdaw.Server.Live;

namespace Jackdaw.Server.Http.Handlers.Live;

/// <summary>JSON of the live statistics. docs/operating/live-statistics.md describes it.</summary>
internal static class LiveText
{
    public static void Write(Utf8JsonWriter json, LiveSample sample, Predicate<string> mayKnowOf)
    {
        json.WriteStartObject();
        json.WriteString("At"u8, sample.At);
        json.WriteNumber("Seconds"u8, Math.Round(sample.Elapsed.TotalSeconds, 3));
        json.WriteNumber("ProcessorMilliseconds"u8, Math.Round(sample.Process.ProcessorTime.TotalMilliseconds, 1));
        json.WriteNumber("AllocatedBytes"u8, sample.Process.AllocatedBytes);
        json.WriteNumber("HeapBytes"u8, sample.Process.HeapBytes);
        json.WriteNumber("GcPauseMilliseconds"u8, Math.Round(sample.Process.PauseTime.TotalMilliseconds, 3));
        WriteUnlessZero(json, "Gen0Collections"u8, sample.Process.Collections.Gen0);
        WriteUnlessZero(json, "Gen1Collections"u8, sample.Process.Collections.Gen1);
        WriteUnlessZero(json, "Gen2Collections"u8, sample.Process.Collections.Gen2);
        json.WriteStartObject("Databases"u8);
        foreach ((string name, DatabaseWork work) in sample.Databases)
        {
            if (mayKnowOf(name))
            {
                json.WritePropertyName(name);
                Write(json, work);
            }
        }

        json.WriteEndObject();
        json.WriteEndObject();
    }

    public static void Write(Utf8JsonWriter json, DatabaseState state)
    {
        json.WriteStartObject();
        json.WriteString("Name"u8, state.Name);
        json.WriteString("State"u8, state.State);
        if (state.Contents is { } contents)
        {
            json.WriteNumber("SizeBytes"u8, contents.SizeBytes);
            json.WriteNumber("Documents"u8, contents.Documents);
            json.WriteNumber("Indexes"u8, contents.Indexes);
            json.WriteNumber("StaleIndexes"u8, contents.StaleIndexes);
        }

        JsonAnswers.WriteTexts(json, "Problems", state.Problems);
        json.WriteEndObject();
    }

    private static void Write(Utf8JsonWriter json, in DatabaseWork work)
    {
        DatabaseCounters counters = work.Done;
        json.WriteStartObject();
        json.WriteNumber("Requests"u8, counters.Requests);
        json.WriteNumber("Commands"u8, counters.Commands);
        json.WriteNumber("Batches"u8, counters.Batches);
        json.WriteNumber("Commits"u8, counters.Commits);
        json.WriteNumber("JournalBytes"u8, counters.JournalBytes);
        json.WriteNumber("JournalMicroseconds"u8, counters.JournalMicroseconds);
        json.WriteNumber("FlushBytes"u8, counters.FlushBytes);
        WriteUnlessZero(json, "JournalP50Microseconds"u8, work.JournalP50Microseconds);
        WriteUnlessZero(json, "JournalP99Microseconds"u8, work.JournalP99Microseconds);
        WriteUnlessZero(json, "NotModified"u8, counters.NotModified);
        WriteUnlessZero(json, "Waiting"u8, counters.Waiting);
        WriteUnlessZero(json, "Queued"u8, work.Queued);
        WriteUnlessZero(json, "OpenReads"u8, work.OpenReads);
        WriteUnlessZero(json, "IndexedDocuments"u8, counters.IndexedDocuments);
        WriteUnlessZero(json, "ReducedGroups"u8, counters.ReducedGroups);
        WriteUnlessZero(json, "IndexJournalBytes"u8, counters.IndexWritten.Journal);
        WriteUnlessZero(json, "IndexFlushBytes"u8, counters.IndexWritten.Files);
        json.WriteEndObject();
    }

    // Most of these are 0 in most samples, and a history has 900.
    private static void WriteUnlessZero(Utf8JsonWriter json, ReadOnlySpan<byte> name, long number)
    {
        if (number != 0)
        {
            json.WriteNumber(name, number);
        }
    }
}
