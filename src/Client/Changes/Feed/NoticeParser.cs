using System.Text.Json;

namespace Jackdaw.Client.Changes.Feed;

/// <summary>Reads the notices of one frame, a JSON array, one after the other. Notices and members that it does not know are skipped. Known ones
/// with values of a wrong type are errors, because their content would be lost.</summary>
internal ref struct NoticeParser
{
    private Utf8JsonReader _json;

    /// <exception cref="JsonException">The frame is not an array.</exception>
    public NoticeParser(ReadOnlySpan<byte> frame)
    {
        _json = new Utf8JsonReader(frame);
        if (!_json.Read() || _json.TokenType != JsonTokenType.StartArray)
        {
            throw new JsonException("The frame is not a JSON array.");
        }
    }

    /// <summary>Reads the next notice; false at the end of the frame.</summary>
    /// <exception cref="JsonException">The frame is not valid JSON, or something in it has the wrong type; also <see cref="InvalidOperationException"/>
    /// and <see cref="FormatException"/>.</exception>
    public bool TryRead(out Notice notice)
    {
        while (_json.Read() && _json.TokenType != JsonTokenType.EndArray)
        {
            long start = _json.BytesConsumed;
            notice = ReadNotice();
            if (notice.Kind != NoticeKind.None)
            {
                notice = notice with { Bytes = (int)(_json.BytesConsumed - start) };
                return true;
            }
        }

        // What follows the array is checked, too.
        _json.Read();
        notice = default;
        return false;
    }

    private Notice ReadNotice()
    {
        if (_json.TokenType != JsonTokenType.StartObject)
        {
            throw new JsonException("A notice is not a JSON object.");
        }

        (string? type, string? text, long commandId) = (null, null, 0);
        Utf8JsonReader value = default;
        bool hasValue = false;
        while (_json.Read() && _json.TokenType == JsonTokenType.PropertyName)
        {
            if (_json.ValueTextEquals("Type"u8))
            {
                type = Text(ref _json);
            }
            else if (_json.ValueTextEquals("CommandId"u8))
            {
                commandId = Number(ref _json);
            }
            else if (_json.ValueTextEquals("Exception"u8))
            {
                text = Text(ref _json);
            }
            else if (_json.ValueTextEquals("Value"u8))
            {
                _json.Read();
                value = _json;
                hasValue = _json.TokenType != JsonTokenType.Null;
                _json.Skip();
            }
            else
            {
                _json.Skip();
            }
        }

        return type switch
        {
            "Confirm" => new Notice(NoticeKind.Confirmation, commandId),
            "Error" => new Notice(NoticeKind.Error, Text: text ?? "The server gave no reason."),
            "AggressiveCacheChange" => new Notice(NoticeKind.Cache, Cache: hasValue ? CacheNoticeOf(value) : CacheChange.Unknown),
            _ => ChangeReader.TryRead(type, value, hasValue) is { } change ? new Notice(NoticeKind.Change, Change: change) : default,
        };
    }

    private static CacheChange CacheNoticeOf(Utf8JsonReader value)
    {
        CacheChange change = CacheChange.Unknown with { IsUnknown = false };
        Begin(value);
        while (value.Read() && value.TokenType == JsonTokenType.PropertyName)
        {
            if (value.ValueTextEquals("IsUnknown"u8))
            {
                value.Read();
                change = change with { IsUnknown = value.GetBoolean() };
            }
            else if (value.ValueTextEquals("Ids"u8))
            {
                change = change with { Ids = Texts(ref value) };
            }
            else if (value.ValueTextEquals("Collections"u8))
            {
                change = change with { Collections = Texts(ref value) };
            }
            else if (value.ValueTextEquals("Indexes"u8))
            {
                change = change with { Indexes = Texts(ref value) };
            }
            else if (value.ValueTextEquals("CompareExchange"u8))
            {
                change = change with { CompareExchange = Texts(ref value) };
            }
            else
            {
                // Something else has changed that this version cannot name.
                change = change with { IsUnknown = true };
                value.Skip();
            }
        }

        return change;
    }

    internal static void Begin(in Utf8JsonReader value)
    {
        if (value.TokenType != JsonTokenType.StartObject)
        {
            throw new JsonException("The value of a notice is not a JSON object.");
        }
    }

    internal static string? Text(ref Utf8JsonReader json)
    {
        json.Read();
        return json.GetString();
    }

    internal static long Number(ref Utf8JsonReader json)
    {
        json.Read();
        return json.GetInt64();
    }

    private static string[] Texts(ref Utf8JsonReader json)
    {
        json.Read();
        if (json.TokenType != JsonTokenType.StartArray)
        {
            throw new JsonException("The names of a notice are not a JSON array.");
        }

        var texts = new List<string>();
        while (json.Read() && json.TokenType != JsonTokenType.EndArray)
        {
            texts.Add(json.GetString() ?? throw new JsonException("A name of a notice is null."));
        }

        return [.. texts];
    }
}
