using Jackdaw.Server.Documents.Storage;
using Jackdaw.Storage.Tables;
using Spectre.Console;

namespace Jackdaw.Server.Verbs;

/// <summary>What verbs that work on folders have in common: which storages a folder has, what may be in them, where to print.</summary>
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

    /// <summary>The process's console; without colours and wrapping where no terminal is: one line is one line for grep.</summary>
    public static IAnsiConsole OpenConsole()
    {
        if (!Console.IsOutputRedirected)
        {
            return AnsiConsole.Console;
        }

        IAnsiConsole plain = AnsiConsole.Create(new AnsiConsoleSettings
        {
            Ansi = AnsiSupport.No,
            ColorSystem = ColorSystemSupport.NoColors,
            Out = new AnsiConsoleOutput(Console.Out),
        });
        plain.Profile.Width = int.MaxValue;
        return plain;
    }

    private static bool IsStorage(string folder) => s_partsOfAStorage.Any(part => Path.Exists(Path.Combine(folder, part)));
}
