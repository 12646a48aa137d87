using System.Globalization;

namespace Jackdaw.Server.Diagnostics;

/// <summary>The memory of the process that is in RAM, by kind. In bytes; the three kinds add up to the whole.</summary>
/// <param name="Resident">All of it.</param>
/// <param name="Anonymous">Heaps, stacks and scratch.</param>
/// <param name="File">Mapped files: data files, libraries. The system takes these pages back when it needs
/// memory.</param>
/// <param name="Shared">Shared memory and memfd: the files of storages that run in memory.</param>
/// <param name="Swapped">Anonymous memory that is on the swap device; not resident.</param>
public readonly record struct ResidentMemory(long Resident, long Anonymous, long File, long Shared, long Swapped)
{
    private const long BytesPerKilobyte = 1024;

    /// <summary>Reads the text of <c>/proc/self/smaps_rollup</c>. Unknown lines are skipped.</summary>
    /// <returns>Null when a line it needs is missing or malformed, or when the parts are more than the whole.</returns>
    public static ResidentMemory? TryParse(string text)
    {
        if (Find(text, "Rss:") is not { } resident || Find(text, "Anonymous:") is not { } anonymous)
        {
            return null;
        }

        // Available since Linux 5.4; before, shared memory counts as file. The figure is divided among the processes that map the
        // memory; ours is not shared.
        long shared = Find(text, "Pss_Shmem:") ?? 0;
        long file = resident - anonymous - shared;
        return file < 0 ? null : new ResidentMemory(resident, anonymous, file, shared, Find(text, "Swap:") ?? 0);
    }

    private static long? Find(string text, string name)
    {
        foreach (ReadOnlySpan<char> line in text.AsSpan().EnumerateLines())
        {
            if (line.StartsWith(name, StringComparison.Ordinal))
            {
                return ParseKilobytes(line[name.Length..].Trim());
            }
        }

        return null;
    }

    private static long? ParseKilobytes(ReadOnlySpan<char> value)
    {
        const string unit = " kB";
        return value.EndsWith(unit, StringComparison.Ordinal)
            && long.TryParse(value[..^unit.Length], NumberStyles.None, CultureInfo.InvariantCulture, out long kilobytes)
            && kilobytes <= long.MaxValue / BytesPerKilobyte
                ? kilobytes * BytesPerKilobyte
                : null;
    }
}
