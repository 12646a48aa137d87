using System.Diagnostics;
using Jackdaw.Pal.InMemory;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Merging;
using Jackdaw.Storage.Transactions;
using Jackdaw.Storage.Verification;
using Jackdaw.TestKit;

namespace Jackdaw.Storage.Tests.Merging;

/// <summary>Commands that run on the thread of their caller.</summary>
public sealed class RunHereTests : IDisposable
{
    private static readonly TimeSpan s_deadline = TimeSpan.FromSeconds(30);
    private readonly StorageEnvironment _storage = StorageEnvironment.Open(new MemoryPlatform(), "/db", new StorageOptions());
    private readonly TransactionMerger _merger;
    private int _ranOn;

    public RunHereTests() => _merger = new TransactionMerger(_storage, "here", TimeProvider.System);

    public void Dispose()
    {
        _merger.Dispose();
        _storage.Dispose();
    }

    [Fact]
    public async Task ExecuteAsync_LoneCaller_IsAnsweredWhenItReturns()
    {
        ValueTask<CommandCosts> answer = await RunHereAsync();
        Assert.True(answer.IsCompletedSuccessfully);
        Assert.Equal(1, (await answer).BatchSize);
        Assert.Equal(0, _merger.QueueLength);
    }

    [Fact]
    public async Task ExecuteAsync_CallerThatMayNotWait_LeavesItToTheMergersThread()
    {
        await _merger.ExecuteAsync(Noted());
        Assert.NotEqual(Environment.CurrentManagedThreadId, _ranOn);
    }

    [Fact]
    public async Task ExecuteAsync_LoneCaller_RunsWithoutTheContextOfTheCaller()
    {
        var local = new AsyncLocal<string?> { Value = "the caller's" };
        string? seen = "nothing ran";
        await RunHereAsync();
        await _merger.ExecuteAsync(new DelegateCommand(_ => (seen, _ranOn) = (local.Value, Environment.CurrentManagedThreadId)), mayRunHere: true);
        Assert.Null(seen);
        Assert.Equal("the caller's", local.Value);
    }

    [Fact]
    public async Task ExecuteAsync_LargeCommand_IsLeftToTheMergersThread()
    {
        await RunHereAsync();
        await _merger.ExecuteAsync(new DelegateCommand(_ => _ranOn = Environment.CurrentManagedThreadId, sizeBytes: 100_000), mayRunHere: true);
        Assert.NotEqual(Environment.CurrentManagedThreadId, _ranOn);
    }

    [Fact]
    public async Task ExecuteAsync_WhileAnotherRunsHere_IsLeftToTheMergersThread()
    {
        using var running = new ManualResetEventSlim();
        using var end = new ManualResetEventSlim();
        await RunHereAsync();
        Task first = Task.Run(async () => await _merger.ExecuteAsync(
            new DelegateCommand(_ =>
            {
                running.Set();
                Assert.True(end.Wait(s_deadline));
            }),
            mayRunHere: true));
        Assert.True(running.Wait(s_deadline));
        Task<CommandCosts> second = _merger.ExecuteAsync(Noted(), mayRunHere: true).AsTask();
        Assert.False(second.IsCompleted);
        end.Set();
        await Task.WhenAll(first, second).WaitAsync(s_deadline);
        Assert.NotEqual(Environment.CurrentManagedThreadId, _ranOn);
    }

    [Fact]
    public async Task ExecuteAsync_WithinACommand_IsQueuedBehindIt()
    {
        await RunHereAsync();
        Task<CommandCosts>? inner = null;
        bool wasDoneWithin = true;
        await _merger.ExecuteAsync(
            new DelegateCommand(_ =>
            {
                inner = _merger.ExecuteAsync(Noted(), mayRunHere: true).AsTask();
                wasDoneWithin = inner.IsCompleted;
            }),
            mayRunHere: true);
        await inner!.WaitAsync(s_deadline);
        Assert.False(wasDoneWithin);
    }

    [Fact]
    public async Task ExecuteAsync_CommandThatThrowsHere_FailsAloneAndLeavesNothing()
    {
        await RunHereAsync();
        ValueTask<CommandCosts> failed = _merger.ExecuteAsync(
            new DelegateCommand(transaction =>
            {
                transaction.Trees.CreateTree(CountCommand.TreeName).Put([9], new byte[8]);
                throw new InvalidDataException("bad");
            }),
            mayRunHere: true);
        await Assert.ThrowsAsync<InvalidDataException>(() => failed.AsTask().WaitAsync(s_deadline));
        await _merger.ExecuteAsync(new CountCommand([1]), mayRunHere: true).AsTask().WaitAsync(s_deadline);
        using ReadTransaction read = _storage.BeginRead();
        Assert.Equal(1, CountCommand.Read(read, [1]));
        Assert.False(read.Trees.FindTree(CountCommand.TreeName)!.TryGet([9], out _));
        Assert.Equal(0, _merger.QueueLength);
    }

    [Fact]
    public async Task ExecuteAsync_AfterASlowCommand_IsLeftToTheMergersThread()
    {
        await Eventually.IsTrueAsync(async () => // on a busy machine the next command may come too late
        {
            await RunHereAsync();
            await _merger.ExecuteAsync(
                new DelegateCommand(_ =>
                {
                    long began = Stopwatch.GetTimestamp();
                    SpinWait.SpinUntil(() => Stopwatch.GetElapsedTime(began).TotalMilliseconds > 3); // the command computes that long
                }),
                mayRunHere: true);
            int here = Environment.CurrentManagedThreadId;
            ValueTask<CommandCosts> next = _merger.ExecuteAsync(Noted(), mayRunHere: true);
            await next;
            return _ranOn != here;
        });
    }

    [Fact]
    public async Task Dispose_WhileACommandRunsHere_WaitsForIt()
    {
        using var running = new ManualResetEventSlim();
        using var end = new ManualResetEventSlim();
        await RunHereAsync();
        Task<CommandCosts> command = Task.Run(() => _merger.ExecuteAsync(
            new DelegateCommand(_ =>
            {
                running.Set();
                Assert.True(end.Wait(s_deadline));
            }),
            mayRunHere: true).AsTask());
        Assert.True(running.Wait(s_deadline));
        Task disposal = Task.Run(_merger.Dispose);
        await Eventually.IsTrueAsync(() => Throws(() => _ = _merger.ExecuteAsync(Noted(), mayRunHere: true).AsTask()));
        Assert.False(disposal.IsCompleted);
        end.Set();
        await Task.WhenAll(command, disposal).WaitAsync(s_deadline);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(3)]
    [InlineData(8)]
    public async Task ExecuteAsync_CallersThatMayRunHere_NeverRunTwoAtOnceNorLoseOne(int callers)
    {
        const int each = 400;
        int running = 0, overlaps = 0;
        await Task.WhenAll(Enumerable.Range(0, callers).Select(caller => Task.Run(async () =>
        {
            var random = new Random(caller);
            for (int i = 0; i < each; i++)
            {
                var count = new CountCommand([(byte)caller]);
                if (random.Next(10) == 0)
                {
                    await Assert.ThrowsAsync<InvalidDataException>(() => _merger.ExecuteAsync(
                        new DelegateCommand(_ => throw new InvalidDataException()), mayRunHere: random.Next(2) == 0).AsTask().WaitAsync(s_deadline));
                }

                await _merger.ExecuteAsync(
                    new DelegateCommand(_ =>
                    {
                        overlaps += Interlocked.Increment(ref running) == 1 ? 0 : 1;
                        Interlocked.Decrement(ref running);
                    }),
                    mayRunHere: random.Next(4) > 0).AsTask().WaitAsync(s_deadline);
                await _merger.ExecuteAsync(count, mayRunHere: random.Next(4) > 0).AsTask().WaitAsync(s_deadline);
                Assert.Equal(i, count.Before);
            }
        })));
        Assert.Equal(0, overlaps);
        Assert.Equal(0, _merger.QueueLength);
        using ReadTransaction read = _storage.BeginRead();
        Assert.All(Enumerable.Range(0, callers), caller => Assert.Equal(each, CountCommand.Read(read, [(byte)caller])));
        Assert.Empty(EnvironmentVerifier.Verify(_storage));
    }

    private static bool Throws(Action action)
    {
        try
        {
            action();
            return false;
        }
        catch (ObjectDisposedException)
        {
            return true;
        }
    }

    private DelegateCommand Noted() => new(_ => _ranOn = Environment.CurrentManagedThreadId);

    // The first commands may be left to the thread, because starting is slow.
    private async Task<ValueTask<CommandCosts>> RunHereAsync()
    {
        ValueTask<CommandCosts> answer = default;
        await Eventually.IsTrueAsync(() =>
        {
            answer = _merger.ExecuteAsync(Noted(), mayRunHere: true);
            if (_ranOn == Environment.CurrentManagedThreadId)
            {
                return true;
            }

            answer.AsTask().Wait(s_deadline);
            return false;
        });
        return answer;
    }
}
