using System.Runtime.CompilerServices;
using Jackdaw.Indexing.Definitions.Values;

namespace Jackdaw.Indexing.Definitions.Functions;

// Parts and elements of sequences as LINQ has them; each element is a step of the budget.
public static partial class SequenceFunctions
{
    /// <summary>C# takes these methods only where no method for values fits, so that sums stay exact and conditions may be null.</summary>
    private const int Fallback = -1;

    [OverloadResolutionPriority(Fallback)]
    public static IEnumerable<T> Append<T>(this IEnumerable<T> source, T element) => Enumerable.Append(Counted(source), element);

    [OverloadResolutionPriority(Fallback)]
    public static IEnumerable<T> Prepend<T>(this IEnumerable<T> source, T element) => Enumerable.Prepend(Counted(source), element);

    [OverloadResolutionPriority(Fallback)]
    public static IEnumerable<T> TakeWhile<T>(this IEnumerable<T> source, Func<T, bool> condition) =>
        Enumerable.TakeWhile(Counted(source), condition);

    [OverloadResolutionPriority(Fallback)]
    public static IEnumerable<T> TakeWhile<T>(this IEnumerable<T> source, Func<T, int, bool> condition) =>
        Enumerable.TakeWhile(Counted(source), condition);

    [OverloadResolutionPriority(Fallback)]
    public static IEnumerable<T> SkipWhile<T>(this IEnumerable<T> source, Func<T, bool> condition) =>
        Enumerable.SkipWhile(Counted(source), condition);

    [OverloadResolutionPriority(Fallback)]
    public static IEnumerable<T> SkipWhile<T>(this IEnumerable<T> source, Func<T, int, bool> condition) =>
        Enumerable.SkipWhile(Counted(source), condition);

    [OverloadResolutionPriority(Fallback)]
    public static IEnumerable<T> Where<T>(this IEnumerable<T> source, Func<T, int, bool> condition) => Enumerable.Where(Counted(source), condition);

    [OverloadResolutionPriority(Fallback)]
    public static IEnumerable<T> SkipLast<T>(this IEnumerable<T> source, int count) => Enumerable.SkipLast(Counted(source), count);

    [OverloadResolutionPriority(Fallback)]
    public static IEnumerable<T> TakeLast<T>(this IEnumerable<T> source, int count) => Enumerable.TakeLast(Counted(source), count);

    public static IEnumerable<Value> Take(this Value source, Range range) => Enumerable.Take(Counted(source.AsSequence()), range);

    [OverloadResolutionPriority(Fallback)]
    public static IEnumerable<T> Take<T>(this IEnumerable<T> source, Range range) => Enumerable.Take(Counted(source), range);

    [OverloadResolutionPriority(Fallback)]
    public static IEnumerable<TResult> SelectMany<T, TResult>(this IEnumerable<T> source, Func<T, int, IEnumerable<TResult>> selector) =>
        Counted(Enumerable.SelectMany(Counted(source), selector));

    [OverloadResolutionPriority(Fallback)]
    public static IEnumerable<TResult> SelectMany<T, TInner, TResult>(
        this IEnumerable<T> source, Func<T, int, IEnumerable<TInner>> selector, Func<T, TInner, TResult> result) =>
        Counted(Enumerable.SelectMany(Counted(source), selector, result));

    [OverloadResolutionPriority(Fallback)]
    public static IEnumerable<T[]> Chunk<T>(this IEnumerable<T> source, int size) => Enumerable.Chunk(Counted(source), ExecutionBudget.Length(size));

    [OverloadResolutionPriority(Fallback)]
    public static IEnumerable<(int Index, T Item)> Index<T>(this IEnumerable<T> source) => Enumerable.Index(Counted(source));

    [OverloadResolutionPriority(Fallback)]
    public static IEnumerable<(T First, TOther Second)> Zip<T, TOther>(this IEnumerable<T> source, IEnumerable<TOther> other) =>
        Enumerable.Zip(Counted(source), other);

    [OverloadResolutionPriority(Fallback)]
    public static IEnumerable<(T First, TSecond Second, TThird Third)> Zip<T, TSecond, TThird>(
        this IEnumerable<T> source, IEnumerable<TSecond> second, IEnumerable<TThird> third) =>
        Enumerable.Zip(Counted(source), second, third);

    [OverloadResolutionPriority(Fallback)]
    public static bool SequenceEqual<T>(this IEnumerable<T> source, IEnumerable<T> other) => Enumerable.SequenceEqual(Counted(source), other);

    [OverloadResolutionPriority(Fallback)]
    public static bool SequenceEqual<T>(this IEnumerable<T> source, IEnumerable<T> other, IEqualityComparer<T>? comparer) =>
        Enumerable.SequenceEqual(Counted(source), other, comparer);

    [OverloadResolutionPriority(Fallback)]
    public static IEnumerable<T> AsEnumerable<T>(this IEnumerable<T> source) => source;

    [OverloadResolutionPriority(Fallback)]
    public static T FirstOrDefault<T>(this IEnumerable<T> source, T other) => Enumerable.FirstOrDefault(Counted(source), other);

    [OverloadResolutionPriority(Fallback)]
    public static T FirstOrDefault<T>(this IEnumerable<T> source, Func<T, bool> condition, T other) =>
        Enumerable.FirstOrDefault(Counted(source), condition, other);

    [OverloadResolutionPriority(Fallback)]
    public static T LastOrDefault<T>(this IEnumerable<T> source, T other) => Enumerable.LastOrDefault(Counted(source), other);

    [OverloadResolutionPriority(Fallback)]
    public static T LastOrDefault<T>(this IEnumerable<T> source, Func<T, bool> condition, T other) =>
        Enumerable.LastOrDefault(Counted(source), condition, other);

    [OverloadResolutionPriority(Fallback)]
    public static T SingleOrDefault<T>(this IEnumerable<T> source, T other) => Enumerable.SingleOrDefault(Counted(source), other);

    [OverloadResolutionPriority(Fallback)]
    public static T SingleOrDefault<T>(this IEnumerable<T> source, Func<T, bool> condition, T other) =>
        Enumerable.SingleOrDefault(Counted(source), condition, other);

    [OverloadResolutionPriority(Fallback)]
    public static T? SingleOrDefault<T>(this IEnumerable<T> source, Func<T, bool> condition) =>
        Enumerable.SingleOrDefault(Counted(source), condition);

    [OverloadResolutionPriority(Fallback)]
    public static T Last<T>(this IEnumerable<T> source, Func<T, bool> condition) => Enumerable.Last(Counted(source), condition);

    [OverloadResolutionPriority(Fallback)]
    public static T Single<T>(this IEnumerable<T> source, Func<T, bool> condition) => Enumerable.Single(Counted(source), condition);

    [OverloadResolutionPriority(Fallback)]
    public static T ElementAt<T>(this IEnumerable<T> source, Index position) => Enumerable.ElementAt(Counted(source), position);

    [OverloadResolutionPriority(Fallback)]
    public static T? ElementAtOrDefault<T>(this IEnumerable<T> source, Index position) => Enumerable.ElementAtOrDefault(Counted(source), position);

    [OverloadResolutionPriority(Fallback)]
    public static T Aggregate<T>(this IEnumerable<T> source, Func<T, T, T> step) => Enumerable.Aggregate(Counted(source), step);

    [OverloadResolutionPriority(Fallback)]
    public static TResult Aggregate<T, TResult>(this IEnumerable<T> source, TResult seed, Func<TResult, T, TResult> step) =>
        Enumerable.Aggregate(Counted(source), seed, step);

    [OverloadResolutionPriority(Fallback)]
    public static TResult Aggregate<T, TSum, TResult>(this IEnumerable<T> source, TSum seed, Func<TSum, T, TSum> step, Func<TSum, TResult> result) =>
        Enumerable.Aggregate(Counted(source), seed, step, result);

    [OverloadResolutionPriority(Fallback)]
    public static long LongCount<T>(this IEnumerable<T> source, Func<T, bool> condition) => Enumerable.LongCount(Counted(source), condition);

    [OverloadResolutionPriority(Fallback)]
    public static bool Contains<T>(this IEnumerable<T> source, T wanted) => Enumerable.Contains(Counted(source), wanted);

    [OverloadResolutionPriority(Fallback)]
    public static bool Contains<T>(this T[] source, T wanted) => Enumerable.Contains(Counted(source), wanted);

    [OverloadResolutionPriority(Fallback)]
    public static bool Contains<T>(this IEnumerable<T> source, T wanted, IEqualityComparer<T>? comparer) =>
        Enumerable.Contains(Counted(source), wanted, comparer);

    [OverloadResolutionPriority(Fallback)]
    public static IEnumerable<T> Cast<T>(this System.Collections.IEnumerable source) => Enumerable.Cast<T>(source);

    [OverloadResolutionPriority(Fallback)]
    public static IEnumerable<T> OfType<T>(this System.Collections.IEnumerable source) => Enumerable.OfType<T>(source);

    [OverloadResolutionPriority(Fallback)]
    public static IEnumerable<T> Sequence<T>(T start, T endInclusive, T step) where T : System.Numerics.INumber<T> =>
        Counted(Enumerable.Sequence(start, endInclusive, step));

    [OverloadResolutionPriority(Fallback)]
    public static IEnumerable<T> InfiniteSequence<T>(T start, T step) where T : System.Numerics.IAdditionOperators<T, T, T> =>
        Counted(Enumerable.InfiniteSequence(start, step));
}
