using System.Text;

namespace Jackdaw.Documents.Answers;

/// <summary>The names by which callers know versions: a change vector or a hash in double quotes.</summary>
public static class VersionTag
{
    /// <summary>Writes the value with its quotes; the destination is two bytes longer than the value.</summary>
    /// <returns>The bytes written.</returns>
    public static int Quote(ReadOnlySpan<byte> value, Span<byte> destination)
    {
        destination[0] = (byte)'"';
        value.CopyTo(destination[1..]);
        destination[value.Length + 1] = (byte)'"';
        return value.Length + 2;
    }

    /// <summary>The value with its quotes.</summary>
    public static string Quote(ReadOnlySpan<byte> value) => $"\"{Encoding.ASCII.GetString(value)}\"";

    /// <summary>The value without its quotes; some clients send it without any. A weak mark, which compressing proxies add, is ignored, because the value
    /// itself comes from the server.</summary>
    public static ReadOnlySpan<char> Unquote(ReadOnlySpan<char> header)
    {
        header = header.Trim();
        if (header.StartsWith("W/\"", StringComparison.Ordinal))
        {
            header = header[2..];
        }
        bool isQuoted = header.Length >= 2 && header[0] == '"' && header[^1] == '"';
        return isQuoted ? header[1..^1] : header;
    }

    /// <summary>Whether the header, quoted or not, is the value.</summary>
    public static bool Matches(ReadOnlySpan<char> header, ReadOnlySpan<byte> value)
        => Ascii.Equals(value, Unquote(header));
}
