using System.Text;
using System.Threading.Channels;
using Jackdaw.ProcessTests.Harness;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.Extensions.Logging;

namespace Jackdaw.ProcessTests;

/// <summary>What the server sends to a collector that the standard variable names.</summary>
public sealed class TelemetryTests : IDisposable
{
    private readonly TestFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public async Task Collector_NamedByTheStandardVariable_GetsTheTracesOfRequestsAndCommits()
    {
        Channel<(string Path, byte[] Body)> received = Channel.CreateUnbounded<(string, byte[])>();
        await using WebApplication collector = await StartCollectorAsync(received.Writer);

        // What waits to be sent is sent at the stop: no test has to wait for the interval.
        using (RunningServer server = await RunningServer.StartThroughAsync(_folder,
            ["env", $"OTEL_EXPORTER_OTLP_ENDPOINT={collector.Urls.First()}", "OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf", JackdawProcess.Executable]))
        {
            await server.CreateDatabaseAsync("shop");
            Assert.Equal(201, (await server.PutAsync("shop", "users/1", """{"n":1}""")).Status);
            await server.StopAsync();
        }

        received.Writer.Complete();
        List<(string Path, byte[] Body)> all = await received.Reader.ReadAllAsync().ToListAsync();
        Assert.Contains("/v1/metrics", all.Select(one => one.Path));
        string traces = string.Concat(all.Where(one => one.Path == "/v1/traces").Select(one => Encoding.UTF8.GetString(one.Body)));
        Assert.Contains("PUT /databases/{database}/docs", traces, StringComparison.Ordinal);
        Assert.Contains("jackdaw.commit.journal_bytes", traces, StringComparison.Ordinal);
        Assert.Contains("service.name", traces, StringComparison.Ordinal);
        Assert.DoesNotContain("users/1", traces, StringComparison.Ordinal);
    }

    private static async Task<WebApplication> StartCollectorAsync(ChannelWriter<(string Path, byte[] Body)> received)
    {
        WebApplicationBuilder builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.UseUrls("http://127.0.0.1:0");
        WebApplication collector = builder.Build();
        collector.Run(async context =>
        {
            using var body = new MemoryStream();
            await context.Request.Body.CopyToAsync(body);
            await received.WriteAsync((context.Request.Path.Value!, body.ToArray()));
        });
        await collector.StartAsync();
        return collector;
    }
}
