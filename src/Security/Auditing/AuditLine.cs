using System.Buffers;
using System.Globalization;
using System.Text.Json;

namespace Jackdaw.Security.Auditing;

/// <summary>The text of a line: a JSON object and a line feed.</summary>
internal static class AuditLine
{
    /// <summary>Characters of one text; the rest of a longer one, such as a query with many ids, is left out. Bounds what a request costs the log.</summary>
    public const int TextCharactersMax = 4096;

    private static readonly JsonWriterOptions s_options = new()
    {
        // Lines are read by people with tools for text, and never become part of a page.
        Encoder = System.Text.Encodings.Web.JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
    };

    /// <summary>Appends a line to a buffer.</summary>
    public static void Write(IBufferWriter<byte> target, in AuditRecord record, DateTimeOffset time)
    {
        using (var json = new Utf8JsonWriter(target, s_options))
        {
            json.WriteStartObject();
            json.WriteString("time"u8, time.UtcDateTime.ToString("yyyy-MM-dd'T'HH:mm:ss.fff'Z'", CultureInfo.InvariantCulture));
            json.WriteString("kind"u8, record.Kind);
            json.WriteString("outcome"u8, record.Outcome);
            WriteSender(json, record.Sender);
            WriteText(json, "route"u8, record.Route);
            WriteText(json, "database"u8, record.Database);
            WriteNumber(json, "status"u8, record.Status);
            WriteNumber(json, "action"u8, record.Action);
            WriteNumber(json, "count"u8, record.Count);
            WriteDetails(json, record.Details);
            json.WriteEndObject();
        }

        target.Write("\n"u8);
    }

    private static void WriteSender(Utf8JsonWriter json, in AuditSender sender)
    {
        WriteText(json, "who"u8, sender.Name);
        WriteText(json, "thumbprint"u8, sender.Thumbprint);
        WriteText(json, "session"u8, sender.Session);
        WriteText(json, "from"u8, sender.Address);
    }

    private static void WriteDetails(Utf8JsonWriter json, IReadOnlyList<KeyValuePair<string, string>>? details)
    {
        if (details is not { Count: > 0 })
        {
            return;
        }

        json.WriteStartObject("details"u8);
        foreach ((string name, string value) in details)
        {
            json.WriteString(name, Shorten(value));
        }

        json.WriteEndObject();
    }

    private static void WriteText(Utf8JsonWriter json, ReadOnlySpan<byte> name, string? text)
    {
        if (text is not null)
        {
            json.WriteString(name, Shorten(text));
        }
    }

    private static void WriteNumber(Utf8JsonWriter json, ReadOnlySpan<byte> name, long number)
    {
        if (number != 0)
        {
            json.WriteNumber(name, number);
        }
    }

    private static string Shorten(string text) => text.Length <= TextCharactersMax ? text : $"{text[..TextCharactersMax]}... ({text.Length} characters)";
}
