using System.Net;
using Jackdaw.Documents.Callers;
using Jackdaw.Security.Callers;
using Jackdaw.Security.Sessions;

namespace Jackdaw.Security.Tests.Sessions;

public sealed class BrowserSessionsTests : IDisposable
{
    private readonly GrantingCertificate _admin = new();
    private readonly BrowserSessions _sessions;

    public BrowserSessionsTests() => _sessions = new BrowserSessions(_admin.Time);

    public void Dispose() => _admin.Dispose();

    [Fact]
    public void Session_OpensWhatItsGrantOpens()
    {
        BrowserSession session = _sessions.TryBegin(_admin.GrantOf("Orders", DatabasePermission.ReadWrite), out string id)!;

        Assert.Same(session, Use(id));
        Assert.True(session.Caller.May(Access.ReadWrite, "orders"));
        Assert.False(session.Caller.May(Access.Admin, "orders"));
        Assert.False(session.Caller.May(Access.Read, "other"));
        AccessDeniedException denied = Assert.Throws<AccessDeniedException>(() => session.Caller.Demand(Access.Admin, "Orders", "X"));
        Assert.Contains("jackdaw login-link --database=Orders", denied.Message, StringComparison.Ordinal);
        Assert.Contains(session.Mark, denied.Message, StringComparison.Ordinal);
        Assert.DoesNotContain(id, denied.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Id_HasRandomBitsAndIsUnknownToOthers()
    {
        _sessions.TryBegin(_admin.Grant(), out string first);
        _sessions.TryBegin(_admin.Grant(), out string second);

        Assert.Equal(43, first.Length); // 256 bits
        Assert.NotEqual(first, second);
        Assert.Null(Use(""));
        Assert.Null(Use(first.Remove(first.Length - 1)));
        Assert.Null(Use(first + "A"));
        Assert.Null(Use(new string('x', 100_000)));
    }

    [Fact]
    public void Session_IsListedUntilItIsOver_WithItsLastUse()
    {
        var first = IPAddress.Parse("10.0.0.1");
        var second = IPAddress.Parse("10.0.0.2");
        BrowserSession session = _sessions.TryBegin(_admin.Grant(), out _, first)!;
        DateTimeOffset began = _admin.Time.GetUtcNow();
        Assert.Equal((began, first), session.LastUse);
        _admin.Time.Advance(TimeSpan.FromMinutes(7));
        session.Use(second);
        session.Use(); // an address that is not known leaves the last one

        Assert.Equal([session], _sessions.All);
        Assert.Equal((began.AddMinutes(7), second), session.LastUse);
        Assert.Equal(began, session.Created);
        session.End();
        Assert.Empty(_sessions.All);
    }

    [Fact]
    public void Session_OfALinkWithALifeTime_IsOverThen()
    {
        SessionGrant grant = SessionGrant.TryMake(_admin.Caller, new Grants(Clearance.ClusterAdmin), TimeSpan.FromMinutes(15))!;
        BrowserSession session = _sessions.TryBegin(grant, out _)!;

        Assert.Equal(_admin.Time.GetUtcNow().AddMinutes(15), session.Expires);
        _admin.Time.Advance(TimeSpan.FromMinutes(14));
        Assert.True(session.IsAlive);
        session.Use();
        _admin.Time.Advance(TimeSpan.FromMinutes(1));
        Assert.False(session.IsAlive);
    }

    [Fact]
    public void Session_WithoutARequestForAnHour_IsOver()
    {
        BrowserSession session = _sessions.TryBegin(_admin.Grant(), out string id)!;
        _admin.Time.Advance(TimeSpan.FromMinutes(59));
        Assert.NotNull(Use(id));
        _admin.Time.Advance(TimeSpan.FromMinutes(59));
        Assert.NotNull(Use(id));
        _admin.Time.Advance(TimeSpan.FromHours(1));
        Assert.False(session.Caller.May(Access.ValidUser, ""));
        Assert.Null(Use(id));
    }

    [Fact]
    public void Session_AfterTwelveHours_IsOverHoweverBusy()
    {
        BrowserSession session = _sessions.TryBegin(_admin.Grant(), out string id)!;
        for (int i = 0; i < 23; i++)
        {
            _admin.Time.Advance(TimeSpan.FromMinutes(30));
            Assert.NotNull(Use(id));
        }

        _admin.Time.Advance(TimeSpan.FromMinutes(30));
        Assert.False(session.Caller.May(Access.ValidUser, ""));
        Assert.Null(Use(id));
    }

    [Fact]
    public void Session_ThatWasEnded_OpensNothingForAnybodyWhoHoldsIt()
    {
        BrowserSession session = _sessions.TryBegin(_admin.Grant(), out string id)!;
        Assert.True(session.End());
        Assert.False(session.End());
        Assert.False(session.Caller.May(Access.ValidUser, ""));
        Assert.True(session.Caller.May(Access.Anonymous, ""));
        Assert.Null(Use(id));
        AccessDeniedException denied = Assert.Throws<AccessDeniedException>(() => session.Caller.Demand(Access.ValidUser, "", "X"));
        Assert.Contains("jackdaw login-link", denied.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("delete")]
    [InlineData("lower")]
    [InlineData("rename")]
    [InlineData("replace")]
    public void Session_WhoseCertificateWasChanged_IsOver(string change)
    {
        BrowserSession session = _sessions.TryBegin(_admin.Grant(Clearance.Operator), out string id)!;
        Assert.True(session.Caller.May(Access.Operator, ""));
        string thumbprint = _admin.Certificate.Thumbprint;
        _ = change switch
        {
            "delete" => _admin.Registry.Delete(thumbprint),
            "lower" => _admin.Registry.Edit(thumbprint, "admin", new Grants(Clearance.ValidUser)),
            "rename" => _admin.Registry.Edit(thumbprint, "another", new Grants(Clearance.ClusterAdmin)),
            _ => Put(new Grants(Clearance.Operator)),
        };

        Assert.False(session.Caller.May(Access.ValidUser, ""));
        Assert.Null(Use(id));

        object? Put(Grants grants)
        {
            _admin.Registry.Put(Jackdaw.Security.Certificates.KnownCertificate.From(_admin.Certificate, "admin", grants));
            return null;
        }
    }

    [Fact]
    public void Session_WhenAnotherCertificateIsChanged_GoesOn()
    {
        _sessions.TryBegin(_admin.Grant(), out string id);
        _admin.Registry.Edit(_admin.Other, "new name", new Grants(Clearance.Operator));
        _admin.Registry.Delete(_admin.Other);

        Assert.NotNull(Use(id));
    }

    [Fact]
    public void Sessions_BeyondTheLimit_AreRefusedUntilSomeAreOver()
    {
        for (int i = 0; i < BrowserSessions.SessionsMax; i++)
        {
            Assert.NotNull(_sessions.TryBegin(_admin.Grant(), out _));
        }

        Assert.Null(_sessions.TryBegin(_admin.Grant(), out string refused));
        Assert.Null(Use(refused));
        _admin.Time.Advance(TimeSpan.FromHours(1));
        Assert.NotNull(_sessions.TryBegin(_admin.Grant(), out _));
        Assert.Equal(1, _sessions.Count);
    }

    [Fact]
    public void Time_TheLongerOfBothClocksCounts()
    {
        var time = new TwoClocks();
        var since = TimeSince.Start(time);
        time.Date += TimeSpan.FromHours(2); // the machine slept
        Assert.Equal(TimeSpan.FromHours(2), since.Elapsed(time));
        time.Date -= TimeSpan.FromHours(5); // somebody set the clock back
        time.Measured = TimeSpan.FromHours(3);
        Assert.Equal(TimeSpan.FromHours(3), since.Elapsed(time));
    }

    private sealed class TwoClocks : TimeProvider
    {
        public DateTimeOffset Date { get; set; } = DateTimeOffset.UnixEpoch;

        public TimeSpan Measured { get; set; }

        public override long TimestampFrequency => TimeSpan.TicksPerSecond;

        public override DateTimeOffset GetUtcNow() => Date;

        public override long GetTimestamp() => Measured.Ticks;
    }

    private BrowserSession? Use(string id)
    {
        BrowserSession? session = _sessions.Find(id);
        session?.Use();
        return session;
    }
}
