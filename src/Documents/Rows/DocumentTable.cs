using Jackdaw.Documents.Extensions;
using Jackdaw.Storage.Tables;

namespace Jackdaw.Documents.Rows;

/// <summary>The table of documents.</summary>
/// <remarks>
/// <code>
/// column              bytes  content
/// etag                    8  little-endian, filled by the writer thread
/// last modified           8  UTC ticks, filled by the writer thread
/// flags                   4  DocumentFlags
/// metadata offset         4  where in the body the object of @metadata begins
/// key                        the id in lower case
/// id                         the id as first given; empty when it equals the key
/// collection key             the collection in lower case
/// collection                 the collection as given; empty when it equals its key
/// body                       canonical JSON; of an archived document see ArchivedBody
/// change vector              empty, and not in the row, when it is only the local replica's entry for the etag
/// attachments                JSON array of what @attachments shows; empty for none
/// counters                   JSON array of what @counters shows; empty for none
/// time series                JSON array of what @timeseries shows; empty for none
/// extension 3 to 7           for extensions to come (ExtensionColumns); empty, and in no row
/// </code>
/// The same table is in docs/formats/documents.md.
/// </remarks>
internal static class DocumentTable
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

    static DocumentTable()
    {
        Schema = new TableSchema(
            "Documents",
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
                .. ExtensionColumns.Make(since: 2),
            ]);
        ByKey = Schema.AddKeyIndex("key", KeyColumn);
        ByEtag = Schema.AddNumberIndex("etag", EtagColumn);
        ByCollection = Schema.AddPartitionedNumberIndex("collection", CollectionKeyColumn, EtagColumn);
    }

    public static TableSchema Schema { get; }

    public static TableIndex ByKey { get; }

    public static TableIndex ByEtag { get; }

    public static TableIndex ByCollection { get; }
}
