using System.Text;
using System.Text.Json;

namespace Jackdaw.Server.Http.Handlers.Previews;

/// <summary>Writes a value of a document as a cell.</summary>
/// <remarks>A short text, a number without an exponent that every program reads exactly, true, false and null come as they are. Everything else is
/// <c>{"Kind":"String|Number|Object|Array","Text":...,"Bytes":...}</c>: the beginning of its text, and the length of the whole.</remarks>
internal static class CellText
{
    /// <summary>Bytes of JSON that are shown of a value.</summary>
    public const int BytesMax = 256;

    /// <summary>Digits that a double holds exactly. Longer numbers are texts here, because browsers would round them.</summary>
    private const int ExactDigitsMax = 15;

    public static void Write(Utf8JsonWriter json, JsonTokenType kind, ReadOnlySpan<byte> value)
    {
        switch (kind)
        {
            case JsonTokenType.String when value.Length <= BytesMax:
            case JsonTokenType.Number when value.Length <= ExactDigitsMax && value.IndexOfAny("eE"u8) < 0:
            case JsonTokenType.True or JsonTokenType.False or JsonTokenType.Null:
                json.WriteRawValue(value, skipInputValidation: true);
                break;
            case JsonTokenType.String:
                WriteCut(json, "String"u8, BeginningOf(value[1..^1], isString: true), value.Length);
                break;
            case JsonTokenType.Number:
                WriteCut(json, "Number"u8, BeginningOf(value, isString: false), value.Length);
                break;
            default:
                WriteCut(json, kind == JsonTokenType.StartArray ? "Array"u8 : "Object"u8, BeginningOf(value, isString: false), value.Length);
                break;
        }
    }

    private static void WriteCut(Utf8JsonWriter json, ReadOnlySpan<byte> kind, string text, int bytes)
    {
        json.WriteStartObject();
        json.WriteString("Kind"u8, kind);
        json.WriteString("Text"u8, text);
        json.WriteNumber("Bytes"u8, bytes);
        json.WriteEndObject();
    }

    /// <summary>The beginning of a JSON text; of a string, what its escapes mean.</summary>
    private static string BeginningOf(ReadOnlySpan<byte> text, bool isString)
    {
        ReadOnlySpan<byte> cut = text[..Math.Min(text.Length, BytesMax)];
        while (cut.Length < text.Length && !cut.IsEmpty && (text[cut.Length] & 0xC0) == 0x80)
        {
            cut = cut[..^1]; // not within a character
        }

        return isString ? Unescape(cut) : Encoding.UTF8.GetString(cut);
    }

    private static string Unescape(ReadOnlySpan<byte> text)
    {
        var result = new StringBuilder();
        for (int i = 0; i < text.Length;)
        {
            int escape = text[i..].IndexOf((byte)'\\');
            int plain = escape < 0 ? text.Length - i : escape;
            result.Append(Encoding.UTF8.GetString(text.Slice(i, plain)));
            i += plain;
            int length = i + 1 >= text.Length ? 0 : text[i + 1] == 'u' ? 6 : 2;
            if (length == 0 || i + length > text.Length)
            {
                break; // an escape that was cut, or the end
            }

            result.Append(Meaning(text.Slice(i, length)));
            i += length;
        }

        return char.IsHighSurrogate(result.Length > 0 ? result[^1] : ' ') ? result.ToString(0, result.Length - 1) : result.ToString();
    }

    private static char Meaning(ReadOnlySpan<byte> escape) => escape[1] switch
    {
        (byte)'n' => '\n',
        (byte)'t' => '\t',
        (byte)'r' => '\r',
        (byte)'b' => '\b',
        (byte)'f' => '\f',
        (byte)'u' => (char)Convert.ToUInt16(Encoding.ASCII.GetString(escape[2..]), 16),
        var same => (char)same,
    };
}
