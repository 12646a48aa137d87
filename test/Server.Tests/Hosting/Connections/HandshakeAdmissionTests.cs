using System.Net;
using Jackdaw.Server.Hosting.Connections;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Hosting.Connections;

public sealed class HandshakeAdmissionTests : IDisposable
{
    private static readonly IPAddress s_one = IPAddress.Parse("10.0.0.1");
    private static readonly IPAddress s_two = IPAddress.Parse("10.0.0.2");

    private readonly ManualTime _time = new();
    private HandshakeAdmission? _admission;

    public void Dispose() => _admission?.Dispose();

    [Fact]
    public void TryAdmit_ManyOfOneSender_LeavesRoomForOthers()
    {
        HandshakeAdmission admission = Make(new HandshakeLimits { PendingOfSenderMax = 2, PendingMax = 3 });
        HandshakeLease first = admission.TryAdmit(s_one)!;
        Assert.NotNull(admission.TryAdmit(s_one));
        Assert.Null(admission.TryAdmit(s_one));
        Assert.NotNull(admission.TryAdmit(s_two));
        Assert.Null(admission.TryAdmit(s_two));
        first.Dispose();
        Assert.NotNull(admission.TryAdmit(s_one));
    }

    [Fact]
    public void Dispose_Twice_GivesOnePlaceBack()
    {
        HandshakeAdmission admission = Make(new HandshakeLimits());
        HandshakeLease lease = admission.TryAdmit(s_one)!;
        Assert.NotNull(admission.TryAdmit(s_one));
        lease.Dispose();
        lease.Dispose();
        Assert.Equal(1, admission.Pending);
    }

    [Fact]
    public async Task Begin_MoreThanTheBurst_WaitsForItsSecond()
    {
        HandshakeAdmission admission = Make(new HandshakeLimits { BurstOfSender = 2, PerSecondOfSender = 1 });
        Assert.True(await admission.TryAdmit(s_one)!.BeginAsync(default));
        Assert.True(await admission.TryAdmit(s_one)!.BeginAsync(default));
        Task<bool> third = admission.TryAdmit(s_one)!.BeginAsync(default).AsTask();
        Assert.False(third.IsCompleted);
        Assert.True(await admission.TryAdmit(s_two)!.BeginAsync(default));
        _time.Advance(TimeSpan.FromSeconds(1));
        Assert.True(await third);
    }

    [Fact]
    public async Task Begin_WaitLongerThanAHandshakeMayTake_IsRefusedAtOnce()
    {
        HandshakeAdmission admission = Make(new HandshakeLimits { BurstOfSender = 1, PerSecondOfSender = 0.1 });
        Assert.True(await admission.TryAdmit(s_one)!.BeginAsync(default));
        Assert.False(await admission.TryAdmit(s_one)!.BeginAsync(default));
        _time.Advance(TimeSpan.FromSeconds(10));
        Assert.True(await admission.TryAdmit(s_one)!.BeginAsync(default));
    }

    [Fact]
    public async Task Begin_ManySenders_ShareTheRateOfAll()
    {
        HandshakeAdmission admission = Make(new HandshakeLimits { Burst = 1, PerSecond = 0.1 });
        Assert.True(await admission.TryAdmit(s_one)!.BeginAsync(default));
        Assert.False(await admission.TryAdmit(s_two)!.BeginAsync(default));
    }

    [Fact]
    public async Task Finish_KnownClient_IsNotCounted()
    {
        HandshakeAdmission admission = Make(new HandshakeLimits { BurstOfSender = 1, PerSecondOfSender = 0.01, UnknownMax = 0 });
        for (int i = 0; i < 10; i++)
        {
            HandshakeLease lease = admission.TryAdmit(s_one)!;
            Assert.True(await lease.BeginAsync(default));
            Assert.True(lease.TryFinish(isKnown: true));
        }

        Assert.Equal(0, admission.Pending);
    }

    [Fact]
    public async Task Finish_UnknownClients_KeepAtMostTheirShareOfConnections()
    {
        HandshakeAdmission admission = Make(new HandshakeLimits { UnknownOfSenderMax = 1, UnknownMax = 2 });
        HandshakeLease first = await FinishAsync(admission, s_one, expected: true);
        await FinishAsync(admission, s_one, expected: false);
        await FinishAsync(admission, s_two, expected: true);
        await FinishAsync(admission, IPAddress.Parse("10.0.0.3"), expected: false);
        first.Dispose();
        await FinishAsync(admission, s_one, expected: true);
    }

    [Fact]
    public async Task Begin_MoreAtOnceThanMayRun_WaitsForAPlace()
    {
        HandshakeAdmission admission = Make(new HandshakeLimits { RunningOfSenderMax = 1, RunningMax = 2 });
        HandshakeLease first = admission.TryAdmit(s_one)!;
        Assert.True(await first.BeginAsync(default));
        Task<bool> second = admission.TryAdmit(s_one)!.BeginAsync(default).AsTask();
        Assert.False(second.IsCompleted);
        Assert.True(await admission.TryAdmit(s_two)!.BeginAsync(default));
        using var limit = new CancellationTokenSource();
        Task<bool> third = admission.TryAdmit(IPAddress.Parse("10.0.0.3"))!.BeginAsync(limit.Token).AsTask();
        Assert.False(third.IsCompleted);
        await limit.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => third);
        first.Dispose();
        Assert.True(await second);
    }

    [Fact]
    public void Senders_MoreThanAreToldApart_ShareOnePlace()
    {
        HandshakeAdmission admission = Make(new HandshakeLimits { SendersMax = 2, PendingOfSenderMax = 1 });
        Assert.NotNull(admission.TryAdmit(s_one));
        Assert.NotNull(admission.TryAdmit(s_two));
        Assert.NotNull(admission.TryAdmit(IPAddress.Parse("10.0.0.3")));
        Assert.Null(admission.TryAdmit(IPAddress.Parse("10.0.0.4")));
        Assert.Equal(2, admission.SenderCount);
    }

    [Fact]
    public void Senders_ThatAreGone_AreForgotten()
    {
        HandshakeAdmission admission = Make(new HandshakeLimits { SendersMax = 2 });
        admission.TryAdmit(s_one)!.Dispose();
        HandshakeLease stays = admission.TryAdmit(s_two)!;
        _time.Advance(TimeSpan.FromMinutes(1));
        admission.TryAdmit(IPAddress.Parse("10.0.0.3"))!.Dispose();
        Assert.Equal(2, admission.SenderCount);
        stays.Dispose();
    }

    private static async Task<HandshakeLease> FinishAsync(HandshakeAdmission admission, IPAddress address, bool expected)
    {
        HandshakeLease lease = admission.TryAdmit(address)!;
        Assert.True(await lease.BeginAsync(default));
        Assert.Equal(expected, lease.TryFinish(isKnown: false));
        return lease;
    }

    private HandshakeAdmission Make(HandshakeLimits limits) => _admission = new HandshakeAdmission(_time, limits);
}
