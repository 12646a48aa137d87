using System.Buffers.Binary;
using Jackdaw.Storage;
using Jackdaw.Storage.Tables;
using Jackdaw.Storage.Transactions;
using Jackdaw.Storage.Trees;

namespace Jackdaw.Documents.Attachments;

/// <summary>The table of contents of attachments, each stored once, and the trees with their bytes.</summary>
/// <remarks>
/// <code>
/// column              bytes  content
/// number                  8  little-endian; names the chunks; unique
/// size                    8  little-endian; bytes
/// references              8  little-endian; 1 or more
/// hash                   32  SHA-256
/// </code>
/// Tree "AttachmentChunks": number (8, big-endian), index of the chunk from 0 (4, big-endian) -> its bytes.
/// Tree "LooseContents": number (8, big-endian) -> UTC ticks (8) of the moment since which no row names the chunks of this number; 0 -> last number that was
/// given out. The same is in docs/formats/attachments.md.
/// </remarks>
internal static class ContentTable
{
    public const int NumberColumn = 0;
    public const int SizeColumn = 1;
    public const int ReferencesColumn = 2;
    public const int HashColumn = 3;

    /// <summary>The bytes of a hash.</summary>
    public const int HashBytes = 32;

    public const int ChunkKeyBytes = sizeof(long) + sizeof(int);
    public const string ChunksName = "AttachmentChunks";
    public const string LooseName = "LooseContents";

    static ContentTable()
    {
        Schema = new TableSchema(
            "AttachmentContents",
            new TableColumn("number", sizeof(long)),
            new TableColumn("size", sizeof(long)),
            new TableColumn("references", sizeof(long)),
            new TableColumn("hash"));
        ByHash = Schema.AddKeyIndex("hash", HashColumn);
    }

    public static TableSchema Schema { get; }

    public static TableIndex ByHash { get; }

    /// <summary>The contents of a snapshot.</summary>
    public static Table Open(ReadTransaction read) => new(read, read.Trees, Schema);

    public static byte[] BuildRow(long number, long size, long references, ReadOnlySpan<byte> hash)
    {
        using var builder = new TableRowBuilder(Schema, HashBytes + (3 * sizeof(long)));
        return builder.AddInt64(number).AddInt64(size).AddInt64(references).Add(hash).Finish().ToArray();
    }

    /// <summary>The number of chunks of a content with a size.</summary>
    public static int ChunkCount(long size) => checked((int)((size + AttachmentLimits.ChunkBytes - 1) / AttachmentLimits.ChunkBytes));

    /// <param name="key"><see cref="ChunkKeyBytes"/>.</param>
    public static void MakeChunkKey(long number, int index, Span<byte> key)
    {
        BinaryPrimitives.WriteInt64BigEndian(key, number);
        BinaryPrimitives.WriteInt32BigEndian(key[sizeof(long)..], index);
    }

    /// <summary>The bytes of one chunk in a snapshot: a view of its pages.</summary>
    /// <exception cref="CorruptionException">The chunk is missing, although a row names its content.</exception>
    public static ReadOnlySpan<byte> ReadChunk(ReadTransaction read, long number, int index)
    {
        byte[] key = new byte[ChunkKeyBytes];
        MakeChunkKey(number, index, key);
        BTree? chunks = read.Trees.FindTree(ChunksName);
        return chunks is not null && chunks.TryGet(key, out ReadOnlySpan<byte> bytes)
            ? bytes
            : throw new CorruptionException($"Chunk {index} of attachment content {number} is missing.");
    }
}

/// <summary>A row of <see cref="ContentTable"/>, read. A view: valid as long as the row.</summary>
internal readonly ref struct ContentRow(TableRow row)
{
    public TableRow Row { get; } = row;

    public long Number => Row.GetInt64(ContentTable.NumberColumn);

    /// <summary>Bytes.</summary>
    public long Size => Row.GetInt64(ContentTable.SizeColumn);

    public long References => Row.GetInt64(ContentTable.ReferencesColumn);
}
