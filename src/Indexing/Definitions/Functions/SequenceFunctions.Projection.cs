using Jackdaw.Indexing.Definitions.Values;

namespace Jackdaw.Indexing.Definitions.Functions;

/// <summary>LINQ for definitions, over values and over sequences of anything: query syntax binds to these methods, and
/// the user's <c>using System.Linq</c> means this class.</summary>
/// <remarks>Like LINQ, with three differences: a value that is null is an empty sequence, a condition that is null is
/// false, and each element is a step of the <see cref="ExecutionBudget"/>.</remarks>
public static partial class SequenceFunctions
{
    /// <summary>A value as a sequence. This replaces a cast to <c>IEnumerable&lt;dynamic&gt;</c>.</summary>
    public static IEnumerable<Value> AsValues(Value value) => value.AsSequence();

    public static IEnumerable<Value> AsValues<T>(IEnumerable<T> values) =>
        values as IEnumerable<Value> ?? values.Select(v => Conversion.ToValue(v));

    public static IEnumerable<T> Select<T>(this Value source, Func<Value, T> selector) =>
        Select(source.AsSequence(), selector);

    public static IEnumerable<T> Select<T>(this Value source, Func<Value, int, T> selector) =>
        Select(source.AsSequence(), selector);

    public static IEnumerable<TResult> Select<T, TResult>(this IEnumerable<T> source, Func<T, TResult> selector)
    {
        ExecutionBudget.Enter();
        foreach (T element in source)
        {
            ExecutionBudget.Step();
            yield return selector(element);
        }
    }

    public static IEnumerable<TResult> Select<T, TResult>(this IEnumerable<T> source, Func<T, int, TResult> selector)
    {
        ExecutionBudget.Enter();
        int position = 0;
        foreach (T element in source)
        {
            ExecutionBudget.Step();
            yield return selector(element, position++);
        }
    }

    public static IEnumerable<Value> Where(this Value source, Func<Value, bool> condition) =>
        Where(source.AsSequence(), condition);

    public static IEnumerable<Value> Where(this Value source, Func<Value, Value> condition) =>
        Where(source.AsSequence(), condition);

    public static IEnumerable<T> Where<T>(this IEnumerable<T> source, Func<T, bool> condition)
    {
        ExecutionBudget.Enter();
        foreach (T element in source)
        {
            ExecutionBudget.Step();
            if (condition(element))
            {
                yield return element;
            }
        }
    }

    public static IEnumerable<T> Where<T>(this IEnumerable<T> source, Func<T, Value> condition)
    {
        ExecutionBudget.Enter();
        foreach (T element in source)
        {
            ExecutionBudget.Step();
            if (condition(element).AsCondition())
            {
                yield return element;
            }
        }
    }

    public static IEnumerable<Value> SelectMany(this Value source, Func<Value, Value> selector) =>
        SelectMany(source.AsSequence(), selector);

    public static IEnumerable<T> SelectMany<T>(this Value source, Func<Value, IEnumerable<T>> selector) =>
        SelectMany(source.AsSequence(), selector);

    public static IEnumerable<T> SelectMany<T>(
        this Value source, Func<Value, Value> selector, Func<Value, Value, T> result) =>
        SelectMany(source.AsSequence(), selector, result);

    public static IEnumerable<TResult> SelectMany<T, TResult>(
        this Value source, Func<Value, IEnumerable<T>> selector, Func<Value, T, TResult> result) =>
        SelectMany(source.AsSequence(), selector, result);

    public static IEnumerable<Value> SelectMany<T>(this IEnumerable<T> source, Func<T, Value> selector) =>
        SelectMany(source, element => selector(element).AsSequence());

    public static IEnumerable<TResult> SelectMany<T, TResult>(
        this IEnumerable<T> source, Func<T, IEnumerable<TResult>> selector)
    {
        ExecutionBudget.Enter();
        foreach (T element in source)
        {
            foreach (TResult inner in selector(element))
            {
                ExecutionBudget.Step();
                yield return inner;
            }
        }
    }

    public static IEnumerable<TResult> SelectMany<T, TResult>(
        this IEnumerable<T> source, Func<T, Value> selector, Func<T, Value, TResult> result)
    {
        ExecutionBudget.Enter();
        foreach (T element in source)
        {
            foreach (Value inner in selector(element).AsSequence())
            {
                ExecutionBudget.Step();
                yield return result(element, inner);
            }
        }
    }

    public static IEnumerable<TResult> SelectMany<T, TInner, TResult>(
        this IEnumerable<T> source, Func<T, IEnumerable<TInner>> selector, Func<T, TInner, TResult> result)
    {
        ExecutionBudget.Enter();
        foreach (T element in source)
        {
            foreach (TInner inner in selector(element))
            {
                ExecutionBudget.Step();
                yield return result(element, inner);
            }
        }
    }

    public static IEnumerable<T> Cast<T>(this Value source) => source.AsSequence().Select(ConvertFunctions.As<T>);

    public static IEnumerable<T> Cast<T>(this IEnumerable<Value> source) => source.Select(ConvertFunctions.As<T>);

    public static IEnumerable<Value> OfType<T>(this Value source) =>
        source.AsSequence().Where(v => ConvertFunctions.Is<T>(v));

    public static IEnumerable<Value> OfType<T>(this IEnumerable<Value> source) =>
        source.Where(v => ConvertFunctions.Is<T>(v));

    public static IEnumerable<T> Zip<T>(this Value source, Value other, Func<Value, Value, T> result) =>
        source.AsSequence().Zip(other.AsSequence(), result);

    public static IEnumerable<TResult> Zip<T, TResult>(
        this IEnumerable<T> source, Value other, Func<T, Value, TResult> result) =>
        source.Zip(other.AsSequence(), result);

    public static IEnumerable<TResult> Zip<T, TOther, TResult>(
        this IEnumerable<T> source, IEnumerable<TOther> other, Func<T, TOther, TResult> result) =>
        Enumerable.Zip(Counted(source), other, result);

    private static IEnumerable<T> Counted<T>(IEnumerable<T> source)
    {
        ExecutionBudget.Enter();
        foreach (T element in source)
        {
            ExecutionBudget.Step();
            yield return element;
        }
    }
}
