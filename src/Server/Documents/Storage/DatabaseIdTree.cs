using System.Text;
using Jackdaw.Server.Documents.Identity;
using Jackdaw.Storage;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Transactions;
using Jackdaw.Storage.Trees;

namespace Jackdaw.Server.Documents.Storage;

/// <summary>Who the database is: tree "Database", "id" -> 22 characters. It is with the documents, whose change
/// vectors end with it, so
/// files that are put back under another record keep it.</summary>
internal static class DatabaseIdTree
{
    private const string Name = "Database";

    private static ReadOnlySpan<byte> IdKey => "id"u8;

    public static string ReadOrWrite(StorageEnvironment environment, string databaseIdIfNew)
    {
        using (ReadTransaction read = environment.BeginRead())
        {
            if (read.Trees.FindTree(Name) is { } stored && stored.TryGet(IdKey, out ReadOnlySpan<byte> id))
            {
                return id.Length == ChangeVector.DatabaseIdBytes
                    ? Encoding.ASCII.GetString(id)
                    : throw new CorruptionException(
                        $"The id of the database in '{environment.Path}' has {id.Length} characters.");
            }
        }

        using WriteTransaction write = environment.BeginWrite();
        BTree tree = write.Trees.CreateTree(Name);
        tree.Put(IdKey, Encoding.ASCII.GetBytes(databaseIdIfNew));
        write.Commit();
        return databaseIdIfNew;
    }
}
