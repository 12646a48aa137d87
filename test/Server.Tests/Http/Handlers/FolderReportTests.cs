using System.Diagnostics;
using System.Globalization;
using System.Text.Json;
using Jackdaw.Pal.Native;
using Jackdaw.Storage.FreeSpace;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Http.Handlers;

/// <summary>The report of what a database takes on the disk: its sums are those of <c>du</c>, and each page is accounted for.</summary>
public sealed class FolderReportTests : IDisposable
{
    private const int Indexes = 20;

    private readonly string _folder = Directory.CreateTempSubdirectory("jackdaw-report-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public async Task Report_TwentyIndexesThatShareJournals_HasTheSumsOfDu()
    {
        await using ServerFixture server = await ServerFixture.StartAsync(new ServerSetup { Platform = new NativePlatform(), DataDir = _folder });
        for (int i = 0; i < Indexes; i++)
        {
            await server.PutIndexAsync($"Orders/{i}", $"from o in docs.Orders select new {{ Total = o.Total + {i} }}");
        }

        for (int i = 0; i < 50; i++)
        {
            await server.PutAsync($"orders/{i}", "Orders", $$"""{"Total":{{i}}}""");
        }

        for (int i = 0; i < Indexes; i++)
        {
            await server.RowsAsync($"from index 'Orders/{i}' limit 1");
        }

        // Files are prepared and removed in the background: the sums are compared when nothing has changed between two looks.
        string database = Path.Combine(_folder, "Databases", "db1");
        JsonElement report = default;
        await Eventually.IsTrueAsync(async () =>
        {
            long before = await MeasureAsync(database);
            report = (await server.DbAsync("GET", "/debug/storage/report")).Json;
            return before == await MeasureAsync(database) && before == Long(report, "TotalBytes");
        });

        JsonElement[] storages = [.. report.GetProperty("Storages").EnumerateArray()];
        Assert.Equal(Indexes, storages.Count(one => one.GetProperty("Kind").GetString() == "Index"));
        Assert.Equal("documents", storages[0].GetProperty("Name").GetString());
        JsonElement[] journals = [.. report.GetProperty("Journals").EnumerateArray()];
        long parts = storages.Sum(one => Long(one, "DataBytes") + Long(one, "OtherBytes") + Long(one, "OwnJournalBytes"))
            + Long(report, "SharedJournalBytes") + Long(report, "OtherBytes");
        Assert.Equal(Long(report, "TotalBytes"), parts);
        JsonElement shared = journals.MaxBy(journal => journal.GetProperty("Names").GetArrayLength());
        Assert.Equal(Indexes + 1, shared.GetProperty("Names").GetArrayLength());
        Assert.Equal(Indexes + 1, shared.GetProperty("Links").GetInt32());
        Assert.Contains("Orders/7", shared.GetProperty("Names").EnumerateArray().Select(name => name.GetProperty("Storage").GetString()));
        Assert.All(storages, AssertPages);
    }

    [Fact]
    public async Task Report_ServerInMemory_HasStoragesAndTheirPages()
    {
        await using ServerFixture server = await ServerFixture.StartAsync();
        await server.PutIndexAsync("A", "from o in docs.Orders select new { o.Total }");
        await server.RowsAsync("from index 'A'");
        JsonElement report = (await server.DbAsync("GET", "/debug/storage/report")).Json;
        JsonElement index = report.GetProperty("Storages").EnumerateArray().Single(one => one.GetProperty("Name").GetString() == "A");
        Assert.True(Long(index, "DataBytes") > 0);
        AssertPages(index);
        Assert.Equal(503, (await server.SendAsync("GET", "/databases/nobody/debug/storage/report")).Status);
    }

    // Two pages of each section of the file are reserved: its header and its bitmap.
    private static void AssertPages(JsonElement storage)
    {
        long pages = Long(storage, "Pages");
        long reserved = 2 * ((pages + FreeSpaceMap.SectionPages - 1) / FreeSpaceMap.SectionPages);
        long used = storage.GetProperty("Trees").EnumerateArray().Sum(tree => Long(tree, "Pages"));
        Assert.True(pages == used + reserved + Long(storage, "FreePages"), $"{storage}: {pages} pages, {used} in trees, {reserved} reserved");
    }

    private static long Long(JsonElement parent, string member) => parent.GetProperty(member).GetInt64();

    private static async Task<long> MeasureAsync(string folder)
    {
        using var du = Process.Start(new ProcessStartInfo("du", ["-s", "-B1", folder]) { RedirectStandardOutput = true })!;
        string text = await du.StandardOutput.ReadToEndAsync();
        await du.WaitForExitAsync();
        return long.Parse(text.Split('\t')[0], CultureInfo.InvariantCulture);
    }
}
