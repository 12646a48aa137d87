using Jackdaw.Indexing.Definitions.Values;

namespace Jackdaw.Indexing.Definitions.Functions;

public static partial class SequenceFunctions
{
    public static bool Any(this Value source) => source.Count() > 0;

    public static bool Any(this Value source, Func<Value, bool> condition) => Any(source.AsSequence(), condition);

    public static bool Any(this Value source, Func<Value, Value> condition) => Any(source.AsSequence(), condition);

    public static bool Any<T>(this IEnumerable<T> source) => Enumerable.Any(Counted(source));

    public static bool Any<T>(this IEnumerable<T> source, Func<T, bool> condition) =>
        Enumerable.Any(Counted(source), condition);

    public static bool Any<T>(this IEnumerable<T> source, Func<T, Value> condition) =>
        Enumerable.Any(Counted(source), element => condition(element).AsCondition());

    public static bool All(this Value source, Func<Value, bool> condition) => All(source.AsSequence(), condition);

    public static bool All(this Value source, Func<Value, Value> condition) => All(source.AsSequence(), condition);

    public static bool All<T>(this IEnumerable<T> source, Func<T, bool> condition) =>
        Enumerable.All(Counted(source), condition);

    public static bool All<T>(this IEnumerable<T> source, Func<T, Value> condition) =>
        Enumerable.All(Counted(source), element => condition(element).AsCondition());

    public static int Count(this Value source) => source.Count();

    public static int Count(this Value source, Func<Value, bool> condition) => Count(source.AsSequence(), condition);

    public static int Count(this Value source, Func<Value, Value> condition) => Count(source.AsSequence(), condition);

    public static int Count<T>(this IEnumerable<T> source) => Enumerable.Count(Counted(source));

    public static int Count<T>(this IEnumerable<T> source, Func<T, bool> condition) =>
        Enumerable.Count(Counted(source), condition);

    public static int Count<T>(this IEnumerable<T> source, Func<T, Value> condition) =>
        Enumerable.Count(Counted(source), element => condition(element).AsCondition());

    public static long LongCount(this Value source) => source.Count();

    public static long LongCount<T>(this IEnumerable<T> source) => Enumerable.LongCount(Counted(source));

    /// <summary>Null elements do not count; the sum of nothing is 0. The sum is exact for numbers in the range of decimals, so that it
    /// does not depend on the order of rows, or on how they are grouped on the way.</summary>
    public static Value Sum(this Value source) => Sum(source, element => element);

    /// <inheritdoc cref="Sum(Value)"/>
    /// <remarks>Walks an array of a document without allocating.</remarks>
    public static Value Sum(this Value source, Func<Value, Value> selector)
    {
        if (source.Kind != ValueKind.TapeArray)
        {
            return Sum(source.AsSequence(), selector);
        }

        Value sum = 0;
        for (TapeCursor cursor = source.Cursor(); cursor.MoveNext();)
        {
            ExecutionBudget.Step();
            sum = Added(sum, selector(cursor.Current));
        }

        return sum;
    }

    /// <inheritdoc cref="Sum(Value)"/>
    public static Value Sum<T>(this IEnumerable<T> source) => Sum(source, element => Conversion.ToValue(element));

    /// <inheritdoc cref="Sum(Value)"/>
    public static Value Sum<T>(this IEnumerable<T> source, Func<T, Value> selector)
    {
        Value sum = 0;
        foreach (T element in source)
        {
            ExecutionBudget.Step();
            sum = Added(sum, selector(element));
        }

        return sum;
    }

    /// <summary>Null elements don't count; the average of nothing is null.</summary>
    public static Value Average(this Value source) => Average(source.AsSequence(), element => element);

    /// <inheritdoc cref="Average(Value)"/>
    public static Value Average(this Value source, Func<Value, Value> selector) =>
        Average(source.AsSequence(), selector);

    /// <inheritdoc cref="Average(Value)"/>
    public static Value Average<T>(this IEnumerable<T> source) =>
        Average(source, element => Conversion.ToValue(element));

    /// <inheritdoc cref="Average(Value)"/>
    public static Value Average<T>(this IEnumerable<T> source, Func<T, Value> selector)
    {
        Value sum = 0;
        long count = 0;
        foreach (T element in source)
        {
            ExecutionBudget.Step();
            Value value = selector(element);
            if (!value.IsNull)
            {
                sum = Added(sum, value);
                count++;
            }
        }

        return count == 0 ? Value.Null : sum.Kind == ValueKind.Decimal ? sum / count : sum.AsDouble() / count;
    }

    public static Value Min(this Value source) => Extreme(source.AsSequence(), element => element, -1);

    public static Value Min(this Value source, Func<Value, Value> selector) =>
        Extreme(source.AsSequence(), selector, -1);

    public static Value Min<T>(this IEnumerable<T> source) =>
        Extreme(source, element => Conversion.ToValue(element), -1);

    public static Value Min<T>(this IEnumerable<T> source, Func<T, Value> selector) => Extreme(source, selector, -1);

    public static Value Max(this Value source) => Extreme(source.AsSequence(), element => element, 1);

    public static Value Max(this Value source, Func<Value, Value> selector) =>
        Extreme(source.AsSequence(), selector, 1);

    public static Value Max<T>(this IEnumerable<T> source) =>
        Extreme(source, element => Conversion.ToValue(element), 1);

    public static Value Max<T>(this IEnumerable<T> source, Func<T, Value> selector) => Extreme(source, selector, 1);

    public static Value Aggregate(this Value source, Func<Value, Value, Value> step) =>
        Aggregate(source.AsSequence(), step);

    public static Value Aggregate(this Value source, Value seed, Func<Value, Value, Value> step) =>
        Aggregate(source.AsSequence(), seed, step);

    public static Value Aggregate(this IEnumerable<Value> source, Func<Value, Value, Value> step)
    {
        Value? result = null;
        foreach (Value element in source)
        {
            ExecutionBudget.Step();
            result = result is { } before ? step(before, element) : element;
        }

        return result ?? Value.Null;
    }

    public static Value Aggregate<T>(this IEnumerable<T> source, Value seed, Func<Value, T, Value> step) =>
        Enumerable.Aggregate(Counted(source), seed, step);

    private static Value Added(Value sum, Value next) => next.IsNull ? sum : Value.AddExactly(sum, next);

    /// <param name="sign">1 for the largest, -1 for the smallest.</param>
    private static Value Extreme<T>(IEnumerable<T> source, Func<T, Value> selector, int sign)
    {
        Value extreme = Value.Null;
        foreach (T element in source)
        {
            ExecutionBudget.Step();
            Value value = selector(element);
            if (!value.IsNull && (extreme.IsNull || value.CompareTo(extreme) * sign > 0))
            {
                extreme = value;
            }
        }

        return extreme;
    }
}
