namespace Jackdaw.Search.Lucene.Matching;

/// <summary>How many characters of a text are to be changed, added or removed to get another one (Levenshtein 1965).</summary>
internal static class TermDistance
{
    /// <summary>Longest text that is compared: the time grows with the product of both lengths.</summary>
    public const int LengthMax = 256;

    public static int[] ToCharacters(string text) => [.. text.EnumerateRunes().Select(rune => rune.Value)];

    /// <summary>Whether the distance is at most a limit.</summary>
    public static bool IsWithin(ReadOnlySpan<int> a, ReadOnlySpan<int> b, int limit) =>
        Math.Abs(a.Length - b.Length) <= limit && Compute(a, b, limit) <= limit;

    /// <summary>The distance; some number above the limit when it is more.</summary>
    public static int Compute(ReadOnlySpan<int> a, ReadOnlySpan<int> b, int limit = int.MaxValue)
    {
        int[] row = new int[b.Length + 1];
        for (int j = 0; j < row.Length; j++)
        {
            row[j] = j;
        }

        for (int i = 1; i <= a.Length; i++)
        {
            int diagonal = row[0];
            int least = row[0] = i;
            for (int j = 1; j <= b.Length; j++)
            {
                int changed = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.Min(changed, 1 + Math.Min(row[j], row[j - 1]));
                least = Math.Min(least, row[j]);
            }

            if (least > limit)
            {
                return least;
            }
        }

        return row[^1];
    }

    /// <summary>Edits that a similarity (1 - distance / length of the text) allows.</summary>
    public static int EditsOf(int length, float similarity)
    {
        // 0.8 as a float is a little more than 0.8: without the addition 5 characters would allow no edit.
        return (int)Math.Floor(((1 - (double)similarity) * length) + 1e-4);
    }
}
