using System.Globalization;

namespace Jackdaw.Bench.Engine;

/// <summary>Output and counters in the form that the peers' programs use.</summary>
internal static class Figures
{
    public static void Print(string name, string metric, double value, string unit) =>
        Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"{name} {metric} {value:G6} {unit}"));

    public static void PrintLatencies(string name, List<float> microseconds)
    {
        microseconds.Sort();
        Print(name, "p50", microseconds[microseconds.Count / 2], "us");
        Print(name, "p99", microseconds[microseconds.Count * 99 / 100], "us");
    }

    public static long ReadWriteBytes() => File.ReadLines("/proc/self/io")
        .Where(line => line.StartsWith("write_bytes:", StringComparison.Ordinal))
        .Select(line => long.Parse(line.AsSpan(12), NumberStyles.Any, CultureInfo.InvariantCulture)).First();

    public static long ReadDeviceSectors() => File.ReadLines("/proc/diskstats")
        .Select(line => line.Split(' ', StringSplitOptions.RemoveEmptyEntries))
        .Where(fields => fields[2] is "vda" or "sda" or "nvme0n1")
        .Sum(fields => long.Parse(fields[9], CultureInfo.InvariantCulture));

    /// <summary>The mixing function of the peers' programs, so that all write the same keys and values.</summary>
    public static ulong Mix(ulong x)
    {
        x += 0x9e3779b97f4a7c15;
        x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
        x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
        return x ^ (x >> 31);
    }
}
