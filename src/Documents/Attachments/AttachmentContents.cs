using System.Buffers.Binary;
using System.Diagnostics;
using Jackdaw.Documents.Rows;
using Jackdaw.Storage;
using Jackdaw.Storage.Tables;
using Jackdaw.Storage.Transactions;
using Jackdaw.Storage.Trees;

namespace Jackdaw.Documents.Attachments;

/// <summary>The contents of attachments as a write transaction sees them. Each is stored once, with a count of its references. Writer thread.</summary>
/// <remarks>
/// The chunks of one number are in one of these states. The collector removes loose ones that nobody holds.
/// <code>
/// (none) --BeginUpload--> loose --AddReference of a content with this number--> owned by a row
/// (none) --AddReference of a content with its bytes-----------------------------> owned by a row
/// owned --last RemoveReference--> loose --RemoveChunks--> (none)
/// </code>
/// 1. Either a number is in the tree of loose contents, or one row names it; never both. 2. Chunks exist only for such numbers. 3. The count of a row is the
/// number of references with its hash, from attachments and from others.
/// </remarks>
internal sealed class AttachmentContents
{
    private readonly WriteTransaction _transaction;
    private readonly long _ticks;
    private readonly Table _contents;
    private BTree? _chunks;
    private BTree? _loose;

    private AttachmentContents(DocumentTransaction documents)
    {
        _transaction = documents.Transaction;
        _ticks = documents.Ticks;
        _contents = new Table(_transaction, _transaction.Trees, ContentTable.Schema);
    }

    private BTree Chunks => _chunks ??= _transaction.Trees.CreateTree(ContentTable.ChunksName);

    private BTree Loose => _loose ??= _transaction.Trees.CreateTree(ContentTable.LooseName);

    /// <summary>The contents of a transaction.</summary>
    public static AttachmentContents Of(DocumentTransaction documents) =>
        documents.OpenOnce(static inner => new AttachmentContents(inner));

    /// <summary>Begins a content whose chunks come in several transactions.</summary>
    /// <returns>The number of the content.</returns>
    public long BeginUpload()
    {
        long number = TakeNumber();
        AddLoose(number);
        return number;
    }

    /// <summary>Stores a chunk of a loose content.</summary>
    public void WriteChunk(long number, int index, ReadOnlySpan<byte> bytes)
    {
        Debug.Assert(bytes.Length is > 0 and <= AttachmentLimits.ChunkBytes && IsLoose(number));
        PutChunk(number, index, bytes);
    }

    /// <summary>Counts a reference to a content, which is stored when it is new. When the content is stored already, its own chunks are not needed and stay
    /// loose.</summary>
    /// <returns>False, without any change, when its chunks have been removed.</returns>
    public bool TryAddReference(ReceivedContent content)
    {
        if (TryAddReference(content.Hash))
        {
            return true;
        }

        long number = content.Number;
        if (number == 0)
        {
            number = TakeNumber();
            if (content.Size > 0)
            {
                PutChunk(number, 0, content.Bytes.Span);
            }
        }
        else if (!RemoveLoose(number))
        {
            return false;
        }

        _contents.Insert(ContentTable.BuildRow(number, content.Size, 1, content.Hash));
        return true;
    }

    /// <summary>Counts one more reference to a stored content.</summary>
    /// <param name="hash">The hash, which is not a view of this table's pages.</param>
    /// <returns>False when there is no such content.</returns>
    public bool TryAddReference(ReadOnlySpan<byte> hash)
    {
        if (!TryFind(hash, out ContentRow row))
        {
            return false;
        }

        SetReferences(row, row.References + 1, hash);
        return true;
    }

    /// <summary>Counts one reference less. A content without references is removed in the background.</summary>
    /// <param name="hash">The hash of a stored content; not a view of this table's pages.</param>
    public void RemoveReference(ReadOnlySpan<byte> hash)
    {
        if (!TryFind(hash, out ContentRow row))
        {
            throw new CorruptionException($"Attachment content {Convert.ToBase64String(hash)} is missing, although something refers to it.");
        }

        long references = row.References - 1;
        Debug.Assert(references >= 0);
        if (references > 0)
        {
            SetReferences(row, references, hash);
            return;
        }

        long number = row.Number;
        _contents.Delete(row.Row);
        AddLoose(number);
    }

    /// <summary>Removes chunks of a loose content, and its number with the last one.</summary>
    /// <param name="chunksMax">The most chunks that are removed; afterwards, the rest of that number.</param>
    /// <returns>True when all chunks are removed, or the content is not loose.</returns>
    public bool TryRemoveChunks(long number, ref int chunksMax)
    {
        if (!IsLoose(number))
        {
            return true;
        }

        Span<byte> key = stackalloc byte[ContentTable.ChunkKeyBytes];
        for (; chunksMax > 0; chunksMax--)
        {
            if (!TryFindFirstChunk(number, key))
            {
                return RemoveLoose(number);
            }

            Chunks.Delete(key);
        }

        return false;
    }

    private bool TryFindFirstChunk(long number, Span<byte> key)
    {
        ContentTable.MakeChunkKey(number, 0, key);
        using BTreeCursor cursor = Chunks.OpenCursor();
        bool isFound = cursor.Seek(key) && cursor.Key[..sizeof(long)].SequenceEqual(key[..sizeof(long)]);
        if (isFound)
        {
            cursor.Key.CopyTo(key);
        }

        return isFound;
    }

    private void PutChunk(long number, int index, ReadOnlySpan<byte> bytes)
    {
        Span<byte> key = stackalloc byte[ContentTable.ChunkKeyBytes];
        ContentTable.MakeChunkKey(number, index, key);
        bytes.CopyTo(Chunks.Reserve(key, bytes.Length));
    }

    private bool TryFind(ReadOnlySpan<byte> hash, out ContentRow content)
    {
        bool isFound = _contents.TryGetByKey(ContentTable.ByHash, hash, out TableRow row);
        content = new ContentRow(row);
        return isFound;
    }

    private void SetReferences(ContentRow row, long references, ReadOnlySpan<byte> hash) =>
        _contents.Update(row.Row, ContentTable.BuildRow(row.Number, row.Size, references, hash));

    private long TakeNumber()
    {
        Span<byte> key = stackalloc byte[sizeof(long)];
        key.Clear();
        long last = Loose.TryGet(key, out ReadOnlySpan<byte> stored) ? BinaryPrimitives.ReadInt64LittleEndian(stored) : 0;
        Span<byte> value = stackalloc byte[sizeof(long)];
        BinaryPrimitives.WriteInt64LittleEndian(value, checked(last + 1));
        Loose.Put(key, value);
        return last + 1;
    }

    private bool IsLoose(long number)
    {
        Span<byte> key = stackalloc byte[sizeof(long)];
        BinaryPrimitives.WriteInt64BigEndian(key, number);
        return Loose.Contains(key);
    }

    private void AddLoose(long number)
    {
        Debug.Assert(number > 0);
        Span<byte> key = stackalloc byte[sizeof(long)];
        Span<byte> value = stackalloc byte[sizeof(long)];
        BinaryPrimitives.WriteInt64BigEndian(key, number);
        BinaryPrimitives.WriteInt64LittleEndian(value, _ticks);
        Loose.Put(key, value);
    }

    private bool RemoveLoose(long number)
    {
        Span<byte> key = stackalloc byte[sizeof(long)];
        BinaryPrimitives.WriteInt64BigEndian(key, number);
        return Loose.Delete(key);
    }
}
