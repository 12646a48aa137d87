using System.Buffers;
using System.Diagnostics;
using System.Globalization;
using System.Text;

namespace Jackdaw.Json;

/// <summary>Converts between the text of a JSON string (between its quotes) and the characters it means, in
/// UTF-8.</summary>
internal static class JsonText
{
    /// <summary>Bytes that one byte can grow to when it is escaped: <c>\u00XX</c>.</summary>
    public const int EscapedByteMax = 6;

    private static readonly SearchValues<byte> s_needEscape = SearchValues.Create(
        [(byte)'"', (byte)'\\', .. Enumerable.Range(0, 0x20).Select(value => (byte)value)]);

    /// <summary>Replaces escapes by what they mean. The text must have passed
    /// <see cref="JsonScanner.ScanString"/>.</summary>
    /// <param name="text">Without the quotes; may hold raw control characters, which are kept.</param>
    /// <param name="destination">At least as long as the text; may be the same memory.</param>
    /// <returns>The bytes written; never more than the text has.</returns>
    public static int Unescape(ReadOnlySpan<byte> text, Span<byte> destination)
    {
        int written = 0;
        while (true)
        {
            int backslash = text.IndexOf((byte)'\\');
            if (backslash < 0)
            {
                text.CopyTo(destination[written..]);
                return written + text.Length;
            }
            text[..backslash].CopyTo(destination[written..]);
            written += backslash;
            text = text[backslash..];
            int consumed = UnescapeOne(text, destination[written..], out int size);
            written += size;
            text = text[consumed..];
        }
    }

    /// <summary>True when a text means these characters. The text must have passed
    /// <see cref="JsonScanner.ScanString"/>.</summary>
    public static bool EqualsUnescaped(ReadOnlySpan<byte> text, ReadOnlySpan<byte> characters)
    {
        Span<byte> one = stackalloc byte[sizeof(int)];
        while (true)
        {
            int backslash = text.IndexOf((byte)'\\');
            if (backslash < 0)
            {
                return text.SequenceEqual(characters);
            }
            if (!characters.StartsWith(text[..backslash]))
            {
                return false;
            }
            int consumed = UnescapeOne(text[backslash..], one, out int size);
            characters = characters[backslash..];
            if (!characters.StartsWith(one[..size]))
            {
                return false;
            }
            characters = characters[size..];
            text = text[(backslash + consumed)..];
        }
    }

    /// <summary>Writes characters as the text of a JSON string: quote, backslash and control characters as escapes.
    /// The destination must be <see cref="EscapedByteMax"/> times as long as the characters.</summary>
    /// <returns>The bytes written.</returns>
    public static int WriteEscaped(ReadOnlySpan<byte> characters, Span<byte> destination)
    {
        int written = 0;
        while (true)
        {
            int found = characters.IndexOfAny(s_needEscape);
            if (found < 0)
            {
                characters.CopyTo(destination[written..]);
                return written + characters.Length;
            }
            characters[..found].CopyTo(destination[written..]);
            written += found;
            written += Escape(characters[found], destination[written..]);
            characters = characters[(found + 1)..];
        }
    }

    /// <summary>Writes the escape of one quote, backslash or control character.</summary>
    /// <returns>The bytes written.</returns>
    public static int Escape(byte character, Span<byte> destination)
    {
        Debug.Assert(s_needEscape.Contains(character));
        destination[0] = (byte)'\\';
        byte letter = character switch
        {
            (byte)'"' or (byte)'\\' => character,
            (byte)'\b' => (byte)'b',
            (byte)'\f' => (byte)'f',
            (byte)'\n' => (byte)'n',
            (byte)'\r' => (byte)'r',
            (byte)'\t' => (byte)'t',
            _ => (byte)'u',
        };
        destination[1] = letter;
        if (letter != 'u')
        {
            return 2;
        }
        bool fits = character.TryFormat(destination[2..], out int digits, "x4", CultureInfo.InvariantCulture);
        Debug.Assert(fits && digits == 4);
        return EscapedByteMax;
    }

    /// <summary>The value of four hex digits, or -1.</summary>
    public static int HexUnit(ReadOnlySpan<byte> json, int position)
    {
        if (position > json.Length - 4)
        {
            return -1;
        }
        int unit = 0;
        foreach (byte digit in json.Slice(position, 4))
        {
            if (!char.IsAsciiHexDigit((char)digit))
            {
                return -1;
            }
            unit = (unit << 4) | (digit <= '9' ? digit - '0' : (digit | 0x20) - 'a' + 10);
        }
        return unit;
    }

    private static int UnescapeOne(ReadOnlySpan<byte> text, Span<byte> destination, out int size)
    {
        size = 1;
        switch (text[1])
        {
            case (byte)'u':
                char first = (char)HexUnit(text, 2);
                bool isPair = char.IsHighSurrogate(first);
                var rune = isPair ? new Rune(first, (char)HexUnit(text, 8)) : new Rune(first);
                size = rune.EncodeToUtf8(destination);
                return isPair ? 12 : 6;
            case (byte)'b':
                destination[0] = (byte)'\b';
                return 2;
            case (byte)'f':
                destination[0] = (byte)'\f';
                return 2;
            case (byte)'n':
                destination[0] = (byte)'\n';
                return 2;
            case (byte)'r':
                destination[0] = (byte)'\r';
                return 2;
            case (byte)'t':
                destination[0] = (byte)'\t';
                return 2;
            default:
                destination[0] = text[1];
                return 2;
        }
    }
}
