using System.Text.Json;
using Jackdaw.Client.Serialization;

namespace Jackdaw.Client.Operations.CompareExchange;

/// <summary>A value of the database that can be replaced only by a caller that knows its index.</summary>
/// <typeparam name="T">Anything that JSON can hold.</typeparam>
public sealed class CompareExchangeValue<T> : ICompareExchangeValue
{
    private MetadataDictionary? _metadata;

    /// <param name="key">At most 512 bytes; compared without regard to case.</param>
    /// <param name="index">The index; 0 if the value is not stored yet.</param>
    public CompareExchangeValue(string key, long index, T? value)
    {
        ArgumentException.ThrowIfNullOrEmpty(key);
        (Key, Index, Value) = (key, index, value);
    }

    /// <summary>Name.</summary>
    public string Key { get; }

    /// <summary>The index, which grows with each change; 0 if the value is not stored yet.</summary>
    public long Index { get; private set; }

    /// <summary>The value. A session saves it when it has changed.</summary>
    public T? Value { get; set; }

    /// <summary>Metadata that is saved with the value; <c>@expires</c> is the time when the server deletes the value.</summary>
    public MetadataDictionary Metadata => _metadata ??= new MetadataDictionary();

    long ICompareExchangeValue.Index
    {
        set => Index = value;
    }

    void ICompareExchangeValue.Write(Utf8JsonWriter json, DocumentSerializer serializer)
    {
        json.WriteStartObject();
        json.WritePropertyName("Object"u8);
        if (Value is null)
        {
            json.WriteNullValue();
        }
        else
        {
            JsonSerializer.Serialize(json, Value, serializer.TypeInfo<T>());
        }

        if (_metadata is { Count: > 0 } metadata)
        {
            metadata.Write(json);
        }

        json.WriteEndObject();
    }

    /// <param name="stored">The value on the server; null is a value, too.</param>
    internal static CompareExchangeValue<T> Read(StoredValue stored, DocumentSerializer serializer)
    {
        var value = new CompareExchangeValue<T>(stored.Key, stored.Index, default);
        if (stored.Value.TryFind("Object"u8, out JsonElement content) && content.ValueKind != JsonValueKind.Null)
        {
            value.Value = content.Deserialize(serializer.TypeInfo<T>());
        }

        if (stored.Value.TryFind("@metadata"u8, JsonValueKind.Object, out JsonElement metadata))
        {
            value.Metadata.Read(metadata);
        }

        return value;
    }
}

/// <summary>A value of any type.</summary>
internal interface ICompareExchangeValue
{
    string Key { get; }

    /// <summary>Takes the answer to a change.</summary>
    long Index { set; }

    /// <summary>Writes it as it is stored: an object with the value and its metadata.</summary>
    void Write(Utf8JsonWriter json, DocumentSerializer serializer);
}

/// <summary>A value as the server has sent it.</summary>
/// <param name="Value">An object with the value and its metadata. Outlives the answer.</param>
internal readonly record struct StoredValue(string Key, long Index, JsonElement Value)
{
    /// <summary>One entry of an answer.</summary>
    /// <param name="entry">Null of a missing value comes as an index that is not positive.</param>
    public static StoredValue? Read(JsonElement entry) =>
        entry.Text("Key"u8) is { } key && entry.Number("Index"u8) is > 0 and { } index
            && entry.TryFind("Value"u8, JsonValueKind.Object, out JsonElement value)
            ? new StoredValue(key, index, value.Clone())
            : null;

    /// <summary>All entries of an answer that exist.</summary>
    public static IEnumerable<StoredValue> ReadAll(JsonElement answer)
    {
        foreach (JsonElement entry in answer.Elements("Results"u8))
        {
            if (Read(entry) is { } stored)
            {
                yield return stored;
            }
        }
    }
}
