using System.Collections.Concurrent;
using System.Diagnostics;
using System.Text;
using Jackdaw.Pal.InMemory;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Merging;
using Jackdaw.Storage.Transactions;
using Jackdaw.Storage.Verification;
using Jackdaw.TestKit;

namespace Jackdaw.Storage.Tests.Merging;

public sealed class TransactionMergerTests : IDisposable
{
    /// <summary>First execution, three rounds without those that failed, one alone.</summary>
    private const int ExecutionsMax = 5;

    private static readonly TimeSpan s_deadline = TimeSpan.FromSeconds(30);
    private readonly StorageEnvironment _storage;
    private readonly TransactionMerger _merger;

    public TransactionMergerTests()
    {
        _storage = StorageEnvironment.Open(new MemoryPlatform(), "/db",
            new StorageOptions { FlushAtScratchBytes = 1 << 20, FlushAtJournalBytes = 1 << 20 });
        _merger = new TransactionMerger(_storage, "test", TimeProvider.System);
    }

    public void Dispose()
    {
        _merger.Dispose();
        _storage.Dispose();
    }

    [Fact]
    public async Task ExecuteAsync_ManyProducers_EachCommandOnceInItsProducersOrder()
    {
        const int producers = 8, rounds = 60, perRound = 20;
        await Task.WhenAll(Enumerable.Range(0, producers).Select(producer => Task.Run(async () =>
        {
            byte[] key = [(byte)producer];
            long next = 0;
            for (int round = 0; round < rounds; round++)
            {
                CountCommand[] commands = [.. Enumerable.Range(0, perRound).Select(_ => new CountCommand(key))];
                Task<CommandCosts>[] answers = [.. commands.Select(command => _merger.ExecuteAsync(command).AsTask())];
                CommandCosts[] costs = await Task.WhenAll(answers).WaitAsync(s_deadline);
                Assert.Equal(Enumerable.Range(0, perRound).Select(i => next + i), commands.Select(c => c.Before));
                Assert.Equal(costs.Select(cost => cost.TransactionId), costs.Select(cost => cost.TransactionId).Order());
                using ReadTransaction read = _storage.BeginRead();
                next += perRound;
                Assert.True(read.TransactionId >= costs[^1].TransactionId);
                Assert.Equal(next, CountCommand.Read(read, key));
            }
        })));

        Assert.Equal(producers * rounds * perRound, _merger.Statistics.Commands);
        Assert.Equal(0, _merger.Statistics.Rollbacks);
        Assert.Equal(0, _merger.QueueLength);
        Assert.Empty(EnvironmentVerifier.Verify(_storage));
    }

    [Fact]
    public async Task ExecuteAsync_CommandLargerThanATransaction_FailsAlone()
    {
        const int bytesMax = 1 << 20;
        using StorageEnvironment storage = StorageEnvironment.Open(new MemoryPlatform(), "/small", new StorageOptions { ScratchBytesMax = bytesMax });
        using var merger = new TransactionMerger(storage, "small", TimeProvider.System);
        using var queued = new ManualResetEventSlim();
        Task<CommandCosts> first = merger.ExecuteAsync(new DelegateCommand(_ => queued.Wait(s_deadline))).AsTask();
        Task<CommandCosts> small = merger.ExecuteAsync(new CountCommand([1])).AsTask();
        Task<CommandCosts> large = merger.ExecuteAsync(new DelegateCommand(
            transaction => transaction.Trees.CreateTree("large").Put([1], new byte[bytesMax]))).AsTask();
        Task<CommandCosts> last = merger.ExecuteAsync(new CountCommand([1])).AsTask();
        queued.Set();

        await Task.WhenAll(first, small, last).WaitAsync(s_deadline);
        TransactionTooLargeException refused = await Assert.ThrowsAsync<TransactionTooLargeException>(() => large.WaitAsync(s_deadline));
        Assert.Contains("1 MB", refused.Message, StringComparison.Ordinal);
        using ReadTransaction read = storage.BeginRead();
        Assert.Equal(2, CountCommand.Read(read, [1]));
        Assert.Null(storage.Failure);
        Assert.Null(read.Trees.FindTree("large"));
    }

    [Fact]
    public async Task ExecuteAsync_CommandsTooLargeTogether_AreDoneOneByOne()
    {
        const int bytesMax = 1 << 20;
        using StorageEnvironment storage = StorageEnvironment.Open(new MemoryPlatform(), "/small", new StorageOptions { ScratchBytesMax = bytesMax });
        using var merger = new TransactionMerger(storage, "small", TimeProvider.System);
        using var queued = new ManualResetEventSlim();
        Task<CommandCosts> first = merger.ExecuteAsync(new DelegateCommand(_ => queued.Wait(s_deadline))).AsTask();
        Task<CommandCosts>[] halves = [.. Enumerable.Range(0, 3).Select(i => merger.ExecuteAsync(new DelegateCommand(
            transaction => transaction.Trees.CreateTree("large").Put([(byte)i], new byte[bytesMax * 6 / 10]))).AsTask())];
        queued.Set();

        await Task.WhenAll([first, .. halves]).WaitAsync(s_deadline);
        using ReadTransaction read = storage.BeginRead();
        Assert.Equal(3, read.Trees.FindTree("large")!.EntryCount);
    }

    [Fact]
    public async Task ExecuteAsync_SlowCommands_CloseTheirBatchByItsTimeLimit()
    {
        const int slowMs = 15, limitMs = 50, count = 20;
        using var queued = new ManualResetEventSlim();
        Task<CommandCosts> first = _merger.ExecuteAsync(new DelegateCommand(_ => queued.Wait(s_deadline))).AsTask();
        Task<CommandCosts>[] slow = [.. Enumerable.Range(0, count).Select(i => _merger.ExecuteAsync(new DelegateCommand(transaction =>
        {
            long started = Stopwatch.GetTimestamp();
            SpinWait.SpinUntil(() => Stopwatch.GetElapsedTime(started).TotalMilliseconds >= slowMs); // a command that takes this long
            transaction.Trees.CreateTree("slow").Put([(byte)i], [1]);
        })).AsTask())];
        queued.Set();

        await first.WaitAsync(s_deadline);
        CommandCosts[] costs = await Task.WhenAll(slow).WaitAsync(s_deadline);

        // The first batch may hold the command that held the merger back as well.
        Assert.All(costs, cost => Assert.InRange(cost.BatchSize, 1, (limitMs / slowMs) + 2));
        Assert.True(_merger.Statistics.ClosedFor(BatchCloseReason.Time) >= count / ((limitMs / slowMs) + 1) - 1);
    }

    [Fact]
    public async Task ExecuteAsync_SomeCommandsThrow_TheyFailAloneAndOthersAreDone()
    {
        const int producers = 6, perProducer = 150;
        ConcurrentBag<DelegateCommand> all = [];
        await Task.WhenAll(Enumerable.Range(0, producers).Select(producer => Task.Run(async () =>
        {
            var random = new Random(producer);
            List<(Task Answer, string Key, bool Throws)> sent = [];
            for (int i = 0; i < perProducer; i++)
            {
                string key = $"{producer}-{i}";
                bool throws = random.Next(6) == 0;
                var command = new DelegateCommand(transaction => PutTwoOrThrow(transaction, key, throws));
                all.Add(command);
                sent.Add((_merger.ExecuteAsync(command).AsTask(), key, throws));
            }

            foreach ((Task answer, string key, bool throws) in sent)
            {
                Exception? failure = await Record.ExceptionAsync(() => answer.WaitAsync(s_deadline));
                Assert.Equal(throws ? $"no {key}" : null, failure?.Message);
                Assert.Equal((!throws, !throws), (Has("first", key), Has("second", key)));
            }
        })));

        Assert.InRange(all.Max(command => command.Executions), 1, ExecutionsMax);
        Assert.True(_merger.Statistics.Rollbacks > 0);
        Assert.Equal(0, _merger.QueueLength);
        Assert.Empty(EnvironmentVerifier.Verify(_storage));
    }

    [Fact]
    public async Task ExecuteAsync_AllCommandsThrow_EachGetsItsOwnFailure()
    {
        Task[] answers = [.. Enumerable.Range(0, 40).Select(i =>
            _merger.ExecuteAsync(new DelegateCommand(t => PutTwoOrThrow(t, $"{i}", true))).AsTask())];
        for (int i = 0; i < answers.Length; i++)
        {
            Task answer = answers[i];
            Exception failure = await Assert.ThrowsAsync<ArithmeticException>(() => answer.WaitAsync(s_deadline));
            Assert.Equal($"no {i}", failure.Message);
        }

        Assert.Equal(0, _storage.Current.TransactionId);
    }

    [Fact]
    public async Task ExecuteAsync_CommandThatChangesNothing_IsAnswered()
    {
        CommandCosts costs = await _merger.ExecuteAsync(new DelegateCommand(_ => { })).AsTask().WaitAsync(s_deadline);
        Assert.Equal(0, costs.TransactionId);
        costs = await _merger.ExecuteAsync(new CountCommand([1])).AsTask().WaitAsync(s_deadline);
        Assert.Equal(1, costs.TransactionId);
        Assert.Equal(1, costs.BatchSize);
    }

    [Fact]
    public async Task ExecuteAsync_SameObjectAgain_IsExecutedAgain()
    {
        var command = new CountCommand([7]);
        for (int i = 0; i < 500; i++)
        {
            await _merger.ExecuteAsync(command).AsTask().WaitAsync(s_deadline);
            Assert.Equal(i, command.Before);
        }
    }

    [Fact]
    public async Task Dispose_UnderLoad_CompletesOrFailsEveryCommand()
    {
        for (int round = 0; round < 20; round++)
        {
            var merger = new TransactionMerger(_storage, "stopped", TimeProvider.System);
            using var started = new CountdownEvent(4);
            Task<int>[] producers = [.. Enumerable.Range(0, 4).Select(producer => Task.Run(() =>
                ProduceUntilStoppedAsync(merger, (byte)producer, started)))];
            started.Wait(s_deadline);
            merger.Dispose();
            int[] done = await Task.WhenAll(producers).WaitAsync(s_deadline);
            Assert.All(done, count => Assert.True(count > 0));

            // A producer stops at the first refusal; what it queued just before is still on its way.
            Eventually.IsTrue(() => merger.QueueLength == 0);
        }
    }

    [Fact]
    public async Task Dispose_OfStorageUnderLoad_CompletesOrFailsEveryCommand()
    {
        StorageEnvironment storage = StorageEnvironment.Open(new MemoryPlatform(), "/other");
        using var merger = new TransactionMerger(storage, "test", TimeProvider.System);
        using var started = new CountdownEvent(4);
        Task<int>[] producers = [.. Enumerable.Range(0, 4).Select(producer => Task.Run(() =>
            ProduceUntilStoppedAsync(merger, (byte)producer, started)))];
        started.Wait(s_deadline);
        storage.Dispose();
        await Task.WhenAll(producers).WaitAsync(s_deadline);
    }

    private static async Task<int> ProduceUntilStoppedAsync(TransactionMerger merger, byte key, CountdownEvent started)
    {
        for (int done = 0; ; done++)
        {
            try
            {
                Task[] answers = [.. Enumerable.Range(0, 5).Select(_ =>
                    merger.ExecuteAsync(new CountCommand([key])).AsTask())];
                await Task.WhenAll(answers);
                if (done == 2)
                {
                    started.Signal();
                }
            }
            catch (ObjectDisposedException)
            {
                return done;
            }
        }
    }

    private static void PutTwoOrThrow(WriteTransaction transaction, string key, bool throws)
    {
        transaction.Trees.CreateTree("first").Put(Encoding.UTF8.GetBytes(key), "1"u8);
        if (throws)
        {
            throw new ArithmeticException($"no {key}");
        }

        transaction.Trees.CreateTree("second").Put(Encoding.UTF8.GetBytes(key), "2"u8);
    }

    private bool Has(string tree, string key)
    {
        using ReadTransaction read = _storage.BeginRead();
        return read.Trees.FindTree(tree)?.Contains(Encoding.UTF8.GetBytes(key)) ?? false;
    }
}
