using System.Diagnostics;
using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Text.Json;
using Jackdaw.ProcessTests.Harness;
using Jackdaw.TestKit;

namespace Jackdaw.ProcessTests;

/// <summary>What the process says and how it ends when it cannot start, and what it only warns of.</summary>
public sealed class StartTests : IDisposable
{
    /// <summary>A wrong configuration is told at once; the rest is the start of the runtime on a busy machine.</summary>
    private static readonly TimeSpan s_atOnce = TimeSpan.FromSeconds(1);

    /// <summary>One raw block: magic number, frame header (single segment, 7 bytes), last block of 7 bytes.</summary>
    private static readonly byte[] s_zstdBody = [0x28, 0xB5, 0x2F, 0xFD, 0x20, 0x07, 0x39, 0x00, 0x00, .. """{"n":5}"""u8];

    private readonly TestFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public async Task SecondProcess_OnTheSameData_IsRefusedWithThePidOfTheFirst()
    {
        using RunningServer first = await RunningServer.StartAsync(_folder);
        await first.CreateDatabaseAsync("shop");

        ProcessEnd second = await StartAsync("--ServerUrl=http://127.0.0.1:0", $"--DataDir={_folder.Data}");

        AssertOneLine(second, 3, _folder.Data, $"pid {first.Process.Id} ", "another DataDir");
        await first.AssertServesAsync("shop");
        await first.StopAsync();
    }

    [Fact]
    public async Task Port_InUse_IsOneLine()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        int port = ((IPEndPoint)listener.LocalEndpoint).Port;

        ProcessEnd end = await StartAsync($"--ServerUrl=http://127.0.0.1:{port}", $"--DataDir={_folder.Data}");

        AssertOneLine(end, 2, $"127.0.0.1:{port}", "in use", "another");
        Assert.False(Directory.Exists(_folder.Data));
    }

    [Fact]
    public async Task DataDir_NotWritable_IsOneLine()
    {
        Directory.CreateDirectory(_folder.Data);
        string[] arguments = ["--ServerUrl=http://127.0.0.1:0", $"--DataDir={_folder.Data}"];
        File.SetUnixFileMode(_folder.Path, UnixFileMode.UserRead | UnixFileMode.UserExecute | UnixFileMode.OtherRead | UnixFileMode.OtherExecute);
        File.SetUnixFileMode(_folder.Data, UnixFileMode.UserRead | UnixFileMode.UserExecute | UnixFileMode.OtherRead | UnixFileMode.OtherExecute);

        // Root may write anywhere: the server then runs as nobody.
        string[] through = Environment.UserName == "root"
            ? ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", JackdawProcess.Executable]
            : [JackdawProcess.Executable];
        ProcessEnd end = await JackdawProcess.RunAsync(_folder.Path, through, arguments);

        AssertOneLine(end, 3, _folder.Data, "Permission denied", "another DataDir");
        File.SetUnixFileMode(_folder.Path, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute);
    }

    [Theory]
    [InlineData("--DataDir={file}", 2, "DataDir", "is a file")]
    [InlineData("--DataDir={file}/below", 3, "/file/below", "there is a file where a folder is needed")]
    [InlineData("--ServerUrl=nonsense", 2, "ServerUrl", "http://127.0.0.1:8080")]
    [InlineData("--ServerUrl=http://127.0.0.1:99999", 2, "ServerUrl", "http://127.0.0.1:8080")]
    [InlineData("--ServerUrl=http://0.0.0.0:8080", 2, "https://0.0.0.0:8080", "Security.UnsecuredAccessAllowed to PrivateNetwork")]
    [InlineData("--ServerUrl=http://db.example.com:8080", 2, "https://db.example.com:8080", "PublicNetwork")]
    [InlineData("--ServerUrl=https://no.such.host.invalid:80", 2, "no.such.host.invalid", "another address")]
    [InlineData("--RunInMemory=maybe", 2, "RunInMemory", "true or false")]
    [InlineData("--WriteMode=fast", 2, "WriteMode", "io_ring")]
    [InlineData("--Log.Level=Loud", 2, "Log.Level", "Information")]
    [InlineData("strange", 2, "strange", "--help")]
    public async Task Value_ThatCannotBeUsed_StopsTheStartWithOneLine(string argument, int code, string name, string advice)
    {
        string file = Path.Combine(_folder.Path, "file");
        await File.WriteAllTextAsync(file, "");

        ProcessEnd end = await StartAsync(argument.Replace("{file}", file, StringComparison.Ordinal));

        AssertOneLine(end, code, name, advice);

        // Looking up a name, and starting this process four times slower than alone, are not ours.
        Assert.True(argument.Contains("invalid", StringComparison.Ordinal) || end.Time < 4 * s_atOnce, end.ToString());
    }

    /// <summary>A large document makes a compressed journal entry. Where the system's libraries would be looked for, empty files
    /// stand that nobody can load.</summary>
    [Fact]
    public async Task Compression_NeedsNoLibraryOfTheSystem()
    {
        await File.WriteAllTextAsync(Path.Combine(_folder.Path, "liblz4.so.1"), "");
        await File.WriteAllTextAsync(Path.Combine(_folder.Path, "libzstd.so.1"), "");
        string large = $$"""{"text":"{{new string('a', 200_000)}}"}""";
        string[] through = ["env", $"LD_LIBRARY_PATH={_folder.Path}", JackdawProcess.Executable];

        using (RunningServer server = await RunningServer.StartThroughAsync(_folder, through))
        {
            await server.CreateDatabaseAsync("shop");
            Assert.Equal(201, (await server.PutAsync("shop", "large", large)).Status);
            Assert.Equal(201, (await server.SendAsync("PUT", "/databases/shop/docs?id=small", s_zstdBody, ("Content-Encoding", "zstd"))).Status);
            await server.Process.KillAsync();
        }

        using RunningServer again = await RunningServer.StartThroughAsync(_folder, through);
        Assert.Contains("\"n\":5", (await again.GetAsync("shop", "small")).Text, StringComparison.Ordinal);
        Assert.Contains(large[1..^1], (await again.GetAsync("shop", "large")).Text, StringComparison.Ordinal);
        await again.StopAsync();
    }

    [Fact]
    public async Task PlatformLibrary_ThatIsMissing_StopsTheStartWithOneLine()
    {
        string copy = Path.Combine(_folder.Path, "server");
        using (Process copying = Process.Start("cp", ["-r", Path.GetDirectoryName(JackdawProcess.Executable)!, copy]))
        {
            await copying.WaitForExitAsync();
        }

        string[] libraries = Directory.GetFiles(Path.Combine(copy, "runtimes"), "libpal.so", SearchOption.AllDirectories);
        Assert.NotEmpty(libraries);
        Array.ForEach(libraries, File.Delete);

        ProcessEnd end = await JackdawProcess.RunAsync(_folder.Path, [Path.Combine(copy, "jackdaw")], ["--ServerUrl=http://127.0.0.1:0"]);

        AssertOneLine(end, 2, "libpal.so", "is missing", "build or install again");
    }

    [Fact]
    public async Task SettingsFile_ThatIsNoJson_StopsTheStartAndSaysWhere()
    {
        await File.WriteAllTextAsync(Path.Combine(_folder.Path, "settings.json"), "{\n  \"DataDir\": \n");

        AssertOneLine(await StartAsync(), 2, "settings.json", "LineNumber", "JSON object");
    }

    [Fact]
    public async Task SettingsFile_ThatIsAFolder_StopsTheStartAndSaysWhatToDo()
    {
        Directory.CreateDirectory(Path.Combine(_folder.Path, "settings.json"));

        AssertOneLine(await StartAsync("--ServerUrl=http://127.0.0.1:0"), 2, Path.Combine(_folder.Path, "settings.json"), "is a folder", "remove");
        Assert.False(Directory.Exists(_folder.Data));
    }

    /// <summary>As where stdout is a file on a full disk, or was closed.</summary>
    [Theory]
    [InlineData("> /dev/full")]
    [InlineData(">&-")]
    public async Task Output_ThatCannotBeWritten_IsAWarningAndTheServerServes(string output)
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        int port = ((IPEndPoint)listener.LocalEndpoint).Port;
        listener.Stop();
        string address = $"http://127.0.0.1:{port}";
        using JackdawProcess process = JackdawProcess.Start(
            _folder.Path,
            JackdawProcess.WithOutput(output),
            [$"--ServerUrl={address}", $"--DataDir={_folder.Data}"]);
        await JackdawProcess.WaitAsync(() => process.HasExited || process.Errors.Contains("stdout", StringComparison.Ordinal), "it does not start");
        Assert.False(process.HasExited, process.Errors);

        ProcessEnd ready = await JackdawProcess.RunAsync(_folder.Path, "health", address);
        (int code, _) = await process.TerminateAsync();

        Assert.True(ready.Code == 0, ready.ToString());
        Assert.Equal(0, code);
        Assert.Contains($"Server available on: {address}", process.Errors, StringComparison.Ordinal);
    }

    [Fact]
    public async Task UnknownKey_IsAWarningThatNamesTheNearest()
    {
        using RunningServer server = await RunningServer.StartAsync(_folder, "--DataDirr=elsewhere", "--Setup.Mode=None");
        await server.StopAsync(); // after it, all that was logged is here

        Assert.Contains("'DataDirr' (command line) is ignored; did you mean 'DataDir'?", server.Process.Errors, StringComparison.Ordinal);
        Assert.Contains("'Setup.Mode'", server.Process.Errors, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Logs_AsJson_AreObjectsWithTheirTimeInUtc()
    {
        DateTimeOffset before = DateTimeOffset.UtcNow.AddSeconds(-1);
        using RunningServer server = await RunningServer.StartAsync(_folder, "--Log.Format=Json", "--NoSuchKey=1");
        await server.StopAsync();

        string[] lines = server.Process.Errors.Split('\n', StringSplitOptions.RemoveEmptyEntries);
        Assert.True(lines.Length >= 2, server.Process.Errors);
        foreach (string line in lines)
        {
            using var entry = JsonDocument.Parse(line);
            string time = entry.RootElement.GetProperty("Timestamp").GetString()!;
            Assert.EndsWith("Z", time, StringComparison.Ordinal);
            Assert.InRange(DateTimeOffset.Parse(time, CultureInfo.InvariantCulture), before, DateTimeOffset.UtcNow.AddSeconds(1));
        }
    }

    [Fact]
    public async Task HealthVerb_TellsReadyFromAbsent()
    {
        string url;
        using (RunningServer server = await RunningServer.StartAsync(_folder))
        {
            url = server.Address.ToString();
            ProcessEnd ready = await JackdawProcess.RunAsync(_folder.Path, "health", url);
            Assert.True(ready.Code == 0, ready.ToString());
            Assert.Contains("Ready", ready.Output, StringComparison.Ordinal);
            await server.StopAsync();
        }

        ProcessEnd absent = await JackdawProcess.RunAsync(_folder.Path, "health", url);
        AssertOneLine(absent, 1, "no answer");
    }

    /// <summary>As the health check of a container, which is not told the address that the variable set.</summary>
    [Fact]
    public async Task HealthVerb_WithoutAddress_AsksTheConfiguredOne()
    {
        using RunningServer server = await RunningServer.StartAsync(_folder);
        ProcessEnd ready = await AskConfiguredAsync($"http://0.0.0.0:{server.Address.Port}");
        Assert.True(ready.Code == 0, ready.ToString());
        await server.StopAsync();

        AssertOneLine(await AskConfiguredAsync($"http://*:{server.Address.Port}"), 1, $"no answer from http://127.0.0.1:{server.Address.Port}/");
        AssertOneLine(await AskConfiguredAsync("http://127.0.0.1:0"), 1, "give the address that the server printed");
        AssertOneLine(await AskConfiguredAsync("nowhere"), 1, "ServerUrl = 'nowhere' (environment JACKDAW_SERVER_URL)");
    }

    /// <summary>Variables for the programs of a machine that reaches the web by a proxy only: containers often have them.</summary>
    [Fact]
    public async Task HealthVerb_WithAProxyInTheEnvironment_AsksTheServerItself()
    {
        using RunningServer server = await RunningServer.StartAsync(_folder);
        ProcessEnd ready = await JackdawProcess.RunAsync(_folder.Path,
            ["/usr/bin/env", "http_proxy=http://127.0.0.1:1", "HTTP_PROXY=http://127.0.0.1:1", "ALL_PROXY=http://127.0.0.1:1", JackdawProcess.Executable],
            ["health", server.Address.ToString()]);
        await server.StopAsync();

        Assert.True(ready.Code == 0, ready.ToString());
        AssertOneLine(await JackdawProcess.RunAsync(_folder.Path, "health", "httpx://127.0.0.1"), 1, "is not an address");
    }

    private Task<ProcessEnd> AskConfiguredAsync(string url) => JackdawProcess.RunAsync(
        _folder.Path, ["/usr/bin/env", $"JACKDAW_SERVER_URL={url}", JackdawProcess.Executable], ["health"]);

    /// <summary>Never the exit code of a verb that found damage.</summary>
    [Theory]
    [InlineData("verify", "Required argument missing")]
    [InlineData("compact", "Required argument missing")]
    [InlineData("verify . other", "'other' is neither")]
    [InlineData("verify . --bogus", "'--bogus' is neither")]
    public async Task Verb_ThatIsMisused_IsRefusedInOneLine(string arguments, string reason) =>
        AssertOneLine(await StartAsync(arguments.Split(' ')), 2, reason, "--help");

    [Fact]
    public async Task Key_GivenTwice_HasItsLastValue()
    {
        string other = Path.Combine(_folder.Path, "other");
        using RunningServer server = await RunningServer.StartAsync(_folder, $"--DataDir={other}-not", $"--DataDir={other}");
        await server.StopAsync();
        Assert.True(Directory.Exists(other));
        Assert.False(Directory.Exists(other + "-not"));
    }

    [Fact]
    public async Task EmptyServer_StartsAndStopsQuickly()
    {
        long started = Stopwatch.GetTimestamp();
        using RunningServer server = await RunningServer.StartAsync(_folder);
        TimeSpan start = Stopwatch.GetElapsedTime(started);

        (int code, TimeSpan stop) = await server.Process.TerminateAsync();

        Assert.Equal(0, code);
        Assert.True(start < TimeSpan.FromSeconds(10) && stop < TimeSpan.FromSeconds(5), $"start {start}, stop {stop}");
    }

    /// <summary>It used to take all the time that requests in work get, and cut the connection.</summary>
    [Fact]
    public async Task Stop_WithABodyThatDoesNotCome_IsShortAndTellsTheSender()
    {
        using RunningServer server = await RunningServer.StartAsync(_folder);
        await server.CreateDatabaseAsync("shop");
        using var socket = new RawConnection(server.Address);
        await socket.SendAsync("PUT /databases/shop/docs?id=half HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 100\r\n\r\n{");
        await socket.ReadHeadAsync(); // the server reads the body

        (int code, TimeSpan stop) = await server.Process.TerminateAsync();

        Assert.Equal(0, code);
        Assert.True(stop < TimeSpan.FromSeconds(7), $"stop {stop}");
        Assert.Contains("HTTP/1.1 503", await socket.ReadToEndAsync(), StringComparison.Ordinal);
    }

    private static void AssertOneLine(ProcessEnd end, int code, params string[] parts)
    {
        Assert.True(end.Code == code, end.ToString());
        Assert.DoesNotContain("   at ", end.Errors, StringComparison.Ordinal);
        string line = Assert.Single(end.Complaints);
        Assert.All(parts, part => Assert.Contains(part, line, StringComparison.OrdinalIgnoreCase));
    }

    private Task<ProcessEnd> StartAsync(params string[] arguments) => JackdawProcess.RunAsync(_folder.Path, arguments);
}
