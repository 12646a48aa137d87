using Lucene.Net.Index;
using Lucene.Net.Util;

namespace Jackdaw.Search.Lucene.Fields;

/// <summary>A number of an entry, as a long and as a double.</summary>
/// <param name="IsDate">The long is the ticks of a date.</param>
/// <param name="IsBeyond">The number is a double of 2^63 or more, and so larger than the largest long, whose nearest double is 2^63.</param>
internal readonly record struct NumberKey(bool Exists, long Long, double Double, bool IsBeyond = false, bool IsDate = false);

/// <summary>The first numbers of the entries of one segment; dates are numbers by their ticks.</summary>
internal sealed class NumberColumn
{
    /// <summary>The place of the ticks of dates among the whole numbers.</summary>
    private const int TicksPlace = 1;

    private readonly (NumericDocValues? Values, IBits? Has)[] _wholes;
    private readonly (NumericDocValues? Values, IBits? Has) _doubles;

    public NumberColumn(AtomicReader reader, string field)
    {
        _wholes = [Open(reader, IndexTerms.Longs(field)), Open(reader, IndexTerms.Ticks(field))];
        _doubles = Open(reader, IndexTerms.Doubles(field));
    }

    public NumberKey Read(int doc)
    {
        for (int i = 0; i < _wholes.Length; i++)
        {
            (NumericDocValues? values, IBits? has) = _wholes[i];
            if (values is not null && has!.Get(doc))
            {
                long value = values.Get(doc);
                return new NumberKey(true, value, value, IsDate: i == TicksPlace);
            }
        }

        if (_doubles.Values is null || !_doubles.Has!.Get(doc))
        {
            return default;
        }

        double number = BitConverter.Int64BitsToDouble(_doubles.Values.Get(doc));
        bool isBeyond = number >= long.MaxValue;
        return new NumberKey(true, isBeyond ? long.MaxValue : number <= long.MinValue ? long.MinValue : (long)number, number, isBeyond);
    }

    private static (NumericDocValues? Values, IBits? Has) Open(AtomicReader reader, string name) =>
        (reader.GetNumericDocValues(name), reader.GetDocsWithField(name));
}
