using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Patching;

namespace Jackdaw.Documents.Tests.Patching;

/// <summary>The queue of patches of one document.</summary>
public sealed class PatchTurnsTests
{
    private static readonly byte[] s_first = [1];
    private static readonly byte[] s_second = [2];

    private readonly PatchTurns _turns = new();

    [Fact]
    public async Task Enter_SameKey_WaitsInOrder()
    {
        PatchTurns.Turn first = await _turns.EnterAsync([s_first], default);
        ValueTask<PatchTurns.Turn> second = _turns.EnterAsync([[1]], default);
        ValueTask<PatchTurns.Turn> third = _turns.EnterAsync([[1]], default);
        using PatchTurns.Turn other = await _turns.EnterAsync([s_second], default);
        Assert.False(second.IsCompleted);
        first.Dispose();
        PatchTurns.Turn next = await second;
        Assert.False(third.IsCompleted);
        next.Dispose();
        (await third).Dispose();
        Assert.Equal(1, _turns.Count);
    }

    [Fact]
    public async Task Enter_SeveralKeysInAnyOrder_NeverBlocksForEver()
    {
        int done = 0;
        await Task.WhenAll(Enumerable.Range(0, 200).Select(async i =>
        {
            byte[][] keys = i % 2 == 0 ? [[1], [2], [1]] : [[2], [1]];
            using PatchTurns.Turn turn = await _turns.EnterAsync(keys, default);
            await Task.Yield();
            done++; // One at a time.
        }));
        Assert.Equal(200, done);
        Assert.Equal(0, _turns.Count);
    }

    [Fact]
    public async Task Enter_Cancelled_LeavesNothingBehind()
    {
        using var source = new CancellationTokenSource();
        PatchTurns.Turn first = await _turns.EnterAsync([s_second], default);
        ValueTask<PatchTurns.Turn> waiting = _turns.EnterAsync([s_first, s_second], source.Token);
        await source.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(async () => await waiting);
        (await _turns.EnterAsync([s_first], default)).Dispose();
        first.Dispose();
        (await _turns.EnterAsync([s_second], default)).Dispose();
        Assert.Equal(0, _turns.Count);
    }

    [Fact]
    public void Numbers_GrowAndStayAboveTheKnownEtag()
    {
        Assert.Equal(6, _turns.Numbers.Next(new Etag(5)));
        Assert.Equal(7, _turns.Numbers.Next(new Etag(3)));
        Assert.Equal(21, _turns.Numbers.Next(new Etag(20)));
    }
}
