namespace Jackdaw.Search.Queries;

/// <summary>The value that is computed from the numbers of a bucket.</summary>
public enum FacetFunction
{
    Sum,
    Min,
    Max,
    Average,
}

/// <param name="Field">The first number of each entry counts; entries without a number are left out.</param>
public sealed record FacetAggregation(FacetFunction Function, string Field);

/// <summary>Asks for the number of entries for each term of a field, or for each range.</summary>
/// <param name="Field">Null: all entries are one bucket, or the ranges are the buckets.</param>
/// <param name="Ranges">Each range has a bucket, even when it has no entries.</param>
/// <param name="Aggregations">They are computed for each bucket.</param>
public sealed record FacetRequest(string? Field, IReadOnlyList<SearchNode> Ranges, IReadOnlyList<FacetAggregation> Aggregations)
{
    /// <summary>The most different terms: each takes some 250 bytes of memory until the answer is written. A search with more terms is refused.</summary>
    public int TermsMax { get; init; } = 1_000_000;
}

/// <summary>How the similarity of two terms is measured.</summary>
public enum SimilarityMeasure
{
    /// <summary>1 - edits / length of the longer term.</summary>
    Levenshtein,

    /// <summary>Jaro's measure, which is higher for terms with a common beginning (Winkler 1990).</summary>
    JaroWinkler,

    /// <summary>The share of pairs of neighbouring characters that both terms have.</summary>
    NGram,
}

/// <summary>Asks for terms of a field that are similar to given ones.</summary>
/// <param name="Terms">As the user wrote them.</param>
/// <param name="Count">The most suggestions.</param>
/// <param name="Accuracy">The least similarity, 0 to 1.</param>
/// <param name="IsByPopularity">True: the terms with the most entries come first. False: the most similar ones.</param>
public sealed record SuggestionRequest(
    string Field, IReadOnlyList<string> Terms, int Count, SimilarityMeasure Measure, double Accuracy, bool IsByPopularity);

/// <summary>Asks for pieces of a stored text around the words that were found.</summary>
/// <param name="Field">A field of full text that is stored.</param>
/// <param name="FragmentLength">The approximate number of characters of a piece.</param>
/// <param name="FragmentCount">The most pieces.</param>
/// <param name="PreTags">The tags before words that were found: the first tag for the first searched word, and so on; after the last tag, the first one follows
/// again.</param>
/// <param name="PostTags">The tags after these words.</param>
public sealed record HighlightRequest(
    string Field, int FragmentLength, int FragmentCount, IReadOnlyList<string> PreTags, IReadOnlyList<string> PostTags);

/// <summary>Decides which words of a source are searched.</summary>
public sealed record SimilarOptions
{
    /// <summary>The least number of times that a word occurs in the source.</summary>
    public int TermFrequencyMin { get; init; } = 2;

    public int QueryTermsMax { get; init; } = 25;

    /// <summary>The most words that are read from each field.</summary>
    public int TokensMax { get; init; } = 5000;

    /// <summary>Characters; 0 = any.</summary>
    public int WordLengthMin { get; init; }

    /// <summary>Characters; 0 = any.</summary>
    public int WordLengthMax { get; init; }

    /// <summary>The least number of entries that have the word.</summary>
    public int DocumentFrequencyMin { get; init; } = 5;

    public int DocumentFrequencyMax { get; init; } = int.MaxValue;

    /// <summary>The largest share of all entries that have the word; null for any.</summary>
    public int? DocumentFrequencyPercentMax { get; init; }

    /// <summary>Whether rare words count more than frequent ones.</summary>
    public bool IsBoosted { get; init; }

    public float BoostFactor { get; init; } = 1;

    public IReadOnlySet<string> StopWords { get; init; } = new HashSet<string>();

    /// <summary>The fields that are compared; null for all fields of the source, or all fields of the index when the source consists of texts.</summary>
    public IReadOnlyList<string>? Fields { get; init; }
}

/// <summary>Finds entries that have words of a source, except those with the id of the source.</summary>
/// <param name="Source">The first entry that it finds is the source; null when <paramref name="Texts"/> are the source.</param>
/// <param name="Texts">Names and texts. A name means all compared fields whose last part has this name, in any casing.</param>
public sealed record SimilarNode(SearchNode? Source, IReadOnlyList<KeyValuePair<string, string>> Texts, SimilarOptions Options) : SearchNode;
