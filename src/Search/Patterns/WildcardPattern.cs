namespace Jackdaw.Search.Patterns;

/// <summary>A pattern in which <c>*</c> stands for any text and <c>?</c> for one character. Immutable.</summary>
/// <remarks>Matching goes back only to the last star, so that it takes at most length of text times length of pattern steps.</remarks>
/// <param name="hasSingle">Whether a question mark means any one character.</param>
public sealed class WildcardPattern(string pattern, bool hasSingle = true)
{
    /// <summary>The text with which each match begins.</summary>
    public string Prefix { get; } = pattern[..FirstWildcard(pattern, hasSingle)];

    /// <summary>Whether the pattern matches a whole text.</summary>
    public bool IsMatch(ReadOnlySpan<char> text)
    {
        int at = 0, next = 0, star = -1, starAt = 0;
        while (at < text.Length)
        {
            if (next < pattern.Length && pattern[next] == '*')
            {
                star = next++;
                starAt = at;
            }
            else if (next < pattern.Length && hasSingle && pattern[next] == '?')
            {
                at += LengthAt(text, at);
                next++;
            }
            else if (next < pattern.Length && pattern[next] == text[at])
            {
                at++;
                next++;
            }
            else if (star >= 0)
            {
                next = star + 1;
                at = starAt += LengthAt(text, starAt);
            }
            else
            {
                return false;
            }
        }

        return pattern.AsSpan(next).TrimStart('*').IsEmpty;
    }

    private static int FirstWildcard(string pattern, bool hasSingle)
    {
        int first = hasSingle ? pattern.AsSpan().IndexOfAny('*', '?') : pattern.IndexOf('*', StringComparison.Ordinal);
        return first < 0 ? pattern.Length : first;
    }

    // A character beyond the first 65,536 takes two places in a string.
    private static int LengthAt(ReadOnlySpan<char> text, int at) =>
        at + 1 < text.Length && char.IsSurrogatePair(text[at], text[at + 1]) ? 2 : 1;
}
