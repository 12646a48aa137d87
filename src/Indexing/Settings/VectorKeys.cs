using System.Globalization;
using Jackdaw.Search.Entries;
using Jackdaw.Search.Queries;

namespace Jackdaw.Indexing.Settings;

/// <summary>The settings of fields of vectors. A definition or a query that says something else has precedence.</summary>
internal static class VectorKeys
{
    private const string Prefix = "Indexing.Corax.VectorSearch.";

    public static IReadOnlyList<IndexingKey> All { get; } =
    [
        OfNumber("NumberOfEdges", VectorSettings.EdgesMin, VectorSettings.EdgesMax, "Neighbours of a vector in its graph.",
            (settings, number) => settings with { VectorEdges = number }),
        OfNumber("NumberOfCandidatesForIndexing", 1, VectorNode.CandidatesMax, "Candidates for the neighbours of a new vector.",
            (settings, number) => settings with { VectorCandidatesForIndexing = number }),
        OfNumber("NumberOfCandidatesForQuerying", 1, VectorNode.CandidatesMax, "Candidates of a vector.search that does not say.",
            (settings, number) => settings with { VectorCandidates = number }),
        new(Prefix + "DefaultMinimumSimilarity", "", "a number from -1 to 1", "Least similarity of a vector.search that does not say.",
            (settings, text) => float.TryParse(text, CultureInfo.InvariantCulture, out float least) && least is >= -1 and <= 1
                ? settings with { VectorMinimumSimilarity = least }
                : null),
    ];

    private static IndexingKey OfNumber(string name, int min, int max, string meaning, Func<IndexingSettings, int, IndexingSettings> apply) =>
        new(Prefix + name, "", string.Create(CultureInfo.InvariantCulture, $"a whole number from {min} to {max}"), meaning,
            (settings, text) => int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out int number) && number >= min && number <= max
                ? apply(settings, number)
                : null);
}
