using System.Globalization;
using System.Security.Cryptography;
using System.Text;
using Jackdaw.ProcessTests.Harness;

namespace Jackdaw.ProcessTests;

/// <summary><c>jackdaw verify</c> on folders that a server wrote.</summary>
public sealed class VerifyTests : IDisposable
{
    private const int PageBytes = 8192;

    private readonly TestFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public async Task Verify_FoldersOfAStoppedServer_AreSoundAndStayUntouched()
    {
        await FillAsync(isKilled: false);
        string before = Fingerprint();

        ProcessEnd all = await VerifyAsync(_folder.Data);
        ProcessEnd one = await VerifyAsync(_folder.Database("shop"));

        Assert.True(all.Code == 0, all.ToString());
        Assert.Equal(2, all.Output.Split("sound ").Length - 1);
        Assert.True(one.Code == 0, one.ToString());
        Assert.Equal(before, Fingerprint());
    }

    [Fact]
    public async Task Verify_ThatCannotPrint_DoesNotSayDamaged()
    {
        await FillAsync(isKilled: false);

        ProcessEnd end = await JackdawProcess.RunAsync(
            _folder.Path, JackdawProcess.WithOutput("> /dev/full"), ["verify", _folder.Data]);

        Assert.True(end.Code == 2, end.ToString());
        Assert.Single(end.Complaints);
    }

    [Fact]
    public async Task Verify_FolderOfAKilledServer_RecoversInMemoryOnly()
    {
        await FillAsync(isKilled: true);
        string before = Fingerprint();

        ProcessEnd end = await VerifyAsync(_folder.Data);

        Assert.True(end.Code == 0, end.ToString());
        Assert.Equal(before, Fingerprint());
    }

    [Fact]
    public async Task Verify_FlippedByte_NamesFileAndPage()
    {
        await FillAsync(isKilled: false);
        string file = Path.Combine(_folder.Database("shop"), "data");
        long place = Flip(file, "needle in the documents");

        ProcessEnd end = await VerifyAsync(_folder.Data);

        Assert.True(end.Code == 1, end.ToString());
        string page = string.Create(CultureInfo.InvariantCulture, $"page {place / PageBytes} at byte {place / PageBytes * PageBytes}:");
        string[] problems = [.. end.Output.Split('\n').Where(line => line.Contains(" at byte ", StringComparison.Ordinal))];
        Assert.NotEmpty(problems);
        Assert.All(problems, line => Assert.StartsWith($"damaged {file}: ", line, StringComparison.Ordinal));
        Assert.Contains(problems, line => line.Contains(page, StringComparison.Ordinal));
        Assert.Contains($"sound   {_folder.Data}/System", end.Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Verify_DamagedHeaders_AreOneLine()
    {
        await FillAsync(isKilled: false);
        using (FileStream headers = File.OpenWrite(Path.Combine(_folder.Database("shop"), "headers")))
        {
            foreach (long place in (long[])[30, 8192 + 30])
            {
                headers.Position = place;
                headers.Write("damaged"u8);
            }
        }

        ProcessEnd end = await VerifyAsync(_folder.Database("shop"));

        Assert.True(end.Code == 1, end.ToString());
        AssertOneLine(end, "header", "damaged", "backup");
    }

    [Fact]
    public async Task Verify_FolderOfARunningServer_IsOneLineThatNamesThePid()
    {
        using RunningServer server = await RunningServer.StartAsync(_folder);

        ProcessEnd end = await VerifyAsync(_folder.Data);

        Assert.True(end.Code == 2, end.ToString());
        AssertOneLine(end, "in use", $"pid {server.Process.Id}");
        await server.ExpectAsync(200, "GET", "/health/ready");
    }

    [Theory]
    [InlineData("empty", "no storage")]
    [InlineData("missing", "no such folder")]
    [InlineData("file", "is a file")]
    public async Task Verify_WhatIsNoStorage_IsOneLineAndStaysUntouched(string name, string reason)
    {
        Directory.CreateDirectory(Path.Combine(_folder.Path, "empty"));
        await File.WriteAllTextAsync(Path.Combine(_folder.Path, "file"), "text");
        string before = Fingerprint();

        ProcessEnd end = await VerifyAsync(Path.Combine(_folder.Path, name));

        Assert.True(end.Code == 2, end.ToString());
        AssertOneLine(end, name, reason);
        Assert.Equal(before, Fingerprint());
    }

    private static void AssertOneLine(ProcessEnd end, params string[] parts)
    {
        string line = Assert.Single((end.Output + end.Errors).Split('\n', StringSplitOptions.RemoveEmptyEntries));
        Assert.All(parts, part => Assert.Contains(part, line, StringComparison.Ordinal));
    }

    private Task<ProcessEnd> VerifyAsync(string folder) => JackdawProcess.RunAsync(_folder.Path, "verify", folder);

    private async Task FillAsync(bool isKilled)
    {
        using RunningServer server = await RunningServer.StartAsync(_folder);
        await server.CreateDatabaseAsync("shop");
        for (int i = 0; i < 50; i++)
        {
            string filler = new('x', i * 40);
            Assert.Equal(201, (await server.PutAsync("shop", $"orders/{i}", $$"""{"text":"needle in the documents","filler":"{{filler}}"}""")).Status);
        }

        if (isKilled)
        {
            await server.Process.KillAsync();
        }
        else
        {
            await server.StopAsync();
        }
    }

    /// <summary>Names, lengths and contents of all files but locks, whose text names the last owner, and spare journals, which hold nothing.</summary>
    private string Fingerprint()
    {
        IEnumerable<string> files = Directory.EnumerateFiles(_folder.Path, "*", SearchOption.AllDirectories).Order(StringComparer.Ordinal)
            .Where(file => Path.GetFileName(file) is { } name && name != "lock" && !name.StartsWith("pool-", StringComparison.Ordinal));
        var text = new StringBuilder();
        foreach (string file in files)
        {
            text.AppendLine(CultureInfo.InvariantCulture, $"{file} {Convert.ToHexString(SHA256.HashData(File.ReadAllBytes(file)))}");
        }

        return text.ToString();
    }

    private static long Flip(string file, string needle)
    {
        byte[] bytes = File.ReadAllBytes(file);
        int place = bytes.AsSpan().IndexOf(Encoding.UTF8.GetBytes(needle));
        Assert.True(place > 0, "The documents are not in the data file.");
        using FileStream stream = File.OpenWrite(file);
        stream.Position = place;
        stream.WriteByte((byte)(bytes[place] ^ 1));
        return place;
    }
}
