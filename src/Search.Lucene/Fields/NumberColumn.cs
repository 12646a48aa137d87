using Jackdaw.Search.Ordering;
using Lucene.Net.Index;
using Lucene.Net.Util;

namespace Jackdaw.Search.Lucene.Fields;

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
                return i == TicksPlace ? NumberKey.OfDate(value) : NumberKey.Of(value);
            }
        }

        return _doubles.Values is null || !_doubles.Has!.Get(doc)
            ? default
            : NumberKey.Of(BitConverter.Int64BitsToDouble(_doubles.Values.Get(doc)));
    }

    private static (NumericDocValues? Values, IBits? Has) Open(AtomicReader reader, string name) =>
        (reader.GetNumericDocValues(name), reader.GetDocsWithField(name));
}
