namespace Jackdaw.Server.Http;

/// <summary>Values of ETag, If-Match and If-None-Match: quoted by the standard, but some clients send them raw.</summary>
internal static class EntityTag
{
    /// <summary>What clients send when the cached answer was "not found".</summary>
    public const string Missing = "404 Response";

    public static string Quote(string value) => $"\"{value}\"";

    /// <summary>Strips the mark of weakness and one pair of quotes.</summary>
    public static ReadOnlySpan<char> Unquote(ReadOnlySpan<char> value)
    {
        value = value.Trim();
        if (value.StartsWith("W/"))
        {
            value = value[2..];
        }

        if (value.StartsWith("\""))
        {
            value = value[1..];
        }

        return value.EndsWith("\"") ? value[..^1] : value;
    }

    /// <summary>Whether a conditional header names exactly this tag.</summary>
    /// <param name="header">As sent; null or empty never matches.</param>
    public static bool Matches(string? header, ReadOnlySpan<char> unquoted) =>
        !string.IsNullOrEmpty(header) && Unquote(header).SequenceEqual(unquoted);
}
