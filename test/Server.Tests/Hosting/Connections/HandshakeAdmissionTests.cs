using System.Net;
using Jackdaw.Server.Hosting.Connections;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Hosting.Connections;

public sealed class HandshakeAdmissionTests
{
    private static readonly IPAddress s_one = IPAddress.Parse("10.0.0.1");
    private static readonly IPAddress s_two = IPAddress.Parse("10.0.0.2");

    private readonly ManualTime _time = new();
    private readonly List<string> _ended = [];

    [Fact]
    public void Admit_MoreThanOneSenderMayHave_EndsItsOldest()
    {
        HandshakeAdmission admission = Make(new HandshakeLimits { PendingOfSenderMax = 2, PendingMax = 10 });
        Admit(admission, s_two, "other");
        Admit(admission, s_one, "first");
        HandshakeLease second = Admit(admission, s_one, "second");
        Admit(admission, s_one, "third");
        Assert.Equal(["first"], _ended);
        second.Dispose();
        Admit(admission, s_one, "fourth");
        Assert.Equal(["first"], _ended);
        Assert.Equal(3, admission.Pending);
    }

    [Fact]
    public void Admit_MoreThanAllMayHave_EndsTheOldestOfAll()
    {
        HandshakeAdmission admission = Make(new HandshakeLimits { PendingOfSenderMax = 5, PendingMax = 2 });
        Admit(admission, s_two, "first");
        Admit(admission, s_one, "second");
        Admit(admission, s_one, "third");
        Assert.Equal(["first"], _ended);
        Assert.Equal(2, admission.Pending);
    }

    [Fact]
    public void Finish_ConnectionThatWasEnded_DoesNotCount()
    {
        HandshakeAdmission admission = Make(new HandshakeLimits { PendingOfSenderMax = 1 });
        HandshakeLease first = Admit(admission, s_one, "first");
        HandshakeLease second = Admit(admission, s_one, "second");
        Assert.False(first.TryFinish(isKnown: true));
        first.Dispose();
        Assert.Equal(1, admission.Pending);
        Assert.True(second.TryFinish(isKnown: true));
        second.Dispose();
        second.Dispose();
        Assert.Equal(0, admission.Pending);
    }

    [Fact]
    public async Task Begin_MoreThanTheBurst_WaitsForItsSecond()
    {
        HandshakeAdmission admission = Make(new HandshakeLimits { BurstOfSender = 2, PerSecondOfSender = 1 });
        Assert.True(await Admit(admission, s_one).BeginAsync(default));
        Assert.True(await Admit(admission, s_one).BeginAsync(default));
        Task<bool> third = Admit(admission, s_one).BeginAsync(default).AsTask();
        Assert.False(third.IsCompleted);
        Assert.True(await Admit(admission, s_two).BeginAsync(default));
        _time.Advance(TimeSpan.FromSeconds(1));
        Assert.True(await third);
    }

    [Fact]
    public async Task Begin_WaitLongerThanAHandshakeMayTake_IsRefusedAtOnce()
    {
        HandshakeAdmission admission = Make(new HandshakeLimits { BurstOfSender = 1, PerSecondOfSender = 0.1 });
        Assert.True(await Admit(admission, s_one).BeginAsync(default));
        Assert.False(await Admit(admission, s_one).BeginAsync(default));
        _time.Advance(TimeSpan.FromSeconds(10));
        Assert.True(await Admit(admission, s_one).BeginAsync(default));
    }

    [Fact]
    public async Task Begin_ManySenders_ShareTheRateOfAll()
    {
        HandshakeAdmission admission = Make(new HandshakeLimits { Burst = 1, PerSecond = 0.1 });
        Assert.True(await Admit(admission, s_one).BeginAsync(default));
        Assert.False(await Admit(admission, s_two).BeginAsync(default));
    }

    [Fact]
    public async Task Begin_FromWhereAKnownClientWas_DoesNotWaitForStrangers()
    {
        HandshakeAdmission admission = Make(new HandshakeLimits { Burst = 1, PerSecond = 0.1 });
        HandshakeLease known = Admit(admission, s_one);
        Assert.True(await known.BeginAsync(default));
        Assert.True(known.TryFinish(isKnown: true));
        Assert.True(await Admit(admission, s_two).BeginAsync(default));
        Assert.False(await Admit(admission, IPAddress.Parse("10.0.0.3")).BeginAsync(default));
        Assert.True(await Admit(admission, s_one).BeginAsync(default));
    }

    [Fact]
    public async Task Finish_KnownClient_IsNotCounted()
    {
        HandshakeAdmission admission = Make(new HandshakeLimits { BurstOfSender = 1, PerSecondOfSender = 0.01, UnknownMax = 0 });
        for (int i = 0; i < 10; i++)
        {
            HandshakeLease lease = Admit(admission, s_one);
            Assert.True(await lease.BeginAsync(default));
            Assert.True(lease.TryFinish(isKnown: true));
        }

        Assert.Equal(0, admission.Pending);
    }

    [Fact]
    public void Finish_UnknownClients_KeepAtMostTheirShareOfConnections()
    {
        HandshakeAdmission admission = Make(new HandshakeLimits { UnknownOfSenderMax = 1, UnknownMax = 2 });
        Assert.True(Admit(admission, s_one, "known").TryFinish(isKnown: true));
        Assert.True(Admit(admission, s_one, "first").TryFinish(isKnown: false));
        Assert.True(Admit(admission, s_two, "other").TryFinish(isKnown: false));
        Assert.Empty(_ended);
        Assert.True(Admit(admission, s_one, "second").TryFinish(isKnown: false));
        Assert.Equal(["first"], _ended);
        Assert.True(Admit(admission, IPAddress.Parse("10.0.0.3"), "third").TryFinish(isKnown: false));
        Assert.Equal(["first", "other"], _ended);
    }

    [Fact]
    public void Senders_MoreThanAreToldApart_ShareOnePlace()
    {
        HandshakeAdmission admission = Make(new HandshakeLimits { SendersMax = 2, PendingOfSenderMax = 1 });
        Admit(admission, s_one, "first");
        Admit(admission, s_two, "second");
        Admit(admission, IPAddress.Parse("10.0.0.3"), "third");
        Admit(admission, IPAddress.Parse("10.0.0.4"), "fourth");
        Assert.Equal(["third"], _ended);
        Assert.Equal(2, admission.SenderCount);
    }

    /// <summary>Strangers with many addresses must not take the place of clients that are known.</summary>
    [Fact]
    public async Task Senders_ManyStrangers_DoNotTakeAwayWhatAKnownClientHas()
    {
        HandshakeAdmission admission = Make(new HandshakeLimits { SendersMax = 4, Burst = 1, PerSecond = 0.01 });
        using (HandshakeLease known = Admit(admission, s_one))
        {
            Assert.True(await known.BeginAsync(default));
            Assert.True(known.TryFinish(isKnown: true));
        }

        for (int i = 0; i < 40; i++)
        {
            _time.Advance(TimeSpan.FromSeconds(2));
            Admit(admission, IPAddress.Parse($"10.1.{i}.1")).Dispose();
        }

        using HandshakeLease stranger = Admit(admission, s_two), again = Admit(admission, s_one);
        await stranger.BeginAsync(default); // takes what is left of the rate of all
        Task<bool> begun = again.BeginAsync(default).AsTask();
        Assert.True(begun.IsCompleted && await begun);
    }

    [Fact]
    public void Senders_ThatAreGone_AreForgotten()
    {
        HandshakeAdmission admission = Make(new HandshakeLimits { SendersMax = 2 });
        Admit(admission, s_one).Dispose();
        HandshakeLease stays = Admit(admission, s_two);
        _time.Advance(TimeSpan.FromMinutes(1));
        Admit(admission, IPAddress.Parse("10.0.0.3")).Dispose();
        Assert.Equal(2, admission.SenderCount);
        stays.Dispose();
    }

    private HandshakeLease Admit(HandshakeAdmission admission, IPAddress address, string name = "") => admission.Admit(address, () => _ended.Add(name));

    private HandshakeAdmission Make(HandshakeLimits limits) => new(_time, limits);
}
