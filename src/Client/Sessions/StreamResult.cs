using System.Text.Json;
using Jackdaw.Client.Serialization;

namespace Jackdaw.Client.Sessions;

/// <summary>One result of a stream. The session does not track it.</summary>
/// <typeparam name="T">Of the object.</typeparam>
public sealed class StreamResult<T>
{
    private readonly JsonElement _metadata;

    internal StreamResult(JsonElement item, T document)
    {
        item.TryFind("@metadata"u8, JsonValueKind.Object, out _metadata);
        Document = document;
    }

    /// <summary>The object.</summary>
    public T Document { get; }

    /// <summary>The id; null if this is not a document, but something that the query has made.</summary>
    public string? Id => _metadata.Text("@id"u8);

    /// <summary>Version of the document; null if this is not a document.</summary>
    public string? ChangeVector => _metadata.Text("@change-vector"u8);

    /// <summary>The metadata, which may be empty. It is made when it is first read.</summary>
    public MetadataDictionary Metadata
    {
        get
        {
            if (field is null)
            {
                field = new MetadataDictionary();
                if (_metadata.ValueKind == JsonValueKind.Object)
                {
                    field.Read(_metadata);
                }
            }

            return field;
        }
    }
}
