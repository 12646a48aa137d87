using System.Buffers;
using System.Globalization;
using System.Text;
using System.Text.Json;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Parsing;

namespace Jackdaw.Documents.Counters;

/// <summary>Writes counters as clients read them.</summary>
internal static class CounterAnswers
{
    /// <summary>Writes one counter.</summary>
    /// <param name="document">The id of its document.</param>
    /// <param name="valuesOf">The replica whose share of the value is shown; null for the value only.</param>
    public static void Write(Utf8JsonWriter json, ReadOnlySpan<byte> document, in CounterDetail detail, Replica? valuesOf)
    {
        if (detail.IsMissing)
        {
            json.WriteNullValue();
            return;
        }

        json.WriteStartObject();
        json.WriteString("DocumentId"u8, document);
        json.WriteString("CounterName"u8, detail.Name.Span);
        json.WriteNumber("TotalValue"u8, detail.Value);
        json.WriteNumber("Etag"u8, detail.Etag.Value);
        if (valuesOf is null)
        {
            json.WriteNull("CounterValues"u8);
        }
        else
        {
            json.WriteStartObject("CounterValues"u8);
            json.WriteNumber(NodeOf(valuesOf), detail.Value);
            json.WriteEndObject();
        }

        json.WriteNull("ChangeVector"u8);
        json.WriteEndObject();
    }

    /// <summary>The value of a counter as JSON.</summary>
    /// <param name="sharesOf">The replica whose share is shown, as <c>{"A-0N64iiIdYUKcO+yq1V0cPA":5}</c>; null for the number only.</param>
    public static byte[] ValueOf(long value, Replica? sharesOf) => Encoding.ASCII.GetBytes(sharesOf is null
        ? value.ToString(CultureInfo.InvariantCulture)
        : string.Create(CultureInfo.InvariantCulture, $"{{\"{NodeOf(sharesOf)}\":{value}}}"));

    /// <summary>Writes names and values of all counters of a document, as a revision keeps them in <c>@counters-snapshot</c>:
    /// <c>{"Likes":3}</c>.</summary>
    /// <param name="counters">The counters, at their beginning.</param>
    /// <returns>False, without writing anything, when the document has none.</returns>
    public static bool WriteSnapshot(IBufferWriter<byte> output, CounterList counters)
    {
        bool any = false;
        while (counters.MoveNext())
        {
            output.Write(any ? ","u8 : "{"u8);
            DocumentWriter.WriteString(output, counters.Current.Name);
            output.Write(":"u8);
            output.Write(ValueOf(counters.Current.Value, null));
            any = true;
        }

        output.Write(any ? "}"u8 : default);
        return any;
    }

    /// <summary>The name of the replica in <c>counterRaw</c> and in full answers: <c>A-0N64iiIdYUKcO+yq1V0cPA</c>.</summary>
    public static string NodeOf(Replica replica) => string.Create(CultureInfo.InvariantCulture, $"{replica.Node.Text}-{replica.DatabaseId}");
}
