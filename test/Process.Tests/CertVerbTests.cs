using System.Diagnostics;
using Jackdaw.ProcessTests.Harness;

namespace Jackdaw.ProcessTests;

/// <summary>jackdaw cert and rotate-ca against a secured server that runs, and against its folder when it is stopped.</summary>
public sealed class CertVerbTests : IDisposable
{
    private readonly TestFolder _folder = new();
    private string _address = "";

    public void Dispose() => _folder.Dispose();

    [Fact]
    public async Task Cert_CreateEditRenewRevoke_ChangeTheList()
    {
        using JackdawProcess server = await StartAsync();
        string[] made = (await DoAsync("cert", "create", "--name=web", "--clearance=ValidUser", "--database=shop:readwrite")).Output.Split('\n');
        Assert.Equal(["web.pfx", "web.pem", "ca.pem"], made.Where(line => line.Length > 0).Select(Path.GetFileName));
        Assert.All(made.Where(line => line.Length > 0), path => Assert.Equal(
            UnixFileMode.UserRead | UnixFileMode.UserWrite, File.GetUnixFileMode(Path.Combine(_folder.Path, path))));
        Assert.Contains("web  (shop:ReadWrite)", (await DoAsync("cert", "list")).Output, StringComparison.Ordinal);

        await DoAsync("cert", "edit", "web", "--database=stock:Read", "--without=shop", "--name=website");
        Assert.Contains("website  (stock:Read)", (await DoAsync("cert", "list")).Output, StringComparison.Ordinal);

        await DoAsync("cert", "renew", "website", "--out=renewed");
        Assert.True(File.Exists(Path.Combine(_folder.Path, "renewed", "website.pem")));
        AssertRefused(await RunAsync("cert", "revoke", "website"), "2 certificates have the name 'website'");
        string thumbprint = (await DoAsync("cert", "list")).Output.Split('\n').First(line => line.Contains("website", StringComparison.Ordinal)).Split(' ')[0];
        Assert.StartsWith("-----BEGIN CERTIFICATE-----", (await DoAsync("cert", "export", thumbprint)).Output, StringComparison.Ordinal);
        await DoAsync("cert", "revoke", thumbprint);
        Assert.DoesNotContain(thumbprint, (await DoAsync("cert", "list")).Output, StringComparison.Ordinal);
        AssertRefused(await RunAsync("cert", "revoke", "admin"), "the last certificate of a cluster administrator");

        // Whoever has only the certificate of a user learns what is missing.
        AssertRefused(await RunAsync("cert", "list", "--cert=renewed/website.pem"), "needs the access ClusterAdmin", "website");
        AssertRefused(await RunAsync("cert", "create", "--database=shop"), "says no permission");
        AssertRefused(await RunAsync("cert", "edit", "nobody"), "no certificate with the thumbprint or name 'nobody'");
        AssertRefused(await RunAsync("cert", "renew"), "say either");
        Assert.Equal(0, (await server.TerminateAsync()).Code);
    }

    [Fact]
    public async Task RotateCa_BothStepsAndRenewServer_KeepTheAdministratorIn()
    {
        using JackdawProcess server = await StartAsync();
        await DoAsync("cert", "renew", "--server");
        Assert.Contains("\"OfPreviousAuthority\":[\"admin\"]", (await DoAsync("rotate-ca")).Output, StringComparison.Ordinal);
        AssertRefused(await RunAsync("rotate-ca"), "has begun already");
        await DoAsync("rotate-ca", "--finish");
        await DoAsync("cert", "list");
        Assert.Equal(0, (await server.TerminateAsync()).Code);
    }

    [Fact]
    public async Task CreateClusterAdmin_StoppedServer_GetsInAfterTheNextStart()
    {
        using (JackdawProcess first = await StartAsync())
        {
            // A running server is asked, and the folder is left alone.
            Assert.Equal("", (await DoAsync("cert", "create", "--clearance=ClusterAdmin", "--name=second")).Errors);
            await first.TerminateAsync();
        }

        ProcessEnd made = await JackdawProcess.RunAsync(
            _folder.Path, "cert", "create", "--clearance=ClusterAdmin", "--name=rescue", $"--DataDir={_folder.Data}");
        Assert.True(made.Code == 0, made.ToString());
        Assert.Contains("The server is stopped", made.Errors, StringComparison.Ordinal);
        string[] lines = [.. Directory.GetFiles(_folder.Data, "audit-*.jsonl", SearchOption.AllDirectories)
            .SelectMany(File.ReadAllLines).Where(line => line.Contains("\"rescue\"", StringComparison.Ordinal))];
        Assert.Equal(2, lines.Length);
        Assert.Contains("\"outcome\":\"begun\"", lines[0], StringComparison.Ordinal);
        Assert.Contains("\"outcome\":\"done\"", lines[1], StringComparison.Ordinal);
        using JackdawProcess again = await StartAsync();
        Assert.Contains("rescue", (await DoAsync("cert", "list", "--cert=rescue.pem")).Output, StringComparison.Ordinal);
        await again.TerminateAsync();
    }

    /// <summary>What root writes there, the server could not read.</summary>
    [Fact]
    public async Task CreateClusterAdmin_RootInTheFolderOfAnotherUser_IsRefusedAndChangesNothing()
    {
        if (!Environment.IsPrivilegedProcess || OperatingSystem.IsWindows())
        {
            return; // only root can give a folder to somebody else
        }

        using (JackdawProcess first = await StartAsync())
        {
            await first.TerminateAsync();
        }

        string folder = Path.Combine(_folder.Data, "Security");
        using (Process chown = Process.Start("chown", ["-R", "4711", folder]))
        {
            await chown.WaitForExitAsync();
            Assert.Equal(0, chown.ExitCode);
        }

        string[] before = Directory.GetFileSystemEntries(folder);
        string[] create = ["cert", "create", "--clearance=ClusterAdmin", "--name=rescue", $"--DataDir={_folder.Data}"];
        AssertRefused(await JackdawProcess.RunAsync(_folder.Path, create), "the user with the number 4711", "sudo -u '#4711' jackdaw");
        Assert.Equal(before, Directory.GetFileSystemEntries(folder));
    }

    /// <summary>As on a running server, a change whose line cannot be written is refused.</summary>
    [Fact]
    public async Task CreateClusterAdmin_StoppedServerWhoseAuditLogCannotBeWritten_IsRefused()
    {
        using (JackdawProcess first = await StartAsync())
        {
            await first.TerminateAsync();
        }

        string audit = Path.Combine(_folder.Data, "Security", "audit");
        if (Directory.Exists(audit))
        {
            Directory.Delete(audit, recursive: true);
        }

        await File.WriteAllTextAsync(audit, "");
        string list = Path.Combine(_folder.Data, "Security", "certificates.json");
        string before = await File.ReadAllTextAsync(list);
        AssertRefused(
            await JackdawProcess.RunAsync(_folder.Path, "cert", "create", "--clearance=ClusterAdmin", "--name=rescue", $"--DataDir={_folder.Data}"),
            "audit log");
        Assert.Equal(before, await File.ReadAllTextAsync(list));
    }

    private static void AssertRefused(ProcessEnd end, params string[] parts)
    {
        Assert.True(end.Code == 1, end.ToString());
        string line = Assert.Single(end.Complaints);
        Assert.All(parts, part => Assert.Contains(part, line, StringComparison.Ordinal));
    }

    private async Task<JackdawProcess> StartAsync()
    {
        JackdawProcess server = JackdawProcess.Start(_folder.Path, "--ServerUrl=https://127.0.0.1:0", $"--DataDir={_folder.Data}");
        _address = await server.Ready.WaitAsync(JackdawProcess.Patience);
        return server;
    }

    private async Task<ProcessEnd> DoAsync(params string[] arguments)
    {
        ProcessEnd end = await RunAsync(arguments);
        Assert.True(end.Code == 0, end.ToString());
        return end;
    }

    private Task<ProcessEnd> RunAsync(params string[] arguments) =>
        JackdawProcess.RunAsync(_folder.Path, [.. arguments, $"--ServerUrl={_address}", $"--DataDir={_folder.Data}"]);
}
