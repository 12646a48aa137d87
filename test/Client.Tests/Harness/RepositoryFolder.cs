namespace Jackdaw.Client.Tests.Harness;

/// <summary>The folder with the solution file, found upwards from where the tests run.</summary>
internal static class RepositoryFolder
{
    public static string Path { get; } = Find();

    private static string Find()
    {
        var folder = new DirectoryInfo(AppContext.BaseDirectory);
        while (folder is not null && !File.Exists(System.IO.Path.Combine(folder.FullName, "Server.sln")))
        {
            folder = folder.Parent;
        }

        return folder?.FullName ?? throw new InvalidOperationException($"No Server.sln above {AppContext.BaseDirectory}.");
    }
}
