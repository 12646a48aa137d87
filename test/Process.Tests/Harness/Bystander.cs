using System.Diagnostics;
using Jackdaw.TestKit;

namespace Jackdaw.ProcessTests.Harness;

/// <summary>Writes harmless documents all the time, and looks at the process.</summary>
internal sealed class Bystander : IAsyncDisposable
{
    private readonly RunningServer _server;
    private readonly CancellationTokenSource _stop = new();
    private readonly Task _run;
    private int _writes;

    public Bystander(RunningServer server)
    {
        _server = server;
        _run = Task.Run(RunAsync);
    }

    public TimeSpan Slowest { get; private set; }

    public long AnonymousBytes { get; private set; }

    public override string ToString() => $"{_writes} writes, the slowest took {Slowest.TotalMilliseconds:0} ms; at most {AnonymousBytes >> 20} MB";

    public async Task StopAsync()
    {
        await _stop.CancelAsync();
        await _run;
    }

    public async ValueTask DisposeAsync()
    {
        await _stop.CancelAsync();
        await _run.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        _stop.Dispose();
    }

    private async Task RunAsync()
    {
        using var pause = new PeriodicTimer(TimeSpan.FromMilliseconds(50));
        while (!_stop.IsCancellationRequested)
        {
            long began = Stopwatch.GetTimestamp();
            Answer answer = await _server.PutAsync("shop", $"others/{_writes++}", """{"@metadata":{"@collection":"Others"}}""");
            TimeSpan took = Stopwatch.GetElapsedTime(began);
            Assert.True(answer.Status == 201, answer.Text);
            Slowest = took > Slowest ? took : Slowest;
            AnonymousBytes = Math.Max(AnonymousBytes, ProcessFigures.AnonymousBytes(_server.Process.Id));
            await pause.WaitForNextTickAsync(CancellationToken.None);
        }
    }
}
