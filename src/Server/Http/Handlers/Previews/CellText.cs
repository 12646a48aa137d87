using System.Text;
using System.Text.Json;
using Jackdaw.Json;

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
        int end = 0;
        while (end < text.Length && end + LengthOfCharacter(text[end..], isString) is var next && next <= BytesMax)
        {
            end = next;
        }

        Span<byte> plain = stackalloc byte[BytesMax];
        return Encoding.UTF8.GetString(isString ? plain[..JsonText.Unescape(text[..end], plain)] : text[..end]);
    }

    /// <summary>Bytes of the first character, or of the escape that stands for it.</summary>
    private static int LengthOfCharacter(ReadOnlySpan<byte> text, bool hasEscapes)
    {
        if (hasEscapes && text[0] == '\\')
        {
            // Two escapes make one character when the first one begins with D8 to DB.
            bool isPair = text[1] == 'u' && (text[2] | 0x20) == 'd' && (text[3] | 0x20) is (>= '8' and <= '9') or 'a' or 'b';
            return text[1] != 'u' ? 2 : isPair ? 12 : 6;
        }

        Rune.DecodeFromUtf8(text, out _, out int length);
        return length;
    }
}
