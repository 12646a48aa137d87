using System.Text.Json;
using System.Text.Unicode;
using Jackdaw.Documents.Extensions;
using Jackdaw.Documents.Parsing;
using Jackdaw.Json;
using Jackdaw.Server.Http.Limits;
using Jackdaw.Server.Http.Problems;
using Jackdaw.Server.Http.Routing;

namespace Jackdaw.Server.Http.Bodies;

/// <summary>The JSON object of an administrative request. It is not used for documents, whose bytes are stored.</summary>
/// <remarks>Names are compared without regard to case, because clients write them differently.</remarks>
internal sealed class JsonBody : IDisposable
{
    private static readonly JsonDocumentOptions s_options = new()
    {
        AllowDuplicateProperties = false,
        MaxDepth = DocumentLimits.JsonDepthMax,
    };

    private readonly RequestBody _body;
    private readonly JsonDocument _document;

    private JsonBody(RequestBody body, JsonDocument document)
    {
        _body = body;
        _document = document;
    }

    public JsonElement Root => _document.RootElement;

    /// <summary>The bytes as they were sent; valid until the body is disposed.</summary>
    public ReadOnlyMemory<byte> Bytes => _body.Memory;

    public static async ValueTask<JsonBody> ReadObjectAsync(
        RequestContext context, string what, int bytesMax = HttpLimits.AdministrationBytesMax)
    {
        RequestBody body = await RequestBodyReader.ReadAsync(context, bytesMax, what).ConfigureAwait(false);
        try
        {
            return new JsonBody(body, Parse(body, what));
        }
        catch
        {
            body.Dispose();
            throw;
        }
    }

    /// <summary>Reads bytes again that <see cref="ReadObjectAsync"/> accepted. They must not change until the document is disposed.</summary>
    public static JsonDocument ParseStored(ReadOnlyMemory<byte> json) => JsonDocument.Parse(json, s_options);

    public void Dispose()
    {
        _document.Dispose();
        _body.Dispose();
    }

    private static JsonDocument Parse(RequestBody body, string what)
    {
        // The reader does not notice broken UTF-8 inside strings until that string is read.
        if (!Utf8.IsValid(body.Span))
        {
            throw Refuse($"{what} is not valid UTF-8; send JSON in UTF-8.");
        }

        try
        {
            CheckTexts(body.Span);
            JsonDocument document = JsonDocument.Parse(body.Memory, s_options);
            if (document.RootElement.ValueKind == JsonValueKind.Object)
            {
                return document;
            }

            string kind = document.RootElement.ValueKind.ToString();
            document.Dispose();
            throw Refuse($"{what} must be a JSON object, not {kind}.");
        }
        catch (Exception failure) when (failure is JsonException or DocumentFormatException)
        {
            throw Refuse($"{what} is not valid JSON: {failure.Message}");
        }
    }

    // JsonDocument refuses half of a surrogate pair only when that text is read, which may be long after it was stored.
    private static void CheckTexts(ReadOnlySpan<byte> json)
    {
        using var copy = new PooledBuffer();
        using var parser = new DocumentParser(DocumentExtensions.None);
        parser.CopyValue(json, JsonScanner.SkipWhitespace(json, 0), copy);
    }

    private static RequestRefusedException Refuse(string message) => new(Problem.BadRequest(message));
}
