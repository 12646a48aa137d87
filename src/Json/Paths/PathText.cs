using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using System.Text;

namespace Jackdaw.Json.Paths;

/// <summary>Writes paths as texts, and reads them, so that different paths have different texts: <c>ShipTo.City</c>, <c>Lines[].Product</c>,
/// <c>Tags[0]</c>, <c>Headers.'ABC.DEF'</c>.</summary>
/// <remarks>A name that could be mistaken for something else stands in single quotes, where a backslash comes before a quote or a backslash, and
/// control characters are written as <c>\u0001</c>. Queries read this form, too. Parentheses stand only within quotes, so that other names of
/// fields, such as <c>id()</c>, are never texts of paths.</remarks>
internal static class PathText
{
    private const int EscapeLength = 4; // \uXXXX

    public static string Write(ReadOnlySpan<PathPart> parts)
    {
        var text = new StringBuilder();
        foreach (PathPart part in parts)
        {
            text.Append(text.Length > 0 && part.Name is not null ? "." : "");
            if (part.Name is null)
            {
                text.Append(part.IsEach ? "[]" : string.Create(CultureInfo.InvariantCulture, $"[{part.Position}]"));
            }
            else
            {
                AppendName(text, part.Name);
            }
        }

        return text.ToString();
    }

    /// <summary>Reads a text. False when it is not a path.</summary>
    public static bool TryRead(string text, [NotNullWhen(true)] out List<PathPart>? parts)
    {
        parts = [];
        int at = 0;
        while (at < text.Length || parts.Count == 0)
        {
            bool isRead = at < text.Length && text[at] == '[' && parts.Count > 0
                ? TryReadBracket(text, ref at, parts)
                : TryReadName(text, ref at, parts);
            if (!isRead)
            {
                return false;
            }
        }

        return true;
    }

    private static void AppendName(StringBuilder text, string name)
    {
        if (!NeedsQuotes(name))
        {
            text.Append(name);
            return;
        }

        text.Append('\'');
        foreach (char letter in name)
        {
            if (char.IsControl(letter))
            {
                text.Append(CultureInfo.InvariantCulture, $"\\u{(int)letter:X4}");
            }
            else
            {
                text.Append(letter is '\'' or '\\' ? "\\" : "").Append(letter);
            }
        }

        text.Append('\'');
    }

    // Characters that mean something outside quotes.
    private static readonly SearchValues<char> s_special = SearchValues.Create(".[]()\\,");

    private static bool NeedsQuotes(string name) =>
        name.Length == 0 || name[0] is '\'' or '"' || name.AsSpan().ContainsAny(s_special) || name.Any(char.IsControl);

    private static bool TryReadName(string text, ref int at, List<PathPart> parts)
    {
        if (parts.Count > 0 && text[at++] != '.')
        {
            return false;
        }

        if (at < text.Length && text[at] is '\'' or '"')
        {
            return TryReadQuoted(text, ref at, parts);
        }

        int length = text.AsSpan(at).IndexOfAny('.', '[');
        string name = length < 0 ? text[at..] : text.Substring(at, length);
        at += name.Length;
        parts.Add(PathPart.Member(name));
        return name.Length > 0;
    }

    private static bool TryReadQuoted(string text, ref int at, List<PathPart> parts)
    {
        char quote = text[at++];
        var name = new StringBuilder();
        while (at < text.Length)
        {
            char letter = text[at++];
            if (letter == quote && (at == text.Length || text[at] != quote))
            {
                parts.Add(PathPart.Member(name.ToString()));
                return true;
            }

            at += letter == quote ? 1 : 0; // A doubled quote is one of the name.
            if (letter == '\\' && !TryReadEscape(text, ref at, out letter))
            {
                return false;
            }

            name.Append(letter);
        }

        return false;
    }

    // The character after a backslash, or the one whose number follows \u.
    private static bool TryReadEscape(string text, ref int at, out char letter)
    {
        letter = at < text.Length ? text[at++] : '\0';
        if (letter != 'u')
        {
            return letter != '\0';
        }

        bool isNumber = ushort.TryParse(
            text.AsSpan(at, Math.Min(EscapeLength, text.Length - at)), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out ushort number);
        letter = (char)number;
        at += EscapeLength;
        return isNumber && at <= text.Length;
    }

    private static bool TryReadBracket(string text, ref int at, List<PathPart> parts)
    {
        int close = text.IndexOf(']', at);
        if (close < 0)
        {
            return false;
        }

        ReadOnlySpan<char> inner = text.AsSpan(at + 1, close - at - 1);
        bool isRead = int.TryParse(inner, NumberStyles.None, CultureInfo.InvariantCulture, out int position);
        parts.Add(inner.IsEmpty ? PathPart.Each : PathPart.Element(position));
        at = close + 1;
        return isRead || inner.IsEmpty;
    }
}
