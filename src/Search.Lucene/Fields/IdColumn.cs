using Lucene.Net.Index;
using Lucene.Net.Util;

namespace Jackdaw.Search.Lucene.Fields;

/// <summary>The ids of the entries of one segment. Only the thread that made it uses it, for any number of searches one after the other.</summary>
/// <remarks>Another thread may not use it even afterwards: Lucene gives a thread the same object whenever it asks, so that both threads could read through that
/// object at the same time.</remarks>
internal sealed class IdColumn
{
    private readonly SortedDocValues _ids;
    private readonly TermsEnum _cursor;

    public IdColumn(AtomicReader segment)
    {
        _ids = segment.GetSortedDocValues(IndexTerms.Id);
        _cursor = _ids.GetTermsEnum();
    }

    // The column itself would make a cursor for each id.
    public byte[] Read(int doc)
    {
        _cursor.SeekExact(_ids.GetOrd(doc));
        BytesRef id = _cursor.Term;
        return id.Bytes.AsSpan(id.Offset, id.Length).ToArray();
    }
}
