using Jackdaw.ProcessTests.Harness;

namespace Jackdaw.ProcessTests;

/// <summary><c>jackdaw compact</c> on folders that a server wrote.</summary>
public sealed class CompactTests : IDisposable
{
    private readonly TestFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public async Task Compact_DataFolderOfAStoppedServer_ShrinksItAndTheServerServesTheSame()
    {
        string data = Path.Combine(_folder.Database("shop"), "data");
        string kept;
        using (RunningServer server = await RunningServer.StartAsync(_folder))
        {
            await server.CreateDatabaseAsync("shop");
            string filler = new('x', 40_000);
            for (int i = 0; i < 200; i++)
            {
                Assert.Equal(201, (await server.PutAsync("shop", $"orders/{i}", $$"""{"filler":"{{filler}}"}""")).Status);
            }

            for (int i = 1; i < 200; i++)
            {
                await server.ExpectAsync(204, "DELETE", $"/databases/shop/docs?id=orders%2F{i}");
            }

            kept = (await server.GetAsync("shop", "orders/0")).Text;
            await server.StopAsync();
        }

        long before = new FileInfo(data).Length;
        ProcessEnd end = await JackdawProcess.RunAsync(_folder.Path, "compact", _folder.Data);

        Assert.True(end.Code == 0, end.ToString());
        Assert.Equal(2, end.Output.Split("compacted ").Length - 1);
        Assert.Contains(" MB -> ", end.Output, StringComparison.Ordinal);
        Assert.InRange(new FileInfo(data).Length, 1, before / 4);
        ProcessEnd verified = await JackdawProcess.RunAsync(_folder.Path, "verify", _folder.Data);
        Assert.True(verified.Code == 0, verified.ToString());
        using RunningServer again = await RunningServer.StartAsync(_folder);
        Assert.Equal(kept, (await again.GetAsync("shop", "orders/0")).Text);
        Assert.Equal(404, (await again.GetAsync("shop", "orders/1")).Status);
    }

    /// <summary>Of documents in one database, of tombstones in the other.</summary>
    [Fact]
    public async Task Compact_TablesThatLostAllRows_AreCopiedToo()
    {
        using (RunningServer server = await RunningServer.StartAsync(_folder))
        {
            foreach (string database in new[] { "empty", "renewed" })
            {
                await server.CreateDatabaseAsync(database);
                Assert.Equal(201, (await server.PutAsync(database, "a", "{}")).Status);
                await server.ExpectAsync(204, "DELETE", $"/databases/{database}/docs?id=a");
            }

            Assert.Equal(201, (await server.PutAsync("renewed", "a", """{"n":2}""")).Status);
            await server.StopAsync();
        }

        ProcessEnd end = await JackdawProcess.RunAsync(_folder.Path, "compact", _folder.Data);

        Assert.True(end.Code == 0, end.ToString());
        using RunningServer again = await RunningServer.StartAsync(_folder);
        Assert.Equal(404, (await again.GetAsync("empty", "a")).Status);
        Assert.Contains("\"n\":2", (await again.GetAsync("renewed", "a")).Text, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Compact_FolderOfARunningServer_IsRefusedAndNamesThePid()
    {
        using RunningServer server = await RunningServer.StartAsync(_folder);

        ProcessEnd end = await JackdawProcess.RunAsync(_folder.Path, "compact", _folder.Data);

        Assert.True(end.Code == 2, end.ToString());
        Assert.Contains("in use", end.Output, StringComparison.Ordinal);
        Assert.Contains($"pid {server.Process.Id}", end.Output, StringComparison.Ordinal);
        await server.ExpectAsync(200, "GET", "/health/ready");
    }

    [Fact]
    public async Task Compact_WhatIsNoStorage_IsRefused()
    {
        ProcessEnd end = await JackdawProcess.RunAsync(_folder.Path, "compact", Path.Combine(_folder.Path, "missing"));

        Assert.True(end.Code == 2, end.ToString());
        Assert.Contains("no such folder", end.Output, StringComparison.Ordinal);
    }
}
