using Jackdaw.Documents.Commands;
using Jackdaw.Documents.CompareExchange;
using Jackdaw.Documents.Counters;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Reading;
using Jackdaw.Documents.Rows;
using Jackdaw.Json.Tape;
using Jackdaw.Storage.Tables;

namespace Jackdaw.Documents.Patching;

/// <summary>The database as a patch sees it: one snapshot, and over it what the earlier commands of the batch will have done. Notes the
/// version of all that was read from the snapshot, so that the writer can check that it is still the stored one.</summary>
/// <remarks>One thread at a time, on that of the request. Lives as long as the snapshot, except for what it noted.</remarks>
/// <param name="database">Whose documents.</param>
/// <param name="read">The snapshot.</param>
/// <param name="numbers">Numbers for ids that end with '/'.</param>
internal sealed class PatchView(IReadableDatabase database, DocumentReadScope read, PatchNumbers numbers)
{
    /// <summary>Bytes counted for each version that was noted: a key and a change vector as texts, and their place.</summary>
    private const int NoteBytes = 256;

    // Null: removed. The step tells what came first, the write or the deletion of a prefix.
    private readonly Dictionary<byte[], (ViewedDocument? Document, int Step)> _written = new(ByteTextComparer.Instance);
    private readonly Dictionary<byte[], ExpectedVersion> _versions = new(ByteTextComparer.Instance);
    private readonly Dictionary<byte[], long> _indexes = new(ByteTextComparer.Instance);
    private readonly LastPrefixes _removedPrefixes = new();
    private int _step;

    public CounterView Counters { get; } = new(read);

    public IReadableDatabase Database => database;

    /// <summary>Keys of documents that were read from the snapshot, and their versions: missing ones, too.</summary>
    public IReadOnlyDictionary<byte[], ExpectedVersion> Versions => _versions;

    /// <summary>Keys of compare exchange values that were read, and their indexes; 0: there was none.</summary>
    public IReadOnlyDictionary<byte[], long> Indexes => _indexes;

    /// <summary>Bytes of what was noted.</summary>
    public long NotedBytes => (long)(_versions.Count + _indexes.Count) * NoteBytes;

    /// <summary>Etag of the last write in the snapshot.</summary>
    public Etag LastEtag => read.LastEtag;

    /// <summary>Finds a document; null when there is none.</summary>
    public ViewedDocument? Find(ReadOnlySpan<byte> key)
    {
        if (IsDecided(key, out ViewedDocument? known))
        {
            return known;
        }

        ViewedDocument? found = read.TryGet(key, out StoredDocument stored) ? ViewedDocument.Of(stored, database) : null;
        _versions.GetAlternateLookup<ReadOnlySpan<byte>>()[key] = found?.Version ?? ExpectedVersion.Missing;
        return found;
    }

    /// <summary>Whether a document is the demanded version. One that the batch itself writes is none that a client can have named.</summary>
    public static bool IsMet(ExpectedVersion expected, ViewedDocument? found) => expected.Kind switch
    {
        ExpectedVersionKind.Any => true,
        ExpectedVersionKind.Missing => found is null,
        _ => found is { IsStored: true } && found.ChangeVector == expected.Text,
    };

    /// <summary>A document is written after the snapshot.</summary>
    /// <remarks>What the document has beside its text stays; it is read without a note, as no script decides by it.</remarks>
    public void Put(PutCommand put)
    {
        byte[] key = put.Key.ToArray();
        if (!IsDecided(key, out ViewedDocument? before) && read.TryGet(key, out StoredDocument stored))
        {
            before = ViewedDocument.WithoutForm(stored, database);
        }

        _written[key] = (ViewedDocument.Of(put, before), ++_step);
    }

    /// <summary>A document is deleted after the snapshot.</summary>
    public void Remove(byte[] key)
    {
        _written[key] = (null, ++_step);
        Counters.Remove(key);
    }

    /// <summary>All documents whose keys begin with a text are deleted after the snapshot.</summary>
    public void RemovePrefix(ReadOnlySpan<byte> prefix)
    {
        _removedPrefixes.Set(prefix, ++_step);
        Counters.RemoveAll(prefix);
    }

    /// <summary>The member Object of a compare exchange value; null when there is none.</summary>
    public ReadOnlyMemory<byte>? FindCompareExchange(ReadOnlySpan<byte> key)
    {
        bool isThere = CompareExchangeTable.Open(read.Transaction).TryGetByKey(key, out TableRow row);
        _indexes.GetAlternateLookup<ReadOnlySpan<byte>>()[key] = isThere ? new CompareExchangeRow(row).Index : 0;
        if (!isThere)
        {
            return null;
        }

        using var tape = new JsonTape();
        return tape.Read(new CompareExchangeRow(row).Value)["Object"u8].Source.ToArray();
    }

    /// <summary>Completes an id that ends with '/' by a number that nobody else takes, as far as the snapshot tells.</summary>
    /// <param name="prefix">With room for a number.</param>
    /// <param name="prefixKey">The prefix in lower case.</param>
    /// <returns>Null: no number is free.</returns>
    public byte[]? CompleteId(ReadOnlySpan<byte> prefix, ReadOnlySpan<byte> prefixKey)
    {
        ReadOnlySpan<byte> node = database.Replica.Node.Bytes;
        int suffixBytes = DocumentIds.NumberDigits + 1 + node.Length;
        var probe = new NumberProbe(this, prefixKey, stackalloc byte[prefixKey.Length + suffixBytes]);
        if (!FreeNumbers.TryFind(ref probe, numbers.Next(LastEtag) - 1, out long free))
        {
            return null;
        }

        numbers.Raise(free);
        Find(probe.Key); // The writer is to check this one, and none of those before.
        byte[] id = new byte[prefix.Length + suffixBytes];
        DocumentIds.AppendNumber(prefix, free, node, id);
        return id;
    }

    // Whether what the batch does says what there is; null: nothing.
    private bool IsDecided(ReadOnlySpan<byte> key, out ViewedDocument? known)
    {
        int removed = _removedPrefixes.LastOf(key);
        bool isWritten = _written.GetAlternateLookup<ReadOnlySpan<byte>>().TryGetValue(key, out (ViewedDocument? Document, int Step) written)
            && written.Step > removed;
        known = isWritten ? written.Document : null;
        return isWritten || removed >= 0;
    }

    // Asks without a copy and without a note.
    private bool Exists(ReadOnlySpan<byte> key) =>
        IsDecided(key, out ViewedDocument? known) ? known is not null : read.TryGet(key, out _);

    private readonly ref struct NumberProbe(PatchView view, ReadOnlySpan<byte> prefix, Span<byte> key) : INumberProbe
    {
        private readonly PatchView _view = view;
        private readonly ReadOnlySpan<byte> _prefix = prefix;
        private readonly Span<byte> _key = key;

        /// <summary>Of the last number.</summary>
        public ReadOnlySpan<byte> Key => _key;

        public bool IsTaken(long number)
        {
            DocumentIds.AppendNumber(_prefix, number, _view.Database.Replica.Node.KeyBytes, _key);
            return _view.Exists(_key);
        }
    }
}

/// <summary>Numbers that patches of one database give to new documents. Any thread.</summary>
/// <remarks>Greater than the etags that were known when they were taken, as the numbers of other new documents are; one that another write
/// took meanwhile is found by its version, and the patch takes another.</remarks>
internal sealed class PatchNumbers
{
    /// <summary>Largest number that is kept: a document of the last number must not leave all others without one.</summary>
    private const long RaisedMax = long.MaxValue / 2;

    private readonly Lock _lock = new(); // Guards the last number.
    private long _last;

    /// <param name="known">The last etag of the snapshot.</param>
    public long Next(Etag known)
    {
        lock (_lock)
        {
            return _last = Math.Max(_last, known.Value) + 1;
        }
    }

    /// <summary>A number was taken that is larger than those given before: all below it were taken, too.</summary>
    public void Raise(long taken)
    {
        lock (_lock)
        {
            _last = taken <= RaisedMax ? Math.Max(_last, taken) : _last;
        }
    }
}
