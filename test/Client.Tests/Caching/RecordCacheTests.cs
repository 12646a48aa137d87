using Jackdaw.Client.Caching;

namespace Jackdaw.Client.Tests.Caching;

public sealed class RecordCacheTests : IRecordStore, IAsyncDisposable
{
    private readonly Dictionary<string, User> _documents = new(StringComparer.OrdinalIgnoreCase) { ["users/1"] = new("Ada", 1) };
    private readonly List<(string Id, TaskCompletionSource Gate, TaskCompletionSource Read)> _loads = [];
    private readonly RecordCache<User> _cache;
    private IChangeNotices? _notices;
    private bool _holdsLoads;

    public RecordCacheTests()
    {
        _cache = new(this, capacity: 16);
        _notices!.OnConnected();
    }

    public ValueTask DisposeAsync() => _cache.DisposeAsync();

    [Fact]
    public async Task GetAsync_Again_GivesTheSameObjectWhateverTheCase()
    {
        User? first = await _cache.GetAsync("users/1");
        Assert.Equal("Ada", first!.Name);
        Assert.Same(first, await _cache.GetAsync("USERS/1"));
        Assert.True(_cache.TryGet("Users/1", out User? kept));
        Assert.Same(first, kept);
        Assert.Single(_loads);
        Assert.Equal((1, 2L), (_cache.Stats.Count, _cache.Stats.Hits));
    }

    [Fact]
    public async Task GetAsync_MissingDocument_IsRememberedUntilItComes()
    {
        Assert.False(_cache.TryGet("users/2", out _));
        Assert.Null(await _cache.GetAsync("users/2"));
        Assert.Null(await _cache.GetAsync("users/2"));
        Assert.True(_cache.TryGet("users/2", out User? missing));
        Assert.Null(missing);
        Assert.Single(_loads);
        Write("users/2", new("Bob", 1));
        Assert.Equal("Bob", (await _cache.GetAsync("users/2"))!.Name);
    }

    [Fact]
    public async Task GetAsync_AfterANotice_LoadsThatDocumentAlone()
    {
        Write("users/2", new("Bob", 1));
        await _cache.GetAsync("users/1");
        await _cache.GetAsync("users/2");
        Write("Users/1", new("Ada", 2));
        Assert.False(_cache.TryGet("users/1", out _));
        Assert.True(_cache.TryGet("users/2", out _));
        Assert.Equal(2, (await _cache.GetAsync("users/1"))!.Age);
        _notices!.OnAnythingChanged();
        Assert.Equal(0, _cache.Stats.Count);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task GetAsync_NoticeWhileTheLoadIsUnderWay_IsNotKeptNorJoined(bool isReadBeforeTheWrite)
    {
        _holdsLoads = true;
        Task<User?> first = _cache.GetAsync("users/1").AsTask();
        Task<User?> joined = _cache.GetAsync("Users/1").AsTask();
        Assert.Single(_loads);
        if (isReadBeforeTheWrite)
        {
            _loads[0].Read.SetResult();
        }

        Write("users/1", new("Ada", 2));
        Task<User?> second = _cache.GetAsync("users/1").AsTask();
        Assert.Equal(2, _loads.Count);
        _loads[1].Read.SetResult();
        _loads[1].Gate.SetResult();
        Assert.Equal(2, (await second)!.Age);
        _loads[0].Read.TrySetResult();
        _loads[0].Gate.SetResult();
        Assert.Same(await first, await joined);
        Assert.True(_cache.TryGet("users/1", out User? kept));
        Assert.Equal(2, kept!.Age);
    }

    [Fact]
    public async Task GetAsync_ConnectionLostAndBack_EmptiesAndKeepsNothingInBetween()
    {
        await _cache.GetAsync("users/1");
        _notices!.OnLost();
        Assert.False(_cache.TryGet("users/1", out _));
        await _cache.GetAsync("users/1");
        await _cache.GetAsync("users/1");
        Assert.Equal(3, _loads.Count);
        Assert.False(_cache.TryGet("users/1", out _));
        _holdsLoads = true;
        Task<User?> underWay = _cache.GetAsync("users/1").AsTask();
        _notices.OnConnected();
        _loads[3].Read.SetResult();
        _loads[3].Gate.SetResult();
        await underWay;
        Assert.False(_cache.TryGet("users/1", out _));
        _holdsLoads = false;
        await _cache.GetAsync("users/1");
        Assert.True(_cache.TryGet("users/1", out _));
        _notices.OnConnected();
        Assert.False(_cache.TryGet("users/1", out _));
    }

    [Fact]
    public async Task GetAsync_LoadFails_FailsForAllAndIsTriedAgain()
    {
        _holdsLoads = true;
        Task<User?> first = _cache.GetAsync("users/1").AsTask();
        Task<User?> second = _cache.GetAsync("users/1").AsTask();
        _loads[0].Read.SetResult();
        _loads[0].Gate.SetException(new HttpRequestException("unreachable"));
        await Assert.ThrowsAsync<HttpRequestException>(() => first);
        await Assert.ThrowsAsync<HttpRequestException>(() => second);
        _holdsLoads = false;
        Assert.NotNull(await _cache.GetAsync("users/1"));
    }

    [Fact]
    public async Task GetAsync_OneCallerCancels_TheOthersGetIt()
    {
        _holdsLoads = true;
        using var cancel = new CancellationTokenSource();
        Task<User?> first = _cache.GetAsync("users/1", cancel.Token).AsTask();
        Task<User?> second = _cache.GetAsync("users/1").AsTask();
        await cancel.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => first);
        _loads[0].Read.SetResult();
        _loads[0].Gate.SetResult();
        Assert.NotNull(await second);
    }

    [Fact]
    public async Task GetAsync_MoreThanCapacity_LetsGoOfTheColdest()
    {
        for (int i = 0; i < 100; i++)
        {
            await _cache.GetAsync("users/" + i);
            await _cache.GetAsync("users/1");
        }

        Assert.InRange(_cache.Stats.Count, 10, 16);
        Assert.True(_cache.TryGet("users/1", out _));
    }

    [Fact]
    public async Task Forgetting_OneOrAll_LoadsAgain()
    {
        await _cache.GetAsync("users/1");
        _cache.Invalidate("USERS/1");
        Assert.False(_cache.TryGet("users/1", out _));
        await _cache.GetAsync("users/1");
        _cache.Clear();
        Assert.False(_cache.TryGet("users/1", out _));
    }

    [Fact]
    public async Task DisposeAsync_Afterwards_RefusesAndHasUnsubscribed()
    {
        await _cache.GetAsync("users/1");
        await _cache.DisposeAsync();
        Assert.Null(_notices);
        await Assert.ThrowsAsync<ObjectDisposedException>(() => _cache.GetAsync("users/1").AsTask());
    }

    [Fact]
    public void Constructor_TypeThatCanChange_IsRefused() => Assert.Throws<ArgumentException>(() => new RecordCache<ImmutabilityTests.WithSetter>(this));

    [Fact]
    public async Task GetAsync_Hit_AllocatesNothing()
    {
        await _cache.GetAsync("users/1");
        long allocated = long.MaxValue;

        // Code that is not optimized yet allocates: until then it is measured again.
        for (long deadline = Environment.TickCount64 + 20_000; allocated > 0 && Environment.TickCount64 < deadline;)
        {
            allocated = GC.GetAllocatedBytesForCurrentThread();
            for (int i = 0; i < 10_000; i++)
            {
                ValueTask<User?> hit = _cache.GetAsync("USERS/1");
                if (!hit.IsCompletedSuccessfully || !_cache.TryGet("users/1", out _))
                {
                    throw new InvalidOperationException("no hit");
                }
            }

            allocated = GC.GetAllocatedBytesForCurrentThread() - allocated;
        }

        Assert.Equal(0, allocated);
    }

    /// <summary>A load is sent, read at the server, and answered; writes and notices come in between, in every order.</summary>
    [Fact]
    public void GetAsync_AllOrders_NeverKeepsWhatIsOlderThanNotices()
    {
        SynchronizationContext.SetSynchronizationContext(null); // what awaits a step goes on within it
        int orders = AllOrders.Try(choose =>
        {
            var world = new RecordCacheTests { _holdsLoads = true };
            var notices = new Queue<int>();
            int known = 1;
            var steps = new List<Queue<Action>>
            {
                new([() => world.Load(), () => world.Read(0), () => world.Finish(0)]),
                new([() => world.Load(), () => world.Read(1), () => world.Finish(1)]),
                new([() => world.Change(notices, 2), () => known = world.Tell(notices, known)]),
                new([() => world._notices!.OnLost(), () => world._notices!.OnConnected()]),
            };
            while (steps.Count > 0)
            {
                int chosen = choose(steps.Count);
                steps[chosen].Dequeue()();
                steps.RemoveAll(script => script.Count == 0);
                if (world._cache.TryGet("users/1", out User? kept))
                {
                    Assert.True(kept!.Age >= known, $"age {kept.Age} is kept, {known} was told");
                }
            }
        });
        Assert.InRange(orders, 10_000, 100_000);
    }

    async ValueTask<T?> IRecordStore.LoadRecordAsync<T>(string? database, string id, CancellationToken token)
        where T : class
    {
        (string Id, TaskCompletionSource Gate, TaskCompletionSource Read) load = (id, new(), new());
        _loads.Add(load);
        if (!_holdsLoads)
        {
            load.Read.SetResult();
            load.Gate.SetResult();
        }

        await load.Read.Task.ConfigureAwait(false);
        var found = (T?)(object?)_documents.GetValueOrDefault(id);
        await load.Gate.Task.ConfigureAwait(false);
        return found;
    }

    IDisposable IRecordStore.SubscribeToRecords(string? database, IChangeNotices notices)
    {
        _notices = notices;
        return new Subscription(this);
    }

    private void Write(string id, User user)
    {
        _documents[id] = user;
        _notices!.OnDocumentsChanged([id], ["Users"]);
    }

    private void Load() => _ = _cache.GetAsync("users/1").AsTask();

    // A load may have been joined or answered from memory: then there is none of this number.
    private void Read(int load)
    {
        if (load < _loads.Count)
        {
            _loads[load].Read.TrySetResult();
        }
    }

    private void Finish(int load)
    {
        if (load < _loads.Count)
        {
            _loads[load].Read.TrySetResult();
            _loads[load].Gate.TrySetResult();
        }
    }

    private void Change(Queue<int> notices, int age)
    {
        _documents["users/1"] = new("Ada", age);
        notices.Enqueue(age);
    }

    private int Tell(Queue<int> notices, int known)
    {
        _notices!.OnDocumentsChanged(["users/1"], ["Users"]);
        return notices.TryDequeue(out int age) ? age : known;
    }

    internal sealed record User(string Name, int Age);

    private sealed class Subscription(RecordCacheTests owner) : IDisposable
    {
        public void Dispose() => owner._notices = null;
    }
}
