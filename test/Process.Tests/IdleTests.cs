using System.Text.Json;
using Jackdaw.ProcessTests.Harness;

namespace Jackdaw.ProcessTests;

/// <summary>After load a server gives its memory back and no thread of it works.</summary>
[Trait("Tier", "Full")]
public sealed class IdleTests(ITestOutputHelper output) : IDisposable
{
    /// <summary>What may stay: read-ahead pools, spare scratch and a journal kept for the next load.</summary>
    private const long CachesBytes = 64L << 20;

    /// <summary>Processor time of one thread over ten idle seconds. Timers of the runtime stay far below.</summary>
    private const double BusySecondsMax = 0.1;

    private static readonly TimeSpan s_idle = TimeSpan.FromSeconds(60);

    private static readonly TimeSpan s_watched = TimeSpan.FromSeconds(10);

    private readonly TestFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public async Task Server_IdleAfterLoad_GivesMemoryBackAndRests()
    {
        using RunningServer server = await RunningServer.StartAsync(_folder);
        await server.CreateDatabaseAsync("shop");
        await server.AssertServesAsync("shop");
        long before = ProcessFigures.AnonymousBytes(server.Process.Id);
        JsonElement atStart = await ReadMemoryAsync(server);

        var load = new BatchLoad("shop");
        Task writing = load.RunAsync(server, 32, "idle");
        await load.WaitForAsync(5000);
        load.Stop();
        await writing;
        string large = $$"""{"text":"{{new string('x', 30 << 20)}}"}""";
        for (int i = 0; i < 3; i++)
        {
            Assert.Equal(201, (await server.PutAsync("shop", $"large/{i}", large)).Status);
            Assert.Equal(200, (await server.GetAsync("shop", $"large/{i}")).Status);
        }

        long loaded = ProcessFigures.AnonymousBytes(server.Process.Id);
        await Task.Delay(s_idle); // nothing happens: that is what is looked at
        long after = ProcessFigures.AnonymousBytes(server.Process.Id);
        await AssertResidentAsync(server, atStart);
        Dictionary<string, double> from = ProcessFigures.ThreadSeconds(server.Process.Id);
        await Task.Delay(s_watched); // likewise
        Dictionary<string, double> to = ProcessFigures.ThreadSeconds(server.Process.Id);
        (string thread, double seconds) = to.Select(t => (t.Key, t.Value - from.GetValueOrDefault(t.Key))).MaxBy(t => t.Item2);

        output.WriteLine($"anonymous memory: {before >> 20} MB at start, {loaded >> 20} MB after load, {after >> 20} MB idle; " +
            $"busiest of {to.Count} threads: '{thread}' {seconds:0.00} s in {s_watched.TotalSeconds} s");
        Assert.True(seconds <= BusySecondsMax, $"'{thread}' worked for {seconds:0.00} s while nobody asked for anything.");
        Assert.True(after <= (before * 1.2) + CachesBytes, $"{after >> 20} MB are still held; {before >> 20} MB at the start.");
        await server.AssertServesAsync("shop");
        await server.StopAsync();
    }

    /// <summary>What the server tells of its memory adds up, is what the kernel says, and is back near the start; the data file's pages
    /// that the kernel keeps in its cache come on top.</summary>
    private async Task AssertResidentAsync(RunningServer server, JsonElement atStart)
    {
        JsonElement report = (await server.ExpectAsync(200, "GET", "/databases/shop/debug/storage")).Json;
        JsonElement now = report.GetProperty("ProcessMemory");
        long resident = Bytes(now, "ResidentBytes");
        output.WriteLine($"at start {atStart}\nidle {now}");
        Assert.Equal(resident, Bytes(now, "AnonymousBytes") + Bytes(now, "FileBytes") + Bytes(now, "SharedBytes"));
        Assert.InRange(Bytes(now, "AnonymousBytes"), Bytes(now, "ScratchMappedBytes"), ProcessFigures.AnonymousBytes(server.Process.Id) * 2);
        Assert.Equal(0, Bytes(report, "ScratchMappedBytes"));
        Assert.InRange(Bytes(now, "Mappings"), 10, Bytes(now, "MappingsMax") / 10);
        long allowed = (long)(Bytes(atStart, "ResidentBytes") * 1.2) + CachesBytes + Bytes(report, "DataBytes");
        Assert.True(resident <= allowed, $"{resident >> 20} MB are resident; {allowed >> 20} MB may be.");
    }

    private static long Bytes(JsonElement figures, string name) => figures.GetProperty(name).GetInt64();

    private static async Task<JsonElement> ReadMemoryAsync(RunningServer server) =>
        (await server.ExpectAsync(200, "GET", "/databases/shop/debug/storage")).Json.GetProperty("ProcessMemory");
}
