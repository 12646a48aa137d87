using System.Buffers;
using System.Text.Encodings.Web;
using System.Text.Json;

namespace Jackdaw.Client.Changes.Feed;

/// <summary>Texts of the commands that begin and end watches.</summary>
internal static class WatchText
{
    private static readonly JsonWriterOptions s_options = new() { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping, SkipValidation = true };

    public static void Write(IBufferWriter<byte> text, long commandId, bool isWatch, Watch watch)
    {
        using var json = new Utf8JsonWriter(text, s_options);
        json.WriteStartObject();
        json.WriteNumber("CommandId"u8, commandId);
        json.WriteString("Command"u8, (isWatch ? "watch-" : "unwatch-") + NameOf(watch.Subject));
        json.WriteString("Param"u8, watch.Name is null ? watch.Param : null);
        if (watch.Name is not null)
        {
            json.WriteStartArray("Params"u8);
            json.WriteStringValue(watch.Param);
            json.WriteStringValue(watch.Name);
            json.WriteEndArray();
        }

        json.WriteEndObject();
    }

    private static string NameOf(WatchSubject subject) => subject switch
    {
        WatchSubject.Documents => "docs",
        WatchSubject.Document => "doc",
        WatchSubject.Prefix => "prefix",
        WatchSubject.Collection => "collection",
        WatchSubject.Indexes => "indexes",
        WatchSubject.Index => "index",
        WatchSubject.Operations => "operations",
        WatchSubject.Operation => "operation",
        WatchSubject.Counters => "counters",
        WatchSubject.Counter => "counter",
        WatchSubject.CountersOfDocument => "document-counters",
        WatchSubject.CounterOfDocument => "document-counter",
        WatchSubject.Caches => "aggressive-caching",
        _ => throw new ArgumentOutOfRangeException(nameof(subject), subject, null),
    };
}
