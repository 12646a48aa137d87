using System.Buffers.Binary;
using System.Diagnostics;
using System.Text;
using Jackdaw.Documents.Identity;
using Jackdaw.Storage;
using Jackdaw.Storage.Trees;

namespace Jackdaw.Documents.Rows;

/// <summary>The names and sizes of the collections, and the last etag, in one write transaction. Writer thread.</summary>
/// <remarks>
/// Tree "Collections": collection key -> documents (8), bytes of their rows (8), bytes of tombstones (8), name as first given. The keys FF and FE, which are
/// not valid UTF-8 and so cannot be names, have the last etag (8), and the etag up to which tombstones may have been trimmed (8), once they were. Entries stay
/// when a collection becomes empty, and so does its first spelling. Changes are collected here and written once per transaction, because otherwise a put would
/// touch one more page.
/// </remarks>
internal sealed class CollectionLedger
{
    private const string TreeName = "Collections";
    private const int NameOffset = 3 * sizeof(long);

    private readonly TreeCatalog _catalog;
    private readonly Dictionary<byte[], Account> _accounts = new(ByteTextComparer.Instance);
    private Account? _last;
    private Etag _trimmed;

    public CollectionLedger(TreeCatalog catalog) => _catalog = catalog;

    /// <summary>Whether there is something to save.</summary>
    public bool IsChanged { get; private set; }

    private static ReadOnlySpan<byte> EtagKey => [0xFF];

    private static ReadOnlySpan<byte> TrimmedKey => [0xFE];

    /// <summary>The last stored etag; None in a new database.</summary>
    public static Etag ReadLastEtag(TreeCatalog catalog) => ReadEtag(catalog, EtagKey);

    /// <summary>Tombstones up to this etag may have been trimmed; None when none was.</summary>
    public static Etag ReadTrimmedEtag(TreeCatalog catalog) => ReadEtag(catalog, TrimmedKey);

    /// <summary>Whether a collection has or had documents.</summary>
    public static bool Has(TreeCatalog catalog, ReadOnlySpan<byte> key) => catalog.FindTree(TreeName) is { } tree && tree.TryGet(key, out _);

    /// <summary>One collection; null when it has no documents.</summary>
    public static CollectionCount? Find(TreeCatalog catalog, ReadOnlySpan<byte> key) =>
        catalog.FindTree(TreeName) is { } tree && tree.TryGet(key, out ReadOnlySpan<byte> value) ? ToCount(Parse(value)) : null;

    /// <summary>The collections with documents, ordered by key, without the hidden one.</summary>
    public static List<CollectionCount> Read(TreeCatalog catalog)
    {
        var counts = new List<CollectionCount>();
        if (catalog.FindTree(TreeName) is not { } tree)
        {
            return counts;
        }

        using BTreeCursor cursor = tree.OpenCursor();
        for (bool on = cursor.SeekFirst(); on; on = cursor.MoveNext())
        {
            if (cursor.Key.SequenceCompareTo(TrimmedKey) < 0 && !HiddenCollection.Is(cursor.Key) && ToCount(Parse(cursor.Value)) is { } count)
            {
                counts.Add(count);
            }
        }

        return counts;
    }

    /// <summary>The documents of a collection, as the transaction has changed them.</summary>
    public long CountOf(ReadOnlySpan<byte> key) => Find(key, key).Documents;

    /// <summary>Notes documents that were added or removed.</summary>
    /// <param name="key">The collection in lower case.</param>
    /// <param name="name">Its spelling in this document, which is kept when it is the first.</param>
    public void AddDocuments(ReadOnlySpan<byte> key, ReadOnlySpan<byte> name, int documents, long bytes)
    {
        Account account = Find(key, name);
        account.Documents += documents;
        account.DocumentBytes += bytes;
        account.IsChanged = IsChanged = true;
        Debug.Assert(account.Documents >= 0 && account.DocumentBytes >= 0);
    }

    /// <summary>Notes tombstones that were added or removed.</summary>
    public void AddTombstones(ReadOnlySpan<byte> key, ReadOnlySpan<byte> name, long bytes)
    {
        Account account = Find(key, name);
        account.TombstoneBytes += bytes;
        account.IsChanged = IsChanged = true;
        Debug.Assert(account.TombstoneBytes >= 0);
    }

    /// <summary>Notes that tombstones up to an etag are gone.</summary>
    public void NoteTrimmed(Etag trimmed)
    {
        _trimmed = trimmed;
        IsChanged = true;
    }

    /// <summary>Writes what changed.</summary>
    public void Save(Etag lastEtag)
    {
        BTree tree = _catalog.CreateTree(TreeName);
        foreach ((byte[] key, Account account) in _accounts)
        {
            if (account.IsChanged)
            {
                Format(account, tree.Reserve(key, NameOffset + account.Name.Length));
                account.IsChanged = false;
            }
        }

        if (_trimmed != Etag.None)
        {
            BinaryPrimitives.WriteInt64LittleEndian(tree.Reserve(TrimmedKey, sizeof(long)), _trimmed.Value);
        }

        BinaryPrimitives.WriteInt64LittleEndian(tree.Reserve(EtagKey, sizeof(long)), lastEtag.Value);
        IsChanged = false;
    }

    private static Etag ReadEtag(TreeCatalog catalog, ReadOnlySpan<byte> key) =>
        catalog.FindTree(TreeName) is { } tree && tree.TryGet(key, out ReadOnlySpan<byte> value)
            ? new Etag(BinaryPrimitives.ReadInt64LittleEndian(value))
            : Etag.None;

    private static CollectionCount? ToCount(Account account) => account.Documents == 0
        ? null
        : new CollectionCount(Encoding.UTF8.GetString(account.Name), account.Documents, account.DocumentBytes, account.TombstoneBytes);

    private static Account Parse(ReadOnlySpan<byte> value)
    {
        if (value.Length <= NameOffset)
        {
            throw new CorruptionException($"An entry of the tree '{TreeName}' has {value.Length} bytes.");
        }

        return new Account
        {
            Documents = BinaryPrimitives.ReadInt64LittleEndian(value),
            DocumentBytes = BinaryPrimitives.ReadInt64LittleEndian(value[sizeof(long)..]),
            TombstoneBytes = BinaryPrimitives.ReadInt64LittleEndian(value[(2 * sizeof(long))..]),
            Name = value[NameOffset..].ToArray(),
        };
    }

    private static void Format(Account account, Span<byte> value)
    {
        BinaryPrimitives.WriteInt64LittleEndian(value, account.Documents);
        BinaryPrimitives.WriteInt64LittleEndian(value[sizeof(long)..], account.DocumentBytes);
        BinaryPrimitives.WriteInt64LittleEndian(value[(2 * sizeof(long))..], account.TombstoneBytes);
        account.Name.CopyTo(value[NameOffset..]);
    }

    // Most writes of a batch go to one collection, so the last collection is tried first.
    private Account Find(ReadOnlySpan<byte> key, ReadOnlySpan<byte> name)
    {
        if (_last is { } last && key.SequenceEqual(last.Key))
        {
            return last;
        }

        var accounts = _accounts.GetAlternateLookup<ReadOnlySpan<byte>>();
        if (!accounts.TryGetValue(key, out Account? account))
        {
            BTree? tree = _catalog.FindTree(TreeName);
            account = tree is not null && tree.TryGet(key, out ReadOnlySpan<byte> value)
                ? Parse(value)
                : new Account { Name = name.ToArray() };
            account.Key = key.ToArray();
            _accounts.Add(account.Key, account);
        }

        _last = account;
        return account;
    }

    private sealed class Account
    {
        public byte[] Key { get; set; } = [];

        public required byte[] Name { get; init; }

        public long Documents { get; set; }

        public long DocumentBytes { get; set; }

        public long TombstoneBytes { get; set; }

        public bool IsChanged { get; set; }
    }
}
