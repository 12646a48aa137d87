namespace Jackdaw.Search.Analysis;

/// <summary>Counts the characters of a text that must be changed, added or removed to get another text (Levenshtein 1965).</summary>
public static class EditDistance
{
    /// <summary>The distance, or any number above the limit when it exceeds the limit.</summary>
    public static int Compute<T>(ReadOnlySpan<T> a, ReadOnlySpan<T> b, int limit = int.MaxValue)
        where T : struct, IEquatable<T>
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
                int changed = diagonal + (a[i - 1].Equals(b[j - 1]) ? 0 : 1);
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
}
