using System.Text.Json;
using Jackdaw.Client.Http;
using Jackdaw.Client.Serialization;

namespace Jackdaw.Client.Requests;

/// <summary>The answer to a query whose rows are documents: they are parts of its bytes. A cached answer is taken apart once for all readers.</summary>
internal sealed class QueriedDocuments
{
    private QueriedDocuments(List<StoredDocument> documents, JsonElement rest) => (Documents, Rest) = (documents, rest);

    public List<StoredDocument> Documents { get; }

    /// <summary>The answer without its rows.</summary>
    public JsonElement Rest { get; }

    /// <summary>The documents are not read here: whoever makes objects of them does.</summary>
    /// <returns>Null if not all rows are documents as servers write them: then the answer has to be read as a whole.</returns>
    public static QueriedDocuments? TryOf(RequestAnswer answer)
    {
        if (answer.Parsed is QueriedDocuments known)
        {
            return known;
        }

        QueriedDocuments? read = answer.Read(TakeApart);
        answer.Parsed ??= read;
        return read;
    }

    private static QueriedDocuments? TakeApart(ReadOnlyMemory<byte> body)
    {
        ReadOnlySpan<byte> text = body.Span;
        int start = StartOfResults(text);
        if (start < 0)
        {
            return null;
        }

        List<StoredDocument> documents = [];
        int at = start;
        while (at < text.Length && text[at] != ']')
        {
            at += documents.Count > 0 ? 1 : 0; // the comma
            int end = JsonScan.EndOf(text, at);
            if (end < 0 || end == text.Length || text[end] is not ((byte)',' or (byte)']') || StoredDocument.TryRead(body[at..end]) is not { } document)
            {
                return null;
            }

            documents.Add(document);
            at = end;
        }

        return new QueriedDocuments(documents, AnswerJson.ParseWhole([.. text[..start], .. text[at..]]));
    }

    private static int StartOfResults(ReadOnlySpan<byte> text)
    {
        try
        {
            var json = new Utf8JsonReader(text);
            json.Read();
            while (json.Read() && json.TokenType == JsonTokenType.PropertyName)
            {
                bool isFound = json.ValueTextEquals("Results"u8);
                json.Read();
                if (isFound)
                {
                    return json.TokenType == JsonTokenType.StartArray ? (int)json.BytesConsumed : -1;
                }

                json.Skip();
            }
        }
        catch (Exception wrong) when (wrong is JsonException or InvalidOperationException)
        {
            // The error of whoever reads the whole text says what is wrong with it.
        }

        return -1;
    }
}
