using Jackdaw.ProcessTests.Harness;

namespace Jackdaw.ProcessTests;

public sealed class SocketThreadsTests : IDisposable
{
    /// <summary>SCHED_BATCH, sched(7).</summary>
    private const string BatchPolicy = "3";

    /// <summary>Fields of /proc/PID/task/TID/stat behind the name, which is the second of all and may hold spaces; proc(5).</summary>
    private const int PolicyField = 41 - 3;

    private readonly TestFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public async Task SocketThreads_TakeTurns_AndOnlyThey()
    {
        using RunningServer server = await RunningServer.StartAsync(_folder);

        // The runtime names a thread a moment after it began, and the server looks again until then.
        Assert.True(SpinWait.SpinUntil(() => PoliciesOf(server, ".NET Sockets") is [BatchPolicy], TimeSpan.FromSeconds(10)));
        Assert.All(PoliciesOf(server, ".NET TP Worker"), policy => Assert.Equal("0", policy));
        await server.StopAsync();
    }

    private static string[] PoliciesOf(RunningServer server, string name)
    {
        List<string> policies = [];
        foreach (string thread in Directory.EnumerateDirectories($"/proc/{server.Process.Id}/task"))
        {
            string stat;
            try
            {
                stat = File.ReadAllText(Path.Combine(thread, "stat"));
            }
            catch (IOException)
            {
                continue; // The thread ended meanwhile.
            }

            if (stat.Contains($"({name})", StringComparison.Ordinal))
            {
                policies.Add(stat[(stat.LastIndexOf(')') + 2)..].Split(' ')[PolicyField]);
            }
        }

        return [.. policies];
    }
}
