using System.Diagnostics;
using Jackdaw.Server.Verbs;
using Xunit.Abstractions;

namespace Jackdaw.Server.Tests.Verbs;

/// <summary><c>jackdaw compact</c> is killed while it compacts a database and its branches, on a real folder.</summary>
public sealed class CompactionKillTests(ITestOutputHelper output)
{
    private const int Kills = 6;

    [Fact]
    public async Task Kill_InTheMiddleOfAFamily_LosesNothingAndCanBeRunAgain()
    {
        using var family = new StoredFamily();
        int cutOff = 0;
        for (int kill = 0; kill < Kills; kill++)
        {
            // After so many of its lines: at the beginning, between two storages, and while the next one is copied.
            bool isCutOff = await KillAsync(family.DataFolder, lines: 1 + kill);
            cutOff += isCutOff ? 1 : 0;
            Assert.Equal(FolderVerification.ExitCodeSound, BranchFoldersTests.Verify(family.DataFolder).Code);
            family.RequireContents();
        }

        output.WriteLine($"{cutOff} of {Kills} runs were cut off");
        Assert.InRange(cutOff, 1, Kills);
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
