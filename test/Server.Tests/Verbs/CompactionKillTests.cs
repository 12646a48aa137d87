using System.Diagnostics;
using Jackdaw.Server.Verbs;
using Xunit.Abstractions;

namespace Jackdaw.Server.Tests.Verbs;

/// <summary><c>jackdaw compact</c> is killed while it compacts a database and its branches, on a real folder.</summary>
public sealed class CompactionKillTests(ITestOutputHelper output)
{
    [Fact]
    public Task Kill_InTheMiddleOfAFamily_LosesNothingAndCanBeRunAgain() => KillAllAsync([1, 3, 5]);

    [Fact]
    [Trait("Tier", "Full")]
    public Task Kill_AfterEachLineOfAFamily_LosesNothingAndCanBeRunAgain() => KillAllAsync([1, 2, 3, 4, 5, 6]);

    /// <param name="lines">Lines of its output after which it is killed: at the beginning, between two storages, and while the next one is copied.</param>
    private async Task KillAllAsync(int[] lines)
    {
        using var family = new StoredFamily();
        int cutOff = 0;
        foreach (int after in lines)
        {
            bool isCutOff = await KillAsync(family.DataFolder, after);
            cutOff += isCutOff ? 1 : 0;
            Assert.Equal(FolderVerification.ExitCodeSound, BranchFoldersTests.Verify(family.DataFolder).Code);
            family.RequireContents();
        }

        output.WriteLine($"{cutOff} of {lines.Length} runs were cut off");
        Assert.InRange(cutOff, 1, lines.Length);
        Assert.Equal(FolderCompaction.ExitCodeDone, BranchFoldersTests.Compact(family.DataFolder).Code);
        family.RequireContents();
    }

    private static async Task<bool> KillAsync(string folder, int lines)
    {
        var start = new ProcessStartInfo(Environment.ProcessPath!) { RedirectStandardOutput = true, RedirectStandardError = true };
        start.ArgumentList.Add(Path.Combine(AppContext.BaseDirectory, "jackdaw.dll"));
        start.ArgumentList.Add("compact");
        start.ArgumentList.Add(folder);
        using Process compact = Process.Start(start)!;
        for (int i = 0; i < lines && await compact.StandardOutput.ReadLineAsync() is not null; i++)
        {
        }

        compact.Kill();
        await compact.WaitForExitAsync();
        Assert.True(compact.ExitCode is 0 or 137, await compact.StandardError.ReadToEndAsync());
        return compact.ExitCode != 0;
    }
}
