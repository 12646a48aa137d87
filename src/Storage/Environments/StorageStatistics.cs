using Jackdaw.Storage.Transactions;

namespace Jackdaw.Storage.Environments;

/// <summary>Counters of a storage since it was opened; always on. Written by the committer, read by any
/// thread.</summary>
public sealed class StorageStatistics
{
    private long _commits;
    private long _pages;
    private long _changedBytes;
    private long _rawBytes;
    private long _storedBytes;
    private long _prepareMicroseconds;
    private long _writeMicroseconds;
    private long _directRuns;
    private long _directBytes;
    private long _directMicroseconds;

    /// <summary>Committed transactions = durable journal writes.</summary>
    public long Commits => Volatile.Read(ref _commits);

    /// <summary>Sum of the costs of all commits.</summary>
    public CommitCosts Sum => new(
        Volatile.Read(ref _pages),
        Volatile.Read(ref _changedBytes),
        Volatile.Read(ref _rawBytes),
        Volatile.Read(ref _storedBytes),
        Volatile.Read(ref _prepareMicroseconds),
        Volatile.Read(ref _writeMicroseconds))
    {
        DirectRuns = Volatile.Read(ref _directRuns),
        DirectBytes = Volatile.Read(ref _directBytes),
        DirectMicroseconds = Volatile.Read(ref _directMicroseconds),
    };

    /// <summary>How long the durable writes took.</summary>
    public DurationCounts WriteTimes { get; } = new();

    internal void Add(in CommitCosts costs)
    {
        WriteTimes.Add(costs.WriteMicroseconds);
        Volatile.Write(ref _commits, _commits + 1);
        Volatile.Write(ref _pages, _pages + costs.Pages);
        Volatile.Write(ref _changedBytes, _changedBytes + costs.ChangedBytes);
        Volatile.Write(ref _rawBytes, _rawBytes + costs.RawBytes);
        Volatile.Write(ref _storedBytes, _storedBytes + costs.StoredBytes);
        Volatile.Write(ref _prepareMicroseconds, _prepareMicroseconds + costs.PrepareMicroseconds);
        Volatile.Write(ref _writeMicroseconds, _writeMicroseconds + costs.WriteMicroseconds);
        Volatile.Write(ref _directRuns, _directRuns + costs.DirectRuns);
        Volatile.Write(ref _directBytes, _directBytes + costs.DirectBytes);
        Volatile.Write(ref _directMicroseconds, _directMicroseconds + costs.DirectMicroseconds);
    }
}
