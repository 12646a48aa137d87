using System.Collections;
using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using System.Text.Json;

namespace Jackdaw.Client.Serialization;

/// <summary>The metadata of a document in a session: what the server sent, and what was set for the next save.</summary>
/// <remarks>Values are texts, numbers, truth values, null, or <see cref="JsonElement"/> for objects and lists. Not safe for concurrent
/// use.</remarks>
public sealed class MetadataDictionary : IEnumerable<KeyValuePair<string, object?>>
{
    private static readonly object s_nothing = new();
    private static readonly string[] s_ofQueries = ["@index-score", "@spatial"];

    private readonly Dictionary<string, object?> _values = new(StringComparer.Ordinal);
    private Dictionary<string, object?>? _before; // of members that were changed

    /// <summary>Whether something was set or removed since the document was read or saved.</summary>
    public bool IsChanged => _before is not null;

    /// <summary>Members.</summary>
    public int Count => _values.Count;

    /// <summary>A value; null if it is missing, or null.</summary>
    public object? this[string name]
    {
        get => _values.GetValueOrDefault(name);
        set
        {
            if (!_values.TryGetValue(name, out object? known) || !Equals(known, value))
            {
                Keep(name);
                _values[name] = value;
            }
        }
    }

    /// <summary>Whether there is such a member.</summary>
    public bool ContainsKey(string name) => _values.ContainsKey(name);

    /// <summary>Finds a member.</summary>
    public bool TryGetValue(string name, out object? value) => _values.TryGetValue(name, out value);

    /// <summary>A text; null when there is none.</summary>
    public string? GetString(string name) => _values.GetValueOrDefault(name) as string;

    /// <summary>When the server deletes the document; null for never. A database does that if expiration is switched on.</summary>
    public DateTimeOffset? ExpiresAt
    {
        get => TimeOf("@expires");
        set => SetTime("@expires", value);
    }

    /// <summary>When the server writes the document again, so that its indexes read it anew; null for never.</summary>
    public DateTimeOffset? RefreshAt
    {
        get => TimeOf("@refresh");
        set => SetTime("@refresh", value);
    }

    /// <summary>Removes a member.</summary>
    public bool Remove(string name)
    {
        if (!_values.ContainsKey(name))
        {
            return false;
        }

        Keep(name);
        return _values.Remove(name);
    }

    /// <inheritdoc/>
    public IEnumerator<KeyValuePair<string, object?>> GetEnumerator() => _values.GetEnumerator();

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();

    internal void Set(string name, object? value) => _values[name] = value;

    internal void Read(JsonElement metadata)
    {
        _values.Clear();
        foreach ((string name, JsonElement value) in metadata.Members())
        {
            _values[name] = ValueOf(value);
        }

        SetUnchanged();
    }

    /// <summary>Takes what is not the server's own from the metadata of another document.</summary>
    internal void ReadOwn(JsonElement metadata)
    {
        foreach ((string name, JsonElement value) in metadata.Members())
        {
            if (!IsOfServer(name))
            {
                _values[name] = ValueOf(value);
            }
        }
    }

    /// <summary>Takes what a query says about a document that it has found. It is not a part of the document, and not a change.</summary>
    internal void ReadFound(JsonElement metadata)
    {
        foreach (string name in s_ofQueries)
        {
            _values.Remove(name);
            if (metadata.TryGetProperty(name, out JsonElement value))
            {
                _values[name] = ValueOf(value);
            }
        }
    }

    /// <summary>Notes that the document was read or saved.</summary>
    internal void SetUnchanged() => _before = null;

    /// <summary>Members that were changed, with their values before and now; null for no value.</summary>
    internal IEnumerable<(string Name, JsonElement? Before, JsonElement? Now)> Changes()
    {
        foreach ((string name, object? before) in _before ?? [])
        {
            object? now = _values.TryGetValue(name, out object? value) ? value : s_nothing;
            if (!Equals(before, now))
            {
                yield return (name, ElementOf(before), ElementOf(now));
            }
        }
    }

    private DateTimeOffset? TimeOf(string name) => _values.GetValueOrDefault(name) switch
    {
        DateTimeOffset time => time,
        DateTime time => new DateTimeOffset(time),
        string text when DateTimeOffset.TryParse(text, CultureInfo.InvariantCulture, DateTimeStyles.AssumeUniversal, out DateTimeOffset time) => time,
        _ => null,
    };

    private void SetTime(string name, DateTimeOffset? time)
    {
        if (time is { } known)
        {
            this[name] = known.UtcDateTime.ToString("o", CultureInfo.InvariantCulture);
        }
        else
        {
            Remove(name);
        }
    }

    private void Keep(string name)
    {
        bool isThere = _values.TryGetValue(name, out object? value);
        _before ??= new Dictionary<string, object?>(StringComparer.Ordinal);
        _before.TryAdd(name, isThere ? value : s_nothing);
    }

    private static JsonElement? ElementOf(object? value) =>
        ReferenceEquals(value, s_nothing) ? null : JsonText.Element(json => WriteValue(json, value));

    internal void Write(Utf8JsonWriter json)
    {
        json.WriteStartObject(EntityConverter.MetadataName);
        foreach ((string name, object? value) in _values)
        {
            if (!IsOfServer(name))
            {
                json.WritePropertyName(name);
                WriteValue(json, value);
            }
        }

        json.WriteEndObject();
    }

    // Only the server sets and maintains these members.
    private static bool IsOfServer([NotNull] string name) => s_ofQueries.Contains(name) || name is
        "@id" or "@change-vector" or "@last-modified" or "@flags" or "@attachments" or "@counters" or "@timeseries" or "@projection";

    private static object? ValueOf(JsonElement value) => value.ValueKind switch
    {
        JsonValueKind.String => value.RequiredText(),
        JsonValueKind.True => true,
        JsonValueKind.False => false,
        JsonValueKind.Null => null,
        JsonValueKind.Number when value.TryGetInt64(out long whole) => whole,
        JsonValueKind.Number when value.GetDouble() is var number && double.IsFinite(number) && JsonElement.DeepEquals(value, ElementOf(number)!.Value)
            => number,
        _ => value.Clone(),
    };

    private static void WriteValue(Utf8JsonWriter json, object? value)
    {
        switch (value)
        {
            case null:
                json.WriteNullValue();
                break;
            case string text:
                json.WriteStringValue(text);
                break;
            case bool truth:
                json.WriteBooleanValue(truth);
                break;
            case int or long or short or byte or sbyte or ushort or uint:
                json.WriteNumberValue(Convert.ToInt64(value, System.Globalization.CultureInfo.InvariantCulture));
                break;
            case double number:
                json.WriteNumberValue(number);
                break;
            case decimal number:
                json.WriteNumberValue(number);
                break;
            case float number:
                json.WriteNumberValue(number);
                break;
            case ulong number:
                json.WriteNumberValue(number);
                break;
            case Guid guid:
                json.WriteStringValue(guid);
                break;
            case DateTimeOffset time:
                WriteValue(json, time.UtcDateTime);
                break;
            case DateOnly day:
                json.WriteStringValue(day.ToString("O", CultureInfo.InvariantCulture));
                break;
            case DateTime time:
                json.WriteStringValue(time.ToUniversalTime().ToString("yyyy-MM-ddTHH:mm:ss.fffffffZ", System.Globalization.CultureInfo.InvariantCulture));
                break;
            case JsonElement element:
                element.WriteTo(json);
                break;
            default:
                throw new ArgumentException($"A value of metadata cannot be a {value.GetType()}: use texts, numbers, truth values, dates, or a JsonElement.");
        }
    }
}
