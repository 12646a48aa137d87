using Jackdaw.Documents.Database;
using Jackdaw.Documents.Databases;
using Jackdaw.Documents.Extensions;
using Jackdaw.Documents.Rows;
using Jackdaw.Indexing.Records;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Tables;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Server.Verbs;

/// <summary>Finds the storages below a folder, and checks whether this program can read them, for all verbs that work on folders.</summary>
internal static class StorageFolders
{
    /// <summary>The folder, in that of a database, with a folder for each storage that shares its journals (a branch).</summary>
    public const string BranchesFolder = "Indexes";

    private static readonly string[] s_partsOfAStorage = ["headers", "data", "Journals"];

    /// <summary>Tables of all storages of a server.</summary>
    /// <param name="extensions">What documents can have besides their text.</param>
    public static IReadOnlyList<TableSchema> SchemasOf(DocumentExtensions extensions) =>
        [.. DatabaseSchemas.Of(extensions), IndexRecordTable.Schema];

    /// <summary>Refuses an open storage whose contents this program would misread.</summary>
    /// <exception cref="NotSupportedException">A newer program wrote it.</exception>
    public static void CheckFormat(StorageEnvironment storage)
    {
        using ReadTransaction read = storage.BeginRead();
        DatabaseTree.CheckFormat(read.Trees, storage.Path);
        SystemStorage.CheckFormat(read.Trees, storage.Path);
    }

    /// <summary>Visits the storages below a folder, one family after the other.</summary>
    /// <param name="folder">The full path that the user gave.</param>
    /// <param name="visit">Called with each storage and its branches.</param>
    /// <param name="refuse">Called with a folder and the reason when there is nothing to visit, or the folder is not
    /// readable.</param>
    public static void ForEach(string folder, Action<StorageFamily> visit, Action<string, string> refuse)
    {
        if (!Directory.Exists(folder))
        {
            refuse(folder, File.Exists(folder) ? "it is a file; give the folder of a storage or of all data" : "there is no such folder");
            return;
        }

        try
        {
            StorageFamily[] families = [.. Find(Path.TrimEndingDirectorySeparator(folder))];
            if (families.Length == 0)
            {
                refuse(folder, "there is no storage in it; give a data folder (with System and Databases), or the folder of one database");
            }

            Array.ForEach(families, visit);
        }
        catch (UnauthorizedAccessException denied)
        {
            refuse(folder, denied.Message);
        }
    }

    /// <summary>The storages in an existing folder: the folder itself, or the storages of the system and of all databases.</summary>
    private static IEnumerable<StorageFamily> Find(string folder)
    {
        if (IsStorage(folder))
        {
            return [FindRoot(folder) is { } root ? new StorageFamily(root, IsRootWanted: false, [folder]) : WithBranches(folder)];
        }

        string databases = Path.Combine(folder, "Databases");
        IEnumerable<string> found = Directory.Exists(databases) ? Directory.EnumerateDirectories(databases).Order(StringComparer.Ordinal) : [];
        return found.Prepend(Path.Combine(folder, "System")).Where(IsStorage).Select(WithBranches);
    }

    /// <summary>Whether a storage shares the journals of another one, as those of indexes do.</summary>
    public static bool IsBranch(string folder) => FindRoot(folder) is not null;

    /// <summary>The root of a storage, by its place in the folders; null when it is not a branch.</summary>
    private static string? FindRoot(string folder) =>
        Path.GetDirectoryName(folder) is { } parent && Path.GetFileName(parent) == BranchesFolder
            && Path.GetDirectoryName(parent) is { } root && IsStorage(root)
            ? root
            : null;

    /// <summary>Every folder counts: one without files is a branch whose creation was cut off.</summary>
    private static StorageFamily WithBranches(string root)
    {
        string branches = Path.Combine(root, BranchesFolder);
        string[] found = Directory.Exists(branches) ? Directory.GetDirectories(branches) : [];
        Array.Sort(found, StringComparer.Ordinal);
        return new StorageFamily(root, IsRootWanted: true, found);
    }

    private static bool IsStorage(string folder) => s_partsOfAStorage.Any(part => Path.Exists(Path.Combine(folder, part)));
}

/// <summary>A storage with its branches, which share its journals.</summary>
/// <param name="Root">The folder of the storage that writes the journals.</param>
/// <param name="IsRootWanted">False when the user named a branch, so that only the branch is processed.</param>
/// <param name="Branches">The folders of branches, in the order of their names, including those whose creation was cut off.</param>
internal sealed record StorageFamily(string Root, bool IsRootWanted, IReadOnlyList<string> Branches);
