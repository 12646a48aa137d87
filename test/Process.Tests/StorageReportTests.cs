using System.Text.Json;
using Jackdaw.ProcessTests.Harness;
using Jackdaw.TestKit;

namespace Jackdaw.ProcessTests;

/// <summary>The figures that tell what a storage does: per batch, per flush, and as metrics.</summary>
public sealed class StorageReportTests : IDisposable
{
    private static readonly TimeSpan s_flushPatience = TimeSpan.FromSeconds(20);

    private readonly TestFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public async Task Report_AfterWrites_TellsBatchesAndFlushes()
    {
        using RunningServer server = await RunningServer.StartAsync(_folder);
        await server.CreateDatabaseAsync("a");
        for (int i = 0; i < 10; i++)
        {
            await server.PutAsync("a", $"users/{i}", """{"Name":"Ann"}""");
        }

        JsonElement report = await WaitForFlushAsync(server);

        JsonElement merger = report.GetProperty("Merger");
        Assert.True(merger.GetProperty("Commands").GetInt64() >= 10);
        JsonElement batch = merger.GetProperty("RecentBatches").EnumerateArray().Last();
        Assert.Equal(1, batch.GetProperty("Commands").GetInt32());
        Assert.Equal("QueueEmpty", batch.GetProperty("CloseReason").GetString());
        Assert.True(batch.GetProperty("Pages").GetInt32() > 0);
        Assert.True(batch.GetProperty("ChangedBytes").GetInt64() > batch.GetProperty("DiffBytes").GetInt64());
        Assert.True(batch.GetProperty("JournalBytes").GetInt64() >= 4096);
        Assert.True(batch.GetProperty("WriteMicroseconds").GetInt64() > 0);
        JsonElement flush = report.GetProperty("RecentFlushes").EnumerateArray().Last();
        Assert.True(flush.GetProperty("Pages").GetInt64() >= flush.GetProperty("Runs").GetInt64());
        Assert.True(flush.GetProperty("Leaves").GetInt64() > 0);
        Assert.Equal(flush.GetProperty("Pages").GetInt64() * 8192, flush.GetProperty("Bytes").GetInt64());
        Assert.Equal(report.GetProperty("TransactionId").GetInt64(), report.GetProperty("SyncedTransaction").GetInt64());
        JsonElement memory = report.GetProperty("ProcessMemory");
        Assert.Equal(
            memory.GetProperty("ResidentBytes").GetInt64(),
            new[] { "AnonymousBytes", "FileBytes", "SharedBytes" }.Sum(kind => memory.GetProperty(kind).GetInt64()));
        Assert.InRange(memory.GetProperty("ManagedHeapBytes").GetInt64(), 1, memory.GetProperty("AnonymousBytes").GetInt64() * 2);
        Assert.InRange(memory.GetProperty("Mappings").GetInt32(), 10, memory.GetProperty("MappingsMax").GetInt32());

        string metrics = (await server.ExpectAsync(200, "GET", "/metrics")).Text;
        Assert.Contains("jackdaw_storage_commits_total{database=\"a\"} ", metrics, StringComparison.Ordinal);
        Assert.Contains("jackdaw_storage_commit_write_seconds_total{database=\"a\"} ", metrics, StringComparison.Ordinal);
        Assert.Contains("jackdaw_process_mappings ", metrics, StringComparison.Ordinal);
        Assert.Contains("jackdaw_process_memory_resident_bytes{kind=\"anonymous\"} ", metrics, StringComparison.Ordinal);
        Assert.Contains("jackdaw_storage_reader_oldest_age_seconds{database=\"a\"} 0", metrics, StringComparison.Ordinal);
        Assert.Contains("jackdaw_storage_reader_retained_bytes{database=\"a\"} 0", metrics, StringComparison.Ordinal);
    }

    private static Task<JsonElement> WaitForFlushAsync(RunningServer server) => Eventually.ReadAsync(
        async () => (await server.ExpectAsync(200, "GET", "/databases/a/debug/storage")).Json,
        report => report.GetProperty("SyncedTransaction").GetInt64() == report.GetProperty("TransactionId").GetInt64(),
        patience: s_flushPatience);
}
