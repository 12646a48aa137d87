using System.Globalization;

namespace Jackdaw.ProcessTests.Harness;

/// <summary>What the kernel tells of a process: memory of its own, threads and the processor time of each.</summary>
internal static class ProcessFigures
{
    /// <summary>Kernel ticks of processor time per second (USER_HZ, 100 on every Linux).</summary>
    private const double TicksPerSecond = 100;

    /// <summary>Bytes of anonymous memory: heaps and stacks, not mapped files.</summary>
    public static long AnonymousBytes(int process)
    {
        string line = File.ReadLines($"/proc/{process}/status").First(line => line.StartsWith("RssAnon:", StringComparison.Ordinal));
        return long.Parse(line.Split(' ', '\t').First(word => word.Length > 0 && char.IsAsciiDigit(word[0])), CultureInfo.InvariantCulture) * 1024;
    }

    /// <summary>Seconds of processor time of each thread, with its name.</summary>
    public static Dictionary<string, double> ThreadSeconds(int process)
    {
        Dictionary<string, double> seconds = [];
        foreach (string folder in Directory.EnumerateDirectories($"/proc/{process}/task"))
        {
            try
            {
                // "id (name) state ...": the name may hold spaces and brackets, so fields are counted behind its end.
                string text = File.ReadAllText(Path.Combine(folder, "stat"));
                string[] fields = text[(text.LastIndexOf(')') + 2)..].Split(' ');
                string name = text[(text.IndexOf('(', StringComparison.Ordinal) + 1)..text.LastIndexOf(')')];
                seconds[$"{Path.GetFileName(folder)} {name}"] =
                    (long.Parse(fields[11], CultureInfo.InvariantCulture) + long.Parse(fields[12], CultureInfo.InvariantCulture)) / TicksPerSecond;
            }
            catch (IOException)
            {
                // The thread ended while we looked.
            }
        }

        return seconds;
    }

    public static string Describe(int process) => Directory.Exists($"/proc/{process}/task")
        ? $"{Directory.EnumerateDirectories($"/proc/{process}/task").Count()} threads, {AnonymousBytes(process) >> 20} MB anonymous"
        : "ended";
}
