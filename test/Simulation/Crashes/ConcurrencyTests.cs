using System.Diagnostics;
using Jackdaw.Pal.Simulation;
using Jackdaw.Simulation.Harness;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Transactions;
using Jackdaw.TestKit;

namespace Jackdaw.Simulation.Crashes;

/// <summary>Power cuts while readers, flushes and commits run on threads of their own.</summary>
public sealed class ConcurrencyTests(ITestOutputHelper output) : IDisposable
{
    private const int CommitsQuick = 75;
    private const int CommitsFull = 40_000;

    /// <summary>Barriers from one state to the next.</summary>
    private const int BarriersPerState = 25;

    private const int ReaderCount = 2;
    private const int StatesHeldMax = 100;

    /// <summary>Not set while states are checked: the threads would only take the processors from that.</summary>
    private readonly ManualResetEventSlim _mayRun = new(true);

    [Fact]
    public void Crash_WhileReadersComeAndGoDuringFlushes_KeepsAcknowledgedTransactions() => Run(CommitsQuick, 3);

    [Fact]
    [Trait("Tier", "Full")]
    public void Crash_WhileReadersComeAndGoDuringManyFlushes_KeepsAcknowledgedTransactions() => Run(CommitsFull, 4);

    [Fact]
    public void Flush_WhoseOldestReaderEndsMeanwhile_LeavesNoPageOut()
    {
        var platform = new SimulatedPlatform();
        var workload = new Workload(platform, new Oracle(), 8);
        workload.Open();
        workload.Commit();
        ReadTransaction reader = workload.Storage.BeginRead();
        workload.Commit();
        var flush = new Thread(() => workload.Storage.Flush());
        lock (workload.Storage.Table.ChangeLock)
        {
            // The flush stops at the lock. The reader that bounds it ends, and a commit drops what only that reader needed.
            flush.Start();
            Eventually.IsTrue(() => flush.ThreadState.HasFlag(System.Threading.ThreadState.WaitSleepJoin));
            reader.Dispose();
            workload.Commit();
        }

        flush.Join();
        workload.Storage.Sync();
        CrashedState cut = new(platform.Crash(1), workload.Oracle.View, "after the sync", 1);
        string? violation = StateChecker.FindViolation(cut);
        Assert.True(violation is null, violation);
        workload.Close();
    }

    [Fact]
    public void Flush_WhileAReaderRegistersWithAStateOfBefore_LeavesNoPageOut()
    {
        var platform = new SimulatedPlatform();
        var workload = new Workload(platform, new Oracle(), 8);
        workload.Open();
        workload.Commit();
        EnvironmentState before = workload.Storage.Current;
        workload.Commit();
        workload.Commit();

        // A reader is stopped between claiming its slot and looking whether the state is still current: it will start over, but
        // until then its slot names a state whose versions were dropped, because nobody read it any more.
        workload.Storage.Readers.Enter(ref before, ReaderKind.Other, out int slot);
        workload.Storage.Flush();
        workload.Storage.Readers.Leave(slot);
        workload.Storage.Sync();
        CrashedState cut = new(platform.Crash(1), workload.Oracle.View, "after the sync", 1);
        string? violation = StateChecker.FindViolation(cut);
        Assert.True(violation is null, violation);
        workload.Close();
    }

    public void Dispose() => _mayRun.Dispose();

    private void Run(int commits, int seed)
    {
        long started = Stopwatch.GetTimestamp();
        var platform = new SimulatedPlatform(seed);
        var workload = new Workload(platform, new Oracle(), seed);
        workload.Open();
        int barriers = 0;
        using var probe = new CrashProbe(platform, workload.Oracle, seed, 1, call => call.IsBarrier && ++barriers % BarriersPerState == 0);
        using var stopping = new CancellationTokenSource();
        List<Thread> threads = [.. Enumerable.Range(0, ReaderCount).Select(_ => Start(() => Read(workload.Storage), stopping.Token))];
        threads.Add(Start(() => FlushAndSync(workload.Storage), stopping.Token));
        int states = 0;
        try
        {
            states = CommitAndCheck(workload, probe, commits);
        }
        finally
        {
            stopping.Cancel();
            threads.ForEach(thread => thread.Join());
            workload.GiveUp();
        }

        output.WriteLine($"seed {seed}: {commits} commits, {states} states, {Stopwatch.GetElapsedTime(started).TotalSeconds:0.0} s");
        Assert.True(states > commits / 10, $"only {states} states: the test proves little");
    }

    private int CommitAndCheck(Workload workload, CrashProbe probe, int commits)
    {
        int states = 0;
        for (int i = 0; i < commits; i++)
        {
            workload.Commit();
            if (probe.Count >= StatesHeldMax)
            {
                states += Check(probe);
                probe.Resume();
            }
        }

        states += Check(probe);
        workload.CheckContents();
        return states;
    }

    private int Check(CrashProbe probe)
    {
        List<CrashedState> states = probe.TakeStates();
        _mayRun.Reset();
        try
        {
            string? violation = states.AsParallel().AsOrdered().Select(StateChecker.FindViolation).FirstOrDefault(found => found is not null);
            Assert.True(violation is null, violation);
            return states.Count;
        }
        finally
        {
            _mayRun.Set();
        }
    }

    private Thread Start(Action work, CancellationToken stopping)
    {
        var thread = new Thread(() =>
        {
            while (!stopping.IsCancellationRequested)
            {
                _mayRun.Wait();
                work();
            }
        });
        thread.Start();
        return thread;
    }

    private static void Read(StorageEnvironment storage)
    {
        using ReadTransaction transaction = storage.BeginRead();
        Thread.SpinWait(50); // a reader that takes time
    }

    private static void FlushAndSync(StorageEnvironment storage)
    {
        storage.Flush();
        storage.Sync();
    }
}
