using System.Runtime.InteropServices;
using System.Text.Json;
using Jackdaw.Client.Exceptions;

namespace Jackdaw.Client.Serialization;

/// <summary>A document as a server has sent it: its text, and the parts of it that every reader needs. Safe for concurrent use.</summary>
internal sealed class StoredDocument
{
    private static readonly byte[] s_metadataName = [(byte)'"', .. EntityConverter.MetadataName, (byte)'"', (byte)':'];

    private readonly int _membersLength;

    /// <param name="metadata">Where the name of the metadata begins, if the metadata is the last member; otherwise less than 1.</param>
    private StoredDocument(ReadOnlyMemory<byte> text, string id, string? changeVector, int metadata)
    {
        (Text, Id, ChangeVector) = (text, id, changeVector);
        byte before = metadata > 0 ? text.Span[metadata - 1] : default;
        _membersLength = before == ',' ? metadata - 1 : before == '{' ? metadata : text.Length - 1;
    }

    /// <summary>UTF-8 JSON, an object with metadata. It is never changed.</summary>
    public ReadOnlyMemory<byte> Text { get; }

    /// <summary>The text up to its metadata, if that comes last, as servers write it; otherwise up to the last brace.</summary>
    public ReadOnlySpan<byte> Members => Text.Span[.._membersLength];

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
        return Of(document, metadata.RequiredText("@id"u8), metadata.Text("@change-vector"u8));
    }

    /// <summary>A document whose id and version stand beside it.</summary>
    public static StoredDocument Of(JsonElement document, string id, string? changeVector) =>
        new(JsonMarshal.GetRawUtf8Value(document).ToArray(), id, changeVector, -1);

    /// <summary>A document of an answer that is being read.</summary>
    /// <param name="json">A reader at the beginning of an object, and afterwards at its end.</param>
    /// <param name="answer">The text that it reads.</param>
    /// <exception cref="BadResponseException">The document has no metadata or no id.</exception>
    public static StoredDocument Read(ref Utf8JsonReader json, ReadOnlyMemory<byte> answer)
    {
        int start = (int)json.TokenStartIndex;
        (string? id, string? changeVector, int metadata) = (null, null, -1);
        while (json.Read() && json.TokenType == JsonTokenType.PropertyName)
        {
            bool isMetadata = json.ValueTextEquals(EntityConverter.MetadataName);
            metadata = isMetadata ? (int)json.TokenStartIndex - start : -1;
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
            changeVector,
            metadata);
    }

    /// <summary>A document whose text is a part of an answer. Only its metadata is read.</summary>
    /// <returns>Null if the text does not end in the metadata of a document, as servers write it: then it has to be read as a whole.</returns>
    public static StoredDocument? TryRead(ReadOnlyMemory<byte> text)
    {
        ReadOnlySpan<byte> all = text.Span;
        int name = all.LastIndexOf(s_metadataName);
        if (name < 1 || all[0] != '{' || all[^1] != '}')
        {
            return null;
        }

        (string? id, string? changeVector) = (null, null);
        var json = new Utf8JsonReader(all[(name + s_metadataName.Length)..^1]);
        try
        {
            return json.Read() && json.TokenType == JsonTokenType.StartObject && ReadMetadata(ref json, ref id, ref changeVector) && !json.Read()
                && id is not null
                ? new StoredDocument(text, id, changeVector, name)
                : null;
        }
        catch (Exception wrong) when (wrong is JsonException or InvalidOperationException)
        {
            return null;
        }
    }

    /// <exception cref="BadResponseException">There is none.</exception>
    public static JsonElement MetadataOf(JsonElement document) => document.RequiredObject(EntityConverter.MetadataName);

    // Whether it is that of a document, and not that of a row that was made of one.
    private static bool ReadMetadata(ref Utf8JsonReader json, ref string? id, ref string? changeVector)
    {
        bool isOfDocument = true;
        while (json.Read() && json.TokenType == JsonTokenType.PropertyName)
        {
            bool isId = json.ValueTextEquals("@id"u8);
            bool isChangeVector = json.ValueTextEquals("@change-vector"u8);
            isOfDocument &= !json.ValueTextEquals("@projection"u8);
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

        return isOfDocument;
    }
}
