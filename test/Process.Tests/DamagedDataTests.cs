using System.Diagnostics;
using System.Text;
using System.Text.Json;
using Jackdaw.ProcessTests.Harness;
using Jackdaw.TestKit;

namespace Jackdaw.ProcessTests;

/// <summary>A data folder that somebody or something damaged: what is hit says so, the rest serves, nothing more is lost.</summary>
public sealed class DamagedDataTests(SoundData sound) : IClassFixture<SoundData>, IDisposable
{
    private readonly TestFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    private string Shop => _folder.Database("shop");

    public static TheoryData<string, bool, string> Damages => new()
    {
        { "no data file", false, "is missing" },
        { "no journal", true, "journal" },
        { "no headers", false, "headers" },
        { "only the data file", false, "data file in use" },
        { "no folder", false, "missing" },
        { "a file instead of the folder", false, "Databases/shop" },
        { "cut data file", false, "truncated" },
        { "damaged headers", false, "damaged" },
        { "newer format", false, "newer version" },
    };

    [Theory]
    [MemberData(nameof(Damages))]
    public async Task Database_Damaged_AnswersWhyWhileOthersServe(string damage, bool isKilled, string reason)
    {
        await sound.CopyToAsync(_folder, isKilled);
        Damage(damage);
        string before = Listing();

        using RunningServer server = await RunningServer.StartAsync(_folder);

        foreach ((string method, string path, string? body) in ((string, string, string?)[])[
            ("GET", "/docs?id=orders/1", null), ("PUT", "/docs?id=a", "{}"), ("GET", "/stats", null), ("POST", "/bulk_docs", """{"Commands":[]}""")])
        {
            (await server.SendAsync(method, "/databases/shop" + path, body)).AssertProblem(500, "RavenException", "'shop' cannot be used", reason);
        }

        Answer list = await server.ExpectAsync(200, "GET", "/databases");
        Assert.Contains(reason, list.Text, StringComparison.OrdinalIgnoreCase);
        Answer ready = await server.ExpectAsync(200, "GET", "/health/ready");
        JsonElement faulted = Assert.Single(ready.Json.GetProperty("FaultedDatabases").EnumerateArray());
        Assert.Equal("shop", faulted.GetProperty("Name").GetString());
        Assert.Contains(reason, faulted.GetProperty("Reason").GetString(), StringComparison.OrdinalIgnoreCase);
        await server.AssertServesAsync("other");
        await server.StopAsync(); // after it, all that was logged is here
        string log = Assert.Single(server.Process.Errors.Split('\n'), line => line.Contains(" fail: ", StringComparison.Ordinal));
        Assert.Contains("shop", log, StringComparison.Ordinal);
        Assert.Equal(before, Listing());
        ProcessEnd verified = await JackdawProcess.RunAsync(_folder.Path, "verify", _folder.Data);
        Assert.Equal(damage == "newer format" ? 2 : 1, verified.Code);
        Assert.Contains(_folder.Database("shop"), verified.Output, StringComparison.Ordinal);
        Assert.Equal(before, Listing());
    }

    [Fact]
    public async Task Page_Damaged_FailsItsReadersOnly()
    {
        await sound.CopyToAsync(_folder, isKilled: false);
        string file = Path.Combine(Shop, "data");
        byte[] bytes = await File.ReadAllBytesAsync(file);
        int place = bytes.AsSpan().IndexOf("needle of 1 "u8);
        Assert.True(place > 0);
        bytes[place] ^= 1;
        await File.WriteAllBytesAsync(file, bytes);

        using RunningServer server = await RunningServer.StartAsync(_folder);

        (await server.GetAsync("shop", "orders/1")).AssertProblem(500, "CorruptedPageException", "Page ", Shop, "backup");
        await server.AssertServesAsync("other");
        await server.ExpectAsync(200, "GET", "/health/ready");
        Assert.Equal(201, (await server.PutAsync("shop", "fresh", "{}")).Status);
        Assert.Equal(200, (await server.GetAsync("shop", "fresh")).Status);
        await server.StopAsync();
    }

    [Theory]
    [InlineData("data", "is missing")]
    [InlineData("headers", "headers")]
    [InlineData("format", "newer version")]
    public async Task SystemStorage_Damaged_StopsTheStartWithOneLine(string damage, string reason)
    {
        await sound.CopyToAsync(_folder, isKilled: false);
        string system = Path.Combine(_folder.Data, "System");
        if (damage == "format")
        {
            StoredHeader.SetVersion(system, 99);
        }
        else
        {
            File.Delete(Path.Combine(system, damage));
        }

        ProcessEnd end = await JackdawProcess.RunAsync(_folder.Path, "--ServerUrl=http://127.0.0.1:0", $"--DataDir={_folder.Data}");

        Assert.True(end.Code == 3, end.ToString());
        Assert.DoesNotContain("   at ", end.Errors, StringComparison.Ordinal);
        Assert.Contains(reason, Assert.Single(end.Complaints), StringComparison.Ordinal);
    }

    [Fact]
    public async Task SystemStorage_Lost_DatabasesAreFoundAgainByTheirNames()
    {
        await sound.CopyToAsync(_folder, isKilled: false);
        Directory.Delete(Path.Combine(_folder.Data, "System"), recursive: true);

        using RunningServer server = await RunningServer.StartAsync(_folder);

        (await server.GetAsync("shop", "orders/7")).AssertProblem(503, "DatabaseDoesNotExistException", "'shop' does not exist");
        await server.CreateDatabaseAsync("shop");
        Assert.Contains("needle of 7 ", (await server.GetAsync("shop", "orders/7")).Text, StringComparison.Ordinal);
        await server.StopAsync(); // after it, all that was logged is here
        Assert.Contains("2 folders", server.Process.Errors, StringComparison.Ordinal);
        Assert.Contains("other, shop", server.Process.Errors, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Database_FilesPutBack_ServesAfterTheNextStart()
    {
        await sound.CopyToAsync(_folder, isKilled: false);
        string aside = Path.Combine(_folder.Path, "aside");
        Directory.Move(Shop, aside);
        using (RunningServer server = await RunningServer.StartAsync(_folder))
        {
            (await server.GetAsync("shop", "orders/7")).AssertProblem(500, "RavenException", "missing", "backup");
            await server.StopAsync();
        }

        Directory.Move(aside, Shop);
        using RunningServer again = await RunningServer.StartAsync(_folder);
        Assert.Contains("needle of 7 ", (await again.GetAsync("shop", "orders/7")).Text, StringComparison.Ordinal);
        await again.StopAsync();
    }

    private void Damage(string damage)
    {
        switch (damage)
        {
            case "no data file":
                File.Delete(Path.Combine(Shop, "data"));
                break;
            case "no journal":
                Array.ForEach(Directory.GetFiles(Path.Combine(Shop, "Journals"), "0*.journal"), File.Delete);
                break;
            case "no headers":
                File.Delete(Path.Combine(Shop, "headers"));
                break;
            case "only the data file":
                File.Delete(Path.Combine(Shop, "headers"));
                Directory.Delete(Path.Combine(Shop, "Journals"), recursive: true);
                break;
            case "no folder":
                Directory.Delete(Shop, recursive: true);
                break;
            case "a file instead of the folder":
                Directory.Delete(Shop, recursive: true);
                File.WriteAllText(Shop, "");
                break;
            case "cut data file":
                using (FileStream data = File.OpenWrite(Path.Combine(Shop, "data")))
                {
                    data.SetLength(4096);
                }

                break;
            case "damaged headers":
                File.WriteAllBytes(Path.Combine(Shop, "headers"), new byte[16384]);
                break;
            case "newer format":
                StoredHeader.SetVersion(Shop, 99);
                break;
            default:
                throw new ArgumentException($"No damage is called '{damage}'.", nameof(damage));
        }
    }

    /// <summary>Names and lengths of what is left of the database: a server that cannot use it must not make it worse.</summary>
    private string Listing()
    {
        if (!Directory.Exists(Shop))
        {
            return File.Exists(Shop) ? "a file" : "nothing";
        }

        var text = new StringBuilder();
        IEnumerable<FileInfo> files = new DirectoryInfo(Shop).EnumerateFiles("*", SearchOption.AllDirectories);
        foreach (FileInfo file in files.Where(file => file.Name != "lock").OrderBy(file => file.FullName))
        {
            text.Append(file.FullName).Append(' ').Append(file.Length).Append('\n');
        }

        return text.ToString();
    }
}

/// <summary>The data of a server with two databases, written once: each test damages a copy of it.</summary>
public sealed class SoundData : IAsyncLifetime
{
    private readonly TestFolder _stopped = new();
    private readonly TestFolder _killed = new();

    public Task InitializeAsync() => Task.WhenAll(FillAsync(_stopped, isKilled: false), FillAsync(_killed, isKilled: true));

    public Task DisposeAsync()
    {
        _stopped.Dispose();
        _killed.Dispose();
        return Task.CompletedTask;
    }

    /// <summary>Copies it, links between files and all.</summary>
    internal async Task CopyToAsync(TestFolder folder, bool isKilled)
    {
        string from = (isKilled ? _killed : _stopped).Data;
        using Process copying = Process.Start("cp", ["-a", from, folder.Data]);
        await copying.WaitForExitAsync();
        Assert.Equal(0, copying.ExitCode);
    }

    private static async Task FillAsync(TestFolder folder, bool isKilled)
    {
        using RunningServer server = await RunningServer.StartAsync(folder);
        foreach (string name in (string[])["shop", "other"])
        {
            await server.CreateDatabaseAsync(name);
        }

        for (int i = 0; i < 10; i++)
        {
            string filler = new('x', 1000);
            Assert.Equal(201, (await server.PutAsync("shop", $"orders/{i}", $$"""{"text":"needle of {{i}} ","filler":"{{filler}}"}""")).Status);
        }

        await (isKilled ? server.Process.KillAsync() : server.StopAsync());
    }
}
