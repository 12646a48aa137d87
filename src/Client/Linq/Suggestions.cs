using System.Linq.Expressions;
using System.Text.Json;
using System.Text.Json.Nodes;
using Jackdaw.Client.Linq.Translation;
using Jackdaw.Client.Serialization;

namespace Jackdaw.Client.Linq;

/// <summary>How terms are compared.</summary>
public enum StringDistanceTypes
{
    None,
    Levenshtein,
    JaroWinkler,
    NGram,
}

/// <summary>Order of suggestions.</summary>
public enum SuggestionSortMode
{
    /// <summary>The most similar first.</summary>
    None,

    /// <summary>Those of the most documents first.</summary>
    Popularity,
}

/// <summary>Which suggestions are wanted.</summary>
public sealed class SuggestionOptions
{
    /// <summary>Largest number of suggestions.</summary>
    public int PageSize { get; set; } = 15;

    /// <summary>How terms are compared.</summary>
    public StringDistanceTypes Distance { get; set; } = StringDistanceTypes.Levenshtein;

    /// <summary>From 0 to 1: how similar a term must be.</summary>
    public float Accuracy { get; set; } = 0.5f;

    /// <summary>Their order.</summary>
    public SuggestionSortMode SortMode { get; set; } = SuggestionSortMode.Popularity;

    internal JsonElement ToJson() => JsonElement.Parse(new JsonObject
    {
        [nameof(PageSize)] = PageSize,
        [nameof(Distance)] = Distance.ToString(),
        [nameof(Accuracy)] = Accuracy,
        [nameof(SortMode)] = SortMode.ToString(),
    }.ToJsonString());
}

/// <summary>Terms of a field that are like a text.</summary>
public sealed class SuggestionResult
{
    /// <summary>Name of the field, or the one that was given.</summary>
    public string Name { get; init; } = "";

    /// <summary>The terms, in their order.</summary>
    public IReadOnlyList<string> Suggestions { get; init; } = [];

    internal static SuggestionResult Read(JsonElement row) => new()
    {
        Name = row.RequiredText("Name"u8),
        Suggestions = row.Texts("Suggestions"u8),
    };
}

/// <summary>Says what suggestions are wanted.</summary>
public sealed class SuggestionBuilder<T>
{
    private SuggestClause? _part;

    internal SuggestionBuilder()
    {
    }

    internal SuggestClause? Part => _part;

    /// <summary>Terms of a field that are like a text.</summary>
    public SuggestionBuilder<T> ByField(Expression<Func<T, object?>> field, string term) => With(new SuggestClause(field, null, term, null, null));

    /// <summary>Terms of a field that are similar to one of several texts.</summary>
    public SuggestionBuilder<T> ByField(Expression<Func<T, object?>> field, IEnumerable<string> terms) =>
        With(new SuggestClause(field, null, terms.Cast<object?>().ToArray(), null, null));

    /// <inheritdoc cref="ByField(Expression{Func{T, object}}, string)"/>
    public SuggestionBuilder<T> ByField(string field, string term) => With(new SuggestClause(null, field, term, null, null));

    /// <summary>Name in the answer.</summary>
    /// <exception cref="InvalidOperationException">No field was named before.</exception>
    public SuggestionBuilder<T> WithDisplayName(string name) => With(Named() with { Alias = name });

    /// <summary>Which suggestions are wanted.</summary>
    /// <exception cref="InvalidOperationException">No field was named before.</exception>
    public SuggestionBuilder<T> WithOptions(SuggestionOptions options) => With(Named() with { Options = options.ToJson() });

    private SuggestClause Named() => _part ?? throw new InvalidOperationException("Call ByField first.");

    private SuggestionBuilder<T> With(SuggestClause part)
    {
        _part = part;
        return this;
    }
}
