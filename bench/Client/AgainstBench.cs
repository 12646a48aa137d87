using System.Diagnostics;
using System.Reflection;
using System.Runtime.Loader;

namespace Jackdaw.ClientBench;

/// <summary>Two builds of the client by turns in one process: processor time and allocated bytes of what programs do with it.</summary>
/// <remarks>Each build has its own copy of this program, in which its assembly is the client. The build of before is there twice, as a control. Of
/// all slices the lower quartile counts, because other programs on the machine only ever make a slice longer.</remarks>
internal static class AgainstBench
{
    private const int Flows = 4;
    private const int WarmUp = 30; // slices, until the code has been compiled for good
    private static readonly TimeSpan s_slice = TimeSpan.FromMilliseconds(60);
    private static readonly string[] s_sides = ["before", "after", "control"];

    /// <summary>Measures, and prints a line for each figure.</summary>
    /// <param name="url">The server.</param>
    /// <param name="before">The client's assembly of the other build.</param>
    /// <param name="only">The ways to measure, separated by commas; null for all.</param>
    /// <param name="rounds">Slices of each side.</param>
    public static async Task RunAsync(string url, string before, string? only, int rounds)
    {
        string after = Path.Combine(AppContext.BaseDirectory, "Jackdaw.Client.dll");
        Dictionary<string, Func<int, ValueTask>>[] sides = [await OpenAsync(url, before), await OpenAsync(url, after), await OpenAsync(url, before)];
        foreach (string way in only?.Split(',') ?? [.. sides[0].Keys])
        {
            Spent[] spent = await MeasureAsync(way, [.. sides.Select(side => side[way])], rounds);
            for (int i = 0; i < s_sides.Length; i++)
            {
                Stores.Print(way, $"{s_sides[i]}-processor", spent[i].Processor, "us");
                Stores.Print(way, $"{s_sides[i]}-bytes", spent[i].Bytes, "B");
            }

            Stores.Print(way, "after/before", spent[1].Processor / spent[0].Processor, "x");
            Stores.Print(way, "control/before", spent[2].Processor / spent[0].Processor, "x");
        }
    }

    private static async Task<Dictionary<string, Func<int, ValueTask>>> OpenAsync(string url, string client)
    {
        Assembly program = new Side(Path.GetFullPath(client)).LoadFromAssemblyPath(typeof(AgainstBench).Assembly.Location);
        MethodInfo open = program.GetType(typeof(Ways).FullName!, throwOnError: true)!.GetMethod(nameof(Ways.OpenAsync))!;
        return await (Task<Dictionary<string, Func<int, ValueTask>>>)open.Invoke(null, [url])!;
    }

    private static async Task<Spent> MeasureSliceAsync(Func<int, ValueTask> way, int operations, int flows)
    {
        long bytes = GC.GetTotalAllocatedBytes(precise: true);
        TimeSpan processor = Environment.CpuUsage.TotalTime;
        var time = Stopwatch.StartNew();
        long[] counts = await Task.WhenAll(Enumerable.Range(0, flows).Select(flow => Task.Run(async () =>
        {
            var random = new Random(flow);
            long count = 0;
            for (; time.Elapsed < s_slice; count++)
            {
                await way(random.Next(100_000));
            }

            return count;
        })));
        double done = counts.Sum() * operations;
        return new Spent(
            (Environment.CpuUsage.TotalTime - processor).TotalMicroseconds / done, (GC.GetTotalAllocatedBytes(precise: true) - bytes) / done);
    }

    private static async Task<Spent[]> MeasureAsync(string name, Func<int, ValueTask>[] ways, int rounds)
    {
        int operations = Ways.OperationsOf(name);
        int flows = operations > 1 || name.StartsWith("own", StringComparison.Ordinal) ? 1 : Flows;
        List<Spent>[] slices = [.. ways.Select(_ => new List<Spent>())];
        for (int round = -WarmUp; round < rounds; round++)
        {
            for (int i = 0; i < ways.Length; i++)
            {
                Spent slice = await MeasureSliceAsync(ways[i], operations, flows);
                if (round >= 0)
                {
                    slices[i].Add(slice);
                }
            }
        }

        return [.. slices.Select(LowerQuartile)];
    }

    private static Spent LowerQuartile(List<Spent> slices) => new(
        slices.Select(slice => slice.Processor).Order().ElementAt(slices.Count / 4), slices.Select(slice => slice.Bytes).Order().ElementAt(slices.Count / 4));

    private readonly record struct Spent(double Processor, double Bytes);

    private sealed class Side(string client) : AssemblyLoadContext("a side")
    {
        protected override Assembly? Load(AssemblyName assemblyName) =>
            assemblyName.Name == "Jackdaw.Client" ? LoadFromAssemblyPath(client) : null;
    }
}
