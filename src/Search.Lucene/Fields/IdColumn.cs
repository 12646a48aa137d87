using Lucene.Net.Index;
using Lucene.Net.Util;

namespace Jackdaw.Search.Lucene.Fields;

/// <summary>The ids of the entries of one segment. For the thread that made it; any number of searches one after the other.</summary>
/// <remarks>Not for one thread after the other: what Lucene gives a thread it gives it again, and another thread would read through the
/// same object at the same time.</remarks>
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
