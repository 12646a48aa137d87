using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using Jackdaw.ProcessTests.Harness;

namespace Jackdaw.ProcessTests;

/// <summary>What docs/operating/security.md tells a newcomer to paste works as it stands there, from the first line to the last.</summary>
public sealed class SecurityGuideTests : IDisposable
{
    private const string Port = "8443"; // of the page; a free one takes its place

    private readonly TestFolder _folder = new();
    private readonly string _port = FreePort();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public async Task Guide_ItsCommandsInOrder_DoWhatTheySay()
    {
        string[] blocks = BlocksOf("docs/operating/security.md");
        Assert.Equal("jackdaw", blocks[0].Trim().Split('\n')[^1]);
        await PasteAsync(blocks[0].Trim().Split('\n')[0]);
        using JackdawProcess server = JackdawProcess.Start(_folder.Path);
        await server.Ready.WaitAsync(JackdawProcess.Patience);
        var given = new Dictionary<string, string>();
        foreach (string block in blocks.Skip(1))
        {
            given.Add(block.Trim(), await PasteAsync(block));
        }

        string AnswerTo(string part) => given.Single(one => one.Key.Contains(part, StringComparison.Ordinal)).Value;
        Assert.Equal("{\"Databases\":[]}", given.Single(one => one.Key.EndsWith("/databases", StringComparison.Ordinal)).Value.Trim());
        Assert.Contains("\"Name\":\"shop\"", AnswerTo("/admin/databases"), StringComparison.Ordinal);
        Assert.Contains("users/1", AnswerTo("/docs?id="), StringComparison.Ordinal);
        Assert.Contains("web", AnswerTo("cert list"), StringComparison.Ordinal);
        Assert.Contains($"https://", AnswerTo("login-link"), StringComparison.Ordinal);
        Assert.Contains("certificate", AnswerTo("/admin/audit"), StringComparison.Ordinal);
        Assert.True(File.Exists(Path.Combine(_folder.Path, "web.pfx")));

        // The certificate was revoked on the way.
        string refused = await PasteAsync($"curl -sS --cacert ca.pem --cert web.pem https://localhost:{Port}/databases");
        Assert.Contains("InvalidAuth", refused, StringComparison.Ordinal);
        Assert.Contains("revoked", refused, StringComparison.Ordinal);
        Assert.Equal(0, (await server.TerminateAsync()).Code);
    }

    [Fact]
    public async Task Guide_WhenNobodyGetsIn_TheOwnerOfTheFolderDoes()
    {
        await PasteAsync(BlocksOf("docs/operating/security.md")[0].Trim().Split('\n')[0]);
        using (JackdawProcess first = JackdawProcess.Start(_folder.Path))
        {
            await first.Ready.WaitAsync(JackdawProcess.Patience);
            await first.TerminateAsync();
        }

        string command = File.ReadLines(Path.Combine(JackdawProcess.RepositoryFolder, "docs/operating/security.md"))
            .Single(line => line.StartsWith("jackdaw cert create --name=rescue", StringComparison.Ordinal));
        await PasteAsync(command);
        using JackdawProcess again = JackdawProcess.Start(_folder.Path);
        await again.Ready.WaitAsync(JackdawProcess.Patience);
        string whoami = await PasteAsync($"curl -sS --cacert ca.pem --cert rescue.pem https://localhost:{Port}/certificates/whoami");
        Assert.Contains("\"ClusterAdmin\"", whoami, StringComparison.Ordinal);
        await again.TerminateAsync();
    }

    // Blocks for a terminal; the others are of programs, or of another time.
    private static string[] BlocksOf(string page) =>
    [
        .. File.ReadAllText(Path.Combine(JackdawProcess.RepositoryFolder, page)).Split("```bash\n").Skip(1)
            .Select(rest => rest[..rest.IndexOf("```", StringComparison.Ordinal)]),
    ];

    private async Task<string> PasteAsync(string lines)
    {
        var start = new ProcessStartInfo("bash", ["-euo", "pipefail", "-c", lines.Replace(Port, _port, StringComparison.Ordinal)])
        {
            WorkingDirectory = _folder.Path,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        start.Environment["PATH"] = $"{Path.GetDirectoryName(JackdawProcess.Executable)}:{start.Environment["PATH"]}";
        using Process shell = Process.Start(start)!;
        Task<string> errors = shell.StandardError.ReadToEndAsync();
        string answer = await shell.StandardOutput.ReadToEndAsync();
        await shell.WaitForExitAsync();
        Assert.True(shell.ExitCode == 0, $"{lines} ended with {shell.ExitCode}: {answer}{await errors}");
        return answer;
    }

    private static string FreePort()
    {
        using var probe = new TcpListener(IPAddress.Loopback, 0);
        probe.Start();
        return ((IPEndPoint)probe.LocalEndpoint).Port.ToString(System.Globalization.CultureInfo.InvariantCulture);
    }
}
