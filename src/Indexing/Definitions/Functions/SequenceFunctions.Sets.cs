using Jackdaw.Indexing.Definitions.Values;

namespace Jackdaw.Indexing.Definitions.Functions;

public static partial class SequenceFunctions
{
    public static IEnumerable<Value> Distinct(this Value source) => Enumerable.Distinct(Counted(source.AsSequence()));

    public static IEnumerable<T> Distinct<T>(this IEnumerable<T> source) => Enumerable.Distinct(Counted(source));

    public static IEnumerable<Value> Skip(this Value source, int count) => Enumerable.Skip(Counted(source.AsSequence()), count);

    public static IEnumerable<T> Skip<T>(this IEnumerable<T> source, int count) =>
        Enumerable.Skip(Counted(source), count);

    public static IEnumerable<Value> Take(this Value source, int count) => Enumerable.Take(Counted(source.AsSequence()), count);

    public static IEnumerable<T> Take<T>(this IEnumerable<T> source, int count) => Enumerable.Take(Counted(source), count);

    /// <summary>A text from its end to its beginning, or the elements of a list.</summary>
    public static Value Reverse(this Value source) => source.IsNull ? source
        : source.IsText ? Reversed(source.AsText())
        : Value.FromList([.. Enumerable.Reverse(source.ToValues())]);

    public static IEnumerable<T> Reverse<T>(this IEnumerable<T> source) => Enumerable.Reverse(Counted(source));

    public static IEnumerable<T> Reverse<T>(this T[] source) => Enumerable.Reverse(Counted(source));

    public static IEnumerable<Value> Concat(this Value source, Value other) =>
        Enumerable.Concat(Counted(source.AsSequence()), other.AsSequence());

    public static IEnumerable<Value> Concat<T>(this Value source, IEnumerable<T> other) =>
        Enumerable.Concat(Counted(source.AsSequence()), AsValues(other));

    public static IEnumerable<Value> Concat<T>(this IEnumerable<T> source, Value other) =>
        Enumerable.Concat(AsValues(source), other.AsSequence());

    public static IEnumerable<T> Concat<T>(this IEnumerable<T> source, IEnumerable<T> other) =>
        Enumerable.Concat(Counted(source), other);

    public static IEnumerable<Value> Union(this Value source, Value other) =>
        Enumerable.Union(Counted(source.AsSequence()), other.AsSequence());

    public static IEnumerable<Value> Union<T>(this Value source, IEnumerable<T> other) =>
        Enumerable.Union(Counted(source.AsSequence()), AsValues(other));

    public static IEnumerable<Value> Union<T>(this IEnumerable<T> source, Value other) =>
        Enumerable.Union(AsValues(source), other.AsSequence());

    public static IEnumerable<T> Union<T>(this IEnumerable<T> source, IEnumerable<T> other) =>
        Enumerable.Union(Counted(source), other);

    public static IEnumerable<Value> Intersect(this Value source, Value other) =>
        Enumerable.Intersect(Counted(source.AsSequence()), other.AsSequence());

    public static IEnumerable<Value> Intersect<T>(this Value source, IEnumerable<T> other) =>
        Enumerable.Intersect(Counted(source.AsSequence()), AsValues(other));

    public static IEnumerable<Value> Intersect<T>(this IEnumerable<T> source, Value other) =>
        Enumerable.Intersect(AsValues(source), other.AsSequence());

    public static IEnumerable<T> Intersect<T>(this IEnumerable<T> source, IEnumerable<T> other) =>
        Enumerable.Intersect(Counted(source), other);

    public static IEnumerable<Value> Except(this Value source, Value other) =>
        Enumerable.Except(Counted(source.AsSequence()), other.AsSequence());

    public static IEnumerable<Value> Except<T>(this Value source, IEnumerable<T> other) =>
        Enumerable.Except(Counted(source.AsSequence()), AsValues(other));

    public static IEnumerable<Value> Except<T>(this IEnumerable<T> source, Value other) =>
        Enumerable.Except(AsValues(source), other.AsSequence());

    public static IEnumerable<T> Except<T>(this IEnumerable<T> source, IEnumerable<T> other) =>
        Enumerable.Except(Counted(source), other);

    private static string Reversed(string text)
    {
        ExecutionBudget.Charge(text.Length / 64);
        char[] characters = text.ToCharArray();
        Array.Reverse(characters);
        return new string(characters);
    }

    /// <summary>Whether a text has a part, or a list an element.</summary>
    public static bool Contains(this Value source, Value wanted) => source.IsNull || wanted.IsNull && source.IsText
        ? false
        : source.IsText
            ? source.AsText().Contains(wanted.AsText(), StringComparison.Ordinal)
            : Contains(source.AsSequence(), wanted);

    /// <remarks>C# would otherwise bind this to a span, which no expression can hold.</remarks>
    public static bool Contains(this string[] source, Value wanted) =>
        Enumerable.Any(Counted(source), element => wanted.Equals(element));

    public static bool Contains<T>(this T[] source, Value wanted) =>
        Enumerable.Any(Counted(source), element => Conversion.ToValue(element).Equals(wanted));

    public static bool Contains<T>(this IEnumerable<T> source, Value wanted) =>
        Enumerable.Any(Counted(source), element => Conversion.ToValue(element).Equals(wanted));

    /// <summary>Whether a text or a list has one of these.</summary>
    public static bool ContainsAny(this Value source, IEnumerable<Value> wanted) =>
        Enumerable.Any(Counted(wanted), element => Contains(source, element));

    public static bool ContainsKey(this Value source, Value name) => source.HasMember(name.AsText());

    public static bool In(this Value source, params Value[] wanted) => Contains(wanted, source);
}
