using Jackdaw.Server.Documents.Storage;
using Jackdaw.Storage.Tables;

namespace Jackdaw.Server.Verbs;

/// <summary>What verbs that work on folders have in common: which storages a folder has, and what may be in them.</summary>
internal static class StorageFolders
{
    private static readonly string[] s_partsOfAStorage = ["headers", "data", "Journals"];

    /// <summary>Tables of all storages of the server.</summary>
    public static IReadOnlyList<TableSchema> Schemas { get; } = [DocumentTable.Schema, TombstoneTable.Schema];

    /// <summary>Visits the storages below a folder, one after the other.</summary>
    /// <param name="folder">Full path, as the user gave it.</param>
    /// <param name="visit">Called with the folder of each storage.</param>
    /// <param name="refuse">Called with a folder and the reason when there is nothing to visit, or it may not be read.</param>
    public static void ForEach(string folder, Action<string> visit, Action<string, string> refuse)
    {
        if (!Directory.Exists(folder))
        {
            refuse(folder, File.Exists(folder) ? "it is a file; give the folder of a storage or of all data" : "there is no such folder");
            return;
        }

        try
        {
            string[] storages = [.. Find(folder)];
            if (storages.Length == 0)
            {
                refuse(folder, "there is no storage in it; give a data folder (with System and Databases), or the folder of one database");
            }

            Array.ForEach(storages, visit);
        }
        catch (UnauthorizedAccessException denied)
        {
            refuse(folder, denied.Message);
        }
    }

    /// <summary>Storages in a folder that exists: itself, or the system's and those of all databases.</summary>
    private static IEnumerable<string> Find(string folder)
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
