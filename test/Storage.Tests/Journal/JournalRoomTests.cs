using Jackdaw.Storage.Journal;

namespace Jackdaw.Storage.Tests.Journal;

/// <summary>All that is promised fits the current journal, or the prepared one.</summary>
public sealed class JournalRoomTests
{
    private readonly JournalReservation _room = new();

    [Fact]
    public void TryTake_WhilePromisesFitOnlyTheCurrentFile_ChangesNothing()
    {
        GiveCurrent(100);
        _room.OnPrepared(50);
        Assert.True(_room.TryPromise(60));
        Assert.False(_room.TryTake());
        Assert.Equal(60, _room.FindNeedForAll());
        _room.Withdraw(60);
        Assert.Null(_room.FindNeedForAll());
        Assert.True(_room.TryTake());
        Assert.False(_room.TryTake());
        Assert.True(_room.TryPromise(50));
        Assert.False(_room.TryPromise(1));
    }

    [Fact]
    public void FindNeedFor_IsMoreThanThePreparedFileHas()
    {
        GiveCurrent(100);
        _room.OnPrepared(200);
        Assert.True(_room.TryPromise(150));
        Assert.Null(_room.FindNeedFor(50));
        Assert.Equal(201, _room.FindNeedFor(51));
        _room.Withdraw(150);
        Assert.Null(_room.FindNeedFor(200));
    }

    private void GiveCurrent(long bytes)
    {
        _room.OnPrepared(bytes);
        Assert.True(_room.TryTake());
    }
}
