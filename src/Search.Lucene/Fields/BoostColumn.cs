using Lucene.Net.Documents;
using Lucene.Net.Index;

namespace Jackdaw.Search.Lucene.Fields;

/// <summary>Columns of the factors that entries, and fields of entries, were given when they were indexed. Most entries have none.</summary>
/// <remarks>A column and not a norm of Lucene: norms have 8 bits, shorten the text instead of multiplying, and whole values have none.</remarks>
internal static class BoostColumn
{
    /// <summary>The column of the factors of whole entries.</summary>
    public const string OfEntries = "\u0001boost";

    private const string FieldSuffix = "\u0001B";

    // The bits of 1 are subtracted, so that 0, which Lucene gives for entries without a value, means a factor of 1.
    private static readonly int s_one = BitConverter.SingleToInt32Bits(1);

    /// <summary>Of a field.</summary>
    public static string Of(string field) => field + FieldSuffix;

    /// <summary>Whether a column has factors.</summary>
    public static bool Is(string column) => column == OfEntries || column.EndsWith(FieldSuffix, StringComparison.Ordinal);

    /// <summary>A factor as a column; null for a factor of 1. A number that cannot be a factor, such as that of a missing value, counts as 1.</summary>
    public static NumericDocValuesField? Make(string column, float factor) => factor != 1 && factor >= 0 && float.IsFinite(factor)
        ? new NumericDocValuesField(column, BitConverter.SingleToInt32Bits(factor) ^ s_one)
        : null;

    /// <param name="factors">The column; null when no entry has a factor.</param>
    public static float Factor(NumericDocValues? factors, int doc) =>
        factors is null ? 1 : BitConverter.Int32BitsToSingle((int)factors.Get(doc) ^ s_one);

    /// <summary>The name of a column for people.</summary>
    public static string Describe(string column) => column == OfEntries ? "boost of the entry" : $"boost of {column[..^FieldSuffix.Length]}";
}
