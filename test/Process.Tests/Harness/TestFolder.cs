namespace Jackdaw.ProcessTests.Harness;

/// <summary>A folder of one test, removed at its end.</summary>
internal sealed class TestFolder : IDisposable
{
    public TestFolder()
    {
        Path = Directory.CreateTempSubdirectory("jackdaw-process-").FullName;
        Data = System.IO.Path.Combine(Path, "data");
    }

    public string Path { get; }

    /// <summary>Data folder of the server; not made yet.</summary>
    public string Data { get; }

    public string Database(string name) => System.IO.Path.Combine(Data, "Databases", name);

    public void Dispose() => Directory.Delete(Path, recursive: true);
}
