using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Transactions;
using Jackdaw.Storage.Verification;

namespace Jackdaw.Server.SelfTest;

/// <summary>What writers were told is durable, and whether a storage has it.</summary>
internal sealed class AcknowledgedRecords(int writers)
{
    private readonly long[] _last = new long[writers];

    /// <summary>Acknowledgements so far.</summary>
    public long Count { get; private set; }

    /// <summary>Records one; returns what is wrong with it, or null.</summary>
    public string? Add(int writer, long number)
    {
        string? gap = number == _last[writer] + 1 ? null : $"writer {writer} went on with {number} after {_last[writer]}";
        _last[writer] = number;
        Count++;
        return gap;
    }

    /// <summary>Compares with what a storage recovered, and continues from there; returns what is wrong, or
    /// null.</summary>
    public string? Compare(StorageEnvironment storage)
    {
        using ReadTransaction read = storage.BeginRead();
        if (SelfTestRecords.FindDamage(read, _last.Length) is { } damage)
        {
            return damage;
        }

        if (EnvironmentVerifier.Verify(storage) is [{ } first, ..])
        {
            return $"page {first.Page}: {first.Reason}";
        }

        for (int writer = 0; writer < _last.Length; writer++)
        {
            // One record of each writer may have been stored and not reported yet.
            long found = SelfTestRecords.ReadLast(read, writer);
            if (found < _last[writer] || found > _last[writer] + 1)
            {
                return $"writer {writer} was told of {_last[writer]} transactions, and {found} are there";
            }

            _last[writer] = found;
        }

        return null;
    }
}
