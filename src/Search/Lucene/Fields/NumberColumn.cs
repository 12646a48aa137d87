using Lucene.Net.Index;
using Lucene.Net.Util;

namespace Jackdaw.Search.Lucene.Fields;

/// <summary>A number of an entry, as a long and as a double.</summary>
internal readonly record struct NumberKey(bool Exists, long Long, double Double);

/// <summary>The first numbers of the entries of one segment; dates are numbers by their ticks.</summary>
internal sealed class NumberColumn
{
    private readonly (NumericDocValues? Values, IBits? Has)[] _wholes;
    private readonly (NumericDocValues? Values, IBits? Has) _doubles;

    public NumberColumn(AtomicReader reader, string field)
    {
        _wholes = [Open(reader, IndexTerms.Longs(field)), Open(reader, IndexTerms.Ticks(field))];
        _doubles = Open(reader, IndexTerms.Doubles(field));
    }

    public NumberKey Read(int doc)
    {
        foreach ((NumericDocValues? values, IBits? has) in _wholes)
        {
            if (values is not null && has!.Get(doc))
            {
                long value = values.Get(doc);
                return new NumberKey(true, value, value);
            }
        }

        if (_doubles.Values is null || !_doubles.Has!.Get(doc))
        {
            return default;
        }

        double number = BitConverter.Int64BitsToDouble(_doubles.Values.Get(doc));
        return new NumberKey(true, number >= long.MaxValue ? long.MaxValue : number <= long.MinValue ? long.MinValue : (long)number, number);
    }

    private static (NumericDocValues? Values, IBits? Has) Open(AtomicReader reader, string name) =>
        (reader.GetNumericDocValues(name), reader.GetDocsWithField(name));
}
