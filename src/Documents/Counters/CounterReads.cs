using Jackdaw.Documents.Identity;
using Jackdaw.Storage.Tables;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Documents.Counters;

/// <summary>The counters of a snapshot. Lives as long as it; one thread at a time.</summary>
internal sealed class CounterReads(ReadTransaction read)
{
    private readonly Table _table = CounterTable.Open(read, read.Trees);

    /// <summary>Counters of all documents.</summary>
    public long Count => _table.Count;

    /// <summary>Etag of the last write of a counter that is still there; None when there is none.</summary>
    public Etag LastEtag
    {
        get
        {
            TableNumberCursor cursor = OpenByEtag();
            return new Etag(cursor.SeekLast() ? cursor.Number : 0);
        }
    }

    /// <summary>Opens all counters by the etag of their last write, oldest first.</summary>
    public TableNumberCursor OpenByEtag() => _table.OpenNumbers(CounterTable.ByEtag);

    /// <summary>Finds a counter.</summary>
    /// <param name="document">Key of its document.</param>
    /// <param name="name">UTF-8, in any casing. One that no counter can have is not found.</param>
    public bool TryFind(ReadOnlySpan<byte> document, ReadOnlySpan<byte> name, out CounterRow row)
    {
        Span<byte> key = stackalloc byte[ExtensionKeys.KeyBytesMax];
        TableRow found = default;
        bool isFound = ExtensionKeys.TryMake(document, name, key, out int length) == DocumentIdFault.None
            && _table.TryGetByKey(CounterTable.ByKey, key[..length], out found);
        row = new CounterRow(found);
        return isFound;
    }

    /// <summary>The detail of a counter; missing when there is none.</summary>
    public CounterDetail Find(ReadOnlySpan<byte> document, ReadOnlySpan<byte> name) =>
        TryFind(document, name, out CounterRow row) ? CounterDetail.Of(row, default) : default;

    /// <summary>Opens the counters of a document, ordered by name.</summary>
    /// <param name="document">Key.</param>
    public CounterList List(ReadOnlySpan<byte> document) => new(_table, document);

    /// <summary>All counters of a document, ordered by name.</summary>
    /// <param name="document">Key.</param>
    public List<CounterDetail> All(ReadOnlySpan<byte> document)
    {
        var all = new List<CounterDetail>();
        using CounterList counters = List(document);
        while (counters.MoveNext())
        {
            all.Add(CounterDetail.Of(counters.Current, default));
        }

        return all;
    }

}
