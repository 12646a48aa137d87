using System.Diagnostics;

namespace Jackdaw.Storage.Journal;

/// <summary>Decides whether a journal entry is compressed: only where that makes the commit faster on this disk and processor.</summary>
/// <remarks>
/// A compressed entry costs raw / compression speed, and saves raw * (1 - 1 / ratio) / disk speed. All three are measured as
/// moving averages over the entries themselves; every <see cref="ProbeInterval"/>th large entry is compressed to keep them
/// true. On a disk of 2 GB/s compression at 0.4 GB/s loses by far; on one of 100 MB/s it wins twice.
/// One thread at a time: whoever builds and writes entries.
/// </remarks>
internal sealed class CompressionPolicy
{
    /// <summary>Up to here a durable write costs the same whatever its size (measured: 4 KB as much as 64 KB).</summary>
    private const int RawBytesMin = 64 * 1024;

    private const int ProbeInterval = 256;

    /// <summary>Weight of the newest measurement: an average over about sixteen entries rides out a stalled write.</summary>
    private const double Weight = 1.0 / 16;

    private double _diskBytesPerTick;
    private double _compressedBytesPerTick;
    private double _savedShare;
    private int _sinceProbe = ProbeInterval;

    /// <summary>Entries compressed.</summary>
    public long Compressed { get; private set; }

    /// <summary>Whether to compress an entry of so many raw bytes.</summary>
    public bool ShouldCompress(long rawBytes)
    {
        if (rawBytes < RawBytesMin)
        {
            return false;
        }

        if (++_sinceProbe >= ProbeInterval || _diskBytesPerTick == 0 || _compressedBytesPerTick == 0)
        {
            _sinceProbe = 0;
            return true;
        }

        return _savedShare / _diskBytesPerTick > 1 / _compressedBytesPerTick;
    }

    /// <summary>Learns from a compression.</summary>
    public void OnCompressed(long rawBytes, long storedBytes, long ticks)
    {
        Debug.Assert(rawBytes > 0 && storedBytes > 0);
        Compressed++;
        _compressedBytesPerTick = Average(_compressedBytesPerTick, (double)rawBytes / Math.Max(1, ticks));
        _savedShare = Average(_savedShare, Math.Max(0, 1 - ((double)storedBytes / rawBytes)));
    }

    /// <summary>Learns from a durable write.</summary>
    public void OnWritten(long bytes, long ticks)
    {
        if (bytes >= RawBytesMin)
        {
            _diskBytesPerTick = Average(_diskBytesPerTick, (double)bytes / Math.Max(1, ticks));
        }
    }

    private static double Average(double average, double value) => average == 0 ? value : average + (Weight * (value - average));
}
