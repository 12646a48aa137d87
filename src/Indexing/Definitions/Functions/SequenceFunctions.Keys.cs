using System.Runtime.CompilerServices;

namespace Jackdaw.Indexing.Definitions.Functions;

// Keys, orders, sets and groups as LINQ has them, with comparers; each element is a step of the budget.
public static partial class SequenceFunctions
{
    [OverloadResolutionPriority(Fallback)]
    public static IEnumerable<T> Distinct<T>(this IEnumerable<T> source, IEqualityComparer<T>? comparer) =>
        Enumerable.Distinct(Counted(source), comparer);

    [OverloadResolutionPriority(Fallback)]
    public static IEnumerable<T> DistinctBy<T, TKey>(this IEnumerable<T> source, Func<T, TKey> key) => Enumerable.DistinctBy(Counted(source), key);

    [OverloadResolutionPriority(Fallback)]
    public static IEnumerable<T> DistinctBy<T, TKey>(this IEnumerable<T> source, Func<T, TKey> key, IEqualityComparer<TKey>? comparer) =>
        Enumerable.DistinctBy(Counted(source), key, comparer);

    [OverloadResolutionPriority(Fallback)]
    public static IEnumerable<T> ExceptBy<T, TKey>(this IEnumerable<T> source, IEnumerable<TKey> keys, Func<T, TKey> key) =>
        Enumerable.ExceptBy(Counted(source), keys, key);

    [OverloadResolutionPriority(Fallback)]
    public static IEnumerable<T> ExceptBy<T, TKey>(
        this IEnumerable<T> source, IEnumerable<TKey> keys, Func<T, TKey> key, IEqualityComparer<TKey>? comparer) =>
        Enumerable.ExceptBy(Counted(source), keys, key, comparer);

    [OverloadResolutionPriority(Fallback)]
    public static IEnumerable<T> IntersectBy<T, TKey>(this IEnumerable<T> source, IEnumerable<TKey> keys, Func<T, TKey> key) =>
        Enumerable.IntersectBy(Counted(source), keys, key);

    [OverloadResolutionPriority(Fallback)]
    public static IEnumerable<T> IntersectBy<T, TKey>(
        this IEnumerable<T> source, IEnumerable<TKey> keys, Func<T, TKey> key, IEqualityComparer<TKey>? comparer) =>
        Enumerable.IntersectBy(Counted(source), keys, key, comparer);

    [OverloadResolutionPriority(Fallback)]
    public static IEnumerable<T> UnionBy<T, TKey>(this IEnumerable<T> source, IEnumerable<T> other, Func<T, TKey> key) =>
        Enumerable.UnionBy(Counted(source), other, key);

    [OverloadResolutionPriority(Fallback)]
    public static IEnumerable<T> UnionBy<T, TKey>(
        this IEnumerable<T> source, IEnumerable<T> other, Func<T, TKey> key, IEqualityComparer<TKey>? comparer) =>
        Enumerable.UnionBy(Counted(source), other, key, comparer);

    [OverloadResolutionPriority(Fallback)]
    public static IEnumerable<T> Except<T>(this IEnumerable<T> source, IEnumerable<T> other, IEqualityComparer<T>? comparer) =>
        Enumerable.Except(Counted(source), other, comparer);

    [OverloadResolutionPriority(Fallback)]
    public static IEnumerable<T> Intersect<T>(this IEnumerable<T> source, IEnumerable<T> other, IEqualityComparer<T>? comparer) =>
        Enumerable.Intersect(Counted(source), other, comparer);

    [OverloadResolutionPriority(Fallback)]
    public static IEnumerable<T> Union<T>(this IEnumerable<T> source, IEnumerable<T> other, IEqualityComparer<T>? comparer) =>
        Enumerable.Union(Counted(source), other, comparer);

    /// <summary>The elements; a single null in place of no values, so that the least of no values is null, as it is for classes.</summary>
    private static IEnumerable<T> OrNull<T>(IEnumerable<T> source) =>
        typeof(T) == typeof(Values.Value) ? Enumerable.DefaultIfEmpty(Counted(source), default!) : Counted(source);

    [OverloadResolutionPriority(Fallback)]
    public static T? MinBy<T, TKey>(this IEnumerable<T> source, Func<T, TKey> key) => Enumerable.MinBy(OrNull(source), key);

    [OverloadResolutionPriority(Fallback)]
    public static T? MinBy<T, TKey>(this IEnumerable<T> source, Func<T, TKey> key, IComparer<TKey>? comparer) =>
        Enumerable.MinBy(OrNull(source), key, comparer);

    [OverloadResolutionPriority(Fallback)]
    public static T? MaxBy<T, TKey>(this IEnumerable<T> source, Func<T, TKey> key) => Enumerable.MaxBy(OrNull(source), key);

    [OverloadResolutionPriority(Fallback)]
    public static T? MaxBy<T, TKey>(this IEnumerable<T> source, Func<T, TKey> key, IComparer<TKey>? comparer) =>
        Enumerable.MaxBy(OrNull(source), key, comparer);

    [OverloadResolutionPriority(Fallback)]
    public static T? Min<T>(this IEnumerable<T> source, IComparer<T>? comparer) => Enumerable.Min(Counted(source), comparer);

    [OverloadResolutionPriority(Fallback)]
    public static T? Max<T>(this IEnumerable<T> source, IComparer<T>? comparer) => Enumerable.Max(Counted(source), comparer);

    [OverloadResolutionPriority(Fallback)]
    public static IOrderedEnumerable<T> Order<T>(this IEnumerable<T> source) => Enumerable.Order(Counted(source));

    [OverloadResolutionPriority(Fallback)]
    public static IOrderedEnumerable<T> Order<T>(this IEnumerable<T> source, IComparer<T>? comparer) => Enumerable.Order(Counted(source), comparer);

    [OverloadResolutionPriority(Fallback)]
    public static IOrderedEnumerable<T> OrderDescending<T>(this IEnumerable<T> source) => Enumerable.OrderDescending(Counted(source));

    [OverloadResolutionPriority(Fallback)]
    public static IOrderedEnumerable<T> OrderDescending<T>(this IEnumerable<T> source, IComparer<T>? comparer) =>
        Enumerable.OrderDescending(Counted(source), comparer);

    [OverloadResolutionPriority(Fallback)]
    public static IOrderedEnumerable<T> OrderBy<T, TKey>(this IEnumerable<T> source, Func<T, TKey> key, IComparer<TKey>? comparer) =>
        Enumerable.OrderBy(Counted(source), key, comparer);

    [OverloadResolutionPriority(Fallback)]
    public static IOrderedEnumerable<T> OrderByDescending<T, TKey>(this IEnumerable<T> source, Func<T, TKey> key, IComparer<TKey>? comparer) =>
        Enumerable.OrderByDescending(Counted(source), key, comparer);

    [OverloadResolutionPriority(Fallback)]
    public static IOrderedEnumerable<T> ThenBy<T, TKey>(this IOrderedEnumerable<T> source, Func<T, TKey> key, IComparer<TKey>? comparer) =>
        Enumerable.ThenBy(source, key, comparer);

    [OverloadResolutionPriority(Fallback)]
    public static IOrderedEnumerable<T> ThenByDescending<T, TKey>(this IOrderedEnumerable<T> source, Func<T, TKey> key, IComparer<TKey>? comparer) =>
        Enumerable.ThenByDescending(source, key, comparer);

    [OverloadResolutionPriority(Fallback)]
    public static ILookup<TKey, T> ToLookup<T, TKey>(this IEnumerable<T> source, Func<T, TKey> key) => Enumerable.ToLookup(Counted(source), key);

    [OverloadResolutionPriority(Fallback)]
    public static ILookup<TKey, T> ToLookup<T, TKey>(this IEnumerable<T> source, Func<T, TKey> key, IEqualityComparer<TKey>? comparer) =>
        Enumerable.ToLookup(Counted(source), key, comparer);

    [OverloadResolutionPriority(Fallback)]
    public static ILookup<TKey, TElement> ToLookup<T, TKey, TElement>(this IEnumerable<T> source, Func<T, TKey> key, Func<T, TElement> element) =>
        Enumerable.ToLookup(Counted(source), key, element);

    [OverloadResolutionPriority(Fallback)]
    public static ILookup<TKey, TElement> ToLookup<T, TKey, TElement>(
        this IEnumerable<T> source, Func<T, TKey> key, Func<T, TElement> element, IEqualityComparer<TKey>? comparer) =>
        Enumerable.ToLookup(Counted(source), key, element, comparer);

    [OverloadResolutionPriority(Fallback)]
    public static IEnumerable<KeyValuePair<TKey, int>> CountBy<T, TKey>(
        this IEnumerable<T> source, Func<T, TKey> key,
        IEqualityComparer<TKey>? comparer = null) where TKey : notnull =>
        Enumerable.CountBy(Counted(source), key, comparer);

    [OverloadResolutionPriority(Fallback)]
    public static IEnumerable<KeyValuePair<TKey, TSum>> AggregateBy<T, TKey, TSum>(
        this IEnumerable<T> source, Func<T, TKey> key, TSum seed, Func<TSum, T, TSum> step,
        IEqualityComparer<TKey>? comparer = null) where TKey : notnull =>
        Enumerable.AggregateBy(Counted(source), key, seed, step, comparer);

    [OverloadResolutionPriority(Fallback)]
    public static IEnumerable<KeyValuePair<TKey, TSum>> AggregateBy<T, TKey, TSum>(
        this IEnumerable<T> source, Func<T, TKey> key, Func<TKey, TSum> seed, Func<TSum, T, TSum> step,
        IEqualityComparer<TKey>? comparer = null) where TKey : notnull =>
        Enumerable.AggregateBy(Counted(source), key, seed, step, comparer);

    [OverloadResolutionPriority(Fallback)]
    public static Dictionary<TKey, T> ToDictionary<T, TKey>(
        this IEnumerable<T> source, Func<T, TKey> key,
        IEqualityComparer<TKey>? comparer = null) where TKey : notnull =>
        Enumerable.ToDictionary(Counted(source), key, comparer);

    [OverloadResolutionPriority(Fallback)]
    public static Dictionary<TKey, TElement> ToDictionary<T, TKey, TElement>(
        this IEnumerable<T> source, Func<T, TKey> key, Func<T, TElement> element, IEqualityComparer<TKey>? comparer) where TKey : notnull =>
        Enumerable.ToDictionary(Counted(source), key, element, comparer);

    [OverloadResolutionPriority(Fallback)]
    public static Dictionary<TKey, TElement> ToDictionary<TKey, TElement>(
        this IEnumerable<KeyValuePair<TKey, TElement>> source,
        IEqualityComparer<TKey>? comparer = null) where TKey : notnull =>
        Enumerable.ToDictionary(Counted(source), comparer);

    [OverloadResolutionPriority(Fallback)]
    public static Dictionary<TKey, TElement> ToDictionary<TKey, TElement>(
        this IEnumerable<(TKey Key, TElement Value)> source,
        IEqualityComparer<TKey>? comparer = null) where TKey : notnull =>
        Enumerable.ToDictionary(Counted(source), comparer);

    [OverloadResolutionPriority(Fallback)]
    public static HashSet<T> ToHashSet<T>(this IEnumerable<T> source, IEqualityComparer<T>? comparer) =>
        Enumerable.ToHashSet(Counted(source), comparer);

    [OverloadResolutionPriority(Fallback)]
    public static IEnumerable<IGrouping<TKey, T>> GroupBy<T, TKey>(
        this IEnumerable<T> source, Func<T, TKey> key, IEqualityComparer<TKey>? comparer) =>
        Enumerable.GroupBy(Counted(source), key, comparer);

    [OverloadResolutionPriority(Fallback)]
    public static IEnumerable<IGrouping<TKey, TElement>> GroupBy<T, TKey, TElement>(
        this IEnumerable<T> source, Func<T, TKey> key, Func<T, TElement> element, IEqualityComparer<TKey>? comparer) =>
        Enumerable.GroupBy(Counted(source), key, element, comparer);

    [OverloadResolutionPriority(Fallback)]
    public static IEnumerable<TResult> GroupBy<T, TKey, TResult>(
        this IEnumerable<T> source, Func<T, TKey> key, Func<TKey, IEnumerable<T>, TResult> result) =>
        Enumerable.GroupBy(Counted(source), key, result);

    [OverloadResolutionPriority(Fallback)]
    public static IEnumerable<TResult> GroupBy<T, TKey, TResult>(
        this IEnumerable<T> source, Func<T, TKey> key, Func<TKey, IEnumerable<T>, TResult> result,
        IEqualityComparer<TKey>? comparer) =>
        Enumerable.GroupBy(Counted(source), key, result, comparer);

    [OverloadResolutionPriority(Fallback)]
    public static IEnumerable<TResult> GroupBy<T, TKey, TElement, TResult>(
        this IEnumerable<T> source, Func<T, TKey> key, Func<T, TElement> element, Func<TKey, IEnumerable<TElement>, TResult> result) =>
        Enumerable.GroupBy(Counted(source), key, element, result);

    [OverloadResolutionPriority(Fallback)]
    public static IEnumerable<TResult> GroupBy<T, TKey, TElement, TResult>(
        this IEnumerable<T> source, Func<T, TKey> key, Func<T, TElement> element, Func<TKey, IEnumerable<TElement>, TResult> result,
        IEqualityComparer<TKey>? comparer) =>
        Enumerable.GroupBy(Counted(source), key, element, result, comparer);

    [OverloadResolutionPriority(Fallback)]
    public static IEnumerable<TResult> Join<T, TOther, TKey, TResult>(
        this IEnumerable<T> source, IEnumerable<TOther> other, Func<T, TKey> key, Func<TOther, TKey> otherKey, Func<T, TOther, TResult> result,
        IEqualityComparer<TKey>? comparer) =>
        Counted(Enumerable.Join(Counted(source), other, key, otherKey, result, comparer));

    [OverloadResolutionPriority(Fallback)]
    public static IEnumerable<TResult> LeftJoin<T, TOther, TKey, TResult>(
        this IEnumerable<T> source, IEnumerable<TOther> other, Func<T, TKey> key, Func<TOther, TKey> otherKey, Func<T, TOther?, TResult> result) =>
        Counted(Enumerable.LeftJoin(Counted(source), other, key, otherKey, result));

    [OverloadResolutionPriority(Fallback)]
    public static IEnumerable<TResult> LeftJoin<T, TOther, TKey, TResult>(
        this IEnumerable<T> source, IEnumerable<TOther> other, Func<T, TKey> key, Func<TOther, TKey> otherKey, Func<T, TOther?, TResult> result,
        IEqualityComparer<TKey>? comparer) =>
        Counted(Enumerable.LeftJoin(Counted(source), other, key, otherKey, result, comparer));

    [OverloadResolutionPriority(Fallback)]
    public static IEnumerable<TResult> RightJoin<T, TOther, TKey, TResult>(
        this IEnumerable<T> source, IEnumerable<TOther> other, Func<T, TKey> key, Func<TOther, TKey> otherKey, Func<T?, TOther, TResult> result) =>
        Counted(Enumerable.RightJoin(Counted(source), other, key, otherKey, result));

    [OverloadResolutionPriority(Fallback)]
    public static IEnumerable<TResult> RightJoin<T, TOther, TKey, TResult>(
        this IEnumerable<T> source, IEnumerable<TOther> other, Func<T, TKey> key, Func<TOther, TKey> otherKey, Func<T?, TOther, TResult> result,
        IEqualityComparer<TKey>? comparer) =>
        Counted(Enumerable.RightJoin(Counted(source), other, key, otherKey, result, comparer));

    [OverloadResolutionPriority(Fallback)]
    public static IEnumerable<TResult> GroupJoin<T, TOther, TKey, TResult>(
        this IEnumerable<T> source, IEnumerable<TOther> other, Func<T, TKey> key, Func<TOther, TKey> otherKey, Func<T, IEnumerable<TOther>, TResult> result) =>
        Counted(Enumerable.GroupJoin(Counted(source), other, key, otherKey, result));

    [OverloadResolutionPriority(Fallback)]
    public static IEnumerable<TResult> GroupJoin<T, TOther, TKey, TResult>(
        this IEnumerable<T> source, IEnumerable<TOther> other, Func<T, TKey> key, Func<TOther, TKey> otherKey, Func<T, IEnumerable<TOther>, TResult> result,
        IEqualityComparer<TKey>? comparer) =>
        Counted(Enumerable.GroupJoin(Counted(source), other, key, otherKey, result, comparer));
}
