using System.Security.Cryptography.X509Certificates;
using Jackdaw.ProcessTests.Harness;

namespace Jackdaw.ProcessTests;

/// <summary>A secured server as a process: its first start, the verbs that ask it, and starts that are refused.</summary>
public sealed class SecuredStartTests : IDisposable
{
    private readonly TestFolder _folder = new();

    private string Keys => Path.Combine(_folder.Data, "Security");

    private string[] Arguments => ["--ServerUrl=https://127.0.0.1:0", $"--DataDir={_folder.Data}"];

    public void Dispose() => _folder.Dispose();

    [Fact]
    public async Task FirstStart_ShowsThePageOnStderrAndOneLineOnStdout()
    {
        using JackdawProcess process = JackdawProcess.Start(_folder.Path, Arguments);
        string address = await process.Ready.WaitAsync(JackdawProcess.Patience);
        Assert.StartsWith("https://127.0.0.1:", address, StringComparison.Ordinal);
        using HttpClient client = MakeClient(address);
        using HttpResponseMessage answer = await client.GetAsync(new Uri("/databases", UriKind.Relative));
        Assert.True(answer.IsSuccessStatusCode, await answer.Content.ReadAsStringAsync());

        await process.TerminateAsync();
        Assert.Equal($"Server available on: {address}", process.Output.Trim());
        Assert.Contains(File.ReadAllText(Path.Combine(Keys, "first-start.txt")), process.Errors, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Verbs_OfTheServersUser_AskOverHttps()
    {
        using JackdawProcess process = JackdawProcess.Start(_folder.Path, Arguments);
        string address = await process.Ready.WaitAsync(JackdawProcess.Patience);
        string folder = $"--DataDir={_folder.Data}";

        ProcessEnd healthy = await JackdawProcess.RunAsync(_folder.Path, "health", address, folder);
        Assert.True(healthy.Code == 0, healthy.ToString());
        Assert.Contains("Ready", healthy.Output, StringComparison.Ordinal);

        ProcessEnd untrusted = await JackdawProcess.RunAsync(_folder.Path, "health", address, $"--DataDir={_folder.Path}");
        AssertOneLine(untrusted, 1, $"no answer from {address}", "signed neither", "--DataDir", "--ca");
        ProcessEnd trusted = await JackdawProcess.RunAsync(
            _folder.Path, "health", address, $"--DataDir={_folder.Path}", $"--ca={Path.Combine(Keys, "ca.pem")}");
        Assert.True(trusted.Code == 0, trusted.ToString());

        ProcessEnd filled = await JackdawProcess.RunAsync(_folder.Path, "sample", address, folder);
        Assert.True(filled.Code == 0, filled.ToString());
        AssertOneLine(await JackdawProcess.RunAsync(_folder.Path, "sample", address, folder, "--cert=none.pem"), 1, "none.pem", "does not exist");
        await process.TerminateAsync();
    }

    [Fact]
    public async Task Start_KeysThatOthersMayRead_IsRefusedBeforeItListens()
    {
        await StartAndStopAsync(Arguments);
        string key = Path.Combine(Keys, "ca.key");
        File.SetUnixFileMode(key, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.OtherRead);
        ProcessEnd end = await JackdawProcess.RunAsync(_folder.Path, Arguments);
        AssertOneLine(end, 2, $"chmod 600 '{key}'");
        Assert.Equal("", end.Output);
    }

    [Fact]
    public async Task Start_FolderOfARunningServer_NamesItsProcess()
    {
        using JackdawProcess process = JackdawProcess.Start(_folder.Path, Arguments);
        await process.Ready.WaitAsync(JackdawProcess.Patience);
        AssertOneLine(await JackdawProcess.RunAsync(_folder.Path, Arguments), 3, $"pid {process.Id} ", "another DataDir");
        await process.TerminateAsync();
    }

    [Fact]
    public async Task Start_DamagedKey_NamesTheFile()
    {
        await StartAndStopAsync(Arguments);
        File.WriteAllText(Path.Combine(Keys, "ca.key"), "damaged");
        AssertOneLine(await JackdawProcess.RunAsync(_folder.Path, Arguments), 2, "ca.key", "backup");
    }

    [Fact]
    public async Task Start_InMemory_KeepsTheKeysAndNothingElse()
    {
        string[] arguments = [.. Arguments, "--RunInMemory=true"];
        await StartAndStopAsync(arguments);
        string first = File.ReadAllText(Path.Combine(Keys, "ca.pem"));
        Assert.Equal([Keys], Directory.GetFileSystemEntries(_folder.Data));
        await StartAndStopAsync(arguments);
        Assert.Equal(first, File.ReadAllText(Path.Combine(Keys, "ca.pem")));
    }

    private static void AssertOneLine(ProcessEnd end, int code, params string[] parts)
    {
        Assert.True(end.Code == code, end.ToString());
        string line = Assert.Single(end.Complaints);
        Assert.All(parts, part => Assert.Contains(part, line, StringComparison.Ordinal));
    }

    private async Task StartAndStopAsync(string[] arguments)
    {
        using JackdawProcess process = JackdawProcess.Start(_folder.Path, arguments);
        await process.Ready.WaitAsync(JackdawProcess.Patience);
        Assert.Equal(0, (await process.TerminateAsync()).Code);
    }

    private HttpClient MakeClient(string address)
    {
        string pem = Path.Combine(Keys, "admin.client.pem");
        var trusted = new X509Certificate2Collection();
        trusted.ImportFromPemFile(Path.Combine(Keys, "ca.pem"));
        var handler = new SocketsHttpHandler();
        handler.SslOptions.ClientCertificates = [X509Certificate2.CreateFromPemFile(pem, pem)];
        var policy = new X509ChainPolicy { TrustMode = X509ChainTrustMode.CustomRootTrust, RevocationMode = X509RevocationMode.NoCheck };
        handler.SslOptions.CertificateChainPolicy = policy;
        policy.CustomTrustStore.AddRange(trusted);
        return new HttpClient(handler) { BaseAddress = new Uri(address) };
    }
}
