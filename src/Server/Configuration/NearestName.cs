namespace Jackdaw.Server.Configuration;

/// <summary>How many single-character changes make one word another (Levenshtein 1966, two rows of the
/// table).</summary>
internal static class EditDistance
{
    public static int Between(string first, string second)
    {
        int[] previous = [.. Enumerable.Range(0, second.Length + 1)];
        int[] current = new int[second.Length + 1];
        for (int i = 0; i < first.Length; i++)
        {
            current[0] = i + 1;
            for (int j = 0; j < second.Length; j++)
            {
                int replaced = previous[j] + (first[i] == second[j] ? 0 : 1);
                current[j + 1] = Math.Min(replaced, Math.Min(previous[j + 1], current[j]) + 1);
            }

            (previous, current) = (current, previous);
        }

        return previous[second.Length];
    }

    /// <summary>The word nearest to <paramref name="word"/> without case; null when none comes near.</summary>
    public static string? Nearest(string word, IEnumerable<string> candidates)
    {
        string lower = word.ToLowerInvariant();
        (string Name, int Distance)? best = null;
        foreach (string candidate in candidates)
        {
            int distance = Between(lower, candidate.ToLowerInvariant());
            if (best is null || distance < best.Value.Distance)
            {
                best = (candidate, distance);
            }
        }

        // With more than half of the letters wrong it is another word, not a typing error.
        return best is { } found && found.Distance <= Math.Max(2, found.Name.Length / 2) ? found.Name : null;
    }
}
