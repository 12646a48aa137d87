using System.Text;

namespace Jackdaw.Server.Http.Queries;

/// <summary>Decodes values of a query string to UTF-8: <c>%41</c> and <c>+</c>; a percent sign without two digits stays
/// as it is.</summary>
internal static class PercentDecoder
{
    /// <summary>The most UTF-8 bytes that decoding can produce.</summary>
    public static int DecodedBytesMax(int characters) => Encoding.UTF8.GetMaxByteCount(characters);

    /// <param name="destination">At least <see cref="DecodedBytesMax"/> bytes.</param>
    /// <returns>Bytes written. They need not be valid UTF-8: the sender may have encoded anything.</returns>
    public static int Decode(ReadOnlySpan<char> text, Span<byte> destination)
    {
        int written = 0;
        while (text.Length > 0)
        {
            int plain = text.IndexOfAny('%', '+');
            if (plain < 0)
            {
                plain = text.Length;
            }

            written += Encoding.UTF8.GetBytes(text[..plain], destination[written..]);
            text = text[plain..];
            if (text.Length > 0)
            {
                destination[written++] = DecodeOne(ref text);
            }
        }

        return written;
    }

    private static byte DecodeOne(ref ReadOnlySpan<char> text)
    {
        if (text[0] == '+')
        {
            text = text[1..];
            return (byte)' ';
        }

        if (text.Length >= 3 && char.IsAsciiHexDigit(text[1]) && char.IsAsciiHexDigit(text[2]))
        {
            int value = (Digit(text[1]) << 4) | Digit(text[2]);
            text = text[3..];
            return (byte)value;
        }

        text = text[1..];
        return (byte)'%';
    }

    private static int Digit(char digit) => char.IsAsciiDigit(digit) ? digit - '0' : (digit | 0x20) - 'a' + 10;
}
