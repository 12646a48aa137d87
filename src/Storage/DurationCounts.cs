using System.Diagnostics;
using System.Numerics;

namespace Jackdaw.Storage;

/// <summary>Counts how long something took, so that two readings give the percentiles of the time between them. One thread at a time adds, any reads.</summary>
/// <remarks>Times below 16 us have a bucket each. Above, each doubling has 8 buckets, so that the middle of a bucket differs from a time in it by at most
/// 1/16 of that time. Adding one is an increment; nothing is allocated.</remarks>
public sealed class DurationCounts
{
    /// <summary>Number of buckets.</summary>
    public const int Buckets = ExactMax + ((LongestLog - ExactLog) << StepsLog);

    /// <summary>Times below this have a bucket each.</summary>
    private const int ExactMax = 1 << ExactLog;

    private const int ExactLog = 4;

    /// <summary>Each doubling has 8 buckets.</summary>
    private const int StepsLog = 3;

    /// <summary>Times of 2^26 us = 67 s and more are in the last bucket: no disk takes so long that the difference matters.</summary>
    private const int LongestLog = 26;

    private readonly long[] _counts = new long[Buckets];

    /// <summary>Counts one.</summary>
    public void Add(long microseconds)
    {
        ref long count = ref _counts[BucketOf(microseconds)];
        Volatile.Write(ref count, count + 1);
    }

    /// <summary>Moves an earlier reading to now.</summary>
    /// <param name="reading">The earlier reading, zeros for none; then the current one.</param>
    /// <param name="since">Gets what was counted between the two.</param>
    /// <returns>How many there were between the two.</returns>
    public long Advance(Span<long> reading, Span<long> since)
    {
        long sum = 0;
        for (int bucket = 0; bucket < Buckets; bucket++)
        {
            long now = Volatile.Read(ref _counts[bucket]);
            since[bucket] = now - reading[bucket];
            Debug.Assert(since[bucket] >= 0, "counts never go back");
            sum += since[bucket];
            reading[bucket] = now;
        }

        return sum;
    }

    /// <summary>The time in microseconds that a share of the counted ones did not exceed, with an error of at most 1/16; 0 when none was counted.</summary>
    /// <param name="since">What <see cref="Advance"/> gave.</param>
    /// <param name="count">How many it has.</param>
    /// <param name="share">Between 0 and 1: 0.5 for the median.</param>
    public static long Percentile(ReadOnlySpan<long> since, long count, double share)
    {
        long left = Math.Max(1, (long)Math.Ceiling(count * share));
        for (int bucket = 0; count > 0 && bucket < Buckets; bucket++)
        {
            left -= since[bucket];
            if (left <= 0)
            {
                return MiddleOf(bucket);
            }
        }

        return 0;
    }

    private static int BucketOf(long microseconds)
    {
        if (microseconds < ExactMax)
        {
            return (int)Math.Max(0, microseconds);
        }

        int log = BitOperations.Log2((ulong)microseconds);
        int step = (int)(microseconds >> (log - StepsLog)) & ((1 << StepsLog) - 1);
        return log < LongestLog ? ExactMax + ((log - ExactLog) << StepsLog) + step : Buckets - 1;
    }

    private static long MiddleOf(int bucket)
    {
        if (bucket < ExactMax)
        {
            return bucket;
        }

        int widthLog = ExactLog - StepsLog + ((bucket - ExactMax) >> StepsLog);
        long steps = (1 << StepsLog) + ((bucket - ExactMax) & ((1 << StepsLog) - 1));
        return (steps << widthLog) + (1L << (widthLog - 1));
    }
}
