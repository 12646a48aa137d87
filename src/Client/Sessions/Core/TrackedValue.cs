using System.Text.Json;
using Jackdaw.Client.Operations.CompareExchange;
using Jackdaw.Client.Serialization;

namespace Jackdaw.Client.Sessions.Core;

/// <summary>A compare exchange value that a cluster-wide session knows.</summary>
internal sealed class TrackedValue(string key)
{
    public string Key { get; } = key;

    /// <summary>That a change demands; 0: there is none.</summary>
    public long Index { get; private set; }

    /// <summary>As the server has it; undefined: there is none.</summary>
    public JsonElement Stored { get; private set; }

    /// <summary>What the user has; null: nothing yet.</summary>
    public ICompareExchangeValue? Value { get; set; }

    /// <summary>The next save deletes it.</summary>
    public bool IsDeleted { get; private set; }

    /// <summary>Takes what an answer has; what the user has stays as it is.</summary>
    public void Take(StoredValue stored)
    {
        if (Value is null && !IsDeleted)
        {
            (Index, Stored) = (stored.Index, stored.Value);
        }
    }

    /// <summary>The next save stores it.</summary>
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
    /// <param name="text">As it would be stored; undefined for a deletion.</param>
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

    /// <summary>A save was answered.</summary>
    /// <param name="text">As it was sent.</param>
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
