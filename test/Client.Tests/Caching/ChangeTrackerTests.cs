using Jackdaw.Client.Caching;
using Jackdaw.Client.Conventions;
using Jackdaw.Client.Http;

namespace Jackdaw.Client.Tests.Caching;

public sealed class ChangeTrackerTests
{
    private static readonly AggressiveCacheScope s_tracking = CacheWorld.ScopeOf(AggressiveCacheMode.TrackChanges);
    private readonly StandingClock _clock = new();
    private readonly ChangeTracker _tracker;

    public ChangeTrackerTests()
    {
        _tracker = new(_clock);
        _tracker.OnConnected();
    }

    public static TheoryData<string, string, string, bool> Dependencies => new()
    {
        { "document users/1", "users/1", "Users", true },
        { "document users/1", "USERS/1", "users", true },
        { "document users/1", "users/2", "Users", false },
        { "include users/9", "users/9", "Users", true },
        { "collection Users", "users/77", "Users", true },
        { "collection Users", "orders/1", "Orders", false },
        { "collection Users", "orders/1", "", true },
        { "all", "orders/1", "Orders", true },
        { "index ByName, shows users/1", "users/1", "Users", true },
        { "index ByName, shows users/1", "users/2", "Users", false },
        { "300 documents", "orders/1", "Orders", true },
        { "document Users", "users/1", "Users", false },
    };

    [Theory]
    [MemberData(nameof(Dependencies))]
    public void Notice_OfADocument_MakesWhatDependsOnItSuspect(string dependsOn, string id, string collection, bool isSuspect)
    {
        CachedAnswer answer = AnswerThat(dependsOn);
        Assert.Equal(AnswerState.Fresh, State(answer));
        _tracker.OnDocumentsChanged([id], collection.Length == 0 ? [] : [collection]);
        Assert.Equal(isSuspect ? AnswerState.Suspect : AnswerState.Fresh, State(answer));
    }

    [Fact]
    public void Notice_OfAnIndex_MakesItsAnswersSuspect()
    {
        CachedAnswer answer = AnswerThat("index ByName, shows users/1");
        _tracker.OnIndexChanged("ByAge");
        Assert.Equal(AnswerState.Fresh, State(answer));
        _tracker.OnIndexChanged("byname");
        Assert.Equal(AnswerState.Suspect, State(answer));
    }

    [Fact]
    public void Notice_OfACompareExchangeValue_MakesItsAnswersSuspect()
    {
        var tags = new AnswerTags();
        tags.AddCompareExchange("emails/1");
        CachedAnswer answer = Answer(tags);
        _tracker.OnCompareExchangeChanged("emails/2");
        Assert.Equal(AnswerState.Fresh, State(answer));
        _tracker.OnCompareExchangeChanged("emails/1");
        Assert.Equal(AnswerState.Suspect, State(answer));
    }

    [Fact]
    public void Notice_ThatSaysNotWhat_MakesAllSuspect()
    {
        CachedAnswer answer = AnswerThat("document users/1");
        _tracker.OnAnythingChanged();
        Assert.Equal(AnswerState.Suspect, State(answer));
        answer.Renew(_tracker.TakeStamp());
        Assert.Equal(AnswerState.Fresh, State(answer));
        _tracker.OnDocumentsChanged([], ["Orders"]);
        Assert.Equal(AnswerState.Suspect, State(answer));
    }

    [Fact]
    public void Answer_AskedBeforeTheNotice_IsSuspectThoughItArrivesAfterwards()
    {
        long stamp = _tracker.TakeStamp();
        _tracker.OnDocumentsChanged(["users/1"], ["Users"]);
        Assert.Equal(AnswerState.Suspect, State(AnswerThat("document users/1", stamp)));
        Assert.Equal(AnswerState.Fresh, State(AnswerThat("document users/1")));
    }

    [Fact]
    public void Answer_VerifiedWithoutConnection_IsUnverifiedUntilAskedAgain()
    {
        CachedAnswer before = AnswerThat("document users/1");
        _tracker.OnLost();
        CachedAnswer between = AnswerThat("document users/1");
        Assert.Equal(AnswerState.Unverified, State(before));
        Assert.Equal(AnswerState.Unverified, State(between));
        _tracker.OnConnected();
        Assert.Equal(AnswerState.Unverified, State(before));
        Assert.Equal(AnswerState.Unverified, State(between));
        between.Renew(_tracker.TakeStamp());
        Assert.Equal(AnswerState.Fresh, State(between));
    }

    [Fact]
    public void Answer_ConnectedTwiceWithoutALoss_IsUnverified()
    {
        CachedAnswer answer = AnswerThat("document users/1");
        _tracker.OnConnected();
        Assert.Equal(AnswerState.Unverified, State(answer));
    }

    [Fact]
    public void Answer_OlderThanTheScopeAccepts_IsExpired()
    {
        CachedAnswer answer = AnswerThat("document users/1");
        AggressiveCacheScope minute = CacheWorld.ScopeOf(AggressiveCacheMode.DoNotTrackChanges, TimeSpan.FromMinutes(1));
        _tracker.OnLost();
        _tracker.OnAnythingChanged();
        Assert.Equal(AnswerState.Fresh, _tracker.StateOf(answer, minute, out _));
        _clock.Advance(TimeSpan.FromMinutes(1.01));
        Assert.Equal(AnswerState.Expired, _tracker.StateOf(answer, minute, out _));
        Assert.Equal(AnswerState.Fresh, _tracker.StateOf(answer, CacheWorld.ScopeOf(AggressiveCacheMode.DoNotTrackChanges, TimeSpan.MaxValue), out _));
    }

    [Fact]
    public void OldSince_NoticeAfterTimeWithoutReads_IsItsTime()
    {
        CachedAnswer answer = AnswerThat("document users/1");
        _clock.Advance(TimeSpan.FromHours(1));
        _tracker.OnDocumentsChanged(["users/1"], ["Users"]);
        _clock.Advance(TimeSpan.FromSeconds(3));
        _tracker.StateOf(answer, s_tracking, out long oldSince);
        Assert.Equal(3, new TimeSpan(_clock.GetTimestamp() - oldSince).TotalSeconds, 3);
    }

    [Fact]
    public void OldSince_ConnectionLost_IsTheTimeOfTheLoss()
    {
        CachedAnswer answer = AnswerThat("document users/1");
        _clock.Advance(TimeSpan.FromHours(1));
        _tracker.OnLost();
        _clock.Advance(TimeSpan.FromSeconds(3));
        Assert.Equal(AnswerState.Unverified, _tracker.StateOf(answer, s_tracking, out long oldSince));
        Assert.Equal(3, new TimeSpan(_clock.GetTimestamp() - oldSince).TotalSeconds, 3);
    }

    [Fact]
    public void OldSince_VerifiedWithoutConnection_IsThatTimeWhateverIsToldLater()
    {
        _tracker.OnLost();
        CachedAnswer answer = AnswerThat("document users/1");
        _clock.Advance(TimeSpan.FromHours(1));
        _tracker.OnConnected();
        _tracker.OnDocumentsChanged(["users/1"], ["Users"]);
        Assert.Equal(AnswerState.Unverified, _tracker.StateOf(answer, s_tracking, out long oldSince));
        Assert.Equal(answer.Stamp, oldSince);
    }

    [Fact]
    public async Task WhenConnected_LostAndBack_WaitsForTheNextConnection()
    {
        Assert.True(_tracker.WhenConnected.IsCompletedSuccessfully);
        _tracker.OnLost();
        _tracker.OnLost();
        Task connected = _tracker.WhenConnected;
        Assert.False(connected.IsCompleted);
        _tracker.OnConnected();
        await connected.WaitAsync(TimeSpan.FromSeconds(20));
    }

    [Fact]
    public void StateOf_WhileAnotherThreadMarks_NeverMissesAFinishedNotice()
    {
        const int notices = 200_000;
        CachedAnswer answer = AnswerThat("document users/1");
        int begun = 0;
        int finished = 0;
        var writer = new Thread(() =>
        {
            for (int i = 1; i <= notices; i++)
            {
                Volatile.Write(ref begun, i);
                _tracker.OnDocumentsChanged([i % 8 == 0 ? "users/1" : "users/2"], ["Users"]);
                Volatile.Write(ref finished, i);
            }
        });
        writer.Start();
        int verifiedAt = 0;
        int processed;
        do
        {
            processed = Volatile.Read(ref finished);
            if (State(answer) == AnswerState.Fresh)
            {
                Assert.False(verifiedAt / 8 < processed / 8, $"{processed} notices are processed, the answer was verified after {verifiedAt}, and is fresh");
            }
            else
            {
                answer.Renew(_tracker.TakeStamp());
                verifiedAt = Volatile.Read(ref begun);
            }
        }
        while (processed < notices);

        writer.Join();
    }

    private AnswerState State(CachedAnswer answer) => _tracker.StateOf(answer, s_tracking, out _);

    private CachedAnswer AnswerThat(string dependsOn, long? stamp = null)
    {
        var tags = new AnswerTags();
        foreach (string part in dependsOn.Split(", "))
        {
            string name = part[(part.IndexOf(' ', StringComparison.Ordinal) + 1)..];
            switch (part.Split(' ')[0])
            {
                case "collection":
                    tags.AddCollection(name);
                    break;
                case "index":
                    tags.AddIndex(name);
                    break;
                case "all":
                    tags.AddAllDocuments();
                    break;
                case "300":
                    Enumerable.Range(0, 300).ToList().ForEach(i => tags.AddDocument("users/" + i));
                    break;
                default:
                    tags.AddDocument(name);
                    break;
            }
        }

        return Answer(tags, stamp);
    }

    private CachedAnswer Answer(AnswerTags tags, long? stamp = null) =>
        new(new RequestAnswer(200, default, "e"), tags.ToArray(), stamp ?? _tracker.TakeStamp());
}
