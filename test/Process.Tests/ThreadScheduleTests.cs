using System.Globalization;
using System.Text.RegularExpressions;
using Jackdaw.ProcessTests.Harness;
using Jackdaw.TestKit;

namespace Jackdaw.ProcessTests;

public sealed class ThreadScheduleTests : IDisposable
{
    /// <summary>SCHED_BATCH, sched(7).</summary>
    private const string BatchPolicy = "3";

    /// <summary>Fields of /proc/PID/task/TID/stat behind the name, which is the second of all and may hold spaces; proc(5).</summary>
    private const int PolicyField = 41 - 3;

    private readonly TestFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public async Task SocketThreads_AreBatchScheduled_AndOnlyThey()
    {
        using RunningServer server = await RunningServer.StartAsync(_folder);

        // The runtime names a thread a moment after it began, and the server looks again until then.
        Eventually.IsTrue(() => PoliciesOf(server, ".NET Sockets") is [BatchPolicy]);
        Assert.All(PoliciesOf(server, ".NET TP Worker"), policy => Assert.Equal("0", policy));
        await server.StopAsync();
    }

    [Fact]
    public async Task Merger_WithShortSlicesOrWithout_KeepsItsShare()
    {
        using RunningServer server = await RunningServer.StartAsync(_folder);
        await server.CreateDatabaseAsync("db1");
        string schedule = Assert.Single(ReadOf(server, "merger db1", "sched"));
        Assert.Equal(PriorityIn(File.ReadAllText($"/proc/{server.Process.Id}/sched")), PriorityIn(schedule));
        await server.StopAsync();
    }

    [KernelWithSlicesFact]
    public async Task Merger_WhereTheKernelLetsIt_AsksForShortSlices()
    {
        using RunningServer server = await RunningServer.StartAsync(_folder);
        await server.CreateDatabaseAsync("db1");

        Assert.Matches(@"se\.slice +: +100000\n", Assert.Single(ReadOf(server, "merger db1", "sched")));
        await server.StopAsync();
    }

    private static int PriorityIn(string schedule) =>
        int.Parse(Regex.Match(schedule, @"\nprio +: +(\d+)\n").Groups[1].Value, CultureInfo.InvariantCulture);

    private static string[] PoliciesOf(RunningServer server, string name) =>
        [.. ReadOf(server, name, "stat").Select(stat => stat[(stat.LastIndexOf(')') + 2)..].Split(' ')[PolicyField])];

    /// <summary>A file of <c>/proc/PID/task/TID</c> for each thread of that name.</summary>
    private static string[] ReadOf(RunningServer server, string name, string file)
    {
        List<string> texts = [];
        foreach (string thread in Directory.EnumerateDirectories($"/proc/{server.Process.Id}/task"))
        {
            try
            {
                if (File.ReadAllText(Path.Combine(thread, "comm")).TrimEnd() == name)
                {
                    texts.Add(File.ReadAllText(Path.Combine(thread, file)));
                }
            }
            catch (IOException)
            {
                // The thread ended meanwhile.
            }
        }

        return [.. texts];
    }

    /// <summary>Skipped, with the reason, where threads cannot ask for their time slice; sched(7).</summary>
    [AttributeUsage(AttributeTargets.Method)]
    private sealed class KernelWithSlicesFactAttribute : FactAttribute
    {
        private static readonly Version s_first = new(6, 12);

        public KernelWithSlicesFactAttribute()
        {
            Version kernel = Environment.OSVersion.Version;
            Skip = kernel < s_first ? $"the kernel is {kernel}; threads ask for time slices from {s_first} on" : null!;
        }
    }
}
