namespace Jackdaw.Search.Queries;

/// <summary>What is computed of the numbers of a bucket.</summary>
public enum FacetFunction
{
    Sum,
    Min,
    Max,
    Average,
}

/// <param name="Field">Its first number counts; entries without one are left out.</param>
public sealed record FacetAggregation(FacetFunction Function, string Field);

/// <summary>Entries counted by the terms of a field, or by ranges.</summary>
/// <param name="Field">Null: all entries are one bucket, or the ranges are the buckets.</param>
/// <param name="Ranges">A bucket for each, also for one without entries.</param>
/// <param name="Aggregations">Computed for each bucket.</param>
public sealed record FacetRequest(string? Field, IReadOnlyList<SearchNode> Ranges, IReadOnlyList<FacetAggregation> Aggregations)
{
    /// <summary>Most different terms: each takes some 250 bytes of memory until the answer is written. With more the search is refused.</summary>
    public int TermsMax { get; init; } = 1_000_000;
}

/// <summary>How alike two terms are.</summary>
public enum SimilarityMeasure
{
    /// <summary>1 - edits / length of the longer one.</summary>
    Levenshtein,

    /// <summary>Jaro's measure, more for a common beginning (Winkler 1990).</summary>
    JaroWinkler,

    /// <summary>Part of the pairs of neighbours that both have.</summary>
    NGram,
}

/// <summary>Terms of a field like others.</summary>
/// <param name="Terms">As the user wrote them.</param>
/// <param name="Count">Most that are given.</param>
/// <param name="Accuracy">Least similarity, 0 to 1.</param>
/// <param name="IsByPopularity">Those of most entries first; else the most similar first.</param>
public sealed record SuggestionRequest(
    string Field, IReadOnlyList<string> Terms, int Count, SimilarityMeasure Measure, double Accuracy, bool IsByPopularity);

/// <summary>Pieces of a stored text round the words that were found.</summary>
/// <param name="Field">A field of full text that is stored.</param>
/// <param name="FragmentLength">Characters of a piece, about.</param>
/// <param name="FragmentCount">Most pieces.</param>
/// <param name="PreTags">Before a word that was found: for the first searched word the first, and so on, again from the first on.</param>
/// <param name="PostTags">Behind it.</param>
public sealed record HighlightRequest(
    string Field, int FragmentLength, int FragmentCount, IReadOnlyList<string> PreTags, IReadOnlyList<string> PostTags);

/// <summary>Which words of a source are searched.</summary>
public sealed record SimilarOptions
{
    /// <summary>Times that a word is in the source.</summary>
    public int TermFrequencyMin { get; init; } = 2;

    public int QueryTermsMax { get; init; } = 25;

    /// <summary>Words that are read of each field.</summary>
    public int TokensMax { get; init; } = 5000;

    /// <summary>Characters; 0 = any.</summary>
    public int WordLengthMin { get; init; }

    /// <summary>Characters; 0 = any.</summary>
    public int WordLengthMax { get; init; }

    /// <summary>Entries that have the word.</summary>
    public int DocumentFrequencyMin { get; init; } = 5;

    public int DocumentFrequencyMax { get; init; } = int.MaxValue;

    /// <summary>Of all entries; null = any.</summary>
    public int? DocumentFrequencyPercentMax { get; init; }

    /// <summary>Whether words that say more count more.</summary>
    public bool IsBoosted { get; init; }

    public float BoostFactor { get; init; } = 1;

    public IReadOnlySet<string> StopWords { get; init; } = new HashSet<string>();

    /// <summary>Fields that are compared; null = all of the source, or of the index when texts are the source.</summary>
    public IReadOnlyList<string>? Fields { get; init; }
}

/// <summary>Entries that have words of a source, but for those with the id of the source.</summary>
/// <param name="Source">Finds the entry that is the source, the first one; null: <paramref name="Texts"/> are.</param>
/// <param name="Texts">Names and texts. A name stands for all compared fields that have it as the last part of theirs, in any casing.</param>
public sealed record SimilarNode(SearchNode? Source, IReadOnlyList<KeyValuePair<string, string>> Texts, SimilarOptions Options) : SearchNode;
