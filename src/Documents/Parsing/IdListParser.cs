using System.Buffers;
using System.Text;
using Jackdaw.Documents.Extensions;
using Jackdaw.Json;

namespace Jackdaw.Documents.Parsing;

/// <summary>Parses the body of a POST to docs, <c>{"Ids":["a","b"]}</c>: a list of ids that is too long for a URL.</summary>
public static class IdListParser
{
    /// <summary>The largest body, in bytes: 32,000 of the longest ids.</summary>
    public const int BodyBytesMax = 16 * 1024 * 1024;

    /// <summary>Parses a body.</summary>
    /// <returns>The ids in the order in which they were sent. Null and empty ids are empty; their results are null.</returns>
    /// <exception cref="DocumentFormatException">The body is refused.</exception>
    public static IReadOnlyList<string> Parse(in ReadOnlySequence<byte> body)
    {
        using var text = new ContiguousText(body, BodyBytesMax, "A list of ids");
        using var values = new DocumentParser(DocumentExtensions.None);
        using var scratch = new PooledBuffer();
        var cursor = new JsonCursor(text.Bytes, DocumentParser.SkipToText(text.Bytes), values);
        List<string>? ids = null;
        for (bool has = cursor.OpenObject("The body"); has; has = cursor.NextMember())
        {
            if (!Ascii.EqualsIgnoreCase(cursor.ReadName(), "Ids"u8))
            {
                cursor.SkipValue(scratch);
                continue;
            }
            cursor.CheckOnce(ids is null, "Ids");
            ids = ReadIds(ref cursor, scratch);
        }
        cursor.ExpectEnd();
        if (ids is null)
        {
            JsonFault.Throw(text.Bytes, text.Bytes.Length, DocumentFormatError.InvalidRequest,
                "The body has no Ids; send {\"Ids\":[\"users/1-A\",...]}.");
        }
        return ids;
    }

    private static List<string> ReadIds(ref JsonCursor cursor, PooledBuffer scratch)
    {
        var ids = new List<string>();
        for (bool has = cursor.OpenArray("Ids"); has; has = cursor.NextElement())
        {
            ids.Add(cursor.ReadText(scratch, "An id") ?? "");
        }
        return ids;
    }
}
