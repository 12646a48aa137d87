using System.Collections;
using System.Globalization;
using System.Text.Json;
using Jackdaw.Client.Linq;
using Jackdaw.Client.Serialization;
using Jackdaw.Client.Vectors;

namespace Jackdaw.Client.Requests;

/// <summary>Queries and values in the bodies of requests.</summary>
internal static class QueryBody
{
    /// <summary>How long a query waits for its index by default.</summary>
    public static readonly TimeSpan WaitDefault = TimeSpan.FromSeconds(15);

    /// <summary>Writes the members of a query: its text, its parameters, and what it waits for.</summary>
    public static void Write(Utf8JsonWriter json, IndexQuery query, DocumentSerializer serializer)
    {
        json.WriteString("Query"u8, query.Query);
        json.WriteStartObject("QueryParameters"u8);
        WriteMembers(json, query.QueryParameters, serializer);
        json.WriteEndObject();
        if (query.WaitForNonStaleResults)
        {
            json.WriteBoolean("WaitForNonStaleResults"u8, true);
            TimeSpan timeout = query.WaitForNonStaleResultsTimeout ?? WaitDefault;
            json.WriteString("WaitForNonStaleResultsTimeout"u8, timeout.ToString("c", CultureInfo.InvariantCulture));
        }
    }

    /// <summary>Writes values by their names.</summary>
    public static void WriteMembers(Utf8JsonWriter json, IEnumerable<KeyValuePair<string, object?>> values, DocumentSerializer serializer)
    {
        foreach ((string name, object? value) in values)
        {
            json.WritePropertyName(name);
            WriteValue(json, value, serializer);
        }
    }

    /// <summary>Writes one value.</summary>
    public static void WriteValue(Utf8JsonWriter json, object? value, DocumentSerializer serializer)
    {
        switch (value)
        {
            case null:
                json.WriteNullValue();
                break;
            case string text:
                json.WriteStringValue(text);
                break;
            case JsonElement element:
                element.WriteTo(json);
                break;
            case float[] numbers:
                VectorText.WriteNumbers<float>(json, numbers);
                break;
            case IVectorText vector:
                vector.WriteNumbers(json);
                break;
            case IEnumerable list and not IDictionary:
                json.WriteStartArray();
                foreach (object? one in list)
                {
                    WriteValue(json, one, serializer);
                }

                json.WriteEndArray();
                break;
            default:
                JsonSerializer.Serialize(json, value, serializer.TypeInfo(value.GetType()));
                break;
        }
    }
}
