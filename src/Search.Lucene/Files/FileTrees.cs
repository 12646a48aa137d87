using System.Buffers.Binary;
using System.Text;
using Jackdaw.Storage;
using Jackdaw.Storage.Paging;
using Jackdaw.Storage.Transactions;
using Jackdaw.Storage.Trees;

namespace Jackdaw.Search.Lucene.Files;

/// <summary>The files of a Lucene index in the trees of a storage.</summary>
/// <remarks>
/// <code>
/// tree          key                               value
/// files         name                              id (8), length (8), the bytes of a small file; numbers are little-endian
/// chunks        id (8), number (4), big-endian    ChunkBytes bytes of a file, the last one fewer; an overflow run
/// files to free id (8), big-endian                length (8)
/// </code>
/// The same table is in docs/formats/lucene-index.md. A deleted file loses its name at once. Its chunks stay as long as a reader of it is open, and for that
/// time its id is in "files to free". A file that is written in several transactions has its id there until it is finished.
/// </remarks>
internal static class FileTrees
{
    /// <summary>The bytes of a chunk, which is a run of 16 pages. With larger chunks, the first read of a file would check more bytes; smaller ones would cost
    /// more look-ups.</summary>
    public const int ChunkBytes = (16 * Page.Size) - PageHeader.SizeOf;

    /// <summary>The largest file, in bytes, that is stored in the tree of names. The value with its header must fit into a leaf.</summary>
    public const int InlineBytesMax = 1800;

    private const int HeadBytes = 16;
    private const int ChunkKeyBytes = 12;

    private static ReadOnlySpan<byte> Files => "files"u8;

    private static ReadOnlySpan<byte> Chunks => "chunks"u8;

    private static ReadOnlySpan<byte> ToFree => "files to free"u8;

    /// <summary>All files that have a name.</summary>
    /// <exception cref="CorruptionException">A file lacks bytes.</exception>
    public static List<StoredFile> ReadFiles(ReadTransaction read)
    {
        var files = new List<StoredFile>();
        if (read.Trees.FindTree(Files) is not { } names)
        {
            return files;
        }

        BTree? chunks = read.Trees.FindTree(Chunks);
        using BTreeCursor cursor = names.OpenCursor();
        for (bool on = cursor.SeekFirst(); on; on = cursor.MoveNext())
        {
            files.Add(ReadFile(Encoding.UTF8.GetString(cursor.Key), cursor.Value, chunks));
        }

        return files;
    }

    /// <summary>Whether an index has ever been written.</summary>
    public static bool Exist(ReadTransaction read) => read.Trees.FindTree(Files) is not null;

    /// <summary>Finds chunks that belong to no file, and describes these problems for people.</summary>
    public static IEnumerable<string> FindLostChunks(ReadTransaction read)
    {
        var known = ReadFiles(read).Concat(ReadFilesToFree(read)).ToDictionary(file => file.Id, file => CountChunks(file.Length));
        List<string> problems = [];
        if (read.Trees.FindTree(Chunks) is { } chunks)
        {
            using BTreeCursor cursor = chunks.OpenCursor();
            for (bool on = cursor.SeekFirst(); on; on = cursor.MoveNext())
            {
                long id = BinaryPrimitives.ReadInt64BigEndian(cursor.Key);
                int chunk = BinaryPrimitives.ReadInt32BigEndian(cursor.Key[sizeof(long)..]);
                if (chunk >= known.GetValueOrDefault(id))
                {
                    problems.Add($"Chunk {chunk} of file {id} of the index belongs to no file.");
                }
            }
        }

        return problems;
    }

    /// <summary>The files without a name whose chunks still exist.</summary>
    public static List<StoredFile> ReadFilesToFree(ReadTransaction read)
    {
        var files = new List<StoredFile>();
        if (read.Trees.FindTree(ToFree) is { } tree)
        {
            using BTreeCursor cursor = tree.OpenCursor();
            for (bool on = cursor.SeekFirst(); on; on = cursor.MoveNext())
            {
                files.Add(new StoredFile("", BinaryPrimitives.ReadInt64BigEndian(cursor.Key))
                {
                    Length = BinaryPrimitives.ReadInt64LittleEndian(cursor.Value),
                });
            }
        }

        return files;
    }

    /// <summary>The largest file id of all chunks; 0 when there are none.</summary>
    public static long LastChunkId(ReadTransaction read)
    {
        if (read.Trees.FindTree(Chunks) is not { } chunks)
        {
            return 0;
        }

        using BTreeCursor cursor = chunks.OpenCursor();
        return cursor.SeekLast() ? BinaryPrimitives.ReadInt64BigEndian(cursor.Key) : 0;
    }

    /// <summary>Writes the next chunk of a file.</summary>
    public static void AddChunk(TreeCatalog trees, StoredFile file, ReadOnlySpan<byte> bytes)
    {
        BTree chunks = trees.CreateTree(Chunks);
        Span<byte> key = stackalloc byte[ChunkKeyBytes];
        WriteKey(key, file.Id, file.Chunks.Count);

        // A chunk is always a run: its pages never change, so that a pointer to it stays valid.
        Span<byte> space = chunks.Reserve(key, Math.Max(bytes.Length, BTree.InlineValueBytesMax + 1));
        bytes.CopyTo(space);
        space[bytes.Length..].Clear();
        bool isRun = chunks.TryGetRun(key, out PageNumber first, out _);
        Invariant.Check(isRun, "a chunk lies in a run of its own");
        file.Chunks.Add(first.Value);
    }

    /// <summary>Gives a finished file its name.</summary>
    public static void PutName(TreeCatalog trees, StoredFile file)
    {
        Span<byte> value = stackalloc byte[HeadBytes + InlineBytesMax];
        BinaryPrimitives.WriteInt64LittleEndian(value, file.Id);
        BinaryPrimitives.WriteInt64LittleEndian(value[8..], file.Length);
        file.Inline.CopyTo(value[HeadBytes..]);
        if (file.IsNotedUnfinished)
        {
            RemoveToFree(trees, file.Id);
            file.IsNotedUnfinished = false;
        }

        trees.CreateTree(Files).Put(Encoding.UTF8.GetBytes(file.Name), value[..(HeadBytes + (file.Inline?.Length ?? 0))]);
    }

    /// <summary>Removes the name of a file, and notes that its chunks have to be freed.</summary>
    public static void RemoveName(TreeCatalog trees, StoredFile file)
    {
        trees.CreateTree(Files).Delete(Encoding.UTF8.GetBytes(file.Name));
        if (file.Inline is null)
        {
            PutToFree(trees, file.Id, file.Length);
        }
    }

    /// <summary>Notes that the chunks that a file has so far have to be freed, unless the file gets a name.</summary>
    public static void NoteUnfinished(TreeCatalog trees, StoredFile file)
    {
        PutToFree(trees, file.Id, (long)file.Chunks.Count * ChunkBytes);
        file.IsNotedUnfinished = true;
    }

    /// <summary>Removes chunks of a file that has no name and no reader, the last ones first. The length of the file says which ones are left.</summary>
    /// <returns>The number of removed chunks.</returns>
    public static long Free(TreeCatalog trees, StoredFile file, long most)
    {
        BTree chunks = trees.CreateTree(Chunks);
        Span<byte> key = stackalloc byte[ChunkKeyBytes];
        long count = CountChunks(file.Length);
        long left = Math.Max(0, count - most);
        for (long i = count - 1; i >= left; i--)
        {
            WriteKey(key, file.Id, (int)i);
            chunks.Delete(key);
        }

        file.Length = left * ChunkBytes;
        if (left > 0)
        {
            PutToFree(trees, file.Id, file.Length);
        }
        else
        {
            RemoveToFree(trees, file.Id);
        }

        return count - left;
    }

    private static void PutToFree(TreeCatalog trees, long id, long length)
    {
        Span<byte> key = stackalloc byte[sizeof(long)];
        BinaryPrimitives.WriteInt64BigEndian(key, id);
        BinaryPrimitives.WriteInt64LittleEndian(trees.CreateTree(ToFree).Reserve(key, sizeof(long)), length);
    }

    private static void RemoveToFree(TreeCatalog trees, long id)
    {
        Span<byte> key = stackalloc byte[sizeof(long)];
        BinaryPrimitives.WriteInt64BigEndian(key, id);
        trees.CreateTree(ToFree).Delete(key);
    }

    private static StoredFile ReadFile(string name, ReadOnlySpan<byte> value, BTree? chunks)
    {
        var file = new StoredFile(name, BinaryPrimitives.ReadInt64LittleEndian(value))
        {
            Length = BinaryPrimitives.ReadInt64LittleEndian(value[8..]),
        };
        if (value.Length > HeadBytes || file.Length == 0)
        {
            byte[] inline = GC.AllocateUninitializedArray<byte>(value.Length - HeadBytes, pinned: true);
            value[HeadBytes..].CopyTo(inline);
            file.Inline = inline;
            return file;
        }

        Span<byte> key = stackalloc byte[ChunkKeyBytes];
        for (int i = 0; i < CountChunks(file.Length); i++)
        {
            WriteKey(key, file.Id, i);
            if (chunks is null || !chunks.TryGetRun(key, out PageNumber first, out _))
            {
                throw new CorruptionException($"File '{name}' of the index has no chunk {i} of {CountChunks(file.Length)}.");
            }

            file.Chunks.Add(first.Value);
        }

        return file;
    }

    private static long CountChunks(long length) => (length + ChunkBytes - 1) / ChunkBytes;

    private static void WriteKey(Span<byte> key, long id, int chunk)
    {
        BinaryPrimitives.WriteInt64BigEndian(key, id);
        BinaryPrimitives.WriteInt32BigEndian(key[sizeof(long)..], chunk);
    }
}
