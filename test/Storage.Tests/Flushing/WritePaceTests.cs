using Jackdaw.Pal.InMemory;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Flushing;
using Jackdaw.Storage.Transactions;
using Jackdaw.TestKit;

namespace Jackdaw.Storage.Tests.Flushing;

/// <summary>Writers that are faster than flushes: slowed down a little each time, never stopped.</summary>
public sealed class WritePaceTests
{
    private const long FlushMs = 2000;
    private readonly SteppedTime _time = new();

    [Theory]
    [InlineData(0.001, 1)]
    [InlineData(0.01, 1)]
    [InlineData(0.0001, 0.05)]
    public void Debt_OfAWriterWithoutEnd_NeverReachesTheLimit(double debtPerCommit, double msPerCommit)
    {
        var pace = new WritePace(_time);
        double debt = 0;
        double debtMax = 0;
        long pauses = 0;
        for (double nextFlush = FlushMs; _time.NowMs < 20 * FlushMs; debt += debtPerCommit)
        {
            if (_time.NowMs >= nextFlush)
            {
                debt = Math.Max(0, debt - 0.6); // what one flush frees, at its end
                nextFlush += FlushMs;
            }

            int pauseMs = pace.FindPauseMs(debt, FlushMs);
            Assert.InRange(pauseMs, 0, WritePace.PauseMsMax);
            if (pauseMs > 0)
            {
                pauses++;
                _time.NowMs += pauseMs;
                pace.Restart(debt);
            }

            debtMax = Math.Max(debtMax, debt);
            _time.NowMs += msPerCommit;
        }

        Assert.InRange(debtMax, WritePace.FreeDebt, 1);
        Assert.True(pauses > 20, $"{pauses} pauses");
    }

    [Fact]
    public void Debt_UpToOneHalf_AndDebtThatFalls_CostNothing()
    {
        var pace = new WritePace(_time);
        for (double debt = 0; debt <= WritePace.FreeDebt; debt += 0.01)
        {
            Assert.Equal(0, pace.FindPauseMs(debt, FlushMs));
        }

        pace.Restart(0.9);
        for (double debt = 0.9; debt >= 0; debt -= 0.01)
        {
            Assert.Equal(0, pace.FindPauseMs(debt, FlushMs));
        }
    }

    [Fact]
    public void Debt_ThatGrowsSlowerThanAFlushFrees_CostsNothing()
    {
        var pace = new WritePace(_time);
        for (double debt = 0.5; debt < 0.8; debt += 0.0001)
        {
            _time.NowMs += 1;
            Assert.Equal(0, pace.FindPauseMs(debt, FlushMs));
        }
    }

    [Fact]
    public void Quiet_IsNoCreditForABurst()
    {
        var pace = new WritePace(_time);
        pace.Restart(0.6);
        _time.NowMs += 60_000;
        Assert.Equal(0, pace.FindPauseMs(0.6001, FlushMs));
        Assert.True(pace.FindPauseMs(0.7, FlushMs) > 0);
    }

    /// <summary>A disk that takes its time for each sync: writers never meet the limit itself.</summary>
    [Fact]
    public void Writers_OnASlowDisk_AreSlowedDownAndNeverWaitForTheLimit()
    {
        using var slow = new ManualResetEventSlim();
        var hooked = new HookedPlatform(new MemoryPlatform()) { BeforeSync = () => slow.Wait(400) };
        using StorageEnvironment storage = StorageEnvironment.Open(hooked, "/db", new StorageOptions
        {
            FlushAtScratchBytes = 4 << 20,
            ScratchBytesMax = 32 << 20,
        });
        double debtMax = 0;
        var value = new byte[60_000];
        var random = new Random(1);
        for (int i = 0; i < 1500; i++)
        {
            using WriteTransaction transaction = storage.BeginWrite();
            random.NextBytes(value);
            transaction.Trees.CreateTree("t"u8).Put(BitConverter.GetBytes(i), value);
            transaction.Submit();
            debtMax = Math.Max(debtMax, storage.Figures.FlushDebt);
        }

        slow.Set();
        Assert.True(storage.Figures.WritersPausedMs > 0, $"debt was {debtMax:0.00} at most");
        Assert.InRange(debtMax, WritePace.FreeDebt, 0.999);
    }

    private sealed class SteppedTime : TimeProvider
    {
        public double NowMs { get; set; }

        public override long TimestampFrequency => 1_000_000;

        public override long GetTimestamp() => (long)(NowMs * 1000);
    }
}
