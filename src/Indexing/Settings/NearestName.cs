using Jackdaw.Search.Analysis;

namespace Jackdaw.Indexing.Settings;

/// <summary>Finds the name that somebody may have meant who mistyped one.</summary>
internal static class NearestName
{
    /// <summary>The word that is most similar to <paramref name="word"/>, without regard to case; null if none is similar enough.</summary>
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
