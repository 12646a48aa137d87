using System.Diagnostics;
using Jackdaw.Client.Tests.Harness;
using Xunit.Abstractions;

namespace Jackdaw.Client.Tests.Samples;

/// <summary>The client in a program that is compiled ahead of time, without reflection.</summary>
[Trait("Tier", "Full")]
public sealed class AotSampleTests(ITestOutputHelper output)
{
    [Fact]
    public async Task Sample_PublishedAheadOfTime_HasNoWarningAndRuns()
    {
        string folder = Path.Combine(RepositoryFolder.Path, "artifacts", "aot-console");
        string published = await RunAsync(
            "dotnet", ["publish", "samples/AotConsole", "-c", "Release", "--use-current-runtime", "-o", folder, "--nologo", "-v", "q"]);
        Assert.DoesNotContain("warning", published, StringComparison.OrdinalIgnoreCase);
        await using SocketServer server = await SocketServer.StartAsync("db1");
        string said = await RunAsync(Path.Combine(folder, "Jackdaw.AotConsole"), [server.Url, "shop"]);
        Assert.Contains("on sale: 1; SaleRow { Sale = Open, Count = 1, Price = 24.9 }, SaleRow { Sale = Ended, Count = 1, ", said, StringComparison.Ordinal);
        Assert.Contains("cheap: Lamp 24.90", said, StringComparison.Ordinal);
        Assert.Contains("all: Table 120, Lamp 24.90", said, StringComparison.Ordinal);
    }

    private async Task<string> RunAsync(string program, string[] arguments)
    {
        using Process process = Process.Start(new ProcessStartInfo(program, arguments)
        {
            WorkingDirectory = RepositoryFolder.Path,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        })!;
        Task<string> errors = process.StandardError.ReadToEndAsync();
        string said = await process.StandardOutput.ReadToEndAsync() + await errors;
        await process.WaitForExitAsync();
        output.WriteLine(said);
        Assert.True(process.ExitCode == 0, $"{program} {string.Join(' ', arguments)} ended with {process.ExitCode}: {said}");
        return said;
    }
}
