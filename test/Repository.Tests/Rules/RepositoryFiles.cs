namespace Jackdaw.Repository.Tests.Rules;

/// <summary>The text files of the repository, without what builds and tools leave behind.</summary>
public static class RepositoryFiles
{
    private static readonly HashSet<string> s_skippedFolders =
    [
        ".git", "bin", "obj", "artifacts", "tools", "node_modules", "TestResults", ".zig-cache", "zig-cache", "zig-out",
        "BenchmarkDotNet.Artifacts", "data",
    ];

    /// <summary>Texts that packages ship; a list of hashes compares them.</summary>
    private const string LibrariesOfOthers = "src/Studio/lib";

    private static readonly HashSet<string> s_textExtensions =
    [
        ".cs", ".c", ".h", ".cc", ".js", ".lua", ".zig", ".sh", ".md", ".json", ".csproj", ".props", ".targets",
        ".runsettings", ".editorconfig", ".yml",
        ".html", ".css", ".ts", ".sql",
    ];

    private static readonly HashSet<string> s_textNames =
        ["Dockerfile", "run", "nightly", ".gitignore", ".dockerignore", ".npmrc"];

    /// <summary>The folder with the solution file, found upwards from where the tests run.</summary>
    public static string Root { get; } = FindRoot();

    public static IReadOnlyList<SourceFile> All { get; } = [.. Read(Root)];

    private static string FindRoot()
    {
        var folder = new DirectoryInfo(AppContext.BaseDirectory);
        while (folder is not null && !File.Exists(Path.Combine(folder.FullName, "Server.sln")))
        {
            folder = folder.Parent;
        }

        return folder?.FullName ?? throw new InvalidOperationException(
            $"No Server.sln above {AppContext.BaseDirectory}.");
    }

    private static IEnumerable<SourceFile> Read(string folder)
    {
        foreach (string file in Directory.EnumerateFiles(folder).Order(StringComparer.Ordinal))
        {
            if (s_textNames.Contains(Path.GetFileName(file)) || s_textExtensions.Contains(Path.GetExtension(file)))
            {
                yield return new SourceFile(Path.GetRelativePath(Root, file).Replace('\\', '/'),
                    File.ReadAllText(file));
            }
        }

        foreach (string below in Directory.EnumerateDirectories(folder).Order(StringComparer.Ordinal))
        {
            if (!s_skippedFolders.Contains(Path.GetFileName(below)) && Path.GetRelativePath(Root, below).Replace('\\', '/') != LibrariesOfOthers)
            {
                foreach (SourceFile file in Read(below))
                {
                    yield return file;
                }
            }
        }
    }
}
