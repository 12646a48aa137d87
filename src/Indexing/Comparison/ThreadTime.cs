using System.Globalization;

namespace Jackdaw.Indexing.Comparison;

/// <summary>The processor time of a thread, where the system tells it.</summary>
internal static class ThreadTime
{
    private const string Path = "/proc/thread-self/schedstat";
    private const double NanosecondsPerTick = 100;

    private static readonly bool s_isKnown = OperatingSystem.IsLinux() && File.Exists(Path);

    /// <summary>What the current thread has used since it began; null on systems other than Linux.</summary>
    public static TimeSpan? Read()
    {
        if (!s_isKnown)
        {
            return null;
        }

        string text = File.ReadAllText(Path); // "nanoseconds on a processor, nanoseconds of waiting, time slices"
        return long.TryParse(text.AsSpan(0, Math.Max(0, text.IndexOf(' ', StringComparison.Ordinal))), CultureInfo.InvariantCulture, out long nanoseconds)
            ? TimeSpan.FromTicks((long)(nanoseconds / NanosecondsPerTick))
            : null;
    }
}
