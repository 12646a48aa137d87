using Jackdaw.Client.Conventions;
using Xunit.Abstractions;

namespace Jackdaw.Client.Tests.Caching;

/// <summary>Every order of the steps of small scenarios. What is promised is checked by <see cref="CacheWorld"/> at each step, and again when all is
/// quiet.</summary>
public sealed class CacheOrderTests(ITestOutputHelper output)
{
    private const string Document = "doc a/1";

    public static TheoryData<string> Questions => [.. ModelServer.Questions];

    [Theory]
    [MemberData(nameof(Questions))]
    public void Read_NoticeBeforeOrAfterTheResponse_NeverOlderThanNotices(string question) => TryAll(world =>
    {
        Warm(world, question);
        world.Add("write", world.WriteOfOthers(server => server.Put("a/1", 7, "b/1")));
        world.Add("notice", world.Notices(1));
        world.Add("read1", world.Read(question, Tracking));
        world.Add("read2", world.Read(question, Tracking));
    });

    [Theory]
    [MemberData(nameof(Questions))]
    public void Read_FirstOneWhileDocumentsComeAndGo_NeverOlderThanNotices(string question) => TryAll(world =>
    {
        Connect(world);
        world.Add("create", world.WriteOfOthers(server => server.Put("b/1", 9, "")));
        world.Add("delete", world.WriteOfOthers(server => server.Delete("a/2")));
        world.Add("index", world.WriteOfOthers(server => server.RunIndex()));
        world.Add("notices", world.Notices(2));
        world.Add("read", world.Read(question, Tracking));
    });

    [Theory]
    [InlineData(AggressiveCacheMode.TrackChanges, true)]
    [InlineData(AggressiveCacheMode.TrackChanges, false)]
    [InlineData(AggressiveCacheMode.DoNotTrackChanges, true)]
    [InlineData(AggressiveCacheMode.DoNotTrackChanges, false)]
    [InlineData(AggressiveCacheMode.BackgroundRefresh, true)]
    public void Read_OwnWriteInFlight_SeesItOnceItIsAnswered(AggressiveCacheMode mode, bool knowsCollection)
    {
        foreach (string question in new[] { Document, "doc+ref a/2", "from A", "from @all_docs" })
        {
            TryAll(world =>
            {
                Warm(world, question);
                world.Add("write", world.OwnWrite("a/1", server => server.Put("a/1", 8, ""), knowsCollection));
                world.Add("read1", world.Read(question, CacheWorld.ScopeOf(mode)));
                world.Add("read2", world.Read(question, CacheWorld.ScopeOf(mode)));
            });
        }
    }

    [Fact]
    public void Read_ConnectionLostAndBack_NeverServesWhatAGapMayHide() => TryAll(world =>
    {
        Warm(world, Document);
        world.Add("connection", Then(world.Lose(), world.Connect()));
        world.Add("write", world.WriteOfOthers(server => server.Put("a/1", 7, "")));
        world.Add("reads", Then(world.Read(Document, Tracking), world.Read(Document, Tracking)));
    });

    [Fact]
    public void Read_EvictionInBetween_NeverOlderThanNotices() => TryAll(world =>
    {
        Warm(world, Document);
        world.Add("evict", world.Evict());
        world.Add("write", world.WriteOfOthers(server => server.Put("a/1", 7, "")));
        world.Add("notice", world.Notices(1));
        world.Add("read1", world.Read(Document, Tracking));
        world.Add("read2", world.Read(Document, Tracking));
    });

    [Fact]
    public void Read_RefreshInFlightAndNotice_KeepsItsBounds() => TryAll(world =>
    {
        Suspect(world);
        world.Add("behind", world.Read(Document, Behind));
        world.Add("write", world.WriteOfOthers(server => server.Put("a/1", 8, "")));
        world.Add("notice", world.Notices(1));
        world.Add("read", world.Read(Document, Tracking));
    });

    [Fact]
    public void Read_RefreshInFlightAndOwnWrite_KeepsItsBounds() => TryAll(world =>
    {
        Suspect(world);
        world.Add("behind", world.Read(Document, Behind));
        world.Add("own", world.OwnWrite("a/1", server => server.Put("a/1", 8, "")));
        world.Add("read", world.Read(Document, Behind));
    });

    [Fact]
    public void Read_RefreshInFlightAndConnectionLost_KeepsItsBounds() => TryAll(world =>
    {
        Suspect(world);
        world.Add("behind", world.Read(Document, Behind));
        world.Add("connection", Then(world.Lose(), Then(world.WriteOfOthers(server => server.Put("a/1", 8, "")), world.Connect())));
        world.Add("read", world.Read(Document, Tracking));
    });

    [Fact]
    public void Read_RefreshInFlightAndEvictionAndTime_KeepsItsBounds() => TryAll(world =>
    {
        Suspect(world);
        world.Add("behind", world.Read(Document, Behind));
        world.Add("evict", world.Evict());
        world.Add("time", world.Pass(TimeSpan.FromSeconds(6)));
        world.Add("read", world.Read(Document, Behind));
    });

    private static Jackdaw.Client.Caching.AggressiveCacheScope Behind => CacheWorld.ScopeOf(AggressiveCacheMode.BackgroundRefresh);

    private static Jackdaw.Client.Caching.AggressiveCacheScope Tracking => CacheWorld.ScopeOf(AggressiveCacheMode.TrackChanges);

    private static void Connect(CacheWorld world)
    {
        world.Server.Put("a/1", 1, "b/1");
        world.Server.Put("a/2", 6, "a/1");
        world.Server.RunIndex();
        world.Add("connect", world.Connect());
        world.Run(_ => 0);
    }

    private static void Warm(CacheWorld world, string question)
    {
        Connect(world);
        world.Add("warm", world.Read(question, Tracking));
        world.Run(_ => 0);
    }

    // An answer is kept, and a notice has said that it is old.
    private static void Suspect(CacheWorld world)
    {
        Warm(world, Document);
        world.Server.Put("a/1", 7, "");
        world.ProcessAll();
    }

    private static IEnumerable<Func<bool>> Then(IEnumerable<Func<bool>> first, IEnumerable<Func<bool>> second)
    {
        foreach (Func<bool> step in first)
        {
            yield return step;
        }

        yield return () => true;
        foreach (Func<bool> step in second)
        {
            yield return step;
        }
    }

    private void TryAll(Action<CacheWorld> build)
    {
        int served = 0;
        int orders = AllOrders.Try(choose =>
        {
            using var world = new CacheWorld();
            build(world);
            world.Run(choose);
            if (world.IsConnected)
            {
                world.ProcessAll();
                world.CheckAllCurrent(Tracking);
            }

            served += world.Served;
        });
        output.WriteLine($"{orders} orders, {served} reads without a request");
        Assert.True(orders > 10, "the scenario has no orders to try");
    }
}
