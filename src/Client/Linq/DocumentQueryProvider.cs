using System.Linq.Expressions;
using System.Text.Json;
using Jackdaw.Client.Exceptions;
using Jackdaw.Client.Http;
using Jackdaw.Client.Linq.Fingerprints;
using Jackdaw.Client.Linq.Translation;

namespace Jackdaw.Client.Linq;

/// <summary>What belongs to a query besides its tree. Immutable.</summary>
internal sealed record QuerySettings
{
    public static readonly QuerySettings Default = new();

    public bool WaitForNonStaleResults { get; init; }

    public TimeSpan? WaitForNonStaleResultsTimeout { get; init; }

    public bool NoTracking { get; init; }

    public bool NoCaching { get; init; }

    public ProjectionBehavior ProjectionBehavior { get; init; }

    /// <summary>Called before each run.</summary>
    public Action<IndexQuery>? BeforeRun { get; init; }

    /// <summary>Called with the statistics of each run.</summary>
    public Action<QueryStatistics>? AfterRun { get; init; }

    /// <summary>Called with highlightings, timings and explanations of each run, as the server sends them.</summary>
    public Action<AnswerParts>? WithParts { get; init; }
}

/// <summary>Parts of an answer besides its rows.</summary>
internal readonly record struct AnswerParts(
    JsonElement Highlightings, JsonElement Timings, JsonElement Explanations);

/// <summary>Makes queries from trees, and runs them.</summary>
internal sealed class DocumentQueryProvider(IQueryRunner runner, QuerySettings settings) : IQueryProvider
{
    public IQueryRunner Runner => runner;

    public QuerySettings Settings => settings;

    public DocumentQueryProvider With(QuerySettings changed) => new(runner, changed);

    public IQueryable<TElement> CreateQuery<TElement>(Expression expression) => new LinqQuery<TElement>(this, expression);

    public IQueryable CreateQuery(Expression expression) => throw Untyped(expression);

    public object? Execute(Expression expression) => throw Untyped(expression);

    public TResult Execute<TResult>(Expression expression) => Completed.Result(RunSingleAsync<TResult>(expression, Terminal.First, false, default));

    public TranslatedQuery Translate(Expression expression, Terminal terminal = Terminal.Rows) =>
        TranslationCache.Of(runner.Conventions, runner.Serializer).Translate(expression, terminal);

    public async ValueTask<List<T>> RunRowsAsync<T>(Expression expression, bool isAsync, CancellationToken token)
    {
        TranslatedQuery query = Translate(expression);
        QueryAnswer<T> answer = await RunAsync<T>(ToIndexQuery(query), isAsync, token).ConfigureAwait(false);
        return answer.Results;
    }

    public IAsyncEnumerable<T> StreamAsync<T>(Expression expression, CancellationToken token) =>
        runner.StreamAsync<T>(ToIndexQuery(expression), token);

    /// <summary>The query as it will be sent.</summary>
    public IndexQuery ToIndexQuery(Expression expression)
    {
        IndexQuery query = ToIndexQuery(Translate(expression));
        query.BeforeStream = settings.AfterRun;
        settings.BeforeRun?.Invoke(query);
        return query;
    }

    /// <summary>Runs a query that ends in one result.</summary>
    /// <param name="terminal">The last operator, when the tree does not contain it.</param>
    public async ValueTask<TResult> RunSingleAsync<TResult>(Expression expression, Terminal terminal, bool isAsync, CancellationToken token)
    {
        TranslatedQuery query = Translate(expression, terminal);
        if (query.Terminal is Terminal.Sum or Terminal.Average)
        {
            QueryAnswer<JsonElement> numbers = await RunAsync<JsonElement>(ToIndexQuery(query), isAsync, token).ConfigureAwait(false);
            return NumberTotal.Of<TResult>(numbers.Results, query.Property!, query.Terminal == Terminal.Average);
        }

        if (query.Terminal is Terminal.Any or Terminal.All or Terminal.Count)
        {
            long count = await CountAsync(query, isAsync, token).ConfigureAwait(false);
            return (TResult)(object)(query.Terminal != Terminal.Count ? count > 0 == (query.Terminal == Terminal.Any)
                : typeof(TResult) == typeof(long) ? count
                : (object)checked((int)count));
        }

        QueryAnswer<TResult> answer = await RunAsync<TResult>(ToIndexQuery(query), isAsync, token).ConfigureAwait(false);
        List<TResult> rows = answer.Results;
        return query.Terminal switch
        {
            Terminal.First => rows.First(),
            Terminal.Single => rows.Single(),
            Terminal.SingleOrDefault => rows.SingleOrDefault()!,
            Terminal.Min when rows.Count > 1 => rows.Min()!, // The values of an enum that is stored as texts.
            Terminal.Max when rows.Count > 1 => rows.Max()!,
            Terminal.Min or Terminal.Max when default(TResult) is not null => rows.First(),
            _ => rows.FirstOrDefault()!,
        };
    }

    public async ValueTask<QueryAnswer<T>> RunAsync<T>(IndexQuery query, bool isAsync, CancellationToken token)
    {
        settings.BeforeRun?.Invoke(query);
        QueryAnswer<T> answer = await runner.RunAsync<T>(query, isAsync, token).ConfigureAwait(false);
        Tell(answer);
        return answer;
    }

    /// <summary>Requests the rows together with the other lazy operations.</summary>
    /// <param name="onAnswer">Called with the rows when they have come; may be null.</param>
    public Func<bool, CancellationToken, ValueTask<List<T>>> RowsLazily<T>(Expression expression, Action<IEnumerable<T>>? onAnswer)
    {
        PendingAnswer<T> pending = RunLazily<T>(Translate(expression), answer => onAnswer?.Invoke(answer.Results));
        return async (isAsync, token) => (await pending(isAsync, token).ConfigureAwait(false)).Results;
    }

    /// <summary>Requests the number of results together with the other lazy operations.</summary>
    public Func<bool, CancellationToken, ValueTask<long>> CountLazily(Expression expression)
    {
        TranslatedQuery query = Translate(expression, Terminal.Count);
        PendingAnswer<object> pending = RunLazily<object>(query, null);
        return async (isAsync, token) => CountOf(query, await pending(isAsync, token).ConfigureAwait(false));
    }

    public IndexQuery ToIndexQuery(TranslatedQuery query) => new()
    {
        Query = query.Text,
        QueryParameters = query.Parameters,
        WaitForNonStaleResults = settings.WaitForNonStaleResults,
        WaitForNonStaleResultsTimeout = settings.WaitForNonStaleResultsTimeout,
        NoTracking = settings.NoTracking,
        NoCaching = settings.NoCaching,
        ProjectionBehavior = settings.ProjectionBehavior,
        Shape = new ResultShape(
            query.Terminal is Terminal.Any or Terminal.All or Terminal.Count ? ResultKind.None
            : query.Property is not null ? ResultKind.Values
            : query.IsProjected ? ResultKind.Projections
            : ResultKind.Documents,
            query.Property),
        DocumentType = query.Source.IsIndex ? null : query.Source.DocumentType,
        Collection = query.Source.IsIndex ? null : query.Source.Source,
        IndexName = query.Source.IsIndex ? query.Source.Source : null,
        Includes = query.Includes,
    };

    private async ValueTask<long> CountAsync(TranslatedQuery query, bool isAsync, CancellationToken token) =>
        CountOf(query, await RunAsync<object>(ToIndexQuery(query), isAsync, token).ConfigureAwait(false));

    private PendingAnswer<T> RunLazily<T>(TranslatedQuery translated, Action<QueryAnswer<T>>? onAnswer)
    {
        IndexQuery query = ToIndexQuery(translated);
        settings.BeforeRun?.Invoke(query);
        return runner.RunLazily<T>(query, answer =>
        {
            Tell(answer);
            onAnswer?.Invoke(answer);
        });
    }

    private void Tell<T>(QueryAnswer<T> answer)
    {
        settings.AfterRun?.Invoke(answer.Statistics);
        settings.WithParts?.Invoke(new AnswerParts(answer.Highlightings, answer.Timings, answer.Explanations));
    }

    // The server counts all results. A page has at most as many as fit in it.
    private static long CountOf(TranslatedQuery query, QueryAnswer<object> answer)
    {
        long rest = Math.Max(0, answer.Statistics.TotalResults - (query.Page.Skip ?? 0));
        return Math.Min(rest, query.Page.Take ?? long.MaxValue);
    }

    private static QueryTranslationException Untyped(Expression expression) => new(
        expression, [new TranslationProblem("the query", "Its type is not known at compile time.", "Use the generic operators of IQueryable<T>.")], "");
}
