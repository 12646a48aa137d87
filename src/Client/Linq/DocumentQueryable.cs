using System.Linq.Expressions;
using Jackdaw.Client.Linq.Translation;

namespace Jackdaw.Client.Linq;

/// <summary>Operators and results of queries, in addition to those of LINQ.</summary>
/// <remarks>They are for queries of a session; any other query throws <see cref="ArgumentException"/>.</remarks>
public static partial class DocumentQueryable
{
    /// <summary>Runs the query and returns all its results.</summary>
    public static async Task<List<T>> ToListAsync<T>(this IQueryable<T> source, CancellationToken token = default)
    {
        LinqQuery<T> query = Of(source);
        return await query.DocumentProvider.RunRowsAsync<T>(query.Expression, isAsync: true, token).ConfigureAwait(false);
    }

    /// <inheritdoc cref="ToListAsync{T}"/>
    public static async Task<T[]> ToArrayAsync<T>(this IQueryable<T> source, CancellationToken token = default) =>
        [.. await source.ToListAsync(token).ConfigureAwait(false)];

    /// <summary>The first result.</summary>
    /// <exception cref="InvalidOperationException">There is none.</exception>
    public static Task<T> FirstAsync<T>(this IQueryable<T> source, CancellationToken token = default) => RunAsync<T, T>(source, Terminal.First, token);

    /// <inheritdoc cref="FirstAsync{T}(IQueryable{T}, CancellationToken)"/>
    public static Task<T> FirstAsync<T>(this IQueryable<T> source, Expression<Func<T, bool>> predicate, CancellationToken token = default) =>
        source.Where(predicate).FirstAsync(token);

    /// <summary>The first result, or the default.</summary>
    public static Task<T?> FirstOrDefaultAsync<T>(this IQueryable<T> source, CancellationToken token = default) =>
        RunAsync<T, T?>(source, Terminal.FirstOrDefault, token);

    /// <inheritdoc cref="FirstOrDefaultAsync{T}(IQueryable{T}, CancellationToken)"/>
    public static Task<T?> FirstOrDefaultAsync<T>(this IQueryable<T> source, Expression<Func<T, bool>> predicate, CancellationToken token = default) =>
        source.Where(predicate).FirstOrDefaultAsync(token);

    /// <summary>The only result.</summary>
    /// <exception cref="InvalidOperationException">There is none, or more than one.</exception>
    public static Task<T> SingleAsync<T>(this IQueryable<T> source, CancellationToken token = default) => RunAsync<T, T>(source, Terminal.Single, token);

    /// <inheritdoc cref="SingleAsync{T}(IQueryable{T}, CancellationToken)"/>
    public static Task<T> SingleAsync<T>(this IQueryable<T> source, Expression<Func<T, bool>> predicate, CancellationToken token = default) =>
        source.Where(predicate).SingleAsync(token);

    /// <summary>The only result, or the default when there is none.</summary>
    /// <exception cref="InvalidOperationException">There is more than one.</exception>
    public static Task<T?> SingleOrDefaultAsync<T>(this IQueryable<T> source, CancellationToken token = default) =>
        RunAsync<T, T?>(source, Terminal.SingleOrDefault, token);

    /// <inheritdoc cref="SingleOrDefaultAsync{T}(IQueryable{T}, CancellationToken)"/>
    public static Task<T?> SingleOrDefaultAsync<T>(this IQueryable<T> source, Expression<Func<T, bool>> predicate, CancellationToken token = default) =>
        source.Where(predicate).SingleOrDefaultAsync(token);

    /// <summary>Whether there is a result.</summary>
    public static Task<bool> AnyAsync<T>(this IQueryable<T> source, CancellationToken token = default) => RunAsync<T, bool>(source, Terminal.Any, token);

    /// <inheritdoc cref="AnyAsync{T}(IQueryable{T}, CancellationToken)"/>
    public static Task<bool> AnyAsync<T>(this IQueryable<T> source, Expression<Func<T, bool>> predicate, CancellationToken token = default) =>
        source.Where(predicate).AnyAsync(token);

    /// <summary>How many results there are.</summary>
    /// <exception cref="OverflowException">There are more than an <see cref="int"/> can count.</exception>
    public static Task<int> CountAsync<T>(this IQueryable<T> source, CancellationToken token = default) => RunAsync<T, int>(source, Terminal.Count, token);

    /// <inheritdoc cref="CountAsync{T}(IQueryable{T}, CancellationToken)"/>
    public static Task<int> CountAsync<T>(this IQueryable<T> source, Expression<Func<T, bool>> predicate, CancellationToken token = default) =>
        source.Where(predicate).CountAsync(token);

    /// <summary>How many results there are.</summary>
    public static Task<long> LongCountAsync<T>(this IQueryable<T> source, CancellationToken token = default) =>
        RunAsync<T, long>(source, Terminal.Count, token);

    /// <inheritdoc cref="LongCountAsync{T}(IQueryable{T}, CancellationToken)"/>
    public static Task<long> LongCountAsync<T>(this IQueryable<T> source, Expression<Func<T, bool>> predicate, CancellationToken token = default) =>
        source.Where(predicate).LongCountAsync(token);

    /// <summary>The smallest value of a field; null if no result has one and the type allows null.</summary>
    /// <exception cref="InvalidOperationException">No result has one.</exception>
    public static Task<TResult> MinAsync<T, TResult>(this IQueryable<T> source, Expression<Func<T, TResult>> field, CancellationToken token = default) =>
        RunAsync<TResult, TResult>(source.Select(field), Terminal.Min, token);

    /// <summary>The largest value of a field; null if no result has one and the type allows null.</summary>
    /// <exception cref="InvalidOperationException">No result has one.</exception>
    public static Task<TResult> MaxAsync<T, TResult>(this IQueryable<T> source, Expression<Func<T, TResult>> field, CancellationToken token = default) =>
        RunAsync<TResult, TResult>(source.Select(field), Terminal.Max, token);

    /// <summary>The sum of a number of the results; 0 if there are none. Whole numbers and decimals are added exactly.</summary>
    /// <remarks>The server sends the numbers, and the client adds them up.</remarks>
    /// <exception cref="OverflowException">The sum does not fit into the type.</exception>
    public static Task<TNumber> SumAsync<T, TNumber>(this IQueryable<T> source, Expression<Func<T, TNumber>> field, CancellationToken token = default) =>
        RunAsync<TNumber, TNumber>(source.Select(field), Terminal.Sum, token);

    /// <summary>The sum of the results; 0 if there are none.</summary>
    /// <exception cref="OverflowException">The sum does not fit into the type.</exception>
    public static Task<TNumber> SumAsync<TNumber>(this IQueryable<TNumber> source, CancellationToken token = default) =>
        RunAsync<TNumber, TNumber>(source, Terminal.Sum, token);

    /// <summary>The average of a number of the results.</summary>
    /// <exception cref="InvalidOperationException">There are no results.</exception>
    public static Task<double> AverageAsync<T>(this IQueryable<T> source, Expression<Func<T, int>> field, CancellationToken token = default) =>
        RunAsync<int, double>(source.Select(field), Terminal.Average, token);

    /// <summary>The average of a number of the results.</summary>
    /// <exception cref="InvalidOperationException">There are no results.</exception>
    public static Task<double> AverageAsync<T>(this IQueryable<T> source, Expression<Func<T, long>> field, CancellationToken token = default) =>
        RunAsync<long, double>(source.Select(field), Terminal.Average, token);

    /// <summary>The average of a number of the results.</summary>
    /// <exception cref="InvalidOperationException">There are no results.</exception>
    public static Task<float> AverageAsync<T>(this IQueryable<T> source, Expression<Func<T, float>> field, CancellationToken token = default) =>
        RunAsync<float, float>(source.Select(field), Terminal.Average, token);

    /// <summary>The average of a number of the results.</summary>
    /// <exception cref="InvalidOperationException">There are no results.</exception>
    public static Task<double> AverageAsync<T>(this IQueryable<T> source, Expression<Func<T, double>> field, CancellationToken token = default) =>
        RunAsync<double, double>(source.Select(field), Terminal.Average, token);

    /// <summary>The average of a number of the results.</summary>
    /// <exception cref="InvalidOperationException">There are no results.</exception>
    public static Task<decimal> AverageAsync<T>(this IQueryable<T> source, Expression<Func<T, decimal>> field, CancellationToken token = default) =>
        RunAsync<decimal, decimal>(source.Select(field), Terminal.Average, token);

    /// <summary>The average of a number of the results. Null if no result has one.</summary>
    public static Task<double?> AverageAsync<T>(this IQueryable<T> source, Expression<Func<T, int?>> field, CancellationToken token = default) =>
        RunAsync<int?, double?>(source.Select(field), Terminal.Average, token);

    /// <summary>The average of a number of the results. Null if no result has one.</summary>
    public static Task<double?> AverageAsync<T>(this IQueryable<T> source, Expression<Func<T, long?>> field, CancellationToken token = default) =>
        RunAsync<long?, double?>(source.Select(field), Terminal.Average, token);

    /// <summary>The average of a number of the results. Null if no result has one.</summary>
    public static Task<float?> AverageAsync<T>(this IQueryable<T> source, Expression<Func<T, float?>> field, CancellationToken token = default) =>
        RunAsync<float?, float?>(source.Select(field), Terminal.Average, token);

    /// <summary>The average of a number of the results. Null if no result has one.</summary>
    public static Task<double?> AverageAsync<T>(this IQueryable<T> source, Expression<Func<T, double?>> field, CancellationToken token = default) =>
        RunAsync<double?, double?>(source.Select(field), Terminal.Average, token);

    /// <summary>The average of a number of the results. Null if no result has one.</summary>
    public static Task<decimal?> AverageAsync<T>(this IQueryable<T> source, Expression<Func<T, decimal?>> field, CancellationToken token = default) =>
        RunAsync<decimal?, decimal?>(source.Select(field), Terminal.Average, token);

    /// <summary>Whether all results meet a condition; true if there are none.</summary>
    public static Task<bool> AllAsync<T>(this IQueryable<T> source, Expression<Func<T, bool>> predicate, CancellationToken token = default)
    {
        ArgumentNullException.ThrowIfNull(predicate);
        return RunAsync<T, bool>(source.Where(Expression.Lambda<Func<T, bool>>(Expression.Not(predicate.Body), predicate.Parameters)), Terminal.All, token);
    }

    /// <summary>One page of the results, and how many there are, in one request.</summary>
    /// <param name="pageNumber">The first one is 1.</param>
    public static async Task<PagedList<T>> ToPagedListAsync<T>(
        this IQueryable<T> source, int pageNumber, int pageSize, CancellationToken token = default)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(pageNumber, 1);
        ArgumentOutOfRangeException.ThrowIfLessThan(pageSize, 1);
        List<T> items = await source.Statistics(out QueryStatistics statistics).Skip((pageNumber - 1) * pageSize).Take(pageSize)
            .ToListAsync(token).ConfigureAwait(false);
        return new PagedList<T>(items, pageNumber, pageSize, statistics.TotalResults, statistics.IsStale);
    }

    /// <summary>The results by keys.</summary>
    /// <exception cref="ArgumentException">Two results have the same key.</exception>
    public static async Task<Dictionary<TKey, T>> ToDictionaryAsync<T, TKey>(
        this IQueryable<T> source, Func<T, TKey> key, IEqualityComparer<TKey>? comparer = null, CancellationToken token = default)
        where TKey : notnull => (await source.ToListAsync(token).ConfigureAwait(false)).ToDictionary(key, comparer);

    /// <summary>Values made of the results, by keys.</summary>
    /// <exception cref="ArgumentException">Two results have the same key.</exception>
    public static async Task<Dictionary<TKey, TElement>> ToDictionaryAsync<T, TKey, TElement>(
        this IQueryable<T> source, Func<T, TKey> key, Func<T, TElement> element, IEqualityComparer<TKey>? comparer = null, CancellationToken token = default)
        where TKey : notnull => (await source.ToListAsync(token).ConfigureAwait(false)).ToDictionary(key, element, comparer);

    /// <summary>The results one by one, in one request and without a limit of their number. They are not tracked.</summary>
    public static IAsyncEnumerable<T> AsAsyncEnumerable<T>(this IQueryable<T> source, CancellationToken token = default)
    {
        LinqQuery<T> query = Of(source);
        return query.DocumentProvider.StreamAsync<T>(query.Expression, token);
    }

    /// <summary>The RQL with its parameters. Nothing is sent.</summary>
    public static RqlText ToRql<T>(this IQueryable<T> source)
    {
        LinqQuery<T> query = Of(source);
        TranslatedQuery translated = query.DocumentProvider.Translate(query.Expression);
        return new RqlText(translated.Text, translated.Parameters);
    }

    /// <summary>The query as it is sent.</summary>
    internal static IndexQuery ToIndexQuery<T>(IQueryable<T> source)
    {
        LinqQuery<T> query = Of(source);
        return query.DocumentProvider.ToIndexQuery(query.Expression);
    }

    private static async Task<TResult> RunAsync<T, TResult>(IQueryable<T> source, Terminal terminal, CancellationToken token)
    {
        LinqQuery<T> query = Of(source);
        return await query.DocumentProvider.RunSingleAsync<TResult>(query.Expression, terminal, isAsync: true, token).ConfigureAwait(false);
    }

    /// <exception cref="ArgumentException">The query is not a query of a session.</exception>
    internal static LinqQuery<T> Of<T>(IQueryable<T> source)
    {
        ArgumentNullException.ThrowIfNull(source);
        return source as LinqQuery<T> ?? throw NoQuery(nameof(source));
    }
}
