using Jackdaw.ProcessTests.Harness;

namespace Jackdaw.ProcessTests;

/// <summary><c>jackdaw selftest</c>: a short run on the disk of the tests, its end by force, and bad input.</summary>
public sealed class SelfTestTests : IDisposable
{
    private readonly TestFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public async Task SelfTest_ShortRun_GivesAVerdictAndLeavesTheFolderAsItWas()
    {
        string other = Path.Combine(_folder.Path, "other data");
        await File.WriteAllTextAsync(other, "mine");
        ProcessEnd end = await JackdawProcess.RunAsync(_folder.Path, "selftest", ".", "--seconds", "4", "--seed", "17");

        // Whether the machine's disk is above suspicion is not this test's business.
        Assert.True(end.Code is 0 or 3, end.ToString());
        Assert.Contains("seed 17", end.Output, StringComparison.Ordinal);
        Assert.Contains("at most 192 MB", end.Output, StringComparison.Ordinal);
        Assert.Matches(@"(?m)^crash +PASSED +\d+ kills, [\d,]+ transactions acknowledged, 0 lost, 0 half", end.Output);
        Assert.Matches(@"(?m)^bit flips +PASSED .* 0 wrong data", end.Output);
        Assert.Matches(@"(?m)^durability +(PASSED|SUSPICIOUS) ", end.Output);
        Assert.Matches(@"(?m)^latency +(PASSED|SUSPICIOUS) ", end.Output);
        Assert.Contains("No software can prove", end.Output, StringComparison.Ordinal);
        Assert.Contains(end.Code == 0 ? "Result: PASSED" : "Result: SUSPICIOUS", end.Output, StringComparison.Ordinal);
        Assert.Equal([other], Directory.EnumerateFileSystemEntries(_folder.Path));
        Assert.Equal("mine", await File.ReadAllTextAsync(other));
    }

    [Theory]
    [InlineData("INT")]
    [InlineData("TERM")]
    public async Task SelfTest_Stopped_RemovesItsFolderAndItsProcesses(string signal)
    {
        using JackdawProcess process = JackdawProcess.Start(
            _folder.Path, JackdawProcess.WithDefault(signal), ["selftest", ".", "--seconds", "120"]);
        await JackdawProcess.WaitAsync(() => FindWriters().Count > 0, "no writer process came");
        await process.SignalAsync(signal);

        Assert.Equal(2, await process.WaitForExitAsync());
        Assert.Contains("stopped before the end: no verdict", process.Errors, StringComparison.Ordinal);
        Assert.Empty(Directory.EnumerateFileSystemEntries(_folder.Path));
        await JackdawProcess.WaitAsync(() => FindWriters().Count == 0, "a writer process goes on");
    }

    [Fact]
    public async Task SelfTest_Killed_ItsWriterEndsByItself()
    {
        using JackdawProcess process = JackdawProcess.Start(_folder.Path, "selftest", ".", "--seconds", "120");
        await JackdawProcess.WaitAsync(() => FindWriters().Count > 0, "no writer process came");
        await process.KillAsync();
        await JackdawProcess.WaitAsync(() => FindWriters().Count == 0, "a writer process goes on without its parent");
    }

    [Theory]
    [InlineData("name a folder on the disk to test", "selftest")]
    [InlineData("there is no folder 'missing'; make it first", "selftest", "missing")]
    [InlineData("'file' is a file", "selftest", "file")]
    [InlineData("--seconds must be a whole number from 2 to 86400, not '1'", "selftest", ".", "--seconds", "1")]
    [InlineData("--seconds must be a whole number from 2 to 86400, not 'long'", "selftest", ".", "--seconds", "long")]
    [InlineData("--seconds must be a whole number from 2 to 86400, not ''", "selftest", ".", "--seconds")]
    [InlineData("--seed must be a whole number", "selftest", ".", "--seed", "-1")]
    [InlineData("'--minutes' is not an option of selftest", "selftest", ".", "--minutes", "5")]
    [InlineData("could not be tested: create directory of '/sys/", "selftest", "/sys")]
    public async Task SelfTest_BadInput_IsRefusedInOneLine(string expected, params string[] arguments)
    {
        await File.WriteAllTextAsync(Path.Combine(_folder.Path, "file"), "");
        ProcessEnd end = await JackdawProcess.RunAsync(_folder.Path, arguments);

        Assert.Equal(2, end.Code);
        Assert.Contains(expected, Assert.Single(end.Complaints), StringComparison.Ordinal);
        Assert.Single(Directory.EnumerateFileSystemEntries(_folder.Path));
    }

    [Fact]
    public async Task Help_NamesTheSelfTestAndNotItsWriter()
    {
        ProcessEnd end = await JackdawProcess.RunAsync(_folder.Path, "--help");
        Assert.Contains("selftest <folder>", end.Output, StringComparison.Ordinal);
        Assert.DoesNotContain("selftest-writer", end.Output, StringComparison.Ordinal);
    }

    /// <summary>Writer processes of this test's folder.</summary>
    private List<string> FindWriters()
    {
        List<string> found = [];
        foreach (string folder in Directory.EnumerateDirectories("/proc").Where(path => char.IsAsciiDigit(path[^1])))
        {
            try
            {
                string line = File.ReadAllText(Path.Combine(folder, "cmdline"));
                if (line.Contains("selftest-writer", StringComparison.Ordinal) && line.Contains(_folder.Path, StringComparison.Ordinal))
                {
                    found.Add(line);
                }
            }
            catch (Exception gone) when (gone is IOException or UnauthorizedAccessException)
            {
                continue; // The process ended while we looked.
            }
        }

        return found;
    }
}
