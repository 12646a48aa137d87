using Jackdaw.Storage.Tables;

namespace Jackdaw.Documents.Rows;

/// <summary>The table of tombstones: which document was deleted from which collection, and when.</summary>
/// <remarks>
/// A tombstone of (document, collection) exists only while no document of that id is in that collection: a reader of documents and tombstones of a collection
/// by etag, in any order, ends with the right state.
/// <code>
/// column              bytes  content
/// etag                    8  little-endian; of the deletion
/// last modified           8  UTC ticks
/// key                        document key, 0, collection key: ids hold no NUL
/// id                         the id; empty when it equals the document key
/// collection key             in lower case
/// collection                 as in the document; empty when it equals its key
/// change vector              empty, and not in the row, when it is only the local replica's entry for the etag
/// </code>
/// The same table is in docs/formats/documents.md.
/// </remarks>
internal static class TombstoneTable
{
    public const int EtagColumn = 0;
    public const int LastModifiedColumn = 1;
    public const int KeyColumn = 2;
    public const int IdColumn = 3;
    public const int CollectionKeyColumn = 4;
    public const int CollectionColumn = 5;
    public const int ChangeVectorColumn = 6;

    static TombstoneTable()
    {
        Schema = new TableSchema(
            "Tombstones",
            new TableColumn("etag", sizeof(long)),
            new TableColumn("last modified", sizeof(long)),
            new TableColumn("key"),
            new TableColumn("id"),
            new TableColumn("collection key"),
            new TableColumn("collection"),
            new TableColumn("change vector") { Default = ReadOnlyMemory<byte>.Empty });
        ByKey = Schema.AddKeyIndex("key", KeyColumn);
        ByEtag = Schema.AddNumberIndex("etag", EtagColumn);
        ByCollection = Schema.AddPartitionedNumberIndex("collection", CollectionKeyColumn, EtagColumn);
    }

    public static TableSchema Schema { get; }

    public static TableIndex ByKey { get; }

    public static TableIndex ByEtag { get; }

    public static TableIndex ByCollection { get; }
}
