using Jackdaw.Indexing.Definitions.Values;

namespace Jackdaw.Indexing.Definitions.Functions;

// Elements of a value. Where LINQ throws because there is no element, a value gives null, so that nothing throws
// because a document lacks something. Sequences of other types behave as in LINQ.
public static partial class SequenceFunctions
{
    public static Value First(this Value source) => source.ElementOrPair(0);

    public static Value First(this Value source, Func<Value, bool> condition) =>
        FirstOrDefault(source.AsSequence(), condition);

    public static Value FirstOrDefault(this Value source) => source.ElementOrPair(0);

    public static Value FirstOrDefault(this Value source, Func<Value, bool> condition) =>
        FirstOrDefault(source.AsSequence(), condition);

    public static Value First(this IEnumerable<Value> source) => Enumerable.FirstOrDefault(Counted(source));

    public static Value First(this IEnumerable<Value> source, Func<Value, bool> condition) =>
        FirstOrDefault(source, condition);

    public static T First<T>(this IEnumerable<T> source) => Enumerable.First(Counted(source));

    public static T First<T>(this IEnumerable<T> source, Func<T, bool> condition) =>
        Enumerable.First(Counted(source), condition);

    public static T? FirstOrDefault<T>(this IEnumerable<T> source) => Enumerable.FirstOrDefault(Counted(source));

    public static T? FirstOrDefault<T>(this IEnumerable<T> source, Func<T, bool> condition) =>
        Enumerable.FirstOrDefault(Counted(source), condition);

    public static Value Last(this Value source) => Enumerable.LastOrDefault(Counted(source.AsSequence()));

    public static Value Last(this Value source, Func<Value, bool> condition) =>
        LastOrDefault(source.AsSequence(), condition);

    public static Value LastOrDefault(this Value source) => Last(source);

    public static Value LastOrDefault(this Value source, Func<Value, bool> condition) => Last(source, condition);

    public static Value Last(this IEnumerable<Value> source) => Enumerable.LastOrDefault(Counted(source));

    public static T Last<T>(this IEnumerable<T> source) => Enumerable.Last(Counted(source));

    public static T? LastOrDefault<T>(this IEnumerable<T> source) => Enumerable.LastOrDefault(Counted(source));

    public static T? LastOrDefault<T>(this IEnumerable<T> source, Func<T, bool> condition) =>
        Enumerable.LastOrDefault(Counted(source), condition);

    public static Value Single(this Value source) => source.Count() == 1 ? First(source.AsSequence()) : throw NotOne();

    public static Value Single(this Value source, Func<Value, bool> condition) =>
        Enumerable.Single(Counted(source.AsSequence()), condition);

    public static Value SingleOrDefault(this Value source) =>
        source.Count() <= 1 ? FirstOrDefault(source.AsSequence()) : throw NotOne();

    public static Value SingleOrDefault(this Value source, Func<Value, bool> condition) =>
        Enumerable.SingleOrDefault(Counted(source.AsSequence()), condition);

    public static T Single<T>(this IEnumerable<T> source) => Enumerable.Single(Counted(source));

    public static T? SingleOrDefault<T>(this IEnumerable<T> source) => Enumerable.SingleOrDefault(Counted(source));

    public static Value ElementAt(this Value source, int position) => source.ElementOrPair(position);

    public static Value ElementAtOrDefault(this Value source, int position) => source.ElementOrPair(position);

    public static Value ElementAt(this Value source, Index position) => source[position];

    public static Value ElementAtOrDefault(this Value source, Index position) => source[position];

    public static T ElementAt<T>(this IEnumerable<T> source, int position) => Enumerable.ElementAt(Counted(source), position);

    public static T? ElementAtOrDefault<T>(this IEnumerable<T> source, int position) =>
        Enumerable.ElementAtOrDefault(Counted(source), position);

    public static IEnumerable<Value> DefaultIfEmpty(this Value source) =>
        Enumerable.DefaultIfEmpty(Counted(source.AsSequence()));

    public static IEnumerable<Value> DefaultIfEmpty(this Value source, Value other) =>
        Enumerable.DefaultIfEmpty(Counted(source.AsSequence()), other);

    public static IEnumerable<T> DefaultIfEmpty<T>(this IEnumerable<T> source) =>
        Enumerable.DefaultIfEmpty(Counted(source))!;

    public static IEnumerable<T> DefaultIfEmpty<T>(this IEnumerable<T> source, T other) =>
        Enumerable.DefaultIfEmpty(Counted(source), other);

    public static Value[] ToArray(this Value source) => source.ToValues();

    public static T[] ToArray<T>(this IEnumerable<T> source) => Enumerable.ToArray(Counted(source));

    public static List<Value> ToList(this Value source) => [.. source.ToValues()];

    public static List<T> ToList<T>(this IEnumerable<T> source) => Enumerable.ToList(Counted(source));

    public static HashSet<Value> ToHashSet(this Value source) => [.. source.ToValues()];

    public static HashSet<T> ToHashSet<T>(this IEnumerable<T> source) => Enumerable.ToHashSet(Counted(source));

    public static Dictionary<string, object?> ToDictionary<TKey, T>(
        this Value source, Func<Value, TKey> key, Func<Value, T> element) =>
        ToDictionary(source.AsSequence(), key, element);

    /// <summary>Keys are texts, as in JSON. Of two equal keys the last one counts.</summary>
    public static Dictionary<string, object?> ToDictionary<T, TKey, TResult>(
        this IEnumerable<T> source, Func<T, TKey> key, Func<T, TResult> element)
    {
        var result = new Dictionary<string, object?>(StringComparer.Ordinal);
        foreach (T item in source)
        {
            ExecutionBudget.Step();
            result[Conversion.ToValue(key(item)).AsText()] = element(item);
        }

        return result;
    }

    private static InvalidOperationException NotOne() => new("Single needs exactly one element.");
}
