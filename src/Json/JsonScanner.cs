using System.Buffers;
using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics;
using System.Text.Unicode;

namespace Jackdaw.Json;

/// <summary>Finds the ends of JSON tokens in a contiguous UTF-8 text and refuses those that are not JSON.</summary>
/// <remarks>Pure functions over (text, position). One leniency: bytes below 0x20 are let through in strings and
/// reported, because clients of bulk insert send them in ids and names; the caller writes them as escapes.</remarks>
internal static class JsonScanner
{
    private static readonly SearchValues<byte> s_whitespace = SearchValues.Create(" \t\r\n"u8);

    // Quote, backslash and the 32 control characters: where a scan inside a string must look closer.
    private static readonly SearchValues<byte> s_stringStops = SearchValues.Create(
        [(byte)'"', (byte)'\\', .. Enumerable.Range(0, 0x20).Select(value => (byte)value)]);

    /// <summary>The byte at <paramref name="position"/>, or 0 past the end: 0 fits no token, so one test serves
    /// both.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static byte At(ReadOnlySpan<byte> json, int position)
        => (uint)position < (uint)json.Length ? json[position] : (byte)0;

    /// <summary>The next position that holds no whitespace; the length of the text if there is none.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int SkipWhitespace(ReadOnlySpan<byte> json, int position)
        => At(json, position) > ' ' ? position : SkipWhitespaceRun(json, position);

    /// <summary>Scans a string whose opening quote is before <paramref name="start"/>.</summary>
    /// <returns>The position of the closing quote.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int ScanString(ReadOnlySpan<byte> json, int start, out StringTraits traits)
    {
        int position = start;
        while (position <= json.Length - Vector256<byte>.Count)
        {
            Vector256<byte> block = Vector256.Create(json.Slice(position, Vector256<byte>.Count));
            // Signed, so that the one comparison finds control characters and bytes outside ASCII.
            Vector256<byte> stops = Vector256.LessThan(block.AsSByte(), Vector256.Create((sbyte)0x20)).AsByte()
                | Vector256.Equals(block, Vector256.Create((byte)'"'))
                | Vector256.Equals(block, Vector256.Create((byte)'\\'));
            uint mask = stops.ExtractMostSignificantBits();
            if (mask != 0)
            {
                position += BitOperations.TrailingZeroCount(mask);
                if (json[position] == '"')
                {
                    traits = StringTraits.None;
                    return position;
                }
                break;
            }
            position += Vector256<byte>.Count;
        }
        return ScanStringRest(json, start, position, out traits);
    }

    /// <summary>Scans a number; the text of a number has no bound but the document's.</summary>
    /// <returns>The position after it.</returns>
    public static int ScanNumber(ReadOnlySpan<byte> json, int position)
    {
        if (json[position] == '-')
        {
            position++;
        }
        if (At(json, position) == '0')
        {
            position++;
            if (char.IsAsciiDigit((char)At(json, position)))
            {
                JsonFault.Throw(json, position, DocumentFormatError.Syntax,
                    "A number has a leading zero; send it without.");
            }
        }
        else
        {
            position = ScanDigits(json, position);
        }
        if (At(json, position) == '.')
        {
            position = ScanDigits(json, position + 1);
        }
        if ((At(json, position) | 0x20) == 'e')
        {
            position++;
            position = ScanDigits(json, At(json, position) is (byte)'+' or (byte)'-' ? position + 1 : position);
        }
        return position;
    }

    /// <summary>Scans <c>true</c>, <c>false</c> or <c>null</c>.</summary>
    /// <returns>The position after it.</returns>
    public static int ScanLiteral(ReadOnlySpan<byte> json, int position)
    {
        ReadOnlySpan<byte> rest = json[Math.Min(position, json.Length)..];
        if (rest.StartsWith("true"u8) || rest.StartsWith("null"u8))
        {
            return position + 4;
        }
        if (!rest.StartsWith("false"u8))
        {
            JsonFault.Unexpected(json, position,
                "a value (an object, an array, a string, a number, true, false or null)");
        }
        return position + 5;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static int SkipWhitespaceRun(ReadOnlySpan<byte> json, int position)
    {
        // One blank after a colon or a comma is the usual case.
        if (At(json, position) == ' ' && At(json, position + 1) > ' ')
        {
            return position + 1;
        }
        int found = json[Math.Min(position, json.Length)..].IndexOfAnyExcept(s_whitespace);
        return found < 0 ? json.Length : position + found;
    }

    // From the first byte that needs a closer look, or within the last bytes of the text.
    private static int ScanStringRest(ReadOnlySpan<byte> json, int start, int position, out StringTraits traits)
    {
        traits = StringTraits.None;
        while (true)
        {
            int found = json[position..].IndexOfAny(s_stringStops);
            if (found < 0)
            {
                JsonFault.Throw(json, json.Length, DocumentFormatError.UnexpectedEnd,
                    $"The text ends inside the string that starts at byte {start - 1}.");
            }
            position += found;
            if (json[position] == '"')
            {
                break;
            }
            if (json[position] == '\\')
            {
                traits |= StringTraits.Escapes;
                position = ScanEscape(json, position);
            }
            else
            {
                traits |= StringTraits.RawControls;
                position++;
            }
        }
        if (!Utf8.IsValid(json[start..position]))
        {
            ThrowInvalidUtf8(json, start, position);
        }
        return position;
    }

    private static int ScanEscape(ReadOnlySpan<byte> json, int backslash)
    {
        switch (At(json, backslash + 1))
        {
            case (byte)'"' or (byte)'\\' or (byte)'/' or (byte)'b' or (byte)'f' or (byte)'n' or (byte)'r' or (byte)'t':
                return backslash + 2;
            case (byte)'u':
                return ScanUnicodeEscape(json, backslash);
            default:
                if (backslash + 1 >= json.Length)
                {
                    JsonFault.Unexpected(json, json.Length, "the rest of an escape");
                }
                JsonFault.Throw(json, backslash, DocumentFormatError.InvalidEscape,
                    "A backslash is not followed by one of \" \\ / b f n r t u; write a backslash itself as \\\\.");
                return 0;
        }
    }

    private static int ScanUnicodeEscape(ReadOnlySpan<byte> json, int backslash)
    {
        int unit = JsonText.HexUnit(json, backslash + 2);
        if (unit < 0)
        {
            JsonFault.Throw(json, backslash, DocumentFormatError.InvalidEscape,
                "\\u is not followed by four hex digits.");
        }
        if (!char.IsSurrogate((char)unit))
        {
            return backslash + 6;
        }
        bool isPair = char.IsHighSurrogate((char)unit)
            && At(json, backslash + 6) == '\\'
            && At(json, backslash + 7) == 'u'
            && JsonText.HexUnit(json, backslash + 8) is >= 0xDC00 and <= 0xDFFF;
        if (!isPair)
        {
            JsonFault.Throw(json, backslash, DocumentFormatError.InvalidEscape,
                $"\\u{unit:X4} is half of a surrogate pair; send both halves, or the character itself in UTF-8.");
        }
        return backslash + 12;
    }

    private static int ScanDigits(ReadOnlySpan<byte> json, int position)
    {
        int start = position;
        while (char.IsAsciiDigit((char)At(json, position)))
        {
            position++;
        }
        if (position == start)
        {
            JsonFault.Unexpected(json, position, "a digit of a number");
        }
        return position;
    }

    private static void ThrowInvalidUtf8(ReadOnlySpan<byte> json, int start, int end)
    {
        int position = start;
        while (System.Text.Rune.DecodeFromUtf8(json[position..end], out _, out int length) == OperationStatus.Done)
        {
            position += length;
        }
        JsonFault.Throw(json, position, DocumentFormatError.InvalidUtf8,
            $"The byte 0x{json[position]:X2} is not part of valid UTF-8; send JSON in UTF-8.");
    }
}

/// <summary>What a scan of a JSON string found in it.</summary>
[Flags]
internal enum StringTraits
{
    /// <summary>The bytes between the quotes are the text.</summary>
    None = 0,

    /// <summary>There are backslash escapes.</summary>
    Escapes = 1,

    /// <summary>There are bytes below 0x20, which JSON forbids and some clients send; the stored form has escapes for
    /// them.</summary>
    RawControls = 2,
}
