using Jackdaw.Indexing.Definitions.Values;

namespace Jackdaw.Indexing.Definitions.Functions;

/// <summary>What <c>string.</c> means in a map or reduce.</summary>
public static class TextFunctions
{
    public const string Empty = "";

    public static bool IsNullOrEmpty(Value value) => value.IsNull || (value.IsText && value.Count() == 0);

    public static bool IsNullOrWhiteSpace(Value value) =>
        value.IsNull || (value.IsText && string.IsNullOrWhiteSpace(value.AsText()));

    public static Value Join(Value separator, Value parts) =>
        BoundedFunctions.JoinBounded(separator.AsText(), parts.AsSequence());

    public static Value Join(Value separator, string? part) => part;

    public static Value Join<T>(Value separator, IEnumerable<T> parts) =>
        BoundedFunctions.JoinBounded(separator.AsText(), parts);

    public static Value Join(Value separator, Value first, Value second, params Value[] more) =>
        BoundedFunctions.JoinBounded(separator.AsText(), (Value[])[first, second, .. more]);

    /// <summary>Joins some elements of a list, or three values.</summary>
    public static Value Join(Value separator, Value first, Value second, Value third) =>
        first.IsList && second.Kind == ValueKind.Long && third.Kind == ValueKind.Long
            ? BoundedFunctions.JoinBounded(separator.AsText(), first.ToValues().AsSpan((int)second, (int)third).ToArray())
            : BoundedFunctions.JoinBounded(separator.AsText(), (Value[])[first, second, third]);

    public static Value Join<T>(Value separator, IEnumerable<T> parts, int start, int count) =>
        BoundedFunctions.JoinBounded(separator.AsText(), Enumerable.ToArray(parts).AsSpan(start, count).ToArray());

    public static Value Join(Value separator, string? first, int second, int third) => Join(separator, (Value)first, second, third);

    public static Value Format(string format, params Value[] arguments) =>
        BoundedFunctions.FormatBounded(format, Array.ConvertAll(arguments, a => (object?)a));

    public static Value Concat(Value value) => BoundedFunctions.ConcatBounded(value.AsSequence());

    public static Value Concat(string? text) => text;

    public static Value Concat<T>(IEnumerable<T> parts) => BoundedFunctions.ConcatBounded(parts);

    public static Value Concat(Value first, Value second, params Value[] more) =>
        BoundedFunctions.ConcatBounded((Value[])[first, second, .. more]);

    public static int Compare(Value left, Value right) => left.CompareTo(right);

    public static int CompareOrdinal(Value left, Value right) => left.CompareTo(right);

    public static bool Equals(Value left, Value right) => left.Equals(right);

    public static bool Equals(Value left, Value right, StringComparison comparison) =>
        string.Equals((string?)left, (string?)right, comparison);
}
