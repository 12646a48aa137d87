using Jackdaw.Storage.Scratch;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Storage.Tests.Transactions;

public sealed class ReaderSlotsTests
{
    private static readonly TimeSpan s_deadline = TimeSpan.FromSeconds(30);
    private readonly ReaderSlots _slots = new();
    private EnvironmentState _current = MakeState(1);

    [Fact]
    public void FindOldest_NoReader_IsTheLargestNumber()
    {
        Assert.Equal(long.MaxValue, _slots.FindOldest());
        Assert.Equal(0, _slots.CountActive());
    }

    [Fact]
    public void FindOldest_SeveralReaders_IsTheSmallestSequence()
    {
        _slots.Enter(ref _current, ReaderKind.Other, out int first);
        _current = MakeState(2);
        _slots.Enter(ref _current, ReaderKind.Other, out int second);
        Assert.NotEqual(first, second);
        Assert.Equal(MakeState(1).Sequence, _slots.FindOldest());
        _slots.Leave(first);
        Assert.Equal(MakeState(2).Sequence, _slots.FindOldest());
        _slots.Leave(second);
        Assert.Equal(long.MaxValue, _slots.FindOldest());
    }

    [Fact]
    public void CountBegun_CountsReadersThatEndedToo_ButNoWriters()
    {
        for (int i = 0; i < 3; i++)
        {
            foreach (ReaderKind kind in Enum.GetValues<ReaderKind>())
            {
                _slots.Enter(ref _current, kind, out int slot);
                _slots.Enter(ref _current, ReaderKind.Load, out int beside);
                _slots.Leave(slot);
                _slots.Leave(beside);
            }
        }

        Assert.Equal(3 * ((2 * Enum.GetValues<ReaderKind>().Length) - 2), _slots.CountBegun());
    }

    [Fact]
    public void Enter_MoreReadersThanSlots_AreAllCountedAndFound()
    {
        const int readers = ReaderSlots.SlotCount + 500;
        int[] slots = new int[readers];
        for (int i = 0; i < readers; i++)
        {
            _current = MakeState(readers - i);
            Assert.Same(_current, _slots.Enter(ref _current, ReaderKind.Other, out slots[i]));
        }

        Assert.Equal(slots.Length, slots.Distinct().Count());
        Assert.Equal(readers, _slots.CountActive());
        Assert.Equal(500, _slots.OverflowUses);
        for (int i = readers - 1; i >= 0; i--)
        {
            Assert.Equal(MakeState(readers - i).Sequence, _slots.FindOldest());
            _slots.Leave(slots[i]);
        }

        Assert.Equal(0, _slots.CountActive());
        Assert.Equal(long.MaxValue, _slots.FindOldest());
    }

    /// <summary>The publisher gives up, as a flush does, what is older than the oldest reader it finds; no reader may ever hold a
    /// state that was given up.</summary>
    [Theory]
    [InlineData(0)]
    [InlineData(ReaderSlots.SlotCount)]
    public async Task Enter_WhileStatesArePublished_NoReaderHoldsAStateThatWasGivenUp(int slotsTaken)
    {
        const int publications = 40_000;
        EnvironmentState pinned = MakeState(long.MaxValue >> (StateSequence.MinorBits + 1));
        for (int i = 0; i < slotsTaken; i++)
        {
            _slots.Enter(ref pinned, ReaderKind.Other, out _);
        }

        long givenUp = 0;
        bool stopped = false;
        long reads = 0;
        Task[] readers = [.. Enumerable.Range(0, 3).Select(_ => Task.Factory.StartNew(() =>
        {
            while (!Volatile.Read(ref stopped))
            {
                EnvironmentState state = _slots.Enter(ref _current, ReaderKind.Other, out int slot);
                for (int i = 0; i < 20; i++)
                {
                    Assert.True(Volatile.Read(ref givenUp) < state.Sequence);
                }

                _slots.Leave(slot);
                Interlocked.Increment(ref reads);
            }
        }, TaskCreationOptions.LongRunning))];
        for (int i = 2; i < publications || Volatile.Read(ref reads) < 1000; i++)
        {
            EnvironmentState next = MakeState(i);
            Volatile.Write(ref _current, next);
            Volatile.Write(ref givenUp, Math.Min(next.Sequence, _slots.FindOldest()) - 1);
        }

        Volatile.Write(ref stopped, true);
        await Task.WhenAll(readers).WaitAsync(s_deadline);
        Assert.Equal(slotsTaken, _slots.CountActive());
    }

    private static EnvironmentState MakeState(long transaction) =>
        new(StateSequence.FirstOf(transaction), transaction, default, default, default, null);
}
