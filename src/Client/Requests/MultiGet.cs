using System.Runtime.InteropServices;
using System.Text.Json;
using Jackdaw.Client.Exceptions;
using Jackdaw.Client.Http;
using Jackdaw.Client.Serialization;

namespace Jackdaw.Client.Requests;

/// <summary>Several reads of a database in one request. Each has its own answer.</summary>
internal static class MultiGet
{
    /// <summary>The one request.</summary>
    /// <param name="parts">GET and POST, with bodies of JSON.</param>
    public static RequestMessage MakeRequest(string database, IReadOnlyList<RequestMessage> parts)
    {
        ReadOnlyMemory<byte> body = JsonText.Object(json =>
        {
            json.WriteStartArray("Requests"u8);
            foreach (RequestMessage part in parts)
            {
                Write(json, database, part);
            }

            json.WriteEndArray();
        });

        TimeSpan? timeout = parts.Max(part => part.Timeout); // a query may wait
        return new RequestMessage { Method = HttpMethod.Post, Path = "multi_get", Body = body, IsRead = true, Timeout = timeout };
    }

    /// <summary>The answers, in the order of the requests. An answer that is an error is thrown when it is read, not here.</summary>
    /// <exception cref="BadResponseException">It is not an answer to this number of requests.</exception>
    public static PartialAnswer[] Read(RequestAnswer answer, int count)
    {
        using JsonDocument json = AnswerJson.Parse(answer.Body);
        if (!json.RootElement.TryFind("Results"u8, JsonValueKind.Array, out JsonElement results) || results.GetArrayLength() != count)
        {
            throw new BadResponseException($"The answer to a multi_get of {count} requests does not have {count} results.");
        }

        return [.. results.EnumerateArray().Select(Read)];
    }

    private static void Write(Utf8JsonWriter json, string database, RequestMessage part)
    {
        int query = part.Path.IndexOf('?', StringComparison.Ordinal);
        json.WriteStartObject();
        json.WriteString("Url"u8, $"/databases/{database}/{(query < 0 ? part.Path : part.Path[..query])}");
        json.WriteString("Query"u8, query < 0 ? "" : part.Path[query..]);
        json.WriteString("Method"u8, part.Method.Method);
        json.WriteStartObject("Headers"u8);
        if (part.IfNoneMatch is { } known)
        {
            json.WriteString("If-None-Match"u8, known);
        }

        json.WriteEndObject();
        if (part.Body is { } body)
        {
            json.WritePropertyName("Content"u8);
            json.WriteRawValue(body.Span, skipInputValidation: true);
        }

        json.WriteEndObject();
    }

    private static PartialAnswer Read(JsonElement part)
    {
        int status = (int)(part.Number("StatusCode"u8) ?? 200);
        string? etag = part.TryFind("Headers"u8, JsonValueKind.Object, out JsonElement headers) ? headers.Text("ETag"u8)?.Trim('"') : null;
        // Something that is missing has no body, as in a request of its own.
        byte[] body = status != 404 && part.TryFind("Result"u8, out JsonElement result) && result.ValueKind != JsonValueKind.Null
            ? JsonMarshal.GetRawUtf8Value(result).ToArray()
            : [];
        return new PartialAnswer(status == 0 ? 200 : status, body, etag);
    }
}

/// <summary>The answer to one of the requests of a <see cref="MultiGet"/>.</summary>
/// <param name="Status">HTTP status.</param>
/// <param name="Body">UTF-8 JSON, or empty. Of an error: the error.</param>
/// <param name="ETag">The ETag without quotes; null for none.</param>
internal readonly record struct PartialAnswer(int Status, byte[] Body, string? ETag)
{
    /// <summary>Whether it is an answer and not an error.</summary>
    public bool IsAnswer => Status is 200 or 304 or 404;
}
