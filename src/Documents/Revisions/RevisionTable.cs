using System.Buffers.Binary;
using Jackdaw.Documents.Extensions;
using Jackdaw.Documents.Identity;
using Jackdaw.Storage.Tables;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Documents.Revisions;

/// <summary>The table of revisions: versions of documents, the current ones included, and deletions.</summary>
/// <remarks>
/// A revision has the etag of the write that made its version, so that its change vector is that of the document. No two writes share an etag.
/// <code>
/// column              bytes  content
/// etag                    8  little-endian; that of the document, or of the tombstone
/// last modified           8  UTC ticks; that of the document
/// flags                   4  DocumentFlags; with Revision or DeleteRevision
/// metadata offset         4  where in the body the object of @metadata begins
/// key                        document key, 0, etag big-endian: ids hold no NUL
/// id                         the id; empty when it equals the document key
/// collection key             in lower case
/// collection                 as in the document; empty when it equals its key
/// body                       canonical JSON; of a deletion only the metadata with the collection
/// change vector              empty, and not in the row, when it is only the local replica's entry for the etag
/// attachments                JSON array of what @attachments shows; empty for none
/// counters                   JSON object of what @counters-snapshot shows; empty for none
/// time series                JSON object of what @timeseries-snapshot shows; empty for none
/// extension 3 to 7           for extensions to come (ExtensionColumns); empty, and in no row
/// </code>
/// The same table is in docs/formats/revisions.md.
/// </remarks>
internal static class RevisionTable
{
    public const int EtagColumn = 0;
    public const int LastModifiedColumn = 1;
    public const int FlagsColumn = 2;
    public const int MetadataOffsetColumn = 3;
    public const int KeyColumn = 4;
    public const int IdColumn = 5;
    public const int CollectionKeyColumn = 6;
    public const int CollectionColumn = 7;
    public const int BodyColumn = 8;
    public const int ChangeVectorColumn = 9;

    /// <summary>The column of the first slot of extensions; the others follow.</summary>
    public const int ExtensionsColumn = 10;

    /// <summary>The bytes of a key besides those of the document's key.</summary>
    public const int KeySuffixBytes = 1 + sizeof(long);

    /// <summary>The bytes of the longest key.</summary>
    public const int KeyBytesMax = DocumentIds.KeyBytesMax + KeySuffixBytes;

    static RevisionTable()
    {
        Schema = new TableSchema(
            "Revisions",
            [
                new TableColumn("etag", sizeof(long)),
                new TableColumn("last modified", sizeof(long)),
                new TableColumn("flags", sizeof(int)),
                new TableColumn("metadata offset", sizeof(int)),
                new TableColumn("key"),
                new TableColumn("id"),
                new TableColumn("collection key"),
                new TableColumn("collection"),
                new TableColumn("body"),
                new TableColumn("change vector") { Default = ReadOnlyMemory<byte>.Empty },
                .. ExtensionColumns.Make(since: 1),
            ]);
        ByKey = Schema.AddKeyIndex("key", KeyColumn);
        ByEtag = Schema.AddNumberIndex("etag", EtagColumn);
    }

    public static TableSchema Schema { get; }

    /// <summary>In this index the revisions of a document follow one another, the oldest first.</summary>
    public static TableIndex ByKey { get; }

    public static TableIndex ByEtag { get; }

    /// <summary>The revisions of a snapshot.</summary>
    public static Table Open(ReadTransaction read) => new(read, read.Trees, Schema);

    /// <summary>Writes the key of one revision.</summary>
    /// <param name="key">The key of the document.</param>
    /// <param name="destination">At least <see cref="KeySuffixBytes"/> bytes longer than the key.</param>
    /// <returns>The bytes written.</returns>
    public static int MakeKey(ReadOnlySpan<byte> key, Etag etag, Span<byte> destination)
    {
        key.CopyTo(destination);
        destination[key.Length] = 0;
        BinaryPrimitives.WriteInt64BigEndian(destination[(key.Length + 1)..], etag.Value);
        return key.Length + KeySuffixBytes;
    }
}
