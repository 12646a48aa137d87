using System.Globalization;

namespace Jackdaw.Server.Diagnostics;

/// <summary>The only reader of the process's memory figures. Any thread; a call while they are being read gets the
/// previous ones.</summary>
/// <remarks>The kernel walks all page tables for them: milliseconds per resident gigabyte, while it holds the lock that
/// every page fault and mapping of the process needs. So they are read at most once in <see cref="PeriodMin"/>, and
/// never for more than a hundredth of the time.</remarks>
internal sealed class MemoryWatch
{
    /// <summary>The time for which a sample is reused; scrapers ask about as often.</summary>
    public static readonly TimeSpan PeriodMin = TimeSpan.FromSeconds(10);

    /// <summary>A slow reading is reused for this many times its own duration.</summary>
    private const int CostFactor = 100;

    private readonly Func<string, string?> _readFile;
    private readonly TimeProvider _time;
    private readonly Lock _lock = new(); // held by the thread that reads
    private volatile MemorySample? _last;

    /// <param name="time">Clock of the period.</param>
    /// <param name="readFile">Reads the text of a file, or gives null when there is none. Null: the files of the system are read.</param>
    public MemoryWatch(TimeProvider time, Func<string, string?>? readFile = null)
    {
        _time = time;
        _readFile = readFile ?? ReadFile;
    }

    /// <summary>The bytes of objects on the managed heap, including those that the next collection frees. Cheap.</summary>
    public static long ManagedHeapBytes => GC.GetTotalMemory(forceFullCollection: false);

    /// <summary>The figures, which are at most a period old. Only the first call of all waits while another thread reads them.</summary>
    public MemorySample Take()
    {
        MemorySample? last = _last;
        if (last is not null && (!IsOld(last) || !_lock.TryEnter()))
        {
            return last;
        }

        if (last is null)
        {
            _lock.Enter();
        }

        try
        {
            last = _last;
            return last is not null && !IsOld(last) ? last : _last = Read();
        }
        finally
        {
            _lock.Exit();
        }
    }

    /// <summary>Age of a sample.</summary>
    public TimeSpan AgeOf(MemorySample sample) => _time.GetElapsedTime(sample.TakenAt);

    private static string? ReadFile(string path)
    {
        try
        {
            return OperatingSystem.IsLinux() ? File.ReadAllText(path) : null;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return null; // An older kernel, or a container that hides it.
        }
    }

    private bool IsOld(MemorySample sample)
    {
        TimeSpan worth = sample.Cost * CostFactor;
        return AgeOf(sample) >= (worth > PeriodMin ? worth : PeriodMin);
    }

    private MemorySample Read()
    {
        long started = _time.GetTimestamp();
        string? rollup = _readFile("/proc/self/smaps_rollup");
        string? maps = _readFile("/proc/self/maps");
        string? mappingsMax = _readFile("/proc/sys/vm/max_map_count");
        bool isCount = long.TryParse(mappingsMax, CultureInfo.InvariantCulture, out long max);
        return new MemorySample(
            rollup is null ? null : ResidentMemory.TryParse(rollup),
            maps?.AsSpan().Count('\n'),
            isCount ? max : null,
            _time.GetTimestamp(),
            _time.GetElapsedTime(started));
    }
}

/// <summary>The memory of the process at one moment.</summary>
/// <param name="Resident">Null where the system does not provide it.</param>
/// <param name="Mappings">Memory mappings; null where the system does not provide it.</param>
/// <param name="MappingsMax">The number that the system allows; null where the system does not provide it.</param>
/// <param name="TakenAt">Time stamp of the clock of <see cref="MemoryWatch"/>.</param>
/// <param name="Cost">How long it took to read.</param>
public sealed record MemorySample(
    ResidentMemory? Resident, long? Mappings, long? MappingsMax, long TakenAt, TimeSpan Cost);
