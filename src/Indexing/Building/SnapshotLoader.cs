using System.Buffers;
using System.Text;
using Jackdaw.Documents;
using Jackdaw.Documents.Attachments;
using Jackdaw.Documents.CompareExchange;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Reading;
using Jackdaw.Documents.Rows;
using Jackdaw.Indexing.Definitions.Rows;
using Jackdaw.Indexing.Definitions.Values;
using Jackdaw.Storage.Tables;

namespace Jackdaw.Indexing.Building;

/// <summary>Reads the documents that a mapping asks for from the snapshot of its batch. One thread.</summary>
/// <param name="database">The database, whose kinds of extensions maps see in the metadata.</param>
internal sealed class SnapshotLoader(IReadableDatabase database) : IDocumentLoader
{
    private readonly ArrayBufferWriter<byte> _whole = new();
    private string _collection = ""; // that of the document before, which most documents have too
    private byte[] _collectionUtf8 = [];

    /// <summary>The snapshot; set before each batch.</summary>
    public DocumentReadScope? Snapshot { get; set; }

    public bool TryLoad(string id, string? collection, DocumentText destination)
    {
        Span<byte> key = stackalloc byte[DocumentIds.KeyBytesMax];
        if (DocumentIds.TryMakeKey(id, key, out int length) != DocumentIdFault.None
            || !Snapshot!.TryGet(key[..length], out StoredDocument document)
            || (collection is not null && !IsOf(document, collection)))
        {
            return false;
        }

        destination.Read(document.BodyWith(database.Extensions), OriginOf(document));
        return true;
    }

    public bool TryLoadValue(string name, DocumentText destination)
    {
        byte[] key = new byte[DocumentIds.KeyBytesMax];
        if (DocumentIds.TryMakeKey(name, key, out int length) != DocumentIdFault.None
            || !CompareExchangeTable.Open(Snapshot!.Transaction).TryGetByKey(key.AsSpan(0, length), out TableRow row))
        {
            return false;
        }

        destination.Read(new CompareExchangeRow(row).Value, new DocumentOrigin(name));
        return true;
    }

    public string? LoadContent(string hash, int bytesMax, out long bytes)
    {
        byte[]? content = ContentReader.ReadWhole(Snapshot!, Convert.FromBase64String(hash), bytesMax, out bytes);
        return content is null ? null : Encoding.UTF8.GetString(content);
    }

    /// <summary>The text of a document as a mapping gets it; valid until the next call.</summary>
    /// <param name="isWhole">The text has all metadata that the server keeps.</param>
    public ReadOnlySpan<byte> TextOf(scoped in StoredDocument document, bool isWhole)
    {
        if (!isWhole)
        {
            return document.BodyWith(database.Extensions);
        }

        _whole.Clear();
        DocumentAnswers.WriteForPaths(_whole, database, document);
        return _whole.WrittenSpan;
    }

    /// <summary>What a mapping can see of a document besides its text.</summary>
    public DocumentOrigin OriginOf(in StoredDocument document) => new(
        Encoding.UTF8.GetString(document.Id),
        CollectionOf(document),
        LastModifiedTicks: document.LastModifiedTicks)
    {
        Kept = new KeptMetadata(document.Etag, document.ChangeVector.ToArray(), document.Flags, database.Replica, database.Extensions),
    };

    private string CollectionOf(in StoredDocument document)
    {
        if (!document.Collection.SequenceEqual(_collectionUtf8))
        {
            _collectionUtf8 = document.Collection.ToArray();
            _collection = Encoding.UTF8.GetString(_collectionUtf8);
        }

        return _collection;
    }

    private static bool IsOf(in StoredDocument document, string collection) =>
        CollectionNameComparer.AreSame(Encoding.UTF8.GetString(document.Collection), collection);
}
