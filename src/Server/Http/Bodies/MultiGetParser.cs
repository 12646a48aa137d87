using System.Buffers;
using System.Collections.ObjectModel;
using System.Text;
using Jackdaw.Documents.Extensions;
using Jackdaw.Documents.Parsing;
using Jackdaw.Json;

namespace Jackdaw.Server.Http.Bodies;

/// <summary>Parses the body of multi_get: <c>{"Requests":[{"Url","Query","Method","Headers","Content"}]}</c>.</summary>
/// <remarks>Each request becomes an object of its own that outlives the parser, because running a request costs far more than that object.</remarks>
public static class MultiGetParser
{
    /// <summary>The largest body, in bytes: queries with their parameters rarely need a megabyte.</summary>
    public const int BodyBytesMax = 16 * 1024 * 1024;

    /// <summary>The most requests in one body: each has an answer that is held until all are done. Sessions send tens of requests.</summary>
    public const int RequestsMax = 1024;

    /// <summary>Parses a body.</summary>
    /// <exception cref="DocumentFormatException">The body is refused.</exception>
    public static IReadOnlyList<MultiGetRequest> Parse(in ReadOnlySequence<byte> body)
    {
        using var text = new ContiguousText(body, BodyBytesMax, "A multi-get");
        using var values = new DocumentParser(DocumentExtensions.None);
        using var scratch = new PooledBuffer();
        var cursor = new JsonCursor(text.Bytes, DocumentParser.SkipToText(text.Bytes), values);
        List<MultiGetRequest>? requests = null;
        for (bool has = cursor.OpenObject("The body of a multi-get"); has; has = cursor.NextMember())
        {
            if (!Ascii.EqualsIgnoreCase(cursor.ReadName(), "Requests"u8))
            {
                cursor.SkipValue(scratch);
                continue;
            }
            cursor.CheckOnce(requests is null, "Requests");
            requests = ReadRequests(ref cursor, scratch);
        }
        cursor.ExpectEnd();
        if (requests is null)
        {
            JsonFault.Throw(text.Bytes, text.Bytes.Length, DocumentFormatError.InvalidRequest,
                "The multi-get has no Requests; send {\"Requests\":[...]}.");
        }
        return requests;
    }

    private static List<MultiGetRequest> ReadRequests(ref JsonCursor cursor, PooledBuffer scratch)
    {
        var requests = new List<MultiGetRequest>();
        for (bool has = cursor.OpenArray("Requests"); has; has = cursor.NextElement())
        {
            if (requests.Count == RequestsMax)
            {
                JsonFault.Throw(cursor.Json, cursor.Position, DocumentFormatError.TooLarge,
                    $"The multi-get has more than {RequestsMax} requests; send them in several.");
            }
            requests.Add(ReadRequest(ref cursor, scratch));
        }
        return requests;
    }

    private static MultiGetRequest ReadRequest(ref JsonCursor cursor, PooledBuffer scratch)
    {
        cursor.Peek();
        int start = cursor.Position;
        var seen = new HashSet<string>(StringComparer.OrdinalIgnoreCase);
        string? url = null;
        string? query = null;
        string? method = null;
        IReadOnlyDictionary<string, string> headers = ReadOnlyDictionary<string, string>.Empty;
        ReadOnlyMemory<byte> content = default;
        for (bool has = cursor.OpenObject("A request"); has; has = cursor.NextMember())
        {
            string name = Encoding.UTF8.GetString(cursor.ReadName());
            cursor.CheckOnce(seen.Add(name), name);
            switch (name.ToUpperInvariant())
            {
                case "URL":
                    url = cursor.ReadText(scratch, "Url");
                    break;
                case "QUERY":
                    query = cursor.ReadText(scratch, "Query");
                    break;
                case "METHOD":
                    method = cursor.ReadText(scratch, "Method");
                    break;
                case "HEADERS":
                    headers = ReadHeaders(ref cursor, scratch);
                    break;
                case "CONTENT":
                    content = ReadContent(ref cursor, scratch);
                    break;
                default:
                    cursor.SkipValue(scratch);
                    break;
            }
        }
        if (string.IsNullOrEmpty(url))
        {
            JsonFault.Throw(cursor.Json, start, DocumentFormatError.InvalidRequest,
                "A request of the multi-get has no Url; send one, such as \"/databases/shop/docs\".");
        }
        return new MultiGetRequest
        {
            Url = url,
            Query = query ?? "",
            Method = string.IsNullOrEmpty(method) ? "GET" : method.ToUpperInvariant(),
            Headers = headers,
            Content = content,
        };
    }

    private static Dictionary<string, string> ReadHeaders(ref JsonCursor cursor, PooledBuffer scratch)
    {
        var headers = new Dictionary<string, string>(StringComparer.OrdinalIgnoreCase);
        if (cursor.Peek() == 'n')
        {
            cursor.SkipValue(scratch);
            return headers;
        }
        for (bool has = cursor.OpenObject("Headers"); has; has = cursor.NextMember())
        {
            string name = Encoding.UTF8.GetString(cursor.ReadName());
            if (cursor.Peek() is not ((byte)'"' or (byte)'n'))
            {
                // Clients send flags such as "Sharded":true as they are; no header of ours has such a value.
                cursor.SkipValue(scratch);
                continue;
            }
            string? value = cursor.ReadText(scratch, "A header");
            if (value is not null)
            {
                cursor.CheckOnce(headers.TryAdd(name, value), name);
            }
        }
        return headers;
    }

    private static ReadOnlyMemory<byte> ReadContent(ref JsonCursor cursor, PooledBuffer scratch)
    {
        int mark = scratch.Length;
        if (cursor.Peek() is (byte)'"' or (byte)'n')
        {
            cursor.ReadString(scratch, "Content");
        }
        else
        {
            cursor.CopyValue(scratch);
        }
        byte[] content = scratch.Written[mark..].ToArray();
        scratch.Truncate(mark);
        return content;
    }
}

/// <summary>One request within a multi_get.</summary>
public sealed class MultiGetRequest
{
    /// <summary>Path, with the database: <c>/databases/shop/docs</c>.</summary>
    public required string Url { get; init; }

    /// <summary>With its leading '?'; empty when there is none.</summary>
    public required string Query { get; init; }

    /// <summary>In upper case; GET when it was not sent.</summary>
    public required string Method { get; init; }

    /// <summary>Names without regard to case; a header of null was not sent.</summary>
    public required IReadOnlyDictionary<string, string> Headers { get; init; }

    /// <summary>The body in UTF-8: the characters of a string, or the JSON of any other value; empty when there is
    /// none.</summary>
    public required ReadOnlyMemory<byte> Content { get; init; }
}
