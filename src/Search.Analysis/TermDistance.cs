using System.Text;

namespace Jackdaw.Search.Analysis;

/// <summary>Measures how similar terms are to the searched one, by their characters.</summary>
public static class TermDistance
{
    /// <summary>The longest text that is compared: the time grows with the product of both lengths.</summary>
    public const int LengthMax = 256;

    /// <summary>The characters of a text, also those beyond the first 65,536.</summary>
    public static int[] ToCharacters(ReadOnlySpan<char> text)
    {
        int[] characters = new int[text.Length];
        int count = 0;
        foreach (Rune rune in text.EnumerateRunes())
        {
            characters[count++] = rune.Value;
        }

        return count == characters.Length ? characters : characters[..count];
    }

    /// <summary>Whether the distance is at most a limit.</summary>
    public static bool IsWithin(ReadOnlySpan<int> a, ReadOnlySpan<int> b, int limit) =>
        Math.Abs(a.Length - b.Length) <= limit && EditDistance.Compute(a, b, limit) <= limit;

    /// <summary>The number of edits that a similarity (1 - distance / length of the text) allows.</summary>
    public static int EditsOf(int length, float similarity)
    {
        // 0.8 as a float is a little more than 0.8: without the addition 5 characters would allow no edit.
        return (int)Math.Floor(((1 - (double)similarity) * length) + 1e-4);
    }
}
