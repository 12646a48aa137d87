using Jackdaw.ProcessTests.Harness;

namespace Jackdaw.ProcessTests;

/// <summary>Signals that ask a server to stop, and one that whoever started it has taken away.</summary>
public sealed class StopSignalTests : IDisposable
{
    private readonly TestFolder _folder = new();

    private string[] Arguments => ["--ServerUrl=http://127.0.0.1:0", $"--DataDir={_folder.Data}"];

    public void Dispose() => _folder.Dispose();

    [Theory]
    [InlineData("INT")]
    [InlineData("TERM")]
    [InlineData("HUP")]
    public async Task Server_Signal_StopsInOrder(string signal)
    {
        using JackdawProcess process = JackdawProcess.Start(_folder.Path, JackdawProcess.WithDefault(signal), Arguments);
        await process.Ready.WaitAsync(JackdawProcess.Patience);
        await process.SignalAsync(signal);

        Assert.Equal(0, await process.WaitForExitAsync());
        Assert.Contains("Stopping", process.Errors, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Server_HangUpIgnoredByNohup_GoesOn()
    {
        using JackdawProcess process = JackdawProcess.Start(_folder.Path, ["nohup", JackdawProcess.Executable], Arguments);
        Uri address = new(await process.Ready.WaitAsync(JackdawProcess.Patience));
        await process.SignalAsync("HUP");
        using var client = new HttpClient();

        Assert.Equal(System.Net.HttpStatusCode.OK, (await client.GetAsync(new Uri(address, "/build/version"))).StatusCode);
        Assert.DoesNotContain("Stopping", process.Errors, StringComparison.Ordinal);
        Assert.Equal(0, (await process.TerminateAsync()).Code);
    }
}
