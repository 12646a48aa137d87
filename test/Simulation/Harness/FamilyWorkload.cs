using System.Globalization;
using Jackdaw.Pal.Simulation;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Simulation.Harness;

/// <summary>Random life of a root and its branches: each a workload of its own, opened, closed and opened alone in random order.</summary>
internal sealed class FamilyWorkload : IWork
{
    private readonly SimulatedPlatform _platform;
    private readonly Random _random;
    private readonly List<Workload> _members;

    /// <param name="platform">The volume of all.</param>
    /// <param name="oracles">One for each, the root first.</param>
    /// <param name="seed">Decides the steps.</param>
    /// <param name="script">What transactions do; null = the usual things.</param>
    public FamilyWorkload(
        SimulatedPlatform platform, IReadOnlyList<Oracle> oracles, int seed, Func<Random, WriteTransaction, ModelState, ModelState>? script = null)
    {
        script ??= (random, transaction, state) => new TransactionScript(random).Run(transaction, state);
        _platform = platform;
        _random = new Random(seed);
        Oracles = oracles;
        _members = [new Workload(platform, oracles[0], seed) { Script = script }];
        for (int i = 1; i < oracles.Count; i++)
        {
            int branch = i;
            _members.Add(new Workload(platform, oracles[i], seed + (i * 7919))
            {
                Opening = () => StorageEnvironment.OpenBranch(_members[0].Storage, FindPath(branch), SmallStorage.Options),
                Script = script,
            });
        }
    }

    public IReadOnlyList<Oracle> Oracles { get; }

    private static string PathOf(int branch) => SmallStorage.Path + "/Indexes/" + branch.ToString(CultureInfo.InvariantCulture);

    private static string OtherPathOf(int branch) => SmallStorage.Path + "/Moved/" + branch.ToString(CultureInfo.InvariantCulture);

    public void Open()
    {
        // Before the root, which makes lost names again, and after it.
        Enumerable.Range(1, _members.Count - 1).Where(_ => _random.Next(4) == 0).ToList().ForEach(OpenAlone);
        _members[0].Open();
        for (int i = 1; i < _members.Count; i++)
        {
            if (_random.Next(6) == 0)
            {
                OpenAlone(i);
            }

            _members[i].Open();
        }
    }

    public void Step()
    {
        int chosen = _random.Next(_members.Count);
        if (chosen > 0 && _random.Next(20) == 0)
        {
            Move(chosen);
        }
        else
        {
            _members[chosen].Step(() => Reopen(_members[chosen]));
        }
    }

    public void Commit() => _members.ForEach(member => member.Commit());

    public void WaitForAll() => _members.ForEach(member => member.WaitForAll());

    public void CheckContents() => _members.ForEach(member => member.CheckContents());

    public void Close()
    {
        for (int i = _members.Count - 1; i >= 0; i--)
        {
            _members[i].Close();
        }
    }

    public void GiveUp()
    {
        for (int i = _members.Count - 1; i >= 0; i--)
        {
            _members[i].GiveUp();
        }
    }

    /// <summary>True while all storages are open and none has stopped.</summary>
    public bool IsWhole => _members.TrueForAll(member => member.IsOpen && member.Storage.Failure is null);

    /// <summary>A fixed life: commits one by one and beside each other, over several journals, flushes, syncs, a branch that closes and comes
    /// back, all that close and come back.</summary>
    public IEnumerable<Action> Life()
    {
        yield return Open;
        for (int i = 0; i < 3; i++)
        {
            yield return Commit;
        }

        yield return FlushAndSync;
        for (int i = 0; i < 3; i++)
        {
            yield return () => _members.ForEach(member => member.SubmitOnly());
        }

        yield return WaitForAll;
        yield return () => Reopen(_members[1]);
        yield return Commit;
        yield return () => Move(1);
        yield return Commit;
        yield return FlushAndSync;
        yield return Commit;
        yield return Close;
        yield return Open;
        yield return Commit;
        yield return Close;
    }

    /// <summary>Where a branch is: a rename that a power cut interrupted may have happened or not.</summary>
    /// <summary>Where a branch, from 1, is now: its folder moves.</summary>
    public string FindPath(int branch) => _platform.Exists(OtherPathOf(branch) + "/headers") ? OtherPathOf(branch) : PathOf(branch);

    private void Move(int branch)
    {
        StorageEnvironment storage = _members[branch].Storage;
        storage.MoveTo(storage.Path == PathOf(branch) ? OtherPathOf(branch) : PathOf(branch));
    }

    private void FlushAndSync() => _members.ForEach(member =>
    {
        member.Storage.Flush();
        member.Storage.Sync();
    });

    /// <summary>A branch by itself and the others beside it, or everything.</summary>
    private void Reopen(Workload member)
    {
        if (member == _members[0])
        {
            Close();
            Open();
            return;
        }

        member.Close();
        member.Open();
    }

    /// <summary>A branch recovers from its folder alone, writes, and is killed or closed.</summary>
    private void OpenAlone(int branch)
    {
        string path = FindPath(branch);
        var alone = new Workload(_platform, Oracles[branch], _random.Next())
        {
            Opening = () => StorageEnvironment.Open(_platform, path, SmallStorage.Options),
        };
        try
        {
            alone.Open();
            alone.Commit();
            alone.Close();
        }
        finally
        {
            alone.GiveUp();
        }
    }
}
