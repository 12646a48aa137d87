using Jackdaw.Documents.Commands;
using Jackdaw.Documents.CompareExchange;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Reading;
using Jackdaw.Documents.Rows;
using Jackdaw.Json.Tape;
using Jackdaw.Storage.Tables;

namespace Jackdaw.Documents.Patching;

/// <summary>The database as a patch sees it: one snapshot, changed by the earlier commands of the batch. It notes the versions of all documents that were read
/// from the snapshot, so that the writer can check that they are still the stored ones.</summary>
/// <remarks>It is used on the thread of the request. It is valid as long as the snapshot, but the noted versions stay valid.</remarks>
/// <param name="database">The database of the documents.</param>
/// <param name="read">The snapshot.</param>
/// <param name="numbers">Numbers for ids that end with '/'.</param>
internal sealed class PatchView(IReadableDatabase database, DocumentReadScope read, PatchNumbers numbers)
{
    /// <summary>The bytes that are counted for each noted version: a key and a change vector as texts, and their place.</summary>
    private const int NoteBytes = 256;

    // Null for a removed document. The step tells whether the write or the deletion of a prefix came first.
    private readonly Dictionary<byte[], (ViewedDocument? Document, int Step)> _written = new(ByteTextComparer.Instance);
    private readonly Dictionary<byte[], ExpectedVersion> _versions = new(ByteTextComparer.Instance);
    private readonly Dictionary<byte[], long> _indexes = new(ByteTextComparer.Instance);
    private readonly LastPrefixes _removedPrefixes = new();
    private int _step;

    /// <summary>The extensions that scripts can read and change.</summary>
    public IReadOnlyList<ExtensionView> Extensions { get; } =
        Array.ConvertAll(database.Extensions.Of<IPatchedExtension>(), extension => extension.View(database, read));

    public IReadableDatabase Database => database;

    /// <summary>The keys of documents that were read from the snapshot, including missing ones, and their versions.</summary>
    public IReadOnlyDictionary<byte[], ExpectedVersion> Versions => _versions;

    /// <summary>The keys of compare exchange values that were read, and their indexes; 0 for a missing value.</summary>
    public IReadOnlyDictionary<byte[], long> Indexes => _indexes;

    /// <summary>The bytes of everything that was noted.</summary>
    public long NotedBytes => (long)(_versions.Count + _indexes.Count) * NoteBytes;

    /// <summary>The etag of the last write in the snapshot.</summary>
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

    /// <summary>Whether a document has the demanded version. No client can have named the version of a document that the batch itself writes.</summary>
    public static bool IsMet(ExpectedVersion expected, ViewedDocument? found) => expected.Kind switch
    {
        ExpectedVersionKind.Any => true,
        ExpectedVersionKind.Missing => found is null,
        _ => found is { IsStored: true } && found.ChangeVector == expected.Text,
    };

    /// <summary>The extension that has a function.</summary>
    public ExtensionView ViewOf(string function) =>
        Extensions[Array.FindIndex(database.Extensions.Of<IPatchedExtension>(), extension => extension.Functions.Contains(function))];

    /// <summary>Notes that a document will be written after the snapshot.</summary>
    /// <remarks>The document keeps its extensions. They are read without a note, because no script can depend on them.</remarks>
    public void Put(PutCommand put)
    {
        byte[] key = put.Key.ToArray();
        if (!IsDecided(key, out ViewedDocument? before) && read.TryGet(key, out StoredDocument stored))
        {
            before = ViewedDocument.WithoutForm(stored, database);
        }

        _written[key] = (ViewedDocument.Of(put, before), ++_step);
    }

    /// <summary>Notes that a document will be deleted after the snapshot.</summary>
    public void Remove(byte[] key)
    {
        _written[key] = (null, ++_step);
        foreach (ExtensionView extension in Extensions)
        {
            extension.Remove(key);
        }
    }

    /// <summary>Notes that all documents whose keys begin with a text will be deleted after the snapshot.</summary>
    public void RemovePrefix(ReadOnlySpan<byte> prefix)
    {
        _removedPrefixes.Set(prefix, ++_step);
        foreach (ExtensionView extension in Extensions)
        {
            extension.RemoveAll(prefix);
        }
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
    /// <param name="prefix">The prefix, with room for a number.</param>
    /// <param name="prefixKey">The prefix in lower case.</param>
    /// <returns>Null when no number is free.</returns>
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
        Find(probe.Key); // The writer has to check this number, but none of the numbers before.
        byte[] id = new byte[prefix.Length + suffixBytes];
        DocumentIds.AppendNumber(prefix, free, node, id);
        return id;
    }

    // Whether the batch itself decides about the document; null when the batch removes it.
    private bool IsDecided(ReadOnlySpan<byte> key, out ViewedDocument? known)
    {
        int removed = _removedPrefixes.LastOf(key);
        bool isWritten = _written.GetAlternateLookup<ReadOnlySpan<byte>>().TryGetValue(key, out (ViewedDocument? Document, int Step) written)
            && written.Step > removed;
        known = isWritten ? written.Document : null;
        return isWritten || removed >= 0;
    }

    // Checks without a copy and without a note.
    private bool Exists(ReadOnlySpan<byte> key) =>
        IsDecided(key, out ViewedDocument? known) ? known is not null : read.TryGet(key, out _);

    private readonly ref struct NumberProbe(PatchView view, ReadOnlySpan<byte> prefix, Span<byte> key) : INumberProbe
    {
        private readonly PatchView _view = view;
        private readonly ReadOnlySpan<byte> _prefix = prefix;
        private readonly Span<byte> _key = key;

        /// <summary>The key of the last number.</summary>
        public ReadOnlySpan<byte> Key => _key;

        public bool IsTaken(long number)
        {
            DocumentIds.AppendNumber(_prefix, number, _view.Database.Replica.Node.KeyBytes, _key);
            return _view.Exists(_key);
        }
    }
}

/// <summary>The numbers that patches of one database give to new documents. Any thread.</summary>
/// <remarks>They are greater than the etags that were known when they were taken, like the numbers of other new documents. When another write takes the same
/// number, the check of versions finds it, and the patch takes another number.</remarks>
internal sealed class PatchNumbers
{
    /// <summary>The largest number that is remembered: a document with the last number must not leave all others without one.</summary>
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

    /// <summary>Notes that a larger number was taken than those before; all numbers below it were taken too.</summary>
    public void Raise(long taken)
    {
        lock (_lock)
        {
            _last = taken <= RaisedMax ? Math.Max(_last, taken) : _last;
        }
    }
}
