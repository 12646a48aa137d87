using Jackdaw.Pal.Simulation;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Headers;
using Jackdaw.Storage.Tests.Sharing;
using Jackdaw.Storage.Transactions;
using Jackdaw.TestKit;

namespace Jackdaw.Storage.Tests.Crashes;

/// <summary>One order of the steps of a scenario, and what power cuts leave of it.</summary>
internal sealed class LinkOrderRun : IDisposable
{
    /// <summary>Of each transaction of the root: the second one moves on to the next journal.</summary>
    private const int RootBytes = 30_000;

    private static readonly CrashOptions s_nothing = new() { Retention = CrashRetention.None };
    private static readonly CrashOptions s_everything = new() { Retention = CrashRetention.All };
    private static readonly string s_movedPath = BranchFamily.PathOf(7);

    private readonly SimulatedPlatform _disk = new();
    private readonly HookedPlatform _hooked;
    private readonly BranchFamily _family;
    private readonly StorageOptions _options;
    private readonly Interleaver _threads = new();
    private readonly Random _random;
    private readonly int _cutEvery;
    private readonly long[] _begun; // transactions of the root and of each branch
    private readonly long[] _acknowledged;
    private readonly List<Cut> _cuts = [];

    /// <param name="scenario">One of <see cref="Scenarios"/>.</param>
    /// <param name="seed">Decides where the power is cut.</param>
    /// <param name="cutEvery">Of so many steps about one is followed by a cut.</param>
    public LinkOrderRun(string scenario, int seed, int cutEvery)
    {
        _cutEvery = cutEvery;
        _random = new Random(seed);
        _hooked = new HookedPlatform(_disk);

        // The larger one is not half full after the preparation, so that the next one is prepared, and linked ahead, during the run.
        int journalBytes = scenario is "reuse" or "again" or "close" ? 128 * 1024 : 64 * 1024;
        _options = new StorageOptions { BackgroundFlush = false, JournalFileBytes = journalBytes, Time = new LeapingTime() };
        _family = new BranchFamily(_hooked, scenario == "two" ? 2 : 1, _options);
        _begun = new long[_family.Branches.Count + 1];
        _acknowledged = new long[_begun.Length];
        Prepare(scenario);
        SetStops();
    }

    public static IEnumerable<string> Scenarios => ["reuse", "again", "new", "close", "move", "two"];

    /// <summary>Names of a scenario's threads.</summary>
    public static string[] ThreadsOf(string scenario) => scenario switch
    {
        "reuse" => ["link", "sync"],
        "again" or "move" => ["link", "sync", "root", "move"],
        "new" => ["link", "sync", "root"],
        "close" => ["close", "root"],
        _ => ["one", "two", "root"],
    };

    public void Run(ScheduleSearch search)
    {
        long known = 0;
        _threads.AtRest = () =>
        {
            // Most of all where something was acknowledged and the others have not gone on yet.
            long acknowledged = _acknowledged.Sum();
            if (_random.Next(acknowledged > known ? Math.Min(2, _cutEvery) : _cutEvery) == 0)
            {
                CutPower(_random.Next(3) switch { 0 => s_nothing, 1 => s_everything, _ => CrashOptions.FromSeed(_random.Next()) }, _random.Next(8) == 0);
            }

            known = acknowledged;
        };
        _threads.RunAll(search.Choose);
        CutPower(s_nothing, isForAll: false);
        CutPower(s_everything, isForAll: true);
        if (_threads.Failures is [var first, ..])
        {
            throw new InvalidOperationException("A thread failed.", first);
        }

        _cuts.ForEach(cut => cut.Check(_options));
    }

    public void Dispose() => _family.Abandon();

    private void Prepare(string scenario)
    {
        Commit(0);
        Commit(1, 2);
        switch (scenario)
        {
            case "reuse": // the branch was opened again and takes its closed name of the current journal into use again
                OpenAgain();
                break;
            case "again": // the same while the root leaves that journal
                OpenAgain();
                _threads.Add("root", () => Commit(0, 3), isWhole: true);
                _threads.Add("move", () => Storage(1).Journals.MoveTo(Storage(1).Path, () => false), isWhole: true);
                break;
            case "new":
                Commit(0);
                _threads.Add("link", () => Commit(1, 2));
                _threads.Add("sync", () => FlushAndSync(1, 2));
                _threads.Add("root", () => { Commit(0, 2); FlushAndSync(0); });
                break;
            case "close":
                _threads.Add("close", () => { Reopen(isAbandoned: false); CommitByTurns(); FlushAndSync(1); });
                _threads.Add("root", () => Commit(0)); // the next journal is prepared, and gets its names ahead
                break;
            case "move":
                _threads.Add("link", () => Commit(1, 2));
                _threads.Add("sync", () => FlushAndSync(1));
                _threads.Add("root", () => Commit(0, 2));
                _threads.Add("move", () => Storage(1).MoveTo(s_movedPath));
                break;
            default:
                Commit(2);
                _threads.Add("one", () => { Commit(1); FlushAndSync(1); });
                _threads.Add("two", () => { Commit(2); FlushAndSync(2); });
                _threads.Add("root", () => { Commit(0, 2); FlushAndSync(0); });
                break;
        }
    }

    private void OpenAgain()
    {
        Reopen(isAbandoned: true);
        Storage(1).Flush();
        _threads.TakesOthers = false;
        _threads.Add("link", CommitInPlace);
        _threads.Add("sync", () => Storage(1).Sync());
    }

    private void SetStops()
    {
        _hooked.BeforeJournalWrite = _ => _threads.Stop();
        _hooked.BeforeNameChange = (change, _) => StopIf(change != NameChange.Create);
        _hooked.AfterNameChange = (change, _) => StopIf(change == NameChange.Link);
        _hooked.BeforeLook = path => StopIf(path.Contains("/Indexes/", StringComparison.Ordinal) && path.Contains("/Journals/", StringComparison.Ordinal));
        _hooked.BeforeSync = _threads.Stop;
        _hooked.BeforeDirectorySync = _threads.Stop;
        _hooked.AfterDirectorySync = _threads.Stop;
    }

    private void StopIf(bool isPoint)
    {
        if (isPoint)
        {
            _threads.Stop();
        }
    }

    private StorageEnvironment Storage(int index) => index == 0 ? _family.Root : _family.Branches[index - 1];

    private void Commit(int index, int count = 1)
    {
        for (int i = 0; i < count; i++)
        {
            Interlocked.Increment(ref _begun[index]);
            BranchFamily.Write(Storage(index), index == 0 ? RootBytes : 100).Wait();
            Interlocked.Increment(ref _acknowledged[index]);
        }
    }

    /// <summary>A commit with a stop in the link, after it made sure that the folder stays where it is.</summary>
    private void CommitInPlace()
    {
        PendingCommit written;
        Interlocked.Increment(ref _begun[1]);
        using (Storage(1).Journals.Stay())
        {
            _threads.Stop();
            written = BranchFamily.Write(Storage(1));
        }

        written.Wait();
        Interlocked.Increment(ref _acknowledged[1]);
    }

    /// <summary>Until the root is in its third journal.</summary>
    private void CommitByTurns()
    {
        for (int i = 0; i < 4; i++)
        {
            Commit(0);
            Commit(1);
        }
    }

    private void FlushAndSync(int index, int count = 1)
    {
        for (int i = 0; i < count; i++)
        {
            Storage(index).Flush();
            Storage(index).Sync();
        }
    }

    private void Reopen(bool isAbandoned)
    {
        if (isAbandoned)
        {
            _family.Branches[0].Abandon();
        }
        else
        {
            _family.Branches[0].Dispose();
        }

        _family.Branches[0] = _family.Open(0);
    }

    private void CutPower(CrashOptions options, bool isForAll)
    {
        long[] acknowledged = [.. _acknowledged];
        SimulatedPlatform left = _disk.Crash(options);
        _cuts.Add(new Cut(left, options.Retention != CrashRetention.Random, isForAll, acknowledged, [.. _begun]));
    }

    /// <summary>What a power cut left.</summary>
    /// <param name="Disk">The volume.</param>
    /// <param name="IsUntorn">Nothing is half there, so that nothing is to be warned of, and a copy of a header can be damaged.</param>
    /// <param name="IsForAll">The storages are opened together as well.</param>
    /// <param name="Acknowledged">Transactions that were, of the root and each branch.</param>
    /// <param name="Begun">Those that may be there.</param>
    private sealed record Cut(SimulatedPlatform Disk, bool IsUntorn, bool IsForAll, long[] Acknowledged, long[] Begun)
    {
        public void Check(StorageOptions options)
        {
            string[] paths = [BranchFamily.RootPath, .. Enumerable.Range(0, Begun.Length - 1).Select(PathOf)];
            if (IsForAll)
            {
                CheckTogether(Copy(), paths, options);
            }

            for (int i = 1; i < paths.Length; i++)
            {
                CheckAlone(Copy(), i, paths[i], options, warnings: 0);
                for (int copy = 0; copy < 2 && IsUntorn; copy++)
                {
                    SimulatedPlatform damaged = Copy();
                    damaged.FlipBit(paths[i] + "/" + HeaderFile.FileName, copy * HeaderFile.CopyBytes * 8L);
                    CheckAlone(damaged, i, paths[i], options, warnings: 1);
                }
            }
        }

        private SimulatedPlatform Copy() => Disk.Crash(s_everything);

        private string PathOf(int branch) =>
            branch == 0 && StorageEnvironment.Exists(Disk, s_movedPath) ? s_movedPath : BranchFamily.PathOf(branch);

        /// <summary>Opens all of them, and lets them go on from where they are.</summary>
        private void CheckTogether(SimulatedPlatform disk, string[] paths, StorageOptions options)
        {
            StorageEnvironment root = StorageEnvironment.Open(disk, paths[0], options);
            List<StorageEnvironment> all = [root, .. paths.Skip(1).Select(path => StorageEnvironment.OpenBranch(root, path, options))];
            long[] found = [.. all.Select((storage, i) => CheckCount(storage, i, 0))];
            all.Reverse(); // branches first: their entries would wait for another write of the root
            all.ForEach(storage => BranchFamily.Commit(storage, 1, storage == root ? RootBytes : 100));
            all.ForEach(storage => storage.Abandon());
            for (int i = 1; i < paths.Length; i++)
            {
                StorageEnvironment alone = StorageEnvironment.Open(disk, paths[i], options);
                Assert.Equal(found[i] + 1, BranchFamily.Check(alone));
                alone.Abandon();
            }
        }

        private void CheckAlone(SimulatedPlatform disk, int index, string path, StorageOptions options, int warnings)
        {
            StorageEnvironment alone = StorageEnvironment.Open(disk, path, options);
            CheckCount(alone, index, warnings);
            alone.Abandon();
        }

        private long CheckCount(StorageEnvironment storage, int index, int warnings)
        {
            bool isAsExpected = !IsUntorn || storage.Warnings.Count == warnings;
            Assert.True(isAsExpected, string.Join('\n', storage.Warnings.Prepend(storage.Path)));
            long found = BranchFamily.Check(storage, index == 0 ? RootBytes : 100);
            Assert.InRange(found, Acknowledged[index], Begun[index]);
            return found;
        }
    }
}
