using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Transactions;
using Jackdaw.Storage.Verification;

namespace Jackdaw.Server.SelfTest;

/// <summary>The records that writers know to be durable. Checks whether a storage has them.</summary>
internal sealed class AcknowledgedRecords(int writers)
{
    private readonly long[] _last = new long[writers];

    /// <summary>Acknowledgements so far.</summary>
    public long Count { get; private set; }

    /// <summary>Adds a record. Returns the problem with it, or null.</summary>
    public string? Add(int writer, long number)
    {
        string? gap = number == _last[writer] + 1 ? null : $"writer {writer} continued with {number} after {_last[writer]}";
        _last[writer] = number;
        Count++;
        return gap;
    }

    /// <summary>Compares them with the records that a storage recovered, and continues from there. Returns the problem, or null.</summary>
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
                return $"writer {writer} got answers for {_last[writer]} transactions, and {found} are stored";
            }

            _last[writer] = found;
        }

        return null;
    }
}
