using System.Diagnostics;
using Jackdaw.Pal;
using Jackdaw.Pal.InMemory;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Merging;
using Jackdaw.Storage.Transactions;
using Jackdaw.TestKit;

namespace Jackdaw.Storage.Tests.Merging;

/// <summary>What happens to commands while a durable write is held up, fails, or the queue is full.</summary>
public sealed class MergerQueueTests : IDisposable
{
    private static readonly TimeSpan s_deadline = TimeSpan.FromSeconds(30);
    private readonly HookedPlatform _platform = new(new MemoryPlatform());
    private readonly ManualTime _time = new();
    private readonly ManualResetEventSlim _gate = new(true);
    private readonly ManualResetEventSlim _reached = new();
    private readonly StorageEnvironment _storage;
    private readonly TransactionMerger _merger;
    private Exception? _failure;

    public MergerQueueTests()
    {
        _storage = StorageEnvironment.Open(_platform, "/db", new StorageOptions { BackgroundFlush = false });
        _merger = new TransactionMerger(_storage, "test", _time);
        _platform.BeforeJournalWrite = offset =>
        {
            if (offset > 0)
            {
                _reached.Set();
                Assert.True(_gate.Wait(s_deadline));
                if (_failure is { } failure)
                {
                    throw failure;
                }
            }
        };
    }

    public void Dispose()
    {
        _gate.Set();
        _merger.Dispose();
        _storage.Dispose();
        _gate.Dispose();
        _reached.Dispose();
    }

    [Fact]
    public async Task ExecuteAsync_QueueFull_WaitsThenIsRefused()
    {
        List<Task<CommandCosts>> inside = FillQueue();
        Task<CommandCosts> waiting = _merger.ExecuteAsync(new CountCommand([2])).AsTask();
        Assert.False(waiting.IsCompleted);
        Assert.Equal(TransactionMerger.QueueCommandsMax, _merger.QueueLength);
        _time.Advance(TimeSpan.FromSeconds(4.9));
        Assert.False(waiting.IsCompleted);
        _time.Advance(TimeSpan.FromSeconds(0.2));
        await Assert.ThrowsAsync<QueueFullException>(() => waiting.WaitAsync(s_deadline));
        _gate.Set();
        await Task.WhenAll(inside).WaitAsync(s_deadline);
        await _merger.ExecuteAsync(new CountCommand([2])).AsTask().WaitAsync(s_deadline);
        Assert.Equal(0, _merger.QueueLength);
    }

    [Fact]
    public async Task ExecuteAsync_QueueFullThenRoom_EntersInOrder()
    {
        List<Task<CommandCosts>> inside = FillQueue();
        CountCommand[] late = [.. Enumerable.Range(0, 50).Select(_ => new CountCommand([9]))];
        Task<CommandCosts>[] waiting = [.. late.Select(command => _merger.ExecuteAsync(command).AsTask())];
        Assert.All(waiting, task => Assert.False(task.IsCompleted));
        Assert.Equal(waiting.Length, _time.TimerCount);
        _gate.Set();
        await Task.WhenAll(inside.Concat(waiting)).WaitAsync(s_deadline);
        Assert.Equal(Enumerable.Range(0, late.Length).Select(i => (long)i), late.Select(c => c.Before).Order());

        // A wait that is over puts away its timer after whoever awaited it went on, so a command may be done before its timer is.
        await Eventually.IsTrueAsync(() => _time.TimerCount == 0, () => $"{_time.TimerCount} timers are left");
    }

    [Fact]
    public async Task ExecuteAsync_CanceledWhileWaitingForRoom_IsNotDone()
    {
        List<Task<CommandCosts>> inside = FillQueue();
        using var cancellation = new CancellationTokenSource();
        var canceled = new CountCommand([2]);
        Task<CommandCosts> waiting = _merger.ExecuteAsync(canceled, cancellation: cancellation.Token).AsTask();
        await cancellation.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => waiting.WaitAsync(s_deadline));
        _gate.Set();
        await Task.WhenAll(inside).WaitAsync(s_deadline);
        using ReadTransaction read = _storage.BeginRead();
        Assert.Equal(0, CountCommand.Read(read, [2]));
        Assert.Equal(0, _merger.QueueLength);
    }

    [Fact]
    public async Task ExecuteAsync_LargeCommands_AreBoundedByBytes()
    {
        HoldWrites();
        Task first = _merger.ExecuteAsync(new CountCommand([1])).AsTask();
        Assert.True(_reached.Wait(s_deadline));
        Task second = _merger.ExecuteAsync(new DelegateCommand(_ => { }, 63 * 1024 * 1024)).AsTask();
        Task third = _merger.ExecuteAsync(new DelegateCommand(_ => { }, 200 * 1024 * 1024)).AsTask();
        Assert.Equal(2, _merger.QueueLength);
        _gate.Set();

        // More than the whole queue may hold, but the queue is empty by then: it is let in.
        await Task.WhenAll(first, second, third).WaitAsync(s_deadline);
        Assert.Equal(0, _merger.QueueLength);
    }

    [Fact]
    public async Task Dispose_WhileCommandsWaitForRoom_CompletesOrFailsThem()
    {
        List<Task<CommandCosts>> inside = FillQueue();
        Task<CommandCosts>[] waiting =
            [.. Enumerable.Range(0, 20).Select(_ => _merger.ExecuteAsync(new CountCommand([9])).AsTask())];
        Task disposing = Task.Run(_merger.Dispose);
        _gate.Set();
        await disposing.WaitAsync(s_deadline);
        await Task.WhenAll(inside).WaitAsync(s_deadline);
        foreach (Task<CommandCosts> task in waiting)
        {
            Exception? failure = await Record.ExceptionAsync(() => task.WaitAsync(s_deadline));
            Assert.True(failure is null or ObjectDisposedException, failure?.ToString());
        }

        Assert.Equal(0, _merger.QueueLength);
    }

    [Fact]
    public async Task ExecuteAsync_JournalWriteFails_AllWaitingCommandsGetTheCause()
    {
        HoldWrites();
        _failure = new PalException(PalStatus.IoError, "pwritev", "/db/Journals", 5, "Input/output error");
        List<Task<CommandCosts>> all = [_merger.ExecuteAsync(new CountCommand([1])).AsTask()];
        Assert.True(_reached.Wait(s_deadline));
        all.AddRange(Enumerable.Range(0, 200).Select(i => _merger.ExecuteAsync(new CountCommand([2])).AsTask()));
        _gate.Set();
        foreach (Task<CommandCosts> task in all)
        {
            StoragePoisonedException stopped =
                await Assert.ThrowsAsync<StoragePoisonedException>(() => task.WaitAsync(s_deadline));
            Assert.Same(_failure, stopped.InnerException);
        }

        Task<CommandCosts> late = _merger.ExecuteAsync(new CountCommand([3])).AsTask();
        Assert.Same(_failure, (await Assert.ThrowsAsync<StoragePoisonedException>(() => late)).InnerException);
        Assert.Equal(0, _storage.Current.TransactionId);
        Assert.Equal(0, _merger.QueueLength);
    }

    [Fact]
    public void Submit_SyncFailedMeanwhile_FailsAsPoisoned()
    {
        using (WriteTransaction first = _storage.BeginWrite())
        {
            first.Trees.CreateTree("t");
            first.Commit();
        }

        HoldWrites();
        WriteTransaction transaction = _storage.BeginWrite();
        transaction.Trees.CreateTree("t").Put("a"u8, "b"u8);
        PendingCommit held = transaction.Submit();
        Assert.True(_reached.Wait(s_deadline));
        var cause = new PalException(PalStatus.IoError, "fdatasync", "/db/data", 5, "Input/output error");
        _platform.BeforeSync = () => throw cause;
        _storage.Flush();
        Assert.Same(cause, Assert.Throws<StoragePoisonedException>(() => _storage.Sync()).InnerException);
        _gate.Set();
        held.Wait();

        Assert.Same(cause, Assert.Throws<StoragePoisonedException>(() => _storage.BeginWrite()).InnerException);
        Assert.Same(cause, Assert.Throws<StoragePoisonedException>(() => _storage.BeginRead()).InnerException);
        _platform.BeforeSync = null;
    }

    /// <summary>Under steady load the queue is never empty: what was queued when the write before was done bounds the
    /// batch, or each batch would take as long as the longest one may.</summary>
    [Fact]
    public async Task Batch_QueueNeverEmpty_ClosesSoonAfterTheWriteBeforeIsDone()
    {
        const int batches = 30;
        var stopped = new TaskCompletionSource();
        int executed = 0;
        _platform.BeforeJournalWrite = offset =>
        {
            int seen = Volatile.Read(ref executed);
            if (offset > 0)
            {
                SpinWait.SpinUntil(() => Volatile.Read(ref executed) > seen + 3 || stopped.Task.IsCompleted, 20); // a slow disk
            }
        };
        void Next()
        {
            executed++;
            if (_merger.Statistics.Batches < batches)
            {
                _ = _merger.ExecuteAsync(new DelegateCommand(t => Work(t))).AsTask();
            }
            else
            {
                stopped.TrySetResult();
            }
        }

        void Work(WriteTransaction transaction)
        {
            // Slow enough that one waiting command is worth a hand-over to the committer.
            transaction.Trees.CreateTree("t").Put([(byte)executed], "x"u8);
            for (long began = Stopwatch.GetTimestamp(); Stopwatch.GetElapsedTime(began).TotalMicroseconds < 600;)
            {
                Thread.SpinWait(10); // a command that takes time
            }

            Next();
        }

        Next();
        await stopped.Task.WaitAsync(s_deadline);
        Assert.InRange(_merger.Statistics.ClosedFor(BatchCloseReason.PreviousWritten), 3, batches + 1);
    }

    private void HoldWrites()
    {
        _reached.Reset();
        _gate.Reset();
    }

    private List<Task<CommandCosts>> FillQueue()
    {
        HoldWrites();
        List<Task<CommandCosts>> inside = [];
        for (int i = 0; i < TransactionMerger.QueueCommandsMax; i++)
        {
            inside.Add(_merger.ExecuteAsync(new CountCommand([1])).AsTask());
        }

        Assert.True(_reached.Wait(s_deadline));
        return inside;
    }
}
