using System.Globalization;
using System.Text.Encodings.Web;
using System.Text.Json;
using Jackdaw.Json;

namespace Jackdaw.Documents.Answers;

/// <summary>Conventions that all JSON answers share.</summary>
internal static class JsonAnswers
{
    /// <summary>There is no indentation, because some clients read etags by searching the raw text for <c>"Etag":1</c>. Only characters that JSON forbids are
    /// escaped, because answers are not embedded in HTML, and change vectors hold plus signs. The code of handlers is trusted to write valid JSON.</summary>
    public static JsonWriterOptions WriterOptions { get; } = new()
    {
        Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
        SkipValidation = true,
    };

    /// <summary>A time with seven digits of fraction and a Z.</summary>
    public static string Date(long utcTicks) =>
        new DateTime(utcTicks, DateTimeKind.Utc).ToString(
            "yyyy-MM-dd'T'HH:mm:ss.fffffff'Z'", CultureInfo.InvariantCulture);

    /// <summary>A size as number and as text: <c>{"HumaneSize":"1 KBytes","SizeInBytes":1024}</c>.</summary>
    public static void WriteSize(Utf8JsonWriter json, string name, long bytes)
    {
        json.WriteStartObject(name);
        json.WriteString("HumaneSize"u8, HumaneSize(bytes));
        json.WriteNumber("SizeInBytes"u8, bytes);
        json.WriteEndObject();
    }

    /// <summary>The most characters of a text in a list, in which many texts may stand.</summary>
    public const int ListedTextMax = 2000;

    /// <summary>Writes the beginning of a text that may have megabytes; null as null.</summary>
    public static void WriteBeginning(Utf8JsonWriter json, string name, string? text) =>
        json.WriteString(name, text is null ? null : ShortText.Of(text, ListedTextMax));

    /// <summary>A member with a list of texts.</summary>
    public static void WriteTexts(Utf8JsonWriter json, string name, IEnumerable<string> texts)
    {
        json.WriteStartArray(name);
        foreach (string text in texts)
        {
            json.WriteStringValue(text);
        }

        json.WriteEndArray();
    }

    public static string HumaneSize(long bytes)
    {
        ReadOnlySpan<string> units = ["Bytes", "KBytes", "MBytes", "GBytes", "TBytes"];
        double value = bytes;
        int unit = 0;
        while (value >= 1024 && unit < units.Length - 1)
        {
            value /= 1024;
            unit++;
        }

        return string.Create(CultureInfo.InvariantCulture, $"{value:0.##} {units[unit]}");
    }
}
