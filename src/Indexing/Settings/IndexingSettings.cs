namespace Jackdaw.Indexing.Settings;

/// <summary>Settings of indexes. Those of an index override those of its database, and these override those of the server. Immutable.</summary>
public sealed record IndexingSettings
{
    /// <summary>No index follows the documents.</summary>
    public bool IsDisabled { get; init; }

    /// <summary>The name of the search engine of indexes that users define. It applies to indexes that are built from now on.</summary>
    public string StaticEngine { get; init; } = "Corax";

    /// <summary>The name of the search engine of auto indexes. It applies to indexes that are built from now on.</summary>
    public string AutoEngine { get; init; } = "Corax";

    /// <summary>Analyzer of fields without options; null: whole values in lower case.</summary>
    public string? DefaultAnalyzer { get; init; }

    /// <summary>Analyzer of exact fields; null: whole values as they are.</summary>
    public string? ExactAnalyzer { get; init; }

    /// <summary>Analyzer of full-text fields; null: the standard one.</summary>
    public string? SearchAnalyzer { get; init; }

    /// <summary>Shortest part that the analyzer of parts of words makes. Characters.</summary>
    public int NGramMin { get; init; } = 2;

    /// <summary>Longest part that the analyzer of parts of words makes. Characters.</summary>
    public int NGramMax { get; init; } = 6;

    /// <summary>A query without an order has the best first when it or its index boosts something.</summary>
    public bool OrdersByBoosts { get; init; } = true;

    /// <summary>Neighbours that a vector gets on each level of a graph, where a definition does not say; null: as many as the program thinks best.</summary>
    public int? VectorEdges { get; init; }

    /// <summary>Candidates from which the neighbours of a new vector are chosen, where a definition does not say; null: as many as the program thinks best.
    /// </summary>
    public int? VectorCandidatesForIndexing { get; init; }

    /// <summary>Candidates of a <c>vector.search</c> that does not say; null: as many as the recall of the index asks for.</summary>
    public int? VectorCandidates { get; init; }

    /// <summary>The least similarity of a <c>vector.search</c> that does not say; null: none.</summary>
    public float? VectorMinimumSimilarity { get; init; }

    /// <summary>Changes that a batch reads at most; null for as many as the bounds of memory allow.</summary>
    public int? BatchChangesMax { get; init; }

    /// <summary>Time after which a batch ends; null for no limit.</summary>
    public TimeSpan? BatchTimeMax { get; init; }

    /// <summary>A field that a document does not have is null for its index, and found by <c>= null</c>.</summary>
    public bool IndexesMissingAsNull { get; init; }

    /// <summary>A row without any value becomes an entry.</summary>
    public bool IndexesEmptyEntries { get; init; }

    /// <summary>Definitions in JavaScript are put by administrators only.</summary>
    public bool NeedsAdministratorForScripts { get; init; }

    /// <summary>How long a query may run that is not a stream, without its waits; null for no limit.</summary>
    public TimeSpan? QueryTimeMax { get; init; } = TimeSpan.FromMinutes(5);

    /// <summary>Queries make no indexes.</summary>
    public bool RefusesAutoIndexes { get; init; }

    /// <summary>What a reset without a mode does.</summary>
    public bool ResetsSideBySide { get; init; }

    /// <summary>An auto index becomes idle when no query has used it for this time.</summary>
    public TimeSpan AutoIdleAfter { get; init; } = TimeSpan.FromMinutes(30);

    /// <summary>An auto index is deleted when no query has used it for this time.</summary>
    public TimeSpan AutoDeletedAfter { get; init; } = TimeSpan.FromHours(72);

    /// <summary>An auto index is deleted this time after another one has begun to answer its queries.</summary>
    public TimeSpan SupersededDeletedAfter { get; init; } = TimeSpan.FromSeconds(15);

    /// <summary>These settings, overridden by others. Unknown keys are ignored, because scripts and definitions may be written for other
    /// servers.</summary>
    /// <param name="problem">What is wrong with the first value that cannot be used; null if all can be used. Such values are left out.</param>
    public IndexingSettings Over(IEnumerable<KeyValuePair<string, string?>> texts, out string? problem)
    {
        problem = null;
        IndexingSettings settings = this;
        foreach ((string name, string? text) in texts)
        {
            if (text is null || IndexingKeys.Find(name) is not { } key)
            {
                continue;
            }

            if (key.Apply(settings, text.Trim()) is { } changed)
            {
                settings = changed;
            }
            else
            {
                problem ??= $"{key.Name} = '{text}': give {key.Values}";
            }
        }

        if (settings.NGramMin > settings.NGramMax)
        {
            problem ??= $"Indexing.Analyzers.NGram.MinGram = {settings.NGramMin} is above Indexing.Analyzers.NGram.MaxGram = {settings.NGramMax}";
        }

        return settings;
    }
}
