namespace Jackdaw.Repository.Tests.Rules;

/// <summary>Where tests of the server's layers stand: in the project of their layer, in the folder of what they test.</summary>
public static class TestFolderRules
{
    /// <summary>Projects whose tests have the folders of src.</summary>
    private static readonly string[] s_projects = ["Json", "Scripting", "Documents", "Indexing", "Queries", "Security", "Server"];

    /// <summary>Folders of tests that src does not have, and why.</summary>
    private static readonly Dictionary<string, string> s_own = new()
    {
        ["Documents/Models"] = "all that a database can do at once, against a model",
        ["Server/Additions"] = "what a test adds to the product at its extension points",
        ["Server/Formats"] = "data folders of earlier versions, which the whole program opens, verifies and compacts",
        ["Server/Security"] = "who gets into a whole server, and what it keeps secret",
        ["Server/Http/Handlers/Queries/Changes"] = "queries over HTTP stand in folders named as those of src/Queries",
        ["Server/Http/Handlers/Queries/Models"] = "random queries of all kinds, against a plain evaluation",
        ["Server/Http/Handlers/Queries/Rows"] = "queries over HTTP stand in folders named as those of src/Queries",
        ["Server/Http/Handlers/Queries/Searching"] = "queries over HTTP stand in folders named as those of src/Queries",
    };

    /// <summary>Folders that have no counterpart in src and are not listed, and listed ones that are gone.</summary>
    public static IEnumerable<Finding> WithoutCounterpart(IReadOnlyCollection<SourceFile> files)
    {
        HashSet<string> product = [.. FoldersOf(files, "src/")];
        HashSet<string> tests =
            [.. s_projects.SelectMany(project => FoldersOf(files, $"test/{project}.Tests/").Select(folder => $"{project}/{folder}".TrimEnd('/')))];
        foreach (string folder in tests.Where(folder => !product.Contains(folder) && !s_own.ContainsKey(folder)).Order(StringComparer.Ordinal))
        {
            yield return new Finding(TestFolder(folder), 0, $"src/{folder} is not there: tests stand in the folder of what they test");
        }

        foreach (string folder in s_own.Keys.Where(folder => !tests.Contains(folder) || product.Contains(folder)).Order(StringComparer.Ordinal))
        {
            yield return new Finding(TestFolder(folder), 0, "needs no exception any more");
        }
    }

    private static string TestFolder(string folder) =>
        folder.IndexOf('/', StringComparison.Ordinal) is var end and > 0 ? $"test/{folder[..end]}.Tests{folder[end..]}" : $"test/{folder}.Tests";

    /// <summary>Folders below one, with those around them.</summary>
    private static IEnumerable<string> FoldersOf(IReadOnlyCollection<SourceFile> files, string root)
    {
        foreach (SourceFile file in files.Where(file => file.IsCSharp && file.Path.StartsWith(root, StringComparison.Ordinal)))
        {
            string[] parts = file.Path[root.Length..].Split('/');
            for (int length = 0; length < parts.Length; length++)
            {
                yield return string.Join('/', parts[..length]);
            }
        }
    }
}
