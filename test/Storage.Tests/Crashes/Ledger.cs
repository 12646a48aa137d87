using System.Globalization;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Transactions;
using Jackdaw.Storage.Verification;
using Jackdaw.StorageCrasher;

namespace Jackdaw.Storage.Tests.Crashes;

/// <summary>What the crasher acknowledged, of all writers, and the comparison with what storages hold.</summary>
/// <param name="writers">How many writers there are.</param>
/// <param name="kept">Records that each keeps.</param>
internal sealed class Ledger(int writers, int kept)
{
    private readonly long[] _last = new long[writers];

    /// <summary>Records acknowledged so far.</summary>
    public long Acknowledged { get; private set; }

    /// <summary>Records that were found although the process ended before it could tell.</summary>
    public long Recovered { get; private set; }

    /// <summary>Reads what the child acknowledges until its output ends; lines that are no acknowledgment go to the caller.</summary>
    public async Task ReadToEndAsync(CrasherProcess child, Action<string>? onOther = null)
    {
        while (await child.ReadLineAsync() is { } line)
        {
            // A last line without its end may be cut anywhere: it counts only when it is whole.
            string[] parts = line.Split(' ');
            if (!char.IsAsciiDigit(line.FirstOrDefault()))
            {
                onOther?.Invoke(line);
            }
            else if (parts.Length == 3 && long.TryParse(parts[1], CultureInfo.InvariantCulture, out long number))
            {
                int writer = int.Parse(parts[0], CultureInfo.InvariantCulture);
                Assert.Equal(_last[writer] + 1, number);
                _last[writer] = number;
                Acknowledged++;
            }
        }
    }

    /// <summary>A storage has what was acknowledged, at most one record more of each writer, nothing half, and is sound.</summary>
    /// <param name="storage">The storage.</param>
    /// <param name="first">First of its writers.</param>
    /// <param name="count">How many it has.</param>
    /// <param name="when">For the message.</param>
    public void Check(StorageEnvironment storage, int first, int count, string when)
    {
        using ReadTransaction transaction = storage.BeginRead();
        if (CrasherFormat.FindDamage(transaction, first, count, kept) is { } damage)
        {
            Assert.Fail($"{when}: {storage.Path}: {damage}");
        }

        Assert.Empty(EnvironmentVerifier.Verify(storage));
        for (int writer = first; writer < first + count; writer++)
        {
            long found = CrasherFormat.ReadLast(transaction, writer);
            Assert.True(found >= _last[writer], $"{when}: {storage.Path}: writer {writer} lost {_last[writer] - found} records");
            Assert.True(found <= _last[writer] + 1, $"{when}: {storage.Path}: writer {writer} has {found} after {_last[writer]}");
            Recovered += found - _last[writer];
            _last[writer] = found;
        }
    }
}
