using System.Diagnostics;

namespace Jackdaw.Storage.Journal;

/// <summary>The cost of one additional byte in a durable write, learned from the writes themselves.</summary>
/// <remarks>
/// A write has a high fixed cost and a low cost per byte: 100 to 300 us, and half a microsecond per KB, on a disk
/// behind a hypervisor. Time divided by bytes would attribute the fixed cost to the bytes too. So the cost per byte is
/// the slope of the line through (bytes, ticks) of the last writes; older writes have less weight. Writes of one size
/// say nothing about the slope: the less the sizes differ, the more of the time is attributed to the bytes. Updated
/// under the journal's write lock; any thread may read it.
/// </remarks>
internal sealed class DurableWriteCost
{
    /// <summary>Weight of the newest write: an average over about 64 writes hides a single slow one.</summary>
    private const double Weight = 1.0 / 64;

    /// <summary>Share of the squared mean below which the variance of the sizes says little.</summary>
    private const double VarianceMin = 1.0 / 64;

    private double _bytes;
    private double _ticks;
    private double _bytesBytes;
    private double _bytesTicks;
    private double _ticksPerByte;

    /// <summary>Stopwatch ticks per byte; 0 before the first write.</summary>
    public double TicksPerByte => Volatile.Read(ref _ticksPerByte);

    /// <summary>Learns from a durable write.</summary>
    public void Add(long bytes, long ticks)
    {
        Debug.Assert(bytes > 0);
        Debug.Assert(ticks >= 0);
        double weight = _bytes == 0 ? 1 : Weight;
        _bytes += weight * (bytes - _bytes);
        _ticks += weight * (ticks - _ticks);
        _bytesBytes += weight * (((double)bytes * bytes) - _bytesBytes);
        _bytesTicks += weight * (((double)bytes * ticks) - _bytesTicks);
        double squaredMean = _bytes * _bytes;
        double variance = _bytesBytes - squaredMean + (VarianceMin * squaredMean);
        double covariance = _bytesTicks - (_bytes * _ticks) + (VarianceMin * _bytes * _ticks);
        Volatile.Write(ref _ticksPerByte, Math.Max(0, covariance / variance));
    }
}
