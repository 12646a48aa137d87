using Jackdaw.Client.Http;

namespace Jackdaw.Client.Linq;

/// <summary>Queries that are sent together with the other lazy operations of their session, as one request.</summary>
public static partial class DocumentQueryable
{
    /// <summary>The results. They are requested together with the session's other lazy operations, when the first of their values is
    /// needed.</summary>
    /// <param name="onEval">Called with the results when they have come.</param>
    public static Lazy<Task<List<T>>> LazilyAsync<T>(this IQueryable<T> source, Action<IEnumerable<T>>? onEval = null, CancellationToken token = default)
    {
        LinqQuery<T> query = Of(source);
        Func<bool, CancellationToken, ValueTask<List<T>>> rows = query.DocumentProvider.RowsLazily(query.Expression, onEval);
        return new Lazy<Task<List<T>>>(() => rows(true, token).AsTask());
    }

    /// <summary>Like <see cref="LazilyAsync{T}"/>, but reading the value blocks until it has come.</summary>
    public static Lazy<List<T>> Lazily<T>(this IQueryable<T> source, Action<IEnumerable<T>>? onEval = null)
    {
        LinqQuery<T> query = Of(source);
        Func<bool, CancellationToken, ValueTask<List<T>>> rows = query.DocumentProvider.RowsLazily(query.Expression, onEval);
        return new Lazy<List<T>>(() => Completed.Result(rows(false, default)), LazyThreadSafetyMode.PublicationOnly);
    }

    /// <summary>The number of results. It is requested together with the session's other lazy operations.</summary>
    /// <exception cref="OverflowException">There are more than an <see cref="int"/> can count. Reading the value throws it.</exception>
    public static Lazy<Task<int>> CountLazilyAsync<T>(this IQueryable<T> source, CancellationToken token = default)
    {
        LinqQuery<T> query = Of(source);
        Func<bool, CancellationToken, ValueTask<long>> count = query.DocumentProvider.CountLazily(query.Expression);
        return new Lazy<Task<int>>(async () => checked((int)await count(true, token).ConfigureAwait(false)));
    }

    /// <summary>Like <see cref="CountLazilyAsync{T}"/>, but reading the value blocks until it has come.</summary>
    public static Lazy<int> CountLazily<T>(this IQueryable<T> source)
    {
        LinqQuery<T> query = Of(source);
        Func<bool, CancellationToken, ValueTask<long>> count = query.DocumentProvider.CountLazily(query.Expression);
        return new Lazy<int>(() => checked((int)Completed.Result(count(false, default))), LazyThreadSafetyMode.PublicationOnly);
    }
}
