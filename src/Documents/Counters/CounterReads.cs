using Jackdaw.Documents.Identity;
using Jackdaw.Storage.Tables;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Documents.Counters;

/// <summary>The counters of a snapshot. It is valid as long as the snapshot. One thread at a time.</summary>
internal sealed class CounterReads(ReadTransaction read)
{
    private readonly Table _table = CounterTable.Open(read, read.Trees);

    /// <summary>The number of counters of all documents.</summary>
    public long Count => _table.Count;

    /// <summary>The etag of the last write of an existing counter; None when there are no counters.</summary>
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
    /// <param name="document">The key of the document.</param>
    /// <param name="name">The name in UTF-8, in any casing. An invalid name is not found.</param>
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
    /// <param name="document">The key of the document.</param>
    public CounterList List(ReadOnlySpan<byte> document) => new(_table, document);

    /// <summary>All counters of a document, ordered by name.</summary>
    /// <param name="document">The key of the document.</param>
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
