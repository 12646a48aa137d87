using System.Text.Json;
using Jackdaw.ProcessTests.Harness;
using Jackdaw.TestKit;

namespace Jackdaw.ProcessTests;

/// <summary>The setting that chooses how pages are written: what it says is used and shown.</summary>
public sealed class WriteModeTests : IDisposable
{
    private static readonly string[] s_modes = ["file_io", "vectored_file_io", "io_ring", "mmap"];
    private static readonly TimeSpan s_flushPatience = TimeSpan.FromSeconds(20);

    private readonly TestFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    /// <summary>All at once: each waits for its server to be idle, because then it flushes.</summary>
    [Fact]
    public Task WriteMode_OfTheConfiguration_WritesTheDataFile() => Task.WhenAll(s_modes.Select(WriteAsync));

    private static async Task WriteAsync(string mode)
    {
        using var folder = new TestFolder();
        using (RunningServer server = await RunningServer.StartAsync(folder, $"--WriteMode={mode}"))
        {
            await server.CreateDatabaseAsync("a");
            await Task.WhenAll(Enumerable.Range(0, 200).Select(
                i => server.PutAsync("a", $"users/{i}", $$"""{"Name":"{{i}}"}""")));
            JsonElement report = await WaitForFlushAsync(server);

            // A sandbox may refuse the ring; then the server goes on without it.
            string used = report.GetProperty("WriteMode").GetString()!;
            Assert.True(used == mode || (mode == "io_ring" && used == "vectored_file_io"), $"{mode}: {used}");
            Assert.True(report.GetProperty("Flushes").GetProperty("Calls").GetInt64() > 0, mode);
            string metrics = (await server.ExpectAsync(200, "GET", "/metrics")).Text;
            Assert.Contains($"jackdaw_storage_write_mode{{database=\"a\",mode=\"{used}\"}} 1", metrics, StringComparison.Ordinal);
            Assert.Contains("jackdaw_storage_flush_calls_total{database=\"a\"} ", metrics, StringComparison.Ordinal);
            await server.StopAsync();
        }

        Assert.DoesNotContain("write-mode-probe", Directory.GetFiles(folder.Data).Select(Path.GetFileName));
        using RunningServer again = await RunningServer.StartAsync(folder);
        Assert.Contains("\"Name\":\"199\"", (await again.GetAsync("a", "users/199")).Text, StringComparison.Ordinal);
        await again.StopAsync();
    }

    [Fact]
    public async Task WriteMode_OfTheEnvironment_ThatIsNone_StopsTheStartWithOneLine()
    {
        string[] through = ["env", "JACKDAW_WRITE_MODE=fast", JackdawProcess.Executable];
        using JackdawProcess process = JackdawProcess.Start(_folder.Path, through, [$"--DataDir={_folder.Data}"]);

        int code = await process.WaitForExitAsync();

        Assert.True(code == 2, process.Errors);
        const string line = "WriteMode = 'fast' (environment JACKDAW_WRITE_MODE): "
            + "give one of auto, file_io, vectored_file_io, io_ring, mmap";
        Assert.Contains(line, process.Errors, StringComparison.Ordinal);
        Assert.False(Directory.Exists(_folder.Data));
    }

    private static Task<JsonElement> WaitForFlushAsync(RunningServer server) => Eventually.ReadAsync(
        async () => (await server.ExpectAsync(200, "GET", "/databases/a/debug/storage")).Json,
        report => report.GetProperty("Flushes").GetProperty("Calls").GetInt64() > 0,
        patience: s_flushPatience);
}
