using Jackdaw.Search.Analysis;

namespace Jackdaw.Indexing.Settings;

/// <summary>What somebody who mistyped a name may have meant.</summary>
internal static class NearestName
{
    /// <summary>The word nearest to <paramref name="word"/> without case; null when none comes near.</summary>
    public static string? Find(string word, IEnumerable<string> candidates)
    {
        string lower = word.ToLowerInvariant();
        (string Name, int Distance)? best = null;
        foreach (string candidate in candidates)
        {
            int distance = EditDistance.Compute<char>(lower, candidate.ToLowerInvariant());
            if (best is null || distance < best.Value.Distance)
            {
                best = (candidate, distance);
            }
        }

        // With more than half of the letters wrong it is another word, not a typing error.
        return best is { } found && found.Distance <= Math.Max(2, found.Name.Length / 2) ? found.Name : null;
    }
}
