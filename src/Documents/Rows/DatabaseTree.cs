using System.Text;
using Jackdaw.Documents.Identity;
using Jackdaw.Storage;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Transactions;
using Jackdaw.Storage.Trees;

namespace Jackdaw.Documents.Rows;

/// <summary>The identity of the database: tree "Database", "id" -> 22 characters, "node" -> node tag, "format" ->
/// <see cref="FormatVersion"/>, "schedules" -> 1 when the index by time has all documents.</summary>
/// <remarks>The change vector of a document that stores none consists of this id and tag, so both are stored with the documents. Files that are restored under
/// another record, or opened by a server with another tag, keep them.</remarks>
internal static class DatabaseTree
{
    /// <summary>The version of trees, tables and columns that this program writes.</summary>
    public const int Format = 3;

    private const string Name = "Database";
    private const string What = "The database";

    private static ReadOnlySpan<byte> IdKey => "id"u8;

    private static ReadOnlySpan<byte> NodeKey => "node"u8;

    private static ReadOnlySpan<byte> SchedulesKey => "schedules"u8;

    /// <summary>Reads the identity. A new database gets the given one. If an older program has not recorded a part of it, that part is recorded now.</summary>
    /// <exception cref="StorageRefusedException">A newer program wrote it. Nothing was written.</exception>
    public static Replica Open(StorageEnvironment environment, string databaseIdIfNew, NodeTag nodeIfNew)
    {
        string? databaseId = null;
        NodeTag node = nodeIfNew;
        bool isComplete = false;
        using (ReadTransaction read = environment.BeginRead())
        {
            if (read.Trees.FindTree(Name) is { } stored)
            {
                isComplete = !FormatVersion.IsOlder(stored, Format, environment.Path, What) && stored.Contains(NodeKey);
                node = ReadNode(stored, environment.Path);
                databaseId = ReadId(stored, environment.Path);
            }
        }

        if (databaseId is null || !isComplete)
        {
            databaseId ??= databaseIdIfNew;
            using WriteTransaction write = environment.BeginWrite();
            BTree tree = write.Trees.CreateTree(Name);
            if (!tree.Contains(IdKey))
            {
                NoteSchedules(write.Trees); // a new database has no documents
            }

            tree.Put(IdKey, Encoding.ASCII.GetBytes(databaseId));
            tree.Put(NodeKey, node.Bytes);
            FormatVersion.Write(tree, Format);
            write.Commit();
        }

        return new Replica(node, databaseId);
    }

    /// <summary>Whether the times of all documents are in the index by time. Times of documents that an older program wrote are not.</summary>
    public static bool KnowsSchedules(TreeCatalog trees) => trees.FindTree(Name) is { } tree && tree.Contains(SchedulesKey);

    /// <summary>Notes that all times are in the index.</summary>
    public static void NoteSchedules(TreeCatalog trees) => trees.CreateTree(Name).Put(SchedulesKey, [1]);

    /// <summary>Checks whether this program may read a storage, which may or may not be a database's.</summary>
    /// <exception cref="StorageRefusedException">A newer program wrote it.</exception>
    public static void CheckFormat(TreeCatalog trees, string path)
    {
        if (trees.FindTree(Name) is { } stored)
        {
            FormatVersion.IsOlder(stored, Format, path, What);
        }
    }

    private static NodeTag ReadNode(BTree tree, string path)
    {
        if (!tree.TryGet(NodeKey, out ReadOnlySpan<byte> node))
        {
            return NodeTag.Default; // There was no other tag before tags were recorded.
        }

        return NodeTag.TryParse(Encoding.ASCII.GetString(node))
            ?? throw new CorruptionException($"The node tag of the database in '{path}' is not one to {NodeTag.LettersMax} letters.");
    }

    private static string? ReadId(BTree tree, string path)
    {
        if (!tree.TryGet(IdKey, out ReadOnlySpan<byte> id))
        {
            return null;
        }

        return id.Length == ChangeVector.DatabaseIdBytes
            ? Encoding.ASCII.GetString(id)
            : throw new CorruptionException($"The id of the database in '{path}' has {id.Length} characters.");
    }
}
