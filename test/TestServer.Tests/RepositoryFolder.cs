namespace Jackdaw.TestServer.Tests;

/// <summary>Where the tests were built.</summary>
internal static class RepositoryFolder
{
    public static string Path { get; } = Find();

    private static string Find()
    {
        var folder = new DirectoryInfo(AppContext.BaseDirectory);
        while (!File.Exists(System.IO.Path.Combine(folder.FullName, "Server.sln")))
        {
            folder = folder.Parent ?? throw new InvalidOperationException("The tests do not run within the repository.");
        }

        return folder.FullName;
    }
}
