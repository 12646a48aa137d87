using Jackdaw.Indexing.Definitions.Model;
using Jackdaw.Indexing.Running;

namespace Jackdaw.Indexing.Tests.Running;

/// <summary>Threads that indexes share.</summary>
public sealed class IndexingWorkersTests
{
    private static readonly TimeSpan s_patience = TimeSpan.FromMinutes(1);

    [Fact]
    public async Task Signal_DuringARun_GivesAnotherRun()
    {
        var workers = new IndexingWorkers(2);
        using var isRunning = new SemaphoreSlim(0);
        using var mayEnd = new SemaphoreSlim(0);
        int runs = 0;
        IndexWork work = new(workers, () =>
        {
            Interlocked.Increment(ref runs);
            isRunning.Release();
            mayEnd.Wait();
            return false;
        });
        work.Signal();
        Assert.True(await isRunning.WaitAsync(s_patience));
        work.Signal();
        work.Signal();
        mayEnd.Release();
        Assert.True(await isRunning.WaitAsync(s_patience));
        mayEnd.Release();
        await work.StopAsync().WaitAsync(s_patience);
        Assert.Equal(2, runs);
        work.Signal(); // after the stop: nothing
        Assert.Equal(2, runs);
    }

    /// <summary>Two works that need each other, signalled while one thread is idle: it is woken for one of them, and another thread begins.</summary>
    [Fact]
    public void Works_SignalledAtOnceOntoOneIdleThread_RunSideBySide()
    {
        for (int round = 0; round < 200; round++)
        {
            var workers = new IndexingWorkers(2);
            using var warm = new ManualResetEventSlim();
            new IndexWork(workers, () =>
            {
                warm.Set();
                return false;
            }).Signal();
            Assert.True(warm.Wait(s_patience));
            using var both = new Barrier(3);
            bool Meet()
            {
                both.SignalAndWait(s_patience);
                return false;
            }

            new IndexWork(workers, Meet).Signal();
            new IndexWork(workers, Meet).Signal();
            Assert.True(both.SignalAndWait(TimeSpan.FromSeconds(10)), $"round {round}");
        }
    }

    [Fact]
    public async Task Works_OfSeveralPriorities_RunTheHighestFirstAndTakeTurns()
    {
        var workers = new IndexingWorkers(1);
        using var isBlocked = new SemaphoreSlim(0);
        using var mayGoOn = new SemaphoreSlim(0);
        var order = new List<string>();
        using var done = new CountdownEvent(5);
        IndexWork blocker = new(workers, () =>
        {
            isBlocked.Release();
            mayGoOn.Wait();
            return false;
        });
        blocker.Signal();
        Assert.True(await isBlocked.WaitAsync(s_patience));
        foreach ((string name, IndexPriority priority, int runs) in (ReadOnlySpan<(string, IndexPriority, int)>)
            [("low", IndexPriority.Low, 1), ("a", IndexPriority.Normal, 2), ("b", IndexPriority.Normal, 1), ("high", IndexPriority.High, 1)])
        {
            int left = runs;
            new IndexWork(workers, () =>
            {
                order.Add(name);
                done.Signal();
                return --left > 0;
            })
            { Priority = priority }.Signal();
        }

        mayGoOn.Release();
        Assert.True(done.Wait(s_patience));
        Assert.Equal(["high", "a", "b", "a", "low"], order);
    }

    [Fact]
    public async Task Threads_ManyWorks_AreAtMostTheBound()
    {
        var workers = new IndexingWorkers(3);
        int running = 0;
        int most = 0;
        using var done = new CountdownEvent(200);
        for (int i = 0; i < 200; i++)
        {
            new IndexWork(workers, () =>
            {
                int now = Interlocked.Increment(ref running);
                InterlockedMax(ref most, now);
                Thread.Yield();
                Interlocked.Decrement(ref running);
                done.Signal();
                return false;
            }).Signal();
        }

        await Task.Run(() => Assert.True(done.Wait(s_patience)));
        Assert.InRange(most, 1, 3);
        Assert.InRange(workers.ThreadCount, 0, 3);
    }

    [Fact]
    public async Task Stop_WorkThatWaits_NeverRuns()
    {
        var workers = new IndexingWorkers(1);
        using var isBlocked = new SemaphoreSlim(0);
        using var mayGoOn = new SemaphoreSlim(0);
        IndexWork blocker = new(workers, () =>
        {
            isBlocked.Release();
            mayGoOn.Wait();
            return false;
        });
        blocker.Signal();
        Assert.True(await isBlocked.WaitAsync(s_patience));
        bool hasRun = false;
        IndexWork waiting = new(workers, () => hasRun = true);
        waiting.Signal();
        await waiting.StopAsync().WaitAsync(s_patience);
        using var last = new SemaphoreSlim(0);
        new IndexWork(workers, () => last.Release() < 0).Signal();
        mayGoOn.Release();
        Assert.True(await last.WaitAsync(s_patience));
        Assert.False(hasRun);
    }

    private static void InterlockedMax(ref int target, int value)
    {
        int seen = Volatile.Read(ref target);
        while (value > seen)
        {
            int before = Interlocked.CompareExchange(ref target, value, seen);
            if (before == seen)
            {
                return;
            }

            seen = before;
        }
    }
}
