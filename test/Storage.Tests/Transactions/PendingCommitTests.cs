using Jackdaw.Storage.Scratch;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Storage.Tests.Transactions;

public sealed class PendingCommitTests
{
    private static readonly TimeSpan s_deadline = TimeSpan.FromSeconds(30);

    [Fact]
    public void OnCompleted_BeforeAndAfterCompletion_EachIsCalledOnce()
    {
        PendingCommit commit = Make();
        int calls = 0;
        commit.OnCompleted(_ => calls++);
        commit.OnCompleted(_ => calls += 10);
        Assert.False(commit.IsCompleted);
        commit.Complete(null);
        Assert.True(commit.IsCompleted);
        Assert.Equal(11, calls);
        commit.OnCompleted(completed => calls += ReferenceEquals(completed, commit) ? 100 : 0);
        Assert.Equal(111, calls);
        commit.Wait();
    }

    [Fact]
    public void Wait_Failed_ThrowsTheFailure()
    {
        PendingCommit commit = Make();
        var failure = new StoragePoisonedException("/db", new IOException("gone"));
        commit.Complete(failure);
        Assert.Same(failure, Assert.Throws<StoragePoisonedException>(commit.Wait));
    }

    [Fact]
    public async Task Wait_ManyThreadsAgainstComplete_NobodyHangs()
    {
        for (int round = 0; round < 1500; round++)
        {
            PendingCommit commit = Make();
            int calls = 0;
            Task[] waiters =
            [
                Task.Run(commit.Wait),
                Task.Run(() => commit.OnCompleted(_ => Interlocked.Increment(ref calls))),
                Task.Run(() => commit.Complete(null)),
            ];
            await Task.WhenAll(waiters).WaitAsync(s_deadline);
            Assert.Equal(1, calls);
        }
    }

    private static PendingCommit Make() => new(
        new EnvironmentState(StateSequence.FirstOf(1), 1, default, default, default, null), null, 0);
}
