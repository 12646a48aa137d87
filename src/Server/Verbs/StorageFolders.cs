using Jackdaw.Server.Documents.Storage;
using Jackdaw.Storage.Tables;

namespace Jackdaw.Server.Verbs;

/// <summary>What verbs that work on folders have in common: which storages a folder has, and what may be in them.</summary>
internal static class StorageFolders
{
    private static readonly string[] s_partsOfAStorage = ["headers", "data", "Journals"];

    /// <summary>Tables of all storages of the server.</summary>
    public static IReadOnlyList<TableSchema> Schemas { get; } = [DocumentTable.Schema, TombstoneTable.Schema];

    /// <summary>Storages in a folder that exists: itself, or the system's and those of all databases.</summary>
    public static IEnumerable<string> Find(string folder)
    {
        if (IsStorage(folder))
        {
            return [folder];
        }

        string databases = Path.Combine(folder, "Databases");
        IEnumerable<string> found = Directory.Exists(databases) ? Directory.EnumerateDirectories(databases).Order(StringComparer.Ordinal) : [];
        return found.Prepend(Path.Combine(folder, "System")).Where(IsStorage);
    }

    private static bool IsStorage(string folder) => s_partsOfAStorage.Any(part => Path.Exists(Path.Combine(folder, part)));
}
