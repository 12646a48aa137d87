using System.Runtime.CompilerServices;
using System.Text;
using Jackdaw.Documents.Changes;
using Jackdaw.Documents.Identity;

namespace Jackdaw.Documents.Tests.Changes;

/// <summary>The feed alone: transactions are told by the test.</summary>
public sealed class ChangeFeedTests
{
    private readonly ChangeFeed _feed = new(new Etag(10));
    private long _transaction = 100;
    private long _etag = 10;

    [Fact]
    public void Changes_OfTransactions_ComeInOrderWithAllThatWasRecorded()
    {
        using ChangeSubscription consumer = _feed.Subscribe();
        Commit("users/1", "users/2");
        Commit("users/3");

        Assert.Equal(new Etag(10), consumer.Start);
        Assert.Equal("101: 10-12 users/1@11 users/2@12", Read(consumer));
        Assert.Equal("102: 12-13 users/3@13", Read(consumer));
        Assert.False(consumer.TryRead(out _));
    }

    [Fact]
    public void Change_OfEveryKind_KeepsItsParts()
    {
        using ChangeSubscription consumer = _feed.Subscribe();
        ChangeRecorder recorder = _feed.Begin(101)!;
        recorder.Add(new Change
        {
            Kind = ChangeKind.DocumentMove,
            Id = "Straße/1"u8,
            Collection = "Wege"u8,
            Etag = new Etag(11),
            ChangeVector = "B:7-F9I6Egqwm0Kz+K0oFVIR9Q"u8,
        });
        _feed.Publish(101, new Etag(11));

        Assert.True(consumer.TryRead(out FeedItem item));
        foreach (Change change in item)
        {
            Assert.Equal((ChangeKind.DocumentMove, 11L), (change.Kind, change.Etag.Value));
            Assert.Equal("Straße/1", Encoding.UTF8.GetString(change.Id));
            Assert.Equal("Wege", Encoding.UTF8.GetString(change.Collection));
            Assert.Equal("B:7-F9I6Egqwm0Kz+K0oFVIR9Q", Encoding.UTF8.GetString(change.ChangeVector));
        }

        Assert.Equal(1, item.Count);
    }

    [Fact]
    public void Transaction_WithoutAnEtag_IsNotTold()
    {
        using ChangeSubscription consumer = _feed.Subscribe();
        _feed.Begin(101);
        _feed.Publish(101, new Etag(10));

        Assert.False(consumer.TryRead(out _));
    }

    [Fact]
    public void Transaction_RolledBack_IsNotTold()
    {
        using ChangeSubscription consumer = _feed.Subscribe();
        Add(_feed.Begin(101)!, "lost/1", 11);
        Add(_feed.Begin(101)!, "users/1", 11);
        _feed.Publish(101, new Etag(11));

        Assert.Equal("101: 10-11 users/1@11", Read(consumer));
    }

    [Fact]
    public void Transaction_ThatBeganBeforeTheFirstConsumer_IsAGap()
    {
        Assert.Null(_feed.Begin(101));
        using ChangeSubscription consumer = _feed.Subscribe();
        _feed.Publish(101, new Etag(12));

        Assert.Equal("gap 101: 10-12", Read(consumer));
    }

    [Fact]
    public void Transaction_RolledBackBeforeOneThatWasNotRecorded_IsAGap()
    {
        using (ChangeSubscription first = _feed.Subscribe())
        {
            Add(_feed.Begin(101)!, "lost/1", 11);
        }

        Assert.Null(_feed.Begin(101));
        using ChangeSubscription consumer = _feed.Subscribe();
        _feed.Publish(101, new Etag(11));

        Assert.Equal("gap 101: 10-11", Read(consumer));
    }

    [Fact]
    public void Transaction_LargerThanARecording_IsAGap()
    {
        using ChangeSubscription consumer = _feed.Subscribe();
        Commit([.. Enumerable.Range(0, ChangeRecorder.BytesMax / 200).Select(i => new string('x', 200) + i)]);
        long last = _etag;
        Commit("users/1");

        Assert.Equal($"gap 101: 10-{last}", Read(consumer));
        Assert.Equal($"102: {last}-{last + 1} users/1@{last + 1}", Read(consumer));
    }

    [Fact]
    public void Consumers_ThatFallBehind_AreToldWhatTheyMissedAndTheOthersNothing()
    {
        _feed.BytesMax = 1000;
        using ChangeSubscription slow = _feed.Subscribe();
        using ChangeSubscription fast = _feed.Subscribe();
        for (int i = 0; i < 100; i++)
        {
            Commit($"users/{i}");
            Assert.Equal($"{101 + i}: {10 + i}-{11 + i} users/{i}@{11 + i}", Read(fast));
        }

        string gap = Read(slow);
        Assert.StartsWith("gap ", gap, StringComparison.Ordinal);
        int missed = int.Parse(gap[(gap.IndexOf('-', StringComparison.Ordinal) + 1)..]) - 10;
        Assert.InRange(missed, 70, 99);
        Assert.Equal($"gap {100 + missed}: 10-{10 + missed}", gap);
        for (int i = missed; i < 100; i++)
        {
            Assert.Equal($"{101 + i}: {10 + i}-{11 + i} users/{i}@{11 + i}", Read(slow));
        }

        Assert.False(slow.TryRead(out _));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public void Log_OfRandomTransactions_HoldsNoMoreThanItsBoundAndTellsAll(int seed)
    {
        var random = new Random(seed);
        _feed.BytesMax = 200_000;
        List<ChangeSubscription> consumers = [];
        List<Etag> told = [];
        for (int step = 0; step < 2000; step++)
        {
            if (consumers.Count < 4 && random.Next(50) == 0)
            {
                consumers.Add(_feed.Subscribe());
                told.Add(consumers[^1].Start);
            }

            Commit([.. Enumerable.Range(0, random.Next(1, 20)).Select(i => new string('x', random.Next(1, 400)))]);
            Assert.InRange(_feed.HeldBytes, 0, _feed.BytesMax + (2 * ChangeLog.SegmentBytes));
            for (int i = consumers.Count - 1; i >= 0; i--)
            {
                for (int reads = random.Next(0, 3); reads > 0 && consumers[i].TryRead(out FeedItem item); reads--)
                {
                    Assert.True(item.After == told[i], $"seed {seed}, step {step}: after {item.After}, told {told[i]}");
                    Assert.True(item.Kind == FeedItemKind.Gap || item.Count == item.Last.Value - item.After.Value);
                    told[i] = item.Last;
                }

                if (random.Next(200) == 0)
                {
                    consumers[i].Dispose();
                    consumers.RemoveAt(i);
                    told.RemoveAt(i);
                }
            }
        }

        consumers.ForEach(consumer => consumer.Dispose());
        Assert.Equal(0, _feed.HeldBytes);
    }

    [Fact]
    public void Publish_WithoutConsumers_RecordsAndHoldsNothing()
    {
        long before = GC.GetAllocatedBytesForCurrentThread();
        for (int i = 0; i < 1000; i++)
        {
            Assert.Null(_feed.Begin(++_transaction));
            _feed.Publish(_transaction, new Etag(++_etag));
        }

        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);
        Assert.Equal(0, _feed.HeldBytes);
    }

    [Fact]
    public void Publish_WithAConsumer_AllocatesNothingPerChange()
    {
        using ChangeSubscription consumer = _feed.Subscribe();
        long allocated = 0;
        for (int round = 0; round < 5; round++)
        {
            allocated = GC.GetAllocatedBytesForCurrentThread();
            for (int i = 0; i < 2000; i++)
            {
                Add(_feed.Begin(++_transaction)!, "users/1", ++_etag);
                _feed.Publish(_transaction, new Etag(_etag));
                Assert.True(consumer.TryRead(out FeedItem item) && item.Count == 1);
            }

            allocated = GC.GetAllocatedBytesForCurrentThread() - allocated;
        }

        Assert.Equal(0, allocated);
    }

    [Fact]
    public async Task Read_WithNothingToTell_WaitsForTheNextTransaction()
    {
        using ChangeSubscription consumer = _feed.Subscribe();
        ValueTask<FeedItem> read = consumer.ReadAsync();
        Assert.False(read.IsCompleted);
        Assert.Throws<InvalidOperationException>(() => consumer.TryRead(out _));
        Commit("users/1");

        Assert.Equal("101: 10-11 users/1@11", Text(await read));
    }

    [Fact]
    public async Task Read_Cancelled_TakesNoItem()
    {
        using ChangeSubscription consumer = _feed.Subscribe();
        using var cancel = new CancellationTokenSource();
        ValueTask<FeedItem> read = consumer.ReadAsync(cancel.Token);
        await cancel.CancelAsync();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(async () => await read);
        Commit("users/1");
        await Assert.ThrowsAnyAsync<OperationCanceledException>(async () => await consumer.ReadAsync(cancel.Token));
        Assert.Equal("101: 10-11 users/1@11", Text(await consumer.ReadAsync()));
    }

    [Fact]
    public async Task Read_OfAConsumerThatLeft_IsTheEnd()
    {
        ChangeSubscription consumer = _feed.Subscribe();
        ValueTask<FeedItem> read = consumer.ReadAsync();
        consumer.Dispose();
        Commit("users/1");

        Assert.Equal(FeedEndReason.Unsubscribed, (await read).Reason);
        Assert.Equal(FeedEndReason.Unsubscribed, (await consumer.ReadAsync()).Reason);
        Assert.Equal(0, _feed.HeldBytes);
    }

    [Fact]
    public void Consumer_ThatEndedWithoutAWord_IsUnsubscribedWhenItIsFound()
    {
        Forget(read: false);
        Forget(read: true);
        Commit("users/1");
        Assert.NotEqual(0, _feed.HeldBytes);
        GC.Collect();
        GC.WaitForPendingFinalizers();

        Assert.Equal(0, _feed.HeldBytes);
        Assert.Null(_feed.Begin(++_transaction));
    }

    /// <summary>Nobody but the feed knows the consumer while it waits: that is the usual case of one that runs by itself.</summary>
    [Fact]
    public async Task Consumer_ThatWaits_IsNotForgotten()
    {
        List<string> told = [];
        Task end = Start(told);
        for (int i = 1; i <= 3; i++)
        {
            GC.Collect();
            GC.WaitForPendingFinalizers();
            Commit("users/1");
        }

        _feed.End(FeedEndReason.DatabaseClosed);
        await end.WaitAsync(TimeSpan.FromMinutes(1));
        Assert.Equal(["101: 10-11 users/1@11", "102: 11-12 users/1@12", "103: 12-13 users/1@13"], told);

        Task Start(List<string> lines) => FollowAsync(_feed.Subscribe(), lines);
    }

    [Fact]
    public async Task End_OfTheFeed_ComesAfterWhatWasToldAndAgain()
    {
        using ChangeSubscription consumer = _feed.Subscribe();
        Commit("users/1");
        _feed.End(FeedEndReason.DatabaseDeleted);
        _feed.End(FeedEndReason.DatabaseClosed);

        Assert.Equal("101: 10-11 users/1@11", Text(await consumer.ReadAsync()));
        Assert.Equal((FeedItemKind.End, FeedEndReason.DatabaseDeleted), await ReadEndAsync(consumer));
        Assert.Equal((FeedItemKind.End, FeedEndReason.DatabaseDeleted), await ReadEndAsync(consumer));
        using ChangeSubscription late = _feed.Subscribe();
        Assert.Equal((FeedItemKind.End, FeedEndReason.DatabaseDeleted), await ReadEndAsync(late));
    }

    /// <summary>Leaves a subscription behind that nobody can dispose.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void Forget(bool read)
    {
        ChangeSubscription consumer = _feed.Subscribe();
        if (!read)
        {
            return;
        }

        ValueTask<FeedItem> waiting = consumer.ReadAsync();
        Commit("users/1");
        Assert.Equal(1, waiting.AsTask().GetAwaiter().GetResult().Count);
    }

    private static async Task FollowAsync(ChangeSubscription consumer, List<string> told)
    {
        while (true)
        {
            FeedItem item = await consumer.ReadAsync();
            if (item.Kind == FeedItemKind.End)
            {
                return;
            }

            told.Add(Text(item));
        }
    }

    private static async Task<(FeedItemKind Kind, FeedEndReason Reason)> ReadEndAsync(ChangeSubscription consumer)
    {
        FeedItem item = await consumer.ReadAsync();
        return (item.Kind, item.Reason);
    }

    private static void Add(ChangeRecorder recorder, string id, long etag) => recorder.Add(new Change
    {
        Kind = ChangeKind.DocumentPut,
        Id = Utf8(id),
        Collection = "Users"u8,
        Etag = new Etag(etag),
        ChangeVector = default,
    });

    // The texts of the allocation tests are literals of the runtime: nothing is allocated for them twice.
    private static ReadOnlySpan<byte> Utf8(string text) => text == "users/1" ? "users/1"u8 : Encoding.UTF8.GetBytes(text);

    private static string Read(ChangeSubscription consumer)
    {
        Assert.True(consumer.TryRead(out FeedItem item));
        return Text(item);
    }

    private static string Text(in FeedItem item)
    {
        var text = new StringBuilder(item.Kind == FeedItemKind.Gap ? "gap " : "");
        text.Append($"{item.TransactionId}: {item.After.Value}-{item.Last.Value}");
        foreach (Change change in item)
        {
            text.Append($" {Encoding.UTF8.GetString(change.Id)}@{change.Etag.Value}");
        }

        return text.ToString();
    }

    private void Commit(params string[] ids)
    {
        ChangeRecorder? recorder = _feed.Begin(++_transaction);
        foreach (string id in ids)
        {
            _etag++;
            if (recorder is not null)
            {
                Add(recorder, id, _etag);
            }
        }

        _feed.Publish(_transaction, new Etag(_etag));
    }
}
