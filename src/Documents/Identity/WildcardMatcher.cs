using System.Text;

namespace Jackdaw.Documents.Identity;

/// <summary>The patterns of <c>matches</c> and <c>exclude</c>, separated by '|'. In a pattern, '*' means any text, and '?' one character.</summary>
/// <remarks>It works on keys, which are in lower case already. Matching is greedy with one point to return to, so that it costs at most key length times
/// pattern length for any pattern. Immutable; matching allocates nothing.</remarks>
public sealed class WildcardMatcher
{
    private readonly byte[][] _patterns;

    /// <param name="patterns">The patterns as they were sent, in any casing; null and empty ones match nothing.</param>
    public WildcardMatcher(string? patterns)
    {
        string[] parts = (patterns ?? "").Split('|', StringSplitOptions.RemoveEmptyEntries);
        _patterns = [.. parts.Select(Lower)];
    }

    /// <summary>Whether there is no pattern, which callers treat as no filter.</summary>
    public bool IsEmpty => _patterns.Length == 0;

    /// <summary>Whether one of the patterns matches the whole text.</summary>
    /// <param name="keyRest">The part of a document's key after the prefix.</param>
    public bool Matches(ReadOnlySpan<byte> keyRest)
    {
        foreach (byte[] pattern in _patterns)
        {
            if (Matches(pattern, keyRest))
            {
                return true;
            }
        }
        return false;
    }

    private static bool Matches(ReadOnlySpan<byte> pattern, ReadOnlySpan<byte> text)
    {
        int at = 0;
        int position = 0;
        int starAt = -1;
        int starPosition = 0;
        while (position < text.Length)
        {
            if (at < pattern.Length && pattern[at] == '*')
            {
                starAt = at++;
                starPosition = position;
            }
            else if (at < pattern.Length && pattern[at] == '?')
            {
                at++;
                position += CharacterBytes(text, position);
            }
            else if (at < pattern.Length && pattern[at] == text[position])
            {
                at++;
                position++;
            }
            else if (starAt >= 0)
            {
                at = starAt + 1;
                starPosition += CharacterBytes(text, starPosition);
                position = starPosition;
            }
            else
            {
                return false;
            }
        }
        return pattern[at..].IndexOfAnyExcept((byte)'*') < 0;
    }

    // In valid UTF-8, a byte 10xxxxxx belongs to the character before it.
    private static int CharacterBytes(ReadOnlySpan<byte> text, int position)
    {
        int end = position + 1;
        while (end < text.Length && (text[end] & 0xC0) == 0x80)
        {
            end++;
        }
        return end - position;
    }

    private static byte[] Lower(string pattern)
    {
        byte[] text = Encoding.UTF8.GetBytes(pattern);
        byte[] lower = new byte[text.Length * 2];
        int length = 0;
        DocumentIds.LowerBeyondAscii(text, lower, ref length);
        return lower[..length];
    }
}
