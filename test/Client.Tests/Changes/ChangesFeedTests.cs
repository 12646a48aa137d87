using System.Net.WebSockets;
using Jackdaw.Client.Changes;
using Jackdaw.Client.Changes.Feed;
using Jackdaw.Client.Conventions;
using Jackdaw.Client.Exceptions;
using Jackdaw.Client.Tests.Caching;
using Jackdaw.TestKit;

namespace Jackdaw.Client.Tests.Changes;

/// <summary>What a client of notices does with what servers do: in order, cut, slow, silent and wrong.</summary>
public sealed class ChangesFeedTests : IAsyncLifetime
{
    private static readonly TimeSpan s_limit = ScriptedConnection.Limit;

    private readonly ScriptedServer _server = new();
    private readonly List<DatabaseChanges> _opened = [];

    public Task InitializeAsync() => Task.CompletedTask;

    public async Task DisposeAsync()
    {
        foreach (DatabaseChanges changes in _opened)
        {
            await changes.DisposeAsync();
        }
    }

    [Fact]
    public async Task EnsureSubscribedNow_CompletesWithTheConfirmation()
    {
        DatabaseChanges changes = Open();
        Task subscribed = changes.ForDocument("users/1").EnsureSubscribedNow();
        ScriptedConnection connection = await _server.AcceptAsync();
        (string text, long id) = await connection.NextAsync();
        Assert.Equal("watch-doc users/1", text);
        Assert.False(subscribed.IsCompleted);
        await connection.ConfirmAsync(id);
        await subscribed.WaitAsync(s_limit);
    }

    [Fact]
    public async Task Subscribe_TwiceToTheSame_AsksTheServerOnceAndEndsWithTheLast()
    {
        DatabaseChanges changes = Open();
        IChangesObservable<DocumentChange> users = changes.ForDocumentsInCollection("Users");
        IDisposable first = users.Subscribe(_ => { });
        IDisposable second = changes.ForDocumentsInCollection("USERS").Subscribe(_ => { });
        ScriptedConnection connection = await _server.AcceptAsync();
        Assert.Equal("watch-collection Users", await connection.ConfirmNextAsync());
        first.Dispose();
        first.Dispose();
        Task<(string Text, long Id)> next = connection.NextAsync();
        second.Dispose();
        Assert.Equal("unwatch-collection Users", (await next).Text);
    }

    [Fact]
    public async Task Changes_ReachWhoWantsThem_InOrder()
    {
        DatabaseChanges changes = Open();
        var seen = new Collector<DocumentChange>();
        using IDisposable byId = changes.ForDocument("users/1").Subscribe(seen.Add);
        using IDisposable byPrefix = changes.ForDocumentsStartingWith("orders/").Subscribe(seen.Add);
        ScriptedConnection connection = await _server.AcceptAsync();
        await connection.ConfirmNextAsync();
        await connection.ConfirmNextAsync();
        await connection.PutAsync("USERS/1", etag: 4);
        await connection.PutAsync("people/1", etag: 5);
        await connection.PutAsync("Orders/7", "Orders", etag: 6);
        await connection.PutAsync("users/1", etag: 7);
        DocumentChange[] told = await seen.TakeAsync(3);
        Assert.Equal(["USERS/1", "Orders/7", "users/1"], told.Select(change => change.Id));
        Assert.Equal([4L, 6, 7], told.Select(change => change.Etag));
        Assert.Equal(("Put", "Users", "A:7-x"), (told[2].Type.ToString(), told[2].CollectionName, told[2].ChangeVector));
    }

    [Fact]
    public async Task ConnectionCut_IsToldAndWatchedAgain()
    {
        DatabaseChanges changes = Open();
        var status = new Collector<bool>();
        changes.ConnectionStatusChanged += (_, _) => status.Add(changes.Connected);
        var seen = new Collector<DocumentChange>();
        using IDisposable all = changes.ForAllDocuments().Subscribe(seen.Add);
        ScriptedConnection connection = await _server.AcceptAsync();
        await connection.ConfirmNextAsync();
        Assert.True(await status.NextAsync());
        connection.Cut();
        Assert.False(await status.NextAsync());
        connection = await _server.AcceptAsync();
        Assert.Equal("watch-docs", await connection.ConfirmNextAsync());
        Assert.True(await status.NextAsync());
        await connection.PutAsync("users/2");
        Assert.Equal("users/2", (await seen.NextAsync()).Id);
    }

    [Fact]
    public async Task ReadAllAsync_ToldBeforeAllWatchesStandAgain_GivesAGapWithTheEtagBefore()
    {
        DatabaseChanges changes = Open();
        await using IAsyncEnumerator<ChangeItem> items = changes.ReadAllAsync(ChangesFilter.AllDocuments()).GetAsyncEnumerator();
        Task<bool> first = items.MoveNextAsync().AsTask();
        using IDisposable indexes = changes.ForAllIndexes().Subscribe(_ => { });
        ScriptedConnection connection = await _server.AcceptAsync();
        await connection.ConfirmNextAsync();
        await connection.ConfirmNextAsync();
        Assert.Equal(ChangesGapReason.Started, Gap(await NextAsync(items, first)).Reason);
        await connection.PutAsync("users/1", etag: 41);
        Assert.Equal(41, (await NextAsync(items)).Etag);
        foreach ((long told, long after) in new[] { (120L, 41L), (130L, 120L) })
        {
            connection.Cut();
            connection = await _server.AcceptAsync();
            (_, long one) = await connection.NextAsync();
            (_, long other) = await connection.NextAsync();
            await connection.ConfirmAsync(one);
            await connection.PutAsync("users/2", etag: told);
            await connection.ConfirmAsync(other);
            Assert.Equal(told, (await NextAsync(items)).Etag);
            Assert.Equal(after, Gap(await NextAsync(items)).After);
        }
    }

    [Fact]
    public async Task ReadAllAsync_ConnectionCut_GivesAGapWithTheLastEtag()
    {
        DatabaseChanges changes = Open();
        await using IAsyncEnumerator<ChangeItem> items = changes.ReadAllAsync(ChangesFilter.AllDocuments()).GetAsyncEnumerator();
        Task<bool> first = items.MoveNextAsync().AsTask();
        ScriptedConnection connection = await _server.AcceptAsync();
        await connection.ConfirmNextAsync();
        Assert.Equal(ChangesGapReason.Started, Gap(await NextAsync(items, first)).Reason);
        await connection.PutAsync("users/1", etag: 41);
        Assert.Equal(41, (await NextAsync(items)).Etag);
        connection.Cut();
        connection = await _server.AcceptAsync();
        await connection.ConfirmNextAsync();
        ChangesGap gap = Gap(await NextAsync(items));
        Assert.Equal((ChangesGapReason.Reconnected, 41L, null), (gap.Reason, gap.After, gap.Last));
        await connection.SendAsync("""[{"Type":"Gap","Value":{"After":50,"Last":60}}]""");
        gap = Gap(await NextAsync(items));
        Assert.Equal((ChangesGapReason.LeftOutByServer, 50L, 60L), (gap.Reason, gap.After, gap.Last));
    }

    [Fact]
    public async Task ReadAllAsync_TakenTooSlowly_GivesWhatFitsAndOneGap()
    {
        DatabaseChanges changes = Open();
        var marks = new Collector<DocumentChange>();
        using IDisposable mark = changes.ForDocument("mark").Subscribe(marks.Add);
        await using IAsyncEnumerator<ChangeItem> items = changes.ReadAllAsync(ChangesFilter.Collection("Users"), buffer: 3).GetAsyncEnumerator();
        Task<bool> first = items.MoveNextAsync().AsTask();
        ScriptedConnection connection = await _server.AcceptAsync();
        await connection.ConfirmNextAsync();
        await connection.ConfirmNextAsync();
        await NextAsync(items, first);
        for (int i = 1; i <= 10; i++)
        {
            await connection.PutAsync("users/" + i, etag: i);
        }

        await connection.PutAsync("mark", "Marks", etag: 11);
        await marks.NextAsync();
        for (int i = 1; i <= 3; i++)
        {
            Assert.Equal(i, (await NextAsync(items)).Etag);
        }

        ChangesGap gap = Gap(await NextAsync(items));
        Assert.Equal((ChangesGapReason.Overflow, 3L, 10L), (gap.Reason, gap.After, gap.Last));
        await connection.PutAsync("users/11", etag: 12);
        Assert.Equal(12, (await NextAsync(items)).Etag);
    }

    [Fact]
    public async Task Handler_Throws_IsToldAndCalledAgain()
    {
        DatabaseChanges changes = Open();
        var errors = new Collector<Exception>();
        var seen = new Collector<string>();
        changes.OnError += errors.Add;
        using IDisposable all = changes.ForAllDocuments().Subscribe(change =>
        {
            seen.Add(change.Id);
            throw new InvalidOperationException(change.Id);
        });
        ScriptedConnection connection = await _server.AcceptAsync();
        await connection.ConfirmNextAsync();
        await connection.PutAsync("users/1");
        await connection.PutAsync("users/2");
        Assert.Equal(["users/1", "users/2"], await seen.TakeAsync(2));
        Assert.Equal(["users/1", "users/2"], (await errors.TakeAsync(2)).Select(error => error.Message));
    }

    [Theory]
    [InlineData("garbage", "not a frame of notices")]
    [InlineData("{}", "not a frame of notices")]
    [InlineData("[3]", "not a frame of notices")]
    [InlineData("[{\"Type\":7}]", "not a frame of notices")]
    [InlineData("[{\"Type\":\"DocumentChange\",\"Value\":{\"Id\":5}}]", "not a frame of notices")]
    [InlineData("[{\"Type\":\"DocumentChange\",\"Value\":{}}]", "has no Id")]
    [InlineData("[{\"Type\":\"DocumentChange\",\"Value\":[]}]", "not a JSON object")]
    [InlineData("[{\"Type\":\"OperationStatusChange\",\"Value\":{\"OperationId\":1}}]", "has no State")]
    [InlineData("[{\"Type\":\"Confirm\",\"CommandId\":\"x\"}]", "not a frame of notices")]
    [InlineData("[{\"Type\":\"AggressiveCacheChange\",\"Value\":{\"Ids\":[null]}}]", "is null")]
    [InlineData("[{\"Type\":\"Error\",\"Exception\":\"too much\"}]", "too much")]
    [InlineData("[", "not a frame of notices")]
    [InlineData("[] []", "not a frame of notices")]
    public async Task WrongFrame_EndsTheConnection_AndTheNextOneWorks(string frame, string expected)
    {
        DatabaseChanges changes = Open();
        var errors = new Collector<Exception>();
        changes.OnError += errors.Add;
        Task subscribed = changes.ForAllDocuments().EnsureSubscribedNow();
        ScriptedConnection connection = await _server.AcceptAsync();
        await connection.ConfirmNextAsync();
        await subscribed;
        await connection.SendAsync(frame);
        Assert.Contains(expected, (await errors.NextAsync()).Message, StringComparison.Ordinal);
        await (await _server.AcceptAsync()).ConfirmNextAsync();
        await changes.EnsureConnectedNow().WaitAsync(s_limit);
    }

    [Fact]
    public async Task UnknownNotices_ArePassedOver()
    {
        DatabaseChanges changes = Open();
        var seen = new Collector<DocumentChange>();
        using IDisposable all = changes.ForAllDocuments().Subscribe(seen.Add);
        ScriptedConnection connection = await _server.AcceptAsync();
        await connection.SendAsync("""[{"TopologyChange":true,"AggressiveCachingChange":true}]""");
        await connection.ConfirmNextAsync();
        await connection.SendAsync("""[{"Type":"Weather","Value":{"Rain":[1,{"a":2}]}},{"Type":"DocumentChange","Value":{"Type":"Melt","Id":"a","New":{}}}]""");
        DocumentChange change = (await seen.NextAsync());
        Assert.Equal(("a", DocumentChangeTypes.None, null), (change.Id, change.Type, change.Etag));
    }

    [Fact]
    public async Task BinaryMessage_AndOneThatIsTooLong_EndTheConnection()
    {
        DatabaseChanges changes = Open();
        var errors = new Collector<Exception>();
        changes.OnError += errors.Add;
        changes.Start();
        await (await _server.AcceptAsync()).SendAsync("[]", WebSocketMessageType.Binary);
        Assert.Contains("binary", (await errors.NextAsync()).Message, StringComparison.Ordinal);
        ScriptedConnection connection = await _server.AcceptAsync();
        Task sending = TooMuchAsync(connection);
        Assert.Contains($"more than {NoticeConnection.MessageBytesMax} bytes", (await errors.NextAsync()).Message, StringComparison.Ordinal);
        await sending;
    }

    [Fact]
    public async Task SilentServer_IsLeftAfterHalfAMinute()
    {
        var clock = new StandingClock();
        DatabaseChanges changes = Open(clock);
        var errors = new Collector<Exception>();
        changes.OnError += errors.Add;
        changes.Start();
        ScriptedConnection connection = await _server.AcceptAsync();
        for (int i = 0; i < 6; i++)
        {
            // Parts of one message do not count: it must become whole.
            await connection.SendAsync(i == 0 ? "[" : " ", isWhole: false);
            clock.Advance(TimeSpan.FromSeconds(5));
        }

        Assert.Equal(0, errors.Count);
        clock.Advance(TimeSpan.FromSeconds(5));
        Assert.Contains("no whole message for 30 seconds", (await errors.NextAsync()).Message, StringComparison.Ordinal);
        await connection.WaitForEndAsync();
    }

    [Fact]
    public async Task CommandThatIsNotConfirmed_EndsTheConnection()
    {
        var clock = new StandingClock();
        DatabaseChanges changes = Open(clock);
        Task subscribed = changes.ForAllDocuments().EnsureSubscribedNow();
        ScriptedConnection connection = await _server.AcceptAsync();
        await connection.NextAsync();
        for (int i = 0; i < 4; i++)
        {
            await connection.SendAsync("[]");
            clock.Advance(TimeSpan.FromSeconds(5));
        }

        var error = await Assert.ThrowsAsync<DocumentDatabaseException>(() => subscribed.WaitAsync(s_limit));
        Assert.Contains("has not confirmed a command for 15 seconds", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task AttemptThatHangs_IsGivenUp()
    {
        var clock = new StandingClock();
        DatabaseChanges changes = Open(clock);
        _server.Hangs = true;
        Task connected = changes.EnsureConnectedNow();
        await Eventually.IsTrueAsync(() => _server.Attempts.Count == 1);
        clock.Advance(TimeSpan.FromSeconds(15));
        var error = await Assert.ThrowsAsync<DocumentDatabaseException>(() => connected.WaitAsync(s_limit));
        Assert.Contains("did not answer within 15 seconds", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task RefusedAttempt_IsToldWithItsReason_AndTheNextServerIsTried()
    {
        var clock = new StandingClock();
        _server.Refusal = new DocumentDatabaseException("the database is not there") { StatusCode = 503 };
        DatabaseChanges changes = Open(clock, new Uri("http://first"), new Uri("https://second"));
        var error = await Assert.ThrowsAsync<DocumentDatabaseException>(() => changes.EnsureConnectedNow().WaitAsync(s_limit));
        Assert.Equal(503, error.StatusCode);
        Assert.Contains("the database is not there", error.Message, StringComparison.Ordinal);
        _server.Refusal = null;
        Task connected = changes.EnsureConnectedNow();
        Task<ScriptedConnection> accepted = _server.AcceptAsync();
        await Eventually.IsTrueAsync(() =>
        {
            clock.Advance(TimeSpan.FromMilliseconds(100));
            return accepted.IsCompleted;
        });
        await (await accepted).SendAsync("[]");
        await connected.WaitAsync(s_limit);
        Assert.Equal(
            ["ws://first/databases/db1/changes?extended=true", "wss://second/databases/db1/changes?extended=true"],
            _server.Attempts.Select(uri => uri.ToString()));
    }

    [Fact]
    public async Task Dispose_EndsLoopsObserversAndWaiters()
    {
        DatabaseChanges changes = Open();
        var observer = new CompletionObserver();
        using IDisposable subscription = changes.ForAllDocuments().Subscribe(observer);
        await using IAsyncEnumerator<ChangeItem> items = changes.ReadAllAsync(ChangesFilter.AllIndexes()).GetAsyncEnumerator();
        Task<bool> first = items.MoveNextAsync().AsTask();
        ScriptedConnection connection = await _server.AcceptAsync();
        await connection.ConfirmNextAsync();
        await connection.ConfirmNextAsync();
        Assert.True(await first.WaitAsync(s_limit));
        Task<bool> next = items.MoveNextAsync().AsTask();
        await changes.DisposeAsync();
        Assert.False(await next.WaitAsync(s_limit));
        await observer.Completed.WaitAsync(s_limit);
        await connection.WaitForEndAsync();
        await Assert.ThrowsAsync<ObjectDisposedException>(() => changes.EnsureConnectedNow());
        Assert.Throws<ObjectDisposedException>(() => changes.ForDocument("users/1").Subscribe(_ => { }));
        Assert.False(changes.Connected);
    }

    [Fact]
    public async Task Dispose_WithinAHandler_DoesNotWaitForItself()
    {
        DatabaseChanges changes = Open();
        var ended = new TaskCompletionSource();
        using IDisposable all = changes.ForAllDocuments().Subscribe(_ =>
        {
            changes.DisposeAsync().AsTask().GetAwaiter().GetResult();
            ended.TrySetResult();
        });
        ScriptedConnection connection = await _server.AcceptAsync();
        await connection.ConfirmNextAsync();
        await connection.PutAsync("users/1");
        await ended.Task.WaitAsync(TimeSpan.FromSeconds(4));
    }

    [Fact]
    public void Names_EmptyOrTooLong_AreRefused()
    {
        DatabaseChanges changes = Open();
        Assert.Throws<ArgumentException>(() => changes.ForDocument(""));
        Assert.Throws<ArgumentNullException>(() => changes.ForDocumentsStartingWith(null!));
        var error = Assert.Throws<ArgumentException>(() => changes.ForIndex(new string('x', 513)));
        Assert.Contains("512 bytes", error.Message, StringComparison.Ordinal);
        Assert.Throws<ArgumentOutOfRangeException>(() => changes.ReadAllAsync(ChangesFilter.AllDocuments(), buffer: 0));
    }

    [Fact]
    public void Pauses_Double_UpToHalfAMinute()
    {
        var backoff = new Backoff(new Random(3));
        double[] pauses = [.. Enumerable.Range(0, 12).Select(_ => backoff.Next().TotalMilliseconds)];
        for (int i = 0; i < pauses.Length; i++)
        {
            double full = Math.Min(30_000, 500 * Math.Pow(2, i));
            Assert.InRange(pauses[i], full / 2, full);
        }

        backoff.Reset();
        Assert.InRange(backoff.Next().TotalMilliseconds, 250, 500);
    }

    private static async Task TooMuchAsync(ScriptedConnection connection)
    {
        try
        {
            string part = new(' ', 64 * 1024);
            for (int sent = 0; sent < 2 * NoticeConnection.MessageBytesMax; sent += part.Length)
            {
                await connection.SendAsync(part, isWhole: false);
            }
        }
        catch (Exception ended) when (ended is WebSocketException or IOException or InvalidOperationException)
        {
        }
    }

    private static ChangesGap Gap(ChangeItem item) => Assert.IsType<ChangesGap>(item);

    private static async Task<ChangeItem> NextAsync(IAsyncEnumerator<ChangeItem> items, Task<bool>? next = null)
    {
        Assert.True(await (next ?? items.MoveNextAsync().AsTask()).WaitAsync(s_limit));
        return items.Current;
    }

    private DatabaseChanges Open(TimeProvider? time = null, params Uri[] servers)
    {
        var changes = new DatabaseChanges(_server.Settings(time, servers), new DocumentConventions());
        _opened.Add(changes);
        return changes;
    }

    private sealed class CompletionObserver : IObserver<DocumentChange>
    {
        private readonly TaskCompletionSource _completed = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public Task Completed => _completed.Task;

        public void OnCompleted() => _completed.TrySetResult();

        public void OnError(Exception error) => _completed.TrySetException(error);

        public void OnNext(DocumentChange value)
        {
        }
    }
}
