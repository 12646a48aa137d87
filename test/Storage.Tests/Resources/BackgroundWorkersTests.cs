using System.Diagnostics;
using Jackdaw.Storage.Resources;
using Jackdaw.TestKit;
using Xunit.Abstractions;

namespace Jackdaw.Storage.Tests.Resources;

/// <summary>The threads that do the background work of all storages.</summary>
public sealed class BackgroundWorkersTests(ITestOutputHelper output)
{
    private static readonly TimeSpan s_deadline = TimeSpan.FromSeconds(30);
    private static readonly StorageVolumes s_volume = new(1, 1);
    private static readonly StorageVolumes s_otherVolume = new(2, 1);
    private readonly BackgroundWorkers _workers = new("test worker");

    [Fact]
    public void Work_NeverSignaled_NeverRuns()
    {
        int runs = 0;
        using BackgroundWork quiet = _workers.Add(s_volume, () => Interlocked.Increment(ref runs));
        using var ran = new ManualResetEventSlim();
        using BackgroundWork other = _workers.Add(s_volume, () => Once(ran));
        other.Signal();
        Assert.True(ran.Wait(s_deadline));
        Assert.Equal(0, Volatile.Read(ref runs));
    }

    [Fact]
    public void Signal_WhileTheWorkRuns_IsOneMoreRunAfterIt()
    {
        using var begun = new SemaphoreSlim(0);
        using var goOn = new SemaphoreSlim(0);
        int running = 0;
        using BackgroundWork work = _workers.Add(s_volume, () =>
        {
            Assert.Equal(1, Interlocked.Increment(ref running));
            begun.Release();
            goOn.Wait();
            Interlocked.Decrement(ref running);
            return Timeout.Infinite;
        });
        work.Signal();
        Assert.True(begun.Wait(s_deadline));
        work.Signal();
        work.Signal();
        Assert.False(begun.Wait(TimeSpan.FromMilliseconds(50)), "two runs of one work overlap");
        goOn.Release(10);
        Assert.True(begun.Wait(s_deadline));
        Assert.False(begun.Wait(TimeSpan.FromMilliseconds(50)), "two signals during a run are one more run");
    }

    [Fact]
    public void Run_ThatNamesATime_RunsAgainThenAndNotBefore()
    {
        const int pauseMs = 60;
        List<long> times = [];
        using var done = new ManualResetEventSlim();
        using BackgroundWork work = _workers.Add(s_volume, () =>
        {
            times.Add(Stopwatch.GetTimestamp());
            return times.Count < 3 ? pauseMs : Once(done);
        });
        work.Signal();
        Assert.True(done.Wait(s_deadline));
        Assert.All(times.Zip(times[1..]), pair => Assert.True(Stopwatch.GetElapsedTime(pair.First, pair.Second).TotalMilliseconds >= pauseMs - 1));
    }

    /// <summary>The worker that knew of a time takes another work and stays there: somebody else has to look.</summary>
    [Fact]
    public void Run_ThatNamesATime_RunsAgainThoughItsWorkerHangs()
    {
        using var release = new ManualResetEventSlim();
        using var again = new ManualResetEventSlim();
        int runs = 0;
        using BackgroundWork timed = _workers.Add(s_volume, () => ++runs == 1 ? 100 : Once(again));
        using BackgroundWork hangs = _workers.Add(s_volume, () => WaitFor(release));
        timed.Signal();
        Eventually.IsTrue(() => Volatile.Read(ref runs) == 1);
        hangs.Signal();
        Assert.True(again.Wait(s_deadline), "a work whose time came was not run");
        release.Set();
    }

    [Fact]
    public void Works_ThatHang_StopTheirVolumeOnly()
    {
        using var release = new ManualResetEventSlim();
        int hanging = 0;
        BackgroundWork[] hung = [.. Enumerable.Range(0, VolumeWorkers.WorkersMax + 3).Select(_ => _workers.Add(s_volume, () =>
        {
            Interlocked.Increment(ref hanging);
            return WaitFor(release);
        }))];
        using var ran = new ManualResetEventSlim();
        using BackgroundWork other = _workers.Add(s_otherVolume, () => Once(ran));
        foreach (BackgroundWork work in hung)
        {
            work.Signal();
        }

        Eventually.IsTrue(() => Volatile.Read(ref hanging) == VolumeWorkers.WorkersMax);
        other.Signal();
        Assert.True(ran.Wait(s_deadline), "a volume that hangs holds up another one");
        Assert.Equal(VolumeWorkers.WorkersMax, Volatile.Read(ref hanging));
        Assert.InRange(_workers.ThreadCount, 1, VolumeWorkers.WorkersMax + 1);
        release.Set();
        Eventually.IsTrue(() => Volatile.Read(ref hanging) == hung.Length);
        Array.ForEach(hung, work => work.Dispose());
    }

    [Fact]
    public void Works_FewerHangThanThereAreWorkers_OthersOfTheVolumeRun()
    {
        using var release = new ManualResetEventSlim();
        BackgroundWork[] hung = [.. Enumerable.Range(1, VolumeWorkers.WorkersMax - 1).Select(_ => _workers.Add(s_volume, () => WaitFor(release)))];
        using var ran = new ManualResetEventSlim();
        using BackgroundWork other = _workers.Add(s_volume, () => Once(ran));
        Array.ForEach(hung, work => work.Signal());
        other.Signal();
        Assert.True(ran.Wait(s_deadline));
        release.Set();
        Array.ForEach(hung, work => work.Dispose());
    }

    [Fact]
    public void Dispose_WhileTheWorkRuns_WaitsForItAndLetsNoOtherBegin()
    {
        using var begun = new ManualResetEventSlim();
        using var goOn = new ManualResetEventSlim();
        int runs = 0;
        BackgroundWork work = _workers.Add(s_volume, () =>
        {
            Interlocked.Increment(ref runs);
            begun.Set();
            goOn.Wait();
            return 0;
        });
        work.Signal();
        Assert.True(begun.Wait(s_deadline));
        work.Signal();
        var disposing = new Thread(work.Dispose);
        disposing.Start();
        Assert.False(disposing.Join(50), "the work was ended while it ran");
        goOn.Set();
        Assert.True(disposing.Join(s_deadline));
        work.Signal();
        Assert.Equal(1, Volatile.Read(ref runs));
        Assert.Equal(0, _workers.ThreadCount);
    }

    /// <summary>After each signal there is a run that begins later, whatever threads signal, finish and dispose meanwhile.</summary>
    [Fact]
    public void Signals_FromManyThreads_AreNeverLost()
    {
        int seed = Environment.TickCount;
        output.WriteLine($"seed {seed}");
        const int count = 12;
        long[] asked = new long[count];
        long[] answered = new long[count];
        BackgroundWork[] works = [.. Enumerable.Range(0, count).Select(i => _workers.Add(new StorageVolumes((ulong)(i % 3), 0), () =>
        {
            Volatile.Write(ref answered[i], Volatile.Read(ref asked[i]));
            return i % 4 == 0 ? 1 : Timeout.Infinite;
        }))];
        Thread[] threads = [.. Enumerable.Range(0, 4).Select(t => new Thread(() =>
        {
            var random = new Random(seed + t);
            for (int n = 0; n < 5000; n++)
            {
                int i = random.Next(count);
                long mine = Interlocked.Increment(ref asked[i]);
                works[i].Signal();
                if (n % 50 == 0)
                {
                    Eventually.IsTrue(() => Volatile.Read(ref answered[i]) >= mine, () => $"work {i} missed a signal, seed {seed}");
                }
            }
        }))];
        Array.ForEach(threads, thread => thread.Start());
        Array.ForEach(threads, thread => thread.Join());
        Assert.All(Enumerable.Range(0, count), i =>
            Eventually.IsTrue(() => Volatile.Read(ref answered[i]) == asked[i], () => $"work {i}, seed {seed}"));
        Array.ForEach(works, work => work.Dispose());
        Assert.Equal(0, _workers.ThreadCount);
    }

    private static int Once(ManualResetEventSlim done)
    {
        done.Set();
        return Timeout.Infinite;
    }

    private static int WaitFor(ManualResetEventSlim release)
    {
        release.Wait();
        return Timeout.Infinite;
    }
}
