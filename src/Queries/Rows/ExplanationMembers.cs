using System.Text.Json;
using Jackdaw.Documents.Answers;
using Jackdaw.Queries.Searching;

namespace Jackdaw.Queries.Rows;

/// <summary>The members of an answer that explain it, as clients read them.</summary>
internal static class ExplanationMembers
{
    /// <summary>Writes <c>,"Timings":{...}</c>: whole milliseconds, by the names of the steps.</summary>
    /// <remarks>Clients understand a total of 0 as no timings at all, so that it is at least 1.</remarks>
    public static void WriteTimings(ResponseBuffer body, QueryTrace trace)
    {
        body.Append(",\"Timings\":"u8);
        using var json = new Utf8JsonWriter(body, JsonAnswers.WriterOptions);
        WriteTiming(json, Math.Max(1, (long)trace.Total.TotalMilliseconds), (-1, -1), trace.Steps);
    }

    /// <summary>Writes <c>,"Explanations":{"name":["why", ...]}</c>.</summary>
    public static void WriteExplanations(ResponseBuffer body, IReadOnlyDictionary<string, List<string>> explanations)
    {
        body.Append(",\"Explanations\":"u8);
        using var json = new Utf8JsonWriter(body, JsonAnswers.WriterOptions);
        json.WriteStartObject();
        foreach ((string name, List<string> texts) in explanations)
        {
            json.WriteStartArray(name);
            texts.ForEach(json.WriteStringValue);
            json.WriteEndArray();
        }

        json.WriteEndObject();
    }

    // Clients ignore the members with bytes and pages, which they do not know.
    private static void WriteTiming(Utf8JsonWriter json, long milliseconds, (long Bytes, long Pages) reads, IReadOnlyList<TraceStep> steps)
    {
        json.WriteStartObject();
        json.WriteNumber("DurationInMs"u8, milliseconds);
        if (reads.Bytes >= 0)
        {
            json.WriteNumber("Bytes"u8, reads.Bytes);
        }

        if (reads.Pages >= 0)
        {
            json.WriteNumber("Pages"u8, reads.Pages);
        }

        if (steps.Count == 0)
        {
            json.WriteNull("Timings"u8);
        }
        else
        {
            json.WriteStartObject("Timings"u8);
            HashSet<string> names = [];
            foreach (TraceStep step in steps)
            {
                json.WritePropertyName(NameOf(step, names));
                WriteTiming(json, (long)step.Time.TotalMilliseconds, (step.Bytes, step.Pages), step.Steps);
            }

            json.WriteEndObject();
        }

        json.WriteEndObject();
    }

    // Members of an object need different names.
    private static string NameOf(TraceStep step, HashSet<string> names)
    {
        string name = char.ToUpperInvariant(step.Operator[0]) + step.Operator[1..];
        for (int number = 2; !names.Add(name); number++)
        {
            name = $"{char.ToUpperInvariant(step.Operator[0])}{step.Operator[1..]} {number}";
        }

        return name;
    }
}
