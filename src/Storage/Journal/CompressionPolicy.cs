using System.Diagnostics;

namespace Jackdaw.Storage.Journal;

/// <summary>Decides whether a journal entry is compressed: only where that makes the commit faster on this disk and
/// processor.</summary>
/// <remarks>
/// Compressing an entry costs raw / compression speed, and saves raw * (1 - 1 / ratio) times the cost of a byte on the
/// disk. Speed and ratio are moving averages over the entries themselves; every <see cref="ProbeInterval"/>th large
/// entry is compressed to keep them up to date. Example: compression at 0.4 GB/s is far too slow for a disk of 2 GB/s,
/// and saves twice its cost on a disk of 100 MB/s. One thread at a time: the one that builds entries.
/// </remarks>
/// <param name="disk">Cost of writes to the journals of the entries.</param>
internal sealed class CompressionPolicy(DurableWriteCost disk)
{
    /// <summary>Bytes up to which the cost of a durable write does not depend on its size (measured: 4 KB cost as much
    /// as 64 KB).</summary>
    public const int RawBytesMin = 64 * 1024;

    /// <summary>Large entries from one probe to the next.</summary>
    public const int ProbeInterval = 256;

    /// <summary>Weight of the newest measurement: an average over about sixteen entries.</summary>
    private const double Weight = 1.0 / 16;

    /// <summary>A measurement counts as at most this many times the average. Data differ by less; a larger value means
    /// that the thread was interrupted.</summary>
    private const double InterruptionFactor = 4;

    private double _ticksPerByte;
    private double _savedShare;
    private int _sinceProbe;

    /// <summary>Whether to compress an entry with this number of raw bytes. It always says yes until there are measurements.</summary>
    public bool ShouldCompress(long rawBytes)
    {
        if (rawBytes < RawBytesMin)
        {
            return false;
        }

        if (_ticksPerByte == 0 || ++_sinceProbe >= ProbeInterval)
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
        bool isFirst = _ticksPerByte == 0;
        double weight = isFirst ? 1 : Weight;
        double ticksPerByte = (double)Math.Max(1, ticks) / rawBytes;

        // An interrupted thread did not compress more slowly; such an outlier must not influence thousands of entries.
        ticksPerByte = isFirst ? ticksPerByte : Math.Min(ticksPerByte, InterruptionFactor * _ticksPerByte);
        _ticksPerByte += weight * (ticksPerByte - _ticksPerByte);
        _savedShare += weight * (Math.Max(0, 1 - ((double)storedBytes / rawBytes)) - _savedShare);
    }
}
