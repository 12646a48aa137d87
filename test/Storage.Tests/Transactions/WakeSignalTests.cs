using System.Collections.Concurrent;
using System.Diagnostics;
using Jackdaw.TestKit;

namespace Jackdaw.Storage.Tests.Transactions;

public sealed class WakeSignalTests
{
    private static readonly TimeSpan s_deadline = TimeSpan.FromSeconds(60);

    [Fact]
    public void Wait_AfterSet_PassesOnce()
    {
        using var signal = new WakeSignal(0);
        signal.Set();
        signal.Set();
        Assert.True(signal.Wait(-1));
        Assert.False(signal.Wait(0));
        Assert.Equal(1, signal.Sleeps);
    }

    [Fact]
    public void Wait_NothingSet_EndsAfterTheTimeout()
    {
        using var signal = new WakeSignal(10);
        long started = Stopwatch.GetTimestamp();
        Assert.False(signal.Wait(30));
        Assert.InRange(Stopwatch.GetElapsedTime(started).TotalMilliseconds, 20, 20_000);
        signal.Set();
        Assert.True(signal.Wait(0));
    }

    [Fact]
    public void Wait_ForWorkThatComesSoon_DoesNotSleepButForTheFirst()
    {
        const int soonMicroseconds = 2_000_000;
        using var signal = new WakeSignal(0, soonMicroseconds);
        for (int i = 1; i <= 3; i++)
        {
            var setting = new Thread(() =>
            {
                Thread.CurrentThread.Join(20);
                signal.Set();
            });
            setting.Start();
            Assert.True(signal.Wait(-1));
            setting.Join();
            Assert.Equal(1, signal.Sleeps); // how soon it comes is not known before
        }
    }

    [Fact]
    public void Wait_ForWorkThatTakesLong_Sleeps()
    {
        using var signal = new WakeSignal(0, 1000);
        for (int i = 1; i <= 3; i++)
        {
            Assert.False(signal.Wait(50));
            Assert.Equal(i, signal.Sleeps);
        }
    }

    /// <summary>Each item is queued before its Set: a Wait that does not return with an item left has lost a wake-up.</summary>
    [Theory]
    [InlineData(0, 0, -1)]
    [InlineData(5, 0, -1)]
    [InlineData(5, 50, -1)]
    [InlineData(0, 0, 1)]
    public async Task Set_AgainstWait_NoWakeUpIsLost(int spinMicroseconds, int yieldMicroseconds, int timeoutMs)
    {
        const int items = 60_000;
        using var signal = new WakeSignal(spinMicroseconds, yieldMicroseconds);
        var queue = new ConcurrentQueue<int>();
        Task<int> consumer = Task.Factory.StartNew(() =>
        {
            int next = 0;
            while (next < items)
            {
                if (queue.TryDequeue(out int item))
                {
                    Assert.Equal(next++, item);
                }
                else
                {
                    signal.Wait(timeoutMs);
                }
            }

            return next;
        }, TaskCreationOptions.LongRunning);
        for (int i = 0; i < items; i++)
        {
            queue.Enqueue(i);
            signal.Set();
            if (i % 7 == 0)
            {
                // Lets the consumer run dry, so that it often stands between its look and its sleep.
                Eventually.IsTrue(() => queue.IsEmpty);
            }
        }

        Assert.Equal(items, await consumer.WaitAsync(s_deadline));
    }
}
