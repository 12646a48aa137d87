using Lucene.Net.Index;

namespace Jackdaw.Search.Lucene.Fields;

/// <summary>The ids of the entries of one segment. One thread at a time; any number of searches one after the other.</summary>
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
    public string Read(int doc)
    {
        _cursor.SeekExact(_ids.GetOrd(doc));
        return _cursor.Term.Utf8ToString();
    }
}
