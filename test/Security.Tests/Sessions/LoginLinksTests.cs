using Jackdaw.Security.Callers;
using Jackdaw.Security.Sessions;

namespace Jackdaw.Security.Tests.Sessions;

public sealed class LoginLinksTests : IDisposable
{
    private readonly GrantingCertificate _admin = new();
    private readonly LoginLinks _links;

    public LoginLinksTests() => _links = new LoginLinks(_admin.Time);

    public void Dispose() => _admin.Dispose();

    [Fact]
    public void Link_WorksOnce()
    {
        SessionGrant grant = _admin.Grant();
        string secret = _links.TryMake(grant, out LoginLink link)!;

        Assert.Equal(22, secret.Length); // 128 bits
        Assert.Equal(_admin.Time.GetUtcNow() + LoginLinks.Validity, link.Expires);
        Assert.Same(grant, _links.Take(secret));
        Assert.Null(_links.Take(secret));
        Assert.Equal(0, _links.Count);
    }

    [Fact]
    public void Link_TakenBySixteenAtOnce_WorksForOne()
    {
        for (int round = 0; round < 50; round++)
        {
            string secret = _links.TryMake(_admin.Grant(), out _)!;
            int taken = 0;
            Parallel.For(0, 16, new ParallelOptions { MaxDegreeOfParallelism = 16 }, _ =>
            {
                if (_links.Take(secret) is not null)
                {
                    Interlocked.Increment(ref taken);
                }
            });
            Assert.Equal(1, taken);
        }
    }

    [Fact]
    public void Link_AfterFiveMinutes_DoesNotWork()
    {
        string secret = _links.TryMake(_admin.Grant(), out _)!;
        _admin.Time.Advance(LoginLinks.Validity - TimeSpan.FromSeconds(1));
        string second = _links.TryMake(_admin.Grant(), out _)!;
        _admin.Time.Advance(TimeSpan.FromSeconds(1));

        Assert.Null(_links.Take(secret));
        Assert.NotNull(_links.Take(second));
    }

    [Fact]
    public void Link_WhoseCertificateIsGone_DoesNotWork()
    {
        string secret = _links.TryMake(_admin.Grant(), out _)!;
        _admin.Registry.Delete(_admin.Certificate.Thumbprint);

        Assert.Null(_links.Take(secret));
        Assert.Null(SessionGrant.TryMake(_admin.Caller, new Grants(Clearance.ClusterAdmin)));
    }

    [Fact]
    public void Links_ThatWait_AreListedWithoutTheirSecrets()
    {
        string secret = _links.TryMake(_admin.Grant(), out LoginLink first)!;
        _admin.Time.Advance(TimeSpan.FromMinutes(1));
        _links.TryMake(_admin.Grant(Clearance.Operator), out LoginLink second);

        Assert.Equal([first, second], _links.All);
        Assert.NotEqual(first.Mark, second.Mark);
        Assert.DoesNotContain(first.Mark, secret, StringComparison.Ordinal);
        _links.Take(secret);
        Assert.Equal([second], _links.All);
        _admin.Time.Advance(LoginLinks.Validity);
        Assert.Empty(_links.All);
    }

    [Fact]
    public void Links_OfACertificateThatIsGone_AreNotListed()
    {
        _links.TryMake(_admin.Grant(), out _);
        _admin.Registry.Delete(_admin.Certificate.Thumbprint);

        Assert.Empty(_links.All);
    }

    [Fact]
    public void Link_ThatIsWithdrawn_DoesNotWork()
    {
        string secret = _links.TryMake(_admin.Grant(), out LoginLink link)!;
        string other = _links.TryMake(_admin.Grant(), out _)!;

        Assert.Same(link, _links.Withdraw(link.Mark));
        Assert.Null(_links.Withdraw(link.Mark));
        Assert.Null(_links.Take(secret));
        Assert.NotNull(_links.Take(other));
    }

    [Theory]
    [InlineData("")]
    [InlineData("AAAAAAAAAAAAAAAAAAAAAA")]
    [InlineData("\ud800")]
    public void Link_ThatNobodyMade_DoesNotWork(string secret) => Assert.Null(_links.Take(secret));

    [Fact]
    public void Links_BeyondTheLimit_AreRefusedUntilSomeExpire()
    {
        for (int i = 0; i < LoginLinks.LinksMax; i++)
        {
            Assert.NotNull(_links.TryMake(_admin.Grant(), out _));
        }

        Assert.Null(_links.TryMake(_admin.Grant(), out _));
        _admin.Time.Advance(LoginLinks.Validity);
        Assert.NotNull(_links.TryMake(_admin.Grant(), out _));
        Assert.Equal(1, _links.Count);
    }
}
