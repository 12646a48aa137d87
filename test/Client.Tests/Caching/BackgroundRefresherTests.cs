using Jackdaw.Client.Caching;
using Jackdaw.Client.Http;

namespace Jackdaw.Client.Tests.Caching;

public sealed class BackgroundRefresherTests : IAnswerSource, IDisposable
{
    private readonly StandingClock _clock = new();
    private readonly ChangeTracker _tracker;
    private readonly AnswerCache _cache;
    private readonly BackgroundRefresher _refresher;
    private readonly List<(IReadOnlyList<KeptAnswer> Questions, TaskCompletionSource<RenewedAnswer[]> Outcome)> _requests = [];

    public BackgroundRefresherTests()
    {
        _tracker = new(_clock);
        _cache = new(1 << 24, _tracker);
        _refresher = new(_cache, _tracker, this, new ConcurrentExclusiveSchedulerPair().ExclusiveScheduler);
    }

    public void Dispose() => _refresher.Dispose();

    [Fact]
    public async Task Request_ManyWhileTwoAreUnderWay_AreAskedTogetherAndEachOnce()
    {
        Request(0);
        await UntilAsync(() => _requests.Count == 1);
        Request(1);
        await UntilAsync(() => _requests.Count == 2);
        for (int i = 0; i < 2 + BackgroundRefresher.BatchMax + 5; i++)
        {
            Request(i);
            Request(i);
        }

        Assert.Equal(2 + BackgroundRefresher.BatchMax + 5, _refresher.PendingCount);
        Answer(0, 304);
        await UntilAsync(() => _requests.Count == 3);
        Assert.Equal(Enumerable.Range(2, BackgroundRefresher.BatchMax).Select(Key), _requests[2].Questions.Select(question => question.Key));
        Answer(1, 304);
        await UntilAsync(() => _requests.Count == 4);
        Assert.Equal(5, _requests[3].Questions.Count);
        Answer(2, 304);
        Answer(3, 304);
        await UntilAsync(() => _refresher.PendingCount == 0);
        Assert.Equal(4, _requests.Count);
    }

    [Fact]
    public async Task Request_AfterTheAnswer_AsksAgain()
    {
        Request(0);
        await UntilAsync(() => _requests.Count == 1);
        Answer(0, 304);
        await UntilAsync(() => _refresher.PendingCount == 0);
        Request(0);
        await UntilAsync(() => _requests.Count == 2);
    }

    [Fact]
    public async Task Request_Outcomes_RenewReplaceOrLeave()
    {
        CachedAnswer same = Request(0);
        await UntilAsync(() => _requests.Count == 1);
        CachedAnswer replaced = Request(1);
        await UntilAsync(() => _requests.Count == 2);
        CachedAnswer left = Request(2);
        long sent = _tracker.TakeStamp();
        Answer(0, 304);
        Answer(1, 200);
        await UntilAsync(() => _requests.Count == 3);
        Answer(2, 503);
        await UntilAsync(() => _refresher.PendingCount == 0);
        Assert.InRange(same.Stamp, 2, sent - 1);
        Assert.NotSame(replaced, Kept(1));
        Assert.InRange(Kept(1)!.Stamp, replaced.Stamp + 1, sent - 1);
        Assert.Same(left, Kept(2));
    }

    [Fact]
    public async Task Request_AfterAnError_PausesLongerEachTime()
    {
        foreach (int milliseconds in new[] { 100, 200, 400 })
        {
            int before = _requests.Count;
            Request(0);
            await UntilAsync(() => _requests.Count == before + 1);
            _requests[^1].Outcome.SetException(new HttpRequestException("unreachable"));
            await UntilAsync(() => _refresher.PendingCount == 0);
            _clock.Advance(TimeSpan.FromMilliseconds(milliseconds - 1));
            Request(0);
            Assert.Equal(0, _refresher.PendingCount);
            _clock.Advance(TimeSpan.FromMilliseconds(1));
        }
    }

    [Fact]
    public async Task Dispose_RequestUnderWay_DropsItsAnswerAndAsksNoMore()
    {
        CachedAnswer answer = Request(0);
        await UntilAsync(() => _requests.Count == 1);
        long stamp = answer.Stamp;
        _refresher.Dispose();
        Answer(0, 304);
        await UntilAsync(() => _refresher.PendingCount == 0);
        Assert.Equal(stamp, answer.Stamp);
        Request(1);
        Assert.Equal(0, _refresher.PendingCount);
    }

    Task<RenewedAnswer[]> IAnswerSource.RenewAsync(IReadOnlyList<KeptAnswer> questions, CancellationToken token)
    {
        var outcome = new TaskCompletionSource<RenewedAnswer[]>(TaskCreationOptions.RunContinuationsAsynchronously);
        lock (_requests)
        {
            _requests.Add((questions, outcome));
        }

        return outcome.Task;
    }

    private static AnswerKey Key(int number) => new("shop", "GET", "/docs?id=" + number);

    private static async Task UntilAsync(Func<bool> holds)
    {
        for (long deadline = Environment.TickCount64 + 20_000; !holds();)
        {
            Assert.True(Environment.TickCount64 < deadline, "it did not come to be within 20 s");
            await Task.Yield();
        }
    }

    private CachedAnswer? Kept(int number)
    {
        _cache.Decide(Key(number), null, out CachedAnswer? kept);
        return kept;
    }

    private CachedAnswer Request(int number)
    {
        CachedAnswer? answer = Kept(number);
        if (answer is null)
        {
            answer = new(new RequestAnswer(200, new byte[] { 1 }, "e"), [], _tracker.TakeStamp());
            _cache.Put(Key(number), answer);
        }

        _refresher.Request(ModelServer.Kept(Key(number), answer));
        return answer;
    }

    private void Answer(int request, int status)
    {
        (IReadOnlyList<KeptAnswer> questions, TaskCompletionSource<RenewedAnswer[]> outcome) = _requests[request];
        outcome.SetResult([.. questions.Select(_ => status == 200 ? new RenewedAnswer(200, [2], "f", []) : new RenewedAnswer(status))]);
    }
}
