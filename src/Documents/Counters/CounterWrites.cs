using System.Buffers.Binary;
using Jackdaw.Documents.Changes;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Rows;
using Jackdaw.Storage.Tables;

namespace Jackdaw.Documents.Counters;

/// <summary>The counters as one write transaction sees them. Writer thread.</summary>
/// <remarks>Each write takes an etag. When the names of a document's counters change, the caller tells the document
/// (<see cref="DocumentTransaction.Extend"/>).</remarks>
internal sealed class CounterWrites
{
    /// <summary>The most bytes of all names of one document's counters: the row of the document has all of them, and is written again for each new
    /// one.</summary>
    public const int NamesBytesMax = 256 * 1024;

    private readonly DocumentTransaction _documents;
    private readonly Table _table;

    // The bytes of names by the key of the document, for documents that got a new name in this transaction.
    private readonly Dictionary<byte[], int> _nameBytes = new(ByteTextComparer.Instance);

    private CounterWrites(DocumentTransaction documents)
    {
        _documents = documents;
        _table = CounterTable.Open(documents.Transaction, documents.Transaction.Trees);
    }

    /// <summary>The counters of a transaction: one object for all its commands.</summary>
    public static CounterWrites Of(DocumentTransaction documents) => documents.OpenOnce(static inner => new CounterWrites(inner));

    public bool TryFind(ReadOnlySpan<byte> key, out CounterRow row)
    {
        bool isFound = _table.TryGetByKey(CounterTable.ByKey, key, out TableRow found);
        row = new CounterRow(found);
        return isFound;
    }

    /// <summary>Sets a counter that is stored.</summary>
    /// <param name="document">The document of the counter.</param>
    /// <param name="stored">The row as it was found in this transaction; invalid afterwards.</param>
    /// <param name="kind">The kind of change, for the feed of changes.</param>
    public Etag Set(DocumentRow document, CounterRow stored, long value, ChangeKind kind)
    {
        Etag etag = TakeEtag(kind, document, stored.Name, value);
        ReadOnlySpan<byte> before = stored.Row.Bytes;
        Span<byte> row = stackalloc byte[before.Length]; // at most a key, a name and some bytes: 2 KB
        before.CopyTo(row);
        CounterTable.SetValue(row, etag, value);
        _table.Update(stored.Row, row);
        return etag;
    }

    /// <summary>Adds a counter that is not stored.</summary>
    /// <param name="etag">The etag of the write.</param>
    /// <returns>False, without any change, when the document would have more names than <see cref="NamesBytesMax"/>.</returns>
    public bool TryAdd(DocumentRow document, ReadOnlySpan<byte> key, ReadOnlySpan<byte> name, long value, ChangeKind kind, out Etag etag)
    {
        etag = Etag.None;
        if (!TryAddName(key, name))
        {
            return false;
        }

        etag = TakeEtag(kind, document, name, value);
        _table.Insert(CounterTable.BuildRow(key, name, etag, value));
        return true;
    }

    /// <summary>Deletes a counter that is stored.</summary>
    /// <param name="stored">The row as it was found in this transaction; invalid afterwards.</param>
    public Etag Delete(DocumentRow document, CounterRow stored)
    {
        Etag etag = TakeEtag(ChangeKind.ExtensionDelete, document, stored.Name, 0);
        if (_nameBytes.Count > 0)
        {
            _nameBytes.GetAlternateLookup<ReadOnlySpan<byte>>().Remove(ExtensionKeys.DocumentOf(stored.Key));
        }

        _table.Delete(stored.Row);
        return etag;
    }

    /// <summary>Deletes all counters of a document. They take no etags, because the deletion of the document has one.</summary>
    /// <param name="document">The key of the document.</param>
    public void DeleteAll(ReadOnlySpan<byte> document)
    {
        _nameBytes.GetAlternateLookup<ReadOnlySpan<byte>>().Remove(document);
        Span<byte> prefix = stackalloc byte[document.Length + 1];
        ExtensionKeys.MakePrefix(document, prefix);
        while (TryFindFirst(prefix, out TableRow row))
        {
            _table.Delete(row);
        }
    }

    /// <summary>Opens the counters of a document, ordered by name.</summary>
    /// <param name="document">The key of the document.</param>
    public CounterList List(ReadOnlySpan<byte> document) => new(_table, document);

    private Etag TakeEtag(ChangeKind kind, DocumentRow document, ReadOnlySpan<byte> name, long value)
    {
        Span<byte> payload = stackalloc byte[sizeof(long)];
        BinaryPrimitives.WriteInt64LittleEndian(payload, value);
        return _documents.TakeEtag(kind, CounterExtension.Instance, document.Id, document.Collection, name, payload);
    }

    private bool TryFindFirst(ReadOnlySpan<byte> prefix, out TableRow row)
    {
        using TableKeyCursor cursor = _table.OpenKeys(CounterTable.ByKey);
        bool isFound = cursor.SeekPrefix(prefix);
        row = isFound ? cursor.Row : default;
        return isFound;
    }

    private bool TryAddName(ReadOnlySpan<byte> key, ReadOnlySpan<byte> name)
    {
        ReadOnlySpan<byte> document = ExtensionKeys.DocumentOf(key);
        Dictionary<byte[], int>.AlternateLookup<ReadOnlySpan<byte>> known = _nameBytes.GetAlternateLookup<ReadOnlySpan<byte>>();
        if (!known.TryGetValue(document, out int bytes))
        {
            using CounterList counters = List(document);
            while (counters.MoveNext())
            {
                bytes += counters.Current.Name.Length;
            }
        }

        bytes += name.Length;
        bool fits = bytes <= NamesBytesMax;
        if (fits)
        {
            known[document] = bytes;
        }

        return fits;
    }
}
