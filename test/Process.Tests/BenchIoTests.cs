using Jackdaw.ProcessTests.Harness;

namespace Jackdaw.ProcessTests;

/// <summary><c>jackdaw bench-io</c> that is ended before its end.</summary>
public sealed class BenchIoTests : IDisposable
{
    private readonly TestFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Theory]
    [InlineData("INT")]
    [InlineData("TERM")]
    [InlineData("HUP")]
    public async Task Stopped_RemovesItsFolder(string signal)
    {
        using JackdawProcess process = JackdawProcess.Start(
            _folder.Path, JackdawProcess.WithDefault(signal), ["bench-io", ".", "--seconds", "600"]);
        await JackdawProcess.WaitAsync(() => Directory.EnumerateFileSystemEntries(_folder.Path).Any(), "it did not begin");
        await process.SignalAsync(signal);

        Assert.Equal(2, await process.WaitForExitAsync());
        Assert.Empty(Directory.EnumerateFileSystemEntries(_folder.Path));
    }
}
