using Jackdaw.Client.Caching;
using Jackdaw.Client.Conventions;

namespace Jackdaw.Client.Tests.Caching;

public sealed class AggressiveCacheScopesTests
{
    private static readonly TimeSpan s_day = TimeSpan.FromDays(1);
    private readonly ChangeTracker _tracker = new(TimeProvider.System);
    private readonly AggressiveCacheScopes _scopes;

    public AggressiveCacheScopesTests() => _scopes = new(_tracker, TimeProvider.System);

    [Fact]
    public void Enter_Nested_RestoresTheOuterOne()
    {
        Assert.Null(_scopes.Current);
        AggressiveCacheScope outer = Enter(s_day);
        using (AggressiveCacheScope inner = Enter(TimeSpan.Zero))
        {
            Assert.Same(inner, _scopes.Current);
        }

        Assert.Same(outer, _scopes.Current);
        outer.Dispose();
        Assert.Null(_scopes.Current);
    }

    [Fact]
    public void Dispose_OuterBeforeInner_EndsBoth()
    {
        AggressiveCacheScope outer = Enter(s_day);
        AggressiveCacheScope inner = Enter(s_day);
        outer.Dispose();
        Assert.Same(inner, _scopes.Current);
        inner.Dispose();
        inner.Dispose();
        Assert.Null(_scopes.Current);
    }

    [Fact]
    public async Task Enter_InAFlow_IsSeenByItsTasksUntilItEndsAndByNoOthers()
    {
        using var isOver = new SemaphoreSlim(0);
        using var isBegun = new SemaphoreSlim(0);
        Task outside = Task.Run(async () =>
        {
            await isOver.WaitAsync(TimeSpan.FromSeconds(20));
            Assert.Null(_scopes.Current);
        });
        AggressiveCacheScope scope = Enter(s_day);
        Task inside = Task.Run(async () =>
        {
            Assert.Same(scope, _scopes.Current);
            isBegun.Release();
            await isOver.WaitAsync(TimeSpan.FromSeconds(20));
            Assert.Null(_scopes.Current);
        });
        await isBegun.WaitAsync(TimeSpan.FromSeconds(20));
        Assert.Same(scope, _scopes.Current);
        scope.Dispose();
        isOver.Release(2);
        await Task.WhenAll(inside, outside);
    }

    [Fact]
    public async Task EnterAsync_FeedNotConnected_IsInForceAtOnceAndWaits()
    {
        Task<IDisposable> entering = EnterAsync(TimeSpan.FromSeconds(20), CancellationToken.None);
        Assert.NotNull(_scopes.Current);
        Assert.False(entering.IsCompleted);
        _tracker.OnConnected();
        using (IDisposable scope = await entering)
        {
            Assert.Same(scope, _scopes.Current);
        }

        Assert.Null(_scopes.Current);
    }

    [Fact]
    public async Task EnterAsync_FeedDoesNotCome_IsGivenAnyway()
    {
        using IDisposable scope = await EnterAsync(TimeSpan.FromMilliseconds(1), CancellationToken.None);
        Assert.Same(scope, _scopes.Current);
    }

    [Fact]
    public async Task EnterAsync_Cancelled_IsOver()
    {
        using var cancel = new CancellationTokenSource();
        Task<IDisposable> entering = EnterAsync(TimeSpan.FromSeconds(20), cancel.Token);
        await cancel.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(async () => await entering);
        Assert.Null(_scopes.Current);
    }

    [Fact]
    public void EnterAsync_WithoutTracking_DoesNotWait() =>
        Assert.True(_scopes.EnterAsync(s_day, AggressiveCacheMode.DoNotTrackChanges, TimeSpan.Zero, s_day).AsTask().IsCompletedSuccessfully);

    [Theory]
    [InlineData(-1, 0)]
    [InlineData(0.5, 0)]
    [InlineData(1, -1)]
    public void Enter_BadTimes_AreRefused(double seconds, double staleness) => Assert.Throws<ArgumentOutOfRangeException>(
        () => _scopes.Enter(TimeSpan.FromSeconds(seconds), AggressiveCacheMode.TrackChanges, TimeSpan.FromSeconds(staleness)));

    private AggressiveCacheScope Enter(TimeSpan duration) => _scopes.Enter(duration, AggressiveCacheMode.TrackChanges, TimeSpan.FromSeconds(5));

    private Task<IDisposable> EnterAsync(TimeSpan timeout, CancellationToken token) =>
        _scopes.EnterAsync(s_day, AggressiveCacheMode.TrackChanges, TimeSpan.FromSeconds(5), timeout, token).AsTask();
}
