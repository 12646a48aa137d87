using Jackdaw.Indexing.Definitions.Values;

namespace Jackdaw.Indexing.Definitions.Functions;

public static partial class SequenceFunctions
{
    public static IEnumerable<Group<TKey, Value>> GroupBy<TKey>(this Value source, Func<Value, TKey> key) =>
        GroupBy(source.AsSequence(), key);

    public static IEnumerable<Group<TKey, T>> GroupBy<TKey, T>(
        this Value source, Func<Value, TKey> key, Func<Value, T> element) =>
        GroupBy(source.AsSequence(), key, element);

    public static IEnumerable<Group<TKey, T>> GroupBy<T, TKey>(this IEnumerable<T> source, Func<T, TKey> key) =>
        GroupBy(source, key, element => element);

    /// <summary>Groups in the order in which their keys first appear. Null is a key like any other.</summary>
    public static IEnumerable<Group<TKey, TResult>> GroupBy<T, TKey, TResult>(
        this IEnumerable<T> source, Func<T, TKey> key, Func<T, TResult> element)
    {
        ExecutionBudget.Enter();
        // ValueTuple: a dictionary's key must not be null.
        var groups = new Dictionary<ValueTuple<TKey>, Group<TKey, TResult>>();
        var ordered = new List<Group<TKey, TResult>>();
        foreach (T item in source)
        {
            ExecutionBudget.Step();
            TKey name = key(item);
            if (!groups.TryGetValue(new ValueTuple<TKey>(name), out Group<TKey, TResult>? group))
            {
                group = new Group<TKey, TResult>(name);
                groups.Add(new ValueTuple<TKey>(name), group);
                ordered.Add(group);
            }

            group.Add(element(item));
        }

        foreach (Group<TKey, TResult> group in ordered)
        {
            yield return group;
        }
    }

    public static IEnumerable<TResult> Join<TKey, TResult>(
        this Value source, Value other, Func<Value, TKey> key, Func<Value, TKey> otherKey,
        Func<Value, Value, TResult> result) =>
        Enumerable.Join(Counted(source.AsSequence()), other.AsSequence(), key, otherKey, result);

    public static IEnumerable<TResult> Join<T, TKey, TResult>(
        this IEnumerable<T> source, Value other, Func<T, TKey> key, Func<Value, TKey> otherKey,
        Func<T, Value, TResult> result) =>
        Enumerable.Join(Counted(source), other.AsSequence(), key, otherKey, result);

    public static IEnumerable<TResult> Join<T, TOther, TKey, TResult>(
        this IEnumerable<T> source, IEnumerable<TOther> other, Func<T, TKey> key, Func<TOther, TKey> otherKey,
        Func<T, TOther, TResult> result) =>
        Counted(Enumerable.Join(Counted(source), other, key, otherKey, result));

    public static IEnumerable<TResult> GroupJoin<T, TKey, TResult>(
        this IEnumerable<T> source, Value other, Func<T, TKey> key, Func<Value, TKey> otherKey,
        Func<T, IEnumerable<Value>, TResult> result) =>
        Enumerable.GroupJoin(Counted(source), other.AsSequence(), key, otherKey, result);

    public static IOrderedEnumerable<Value> OrderBy<TKey>(this Value source, Func<Value, TKey> key) =>
        Enumerable.OrderBy(Counted(source.AsSequence()), key);

    public static IOrderedEnumerable<Value> OrderByDescending<TKey>(this Value source, Func<Value, TKey> key) =>
        Enumerable.OrderByDescending(Counted(source.AsSequence()), key);

    public static IOrderedEnumerable<T> OrderBy<T, TKey>(this IEnumerable<T> source, Func<T, TKey> key) =>
        Enumerable.OrderBy(Counted(source), key);

    public static IOrderedEnumerable<T> OrderByDescending<T, TKey>(this IEnumerable<T> source, Func<T, TKey> key) =>
        Enumerable.OrderByDescending(Counted(source), key);

    public static IOrderedEnumerable<T> ThenBy<T, TKey>(this IOrderedEnumerable<T> source, Func<T, TKey> key) =>
        Enumerable.ThenBy(source, key);

    public static IOrderedEnumerable<T> ThenByDescending<T, TKey>(
        this IOrderedEnumerable<T> source, Func<T, TKey> key) =>
        Enumerable.ThenByDescending(source, key);

    /// <summary>A number of consecutive integers. The number is bounded here, because nothing else bounds it.</summary>
    public static IEnumerable<int> Range(int start, int count) =>
        Counted(Enumerable.Range(start, ExecutionBudget.Length(count)));

    public static IEnumerable<T> Repeat<T>(T element, int count) =>
        Counted(Enumerable.Repeat(element, ExecutionBudget.Length(count)));

    public static IEnumerable<T> Empty<T>() => [];
}
