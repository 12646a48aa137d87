using Lucene.Net.Documents;
using Lucene.Net.Index;

namespace Jackdaw.Search.Lucene.Fields;

/// <summary>Columns of the factors that entries, and fields of entries, were given when they were indexed. Most have none.</summary>
/// <remarks>A column and not a norm of Lucene: norms have 8 bits, shorten the text instead of multiplying, and whole values have none.</remarks>
internal static class BoostColumn
{
    /// <summary>Of entries as a whole.</summary>
    public const string OfEntries = "\u0001boost";

    private const string FieldSuffix = "\u0001B";

    // The bits of 1 are taken away, so that 0 is 1: that is what Lucene gives for entries without a value.
    private static readonly int s_one = BitConverter.SingleToInt32Bits(1);

    /// <summary>Of a field.</summary>
    public static string Of(string field) => field + FieldSuffix;

    /// <summary>Whether a column is one of factors.</summary>
    public static bool Is(string column) => column == OfEntries || column.EndsWith(FieldSuffix, StringComparison.Ordinal);

    /// <summary>A factor as a column; 1 needs none, and what is no factor, such as that of a missing value, is 1.</summary>
    public static NumericDocValuesField? Make(string column, float factor) => factor != 1 && factor >= 0 && float.IsFinite(factor)
        ? new NumericDocValuesField(column, BitConverter.SingleToInt32Bits(factor) ^ s_one)
        : null;

    /// <param name="factors">Null: no entry has one.</param>
    public static float Factor(NumericDocValues? factors, int doc) =>
        factors is null ? 1 : BitConverter.Int32BitsToSingle((int)factors.Get(doc) ^ s_one);

    /// <summary>A column for people.</summary>
    public static string Describe(string column) => column == OfEntries ? "boost of the entry" : $"boost of {column[..^FieldSuffix.Length]}";
}
