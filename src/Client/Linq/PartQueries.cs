using System.Text.Json;
using Jackdaw.Client.Http;
using Jackdaw.Client.Linq.Translation;

namespace Jackdaw.Client.Linq;

/// <summary>A query that answers facets of its results instead of the results. Immutable.</summary>
public sealed class FacetQuery<T>
{
    private readonly LinqQuery<T> _query;
    private readonly FacetStep _step;

    internal FacetQuery(LinqQuery<T> query, FacetStep step) => (_query, _step) = (query, step);

    /// <summary>The query with one more facet.</summary>
    public FacetQuery<T> AndAggregateBy(Action<FacetBuilder<T>> facet) => new(_query, _step with { Facets = [.. _step.Facets, Build(facet)] });

    /// <summary>Runs the query; the facets by their names.</summary>
    public async Task<Dictionary<string, FacetResult>> ExecuteAsync(CancellationToken token = default) =>
        await RunAsync(isAsync: true, token).ConfigureAwait(false);

    /// <inheritdoc cref="ExecuteAsync"/>
    public Dictionary<string, FacetResult> Execute() => Completed.Result(RunAsync(isAsync: false, default));

    /// <inheritdoc cref="DocumentQueryable.ToRql{T}"/>
    public RqlText ToRql() => _query.With(_step).ToRql();

    /// <summary>The RQL.</summary>
    public override string ToString() => ToRql().Query;

    internal static FacetClause Build(Action<FacetBuilder<T>> facet)
    {
        ArgumentNullException.ThrowIfNull(facet);
        var builder = new FacetBuilder<T>();
        facet(builder);
        return builder.Built?.Part ?? throw new ArgumentException("Call ByField, ByRanges or AllResults.", nameof(facet));
    }

    private async ValueTask<Dictionary<string, FacetResult>> RunAsync(bool isAsync, CancellationToken token)
    {
        List<JsonElement> rows = await _query.With(_step).RunPartsAsync(isAsync, token).ConfigureAwait(false);
        return rows.Select(FacetResult.Read).ToDictionary(facet => facet.Name, StringComparer.Ordinal);
    }
}

/// <summary>A query that answers terms that are similar to others. Immutable.</summary>
public sealed class SuggestionQuery<T>
{
    private readonly LinqQuery<T> _query;
    private readonly SuggestStep _step;

    internal SuggestionQuery(LinqQuery<T> query, SuggestStep step) => (_query, _step) = (query, step);

    /// <summary>The query with suggestions of one more field.</summary>
    public SuggestionQuery<T> AndSuggestUsing(Action<SuggestionBuilder<T>> suggestion) =>
        new(_query, new SuggestStep([.. _step.Suggestions, Build(suggestion)]));

    /// <summary>Runs the query; the suggestions by their names.</summary>
    public async Task<Dictionary<string, SuggestionResult>> ExecuteAsync(CancellationToken token = default) =>
        await RunAsync(isAsync: true, token).ConfigureAwait(false);

    /// <inheritdoc cref="ExecuteAsync"/>
    public Dictionary<string, SuggestionResult> Execute() => Completed.Result(RunAsync(isAsync: false, default));

    /// <inheritdoc cref="DocumentQueryable.ToRql{T}"/>
    public RqlText ToRql() => _query.With(_step).ToRql();

    /// <summary>The RQL.</summary>
    public override string ToString() => ToRql().Query;

    internal static SuggestClause Build(Action<SuggestionBuilder<T>> suggestion)
    {
        ArgumentNullException.ThrowIfNull(suggestion);
        var builder = new SuggestionBuilder<T>();
        suggestion(builder);
        return builder.Part ?? throw new ArgumentException("Call ByField.", nameof(suggestion));
    }

    private async ValueTask<Dictionary<string, SuggestionResult>> RunAsync(bool isAsync, CancellationToken token)
    {
        List<JsonElement> rows = await _query.With(_step).RunPartsAsync(isAsync, token).ConfigureAwait(false);
        return rows.Select(SuggestionResult.Read).ToDictionary(suggestion => suggestion.Name, StringComparer.Ordinal);
    }
}
