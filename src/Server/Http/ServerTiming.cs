using System.Diagnostics;
using System.Globalization;

using Jackdaw.Server.Documents;

namespace Jackdaw.Server.Http;

/// <summary>Text of the header Server-Timing: what the request cost, unasked.</summary>
internal static class ServerTiming
{
    /// <summary>Reads up to this many microseconds share prepared texts: they are the usual ones, and a read should not
    /// allocate for its header.</summary>
    private const int PreparedUsMax = 5000;

    private static readonly string?[] s_reads = new string?[PreparedUsMax];

    public static string ForRead(long startTimestamp)
    {
        long us = (long)Stopwatch.GetElapsedTime(startTimestamp).TotalMicroseconds;
        return us < PreparedUsMax ? s_reads[us] ??= Total(us) : Total(us);
    }

    public static string ForWrite(long startTimestamp, in WriteCost cost)
    {
        long us = (long)Stopwatch.GetElapsedTime(startTimestamp).TotalMicroseconds;
        return string.Create(CultureInfo.InvariantCulture,
            $"total;dur={us / 1000}.{us % 1000:D3}, queue;dur={cost.QueueWaitUs / 1000}.{cost.QueueWaitUs % 1000:D3}, "
            + $"journal;dur={cost.JournalUs / 1000}.{cost.JournalUs % 1000:D3}, batch;desc=\"{cost.MergedCommands}\"");
    }

    private static string Total(long us) =>
        string.Create(CultureInfo.InvariantCulture, $"total;dur={us / 1000}.{us % 1000:D3}");
}
