using System.Text;
using Jackdaw.Documents;
using Jackdaw.Documents.Attachments;
using Jackdaw.Documents.CompareExchange;
using Jackdaw.Documents.Extensions;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Rows;
using Jackdaw.Indexing.Definitions.Rows;
using Jackdaw.Indexing.Definitions.Values;
using Jackdaw.Storage.Tables;

namespace Jackdaw.Indexing.Building;

/// <summary>Reads the documents that a mapping asks for from the snapshot of its batch. One thread.</summary>
/// <param name="extensions">The kinds of extensions that maps see in the metadata.</param>
internal sealed class SnapshotLoader(DocumentExtensions extensions) : IDocumentLoader
{
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

        destination.Read(document.BodyWith(extensions), OriginOf(document));
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

    /// <summary>What a mapping can see of a document besides its text.</summary>
    public static DocumentOrigin OriginOf(in StoredDocument document) => new(
        Encoding.UTF8.GetString(document.Id),
        Encoding.UTF8.GetString(document.Collection),
        LastModifiedTicks: document.LastModifiedTicks);

    private static bool IsOf(in StoredDocument document, string collection) =>
        CollectionNameComparer.AreSame(Encoding.UTF8.GetString(document.Collection), collection);
}
