using System.Text.Json;
using Jackdaw.Client.Operations.CompareExchange;
using Jackdaw.Client.Serialization;

namespace Jackdaw.Client.Sessions.Core;

/// <summary>A compare exchange value that a cluster-wide session knows.</summary>
internal sealed class TrackedValue(string key)
{
    public string Key { get; } = key;

    /// <summary>The index that a change expects; 0 if there is no value.</summary>
    public long Index { get; private set; }

    /// <summary>The value on the server; undefined if there is none.</summary>
    public JsonElement Stored { get; private set; }

    /// <summary>The object that the user has; null if there is none yet.</summary>
    public ICompareExchangeValue? Value { get; set; }

    /// <summary>Whether the next save deletes it.</summary>
    public bool IsDeleted { get; private set; }

    /// <summary>Takes the value of an answer. The object that the user has stays as it is.</summary>
    public void Take(StoredValue stored)
    {
        if (Value is null && !IsDeleted)
        {
            (Index, Stored) = (stored.Index, stored.Value);
        }
    }

    /// <summary>Lets the next save store it.</summary>
    public void Create(ICompareExchangeValue value)
    {
        Value = value;
        IsDeleted = false;
    }

    public void Delete(long index)
    {
        (Index, Value, IsDeleted) = (index, null, true);
    }

    /// <summary>Whether the next save sends it.</summary>
    /// <param name="text">The text to store; undefined for a deletion.</param>
    public bool IsChanged(DocumentSerializer serializer, out JsonElement text)
    {
        text = default;
        if (Value is null)
        {
            return IsDeleted;
        }

        text = JsonText.Element(json => Value.Write(json, serializer));
        return Stored.ValueKind == JsonValueKind.Undefined || !JsonElement.DeepEquals(text, Stored);
    }

    /// <summary>Takes the answer to a save.</summary>
    /// <param name="text">The text that was sent.</param>
    public void SetSaved(long index, JsonElement text)
    {
        if (IsDeleted)
        {
            (Index, Stored, IsDeleted) = (0, default, false);
            return;
        }

        (Index, Stored) = (index, text);
        Value!.Index = index;
    }
}
