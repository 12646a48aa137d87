using System.Runtime.InteropServices;
using System.Text.Json;
using Jackdaw.Client.Exceptions;

namespace Jackdaw.Client.Serialization;

/// <summary>A document as a server has sent it: its text, and the parts of it that every reader needs. Safe for concurrent use.</summary>
internal sealed class StoredDocument
{
    private StoredDocument(ReadOnlyMemory<byte> text, string id, string? changeVector) => (Text, Id, ChangeVector) = (text, id, changeVector);

    /// <summary>UTF-8 JSON, an object with metadata. It is never changed.</summary>
    public ReadOnlyMemory<byte> Text { get; }

    public string Id { get; }

    /// <summary>The version; null if none was sent.</summary>
    public string? ChangeVector { get; }

    /// <summary>The text as JSON. Parsed anew each time: a document that a cache keeps must not grow with its readers.</summary>
    public JsonElement Parse() => AnswerJson.ParseValue(Text.Span);

    /// <summary>A document of an answer that was parsed.</summary>
    /// <exception cref="BadResponseException">The document is not an object, or has no metadata or no id.</exception>
    public static StoredDocument Of(JsonElement document)
    {
        JsonElement metadata = MetadataOf(document);
        return new StoredDocument(JsonMarshal.GetRawUtf8Value(document).ToArray(), metadata.RequiredText("@id"u8), metadata.Text("@change-vector"u8));
    }

    /// <summary>A document whose id and version stand beside it.</summary>
    public static StoredDocument Of(JsonElement document, string id, string? changeVector) =>
        new(JsonMarshal.GetRawUtf8Value(document).ToArray(), id, changeVector);

    /// <summary>A document of an answer that is being read.</summary>
    /// <param name="json">A reader at the beginning of an object, and afterwards at its end.</param>
    /// <param name="answer">The text that it reads.</param>
    /// <exception cref="BadResponseException">The document has no metadata or no id.</exception>
    public static StoredDocument Read(ref Utf8JsonReader json, ReadOnlyMemory<byte> answer)
    {
        int start = (int)json.TokenStartIndex;
        (string? id, string? changeVector) = (null, null);
        while (json.Read() && json.TokenType == JsonTokenType.PropertyName)
        {
            bool isMetadata = json.ValueTextEquals(EntityConverter.MetadataName);
            json.Read();
            if (isMetadata && json.TokenType == JsonTokenType.StartObject)
            {
                ReadMetadata(ref json, ref id, ref changeVector);
            }
            else
            {
                json.Skip();
            }
        }

        return new StoredDocument(
            answer[start..(int)json.BytesConsumed],
            id ?? throw new BadResponseException("A document of the answer has no '@id' in its metadata."),
            changeVector);
    }

    /// <exception cref="BadResponseException">There is none.</exception>
    public static JsonElement MetadataOf(JsonElement document) => document.RequiredObject(EntityConverter.MetadataName);

    private static void ReadMetadata(ref Utf8JsonReader json, ref string? id, ref string? changeVector)
    {
        while (json.Read() && json.TokenType == JsonTokenType.PropertyName)
        {
            bool isId = json.ValueTextEquals("@id"u8);
            bool isChangeVector = json.ValueTextEquals("@change-vector"u8);
            json.Read();
            if (json.TokenType == JsonTokenType.String)
            {
                id = isId ? json.GetString() : id;
                changeVector = isChangeVector ? json.GetString() : changeVector;
            }
            else
            {
                json.Skip();
            }
        }
    }
}
