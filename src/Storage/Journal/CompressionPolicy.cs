using System.Diagnostics;

namespace Jackdaw.Storage.Journal;

/// <summary>Decides whether a journal entry is compressed: only where that makes the commit faster on this disk and processor.</summary>
/// <remarks>
/// A compressed entry costs raw / compression speed, and saves raw * (1 - 1 / ratio) times what a byte costs on the disk. Speed and ratio
/// are moving averages over the entries themselves; every <see cref="ProbeInterval"/>th large entry is compressed to keep them true. On a
/// disk of 2 GB/s compression at 0.4 GB/s loses by far; on one of 100 MB/s it wins twice.
/// One thread at a time: whoever builds entries.
/// </remarks>
/// <param name="disk">Of the journals that the entries go to.</param>
internal sealed class CompressionPolicy(DurableWriteCost disk)
{
    /// <summary>Up to here a durable write costs the same whatever its size (measured: 4 KB as much as 64 KB).</summary>
    public const int RawBytesMin = 64 * 1024;

    /// <summary>Large entries from one probe to the next.</summary>
    public const int ProbeInterval = 256;

    /// <summary>Weight of the newest measurement: an average over about sixteen entries.</summary>
    private const double Weight = 1.0 / 16;

    private double _ticksPerByte;
    private double _savedShare;
    private int _sinceProbe = ProbeInterval;

    /// <summary>Whether to compress an entry of so many raw bytes.</summary>
    public bool ShouldCompress(long rawBytes)
    {
        if (rawBytes < RawBytesMin)
        {
            return false;
        }

        if (++_sinceProbe >= ProbeInterval)
        {
            _sinceProbe = 0;
            return true;
        }

        return _savedShare * disk.TicksPerByte > _ticksPerByte;
    }

    /// <summary>Learns from a compression.</summary>
    public void OnCompressed(long rawBytes, long storedBytes, long ticks)
    {
        Debug.Assert(rawBytes > 0 && storedBytes > 0);
        double weight = _ticksPerByte == 0 ? 1 : Weight;
        _ticksPerByte += weight * (((double)Math.Max(1, ticks) / rawBytes) - _ticksPerByte);
        _savedShare += weight * (Math.Max(0, 1 - ((double)storedBytes / rawBytes)) - _savedShare);
    }
}
