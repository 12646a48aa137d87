using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using Jackdaw.Security.Callers;
using Jackdaw.Security.Certificates;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Security;

/// <summary>Certificates that look like known ones, over real handshakes: the list decides, not the chain.</summary>
public sealed class CertificateJudgementTests : IAsyncLifetime
{
    private const string Path = "/databases/db1/stats";

    private readonly ManualTime _time = new();
    private readonly ECDsa _key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
    private SecuredFixture _server = null!;
    private X509Certificate2 _ann = null!;

    public async Task InitializeAsync()
    {
        _time.Advance(SampleAuthority.Start.AddYears(5) - DateTimeOffset.UnixEpoch);
        _server = await SecuredFixture.StartAsync(new ServerSetup { Time = _time, LeftOut = ["indexes"] });
        _ann = _server.Issue("ann", _key);
        _server.Registry.Put(KnownCertificate.From(_ann, "Ann", new Grants(Clearance.ValidUser, [new("db1", DatabasePermission.Read)])));
    }

    public async Task DisposeAsync()
    {
        await _server.DisposeAsync();
        _ann.Dispose();
        _key.Dispose();
    }

    [Fact]
    public async Task Known_GetsIn() => Assert.Equal(200, (await _server.SendAsync(_ann, "GET", Path)).Status);

    [Fact]
    public async Task OfAnotherAuthorityWithTheSameName_IsUnknown()
    {
        using var other = new SampleAuthority(_server.Keys.Authority.Certificate.GetNameInfo(X509NameType.SimpleName, false));
        using X509Certificate2 copy = other.Issue("ann");
        (await _server.SendAsync(copy, "GET", Path)).AssertProblem(403, "InvalidAuth", $"does not know the certificate 'CN=ann' (thumbprint {copy.Thumbprint}");
    }

    [Fact]
    public async Task SelfSignedCopyWithEqualNames_IsUnknown()
    {
        using X509Certificate2 copy = SampleAuthority.Forge("ann", _server.Keys.Authority.Certificate.GetNameInfo(X509NameType.SimpleName, false));
        Assert.Equal((_ann.Subject, _ann.Issuer), (copy.Subject, copy.Issuer));
        (await _server.SendAsync(copy, "GET", Path)).AssertProblem(403, "InvalidAuth", "does not know the certificate");
    }

    [Fact]
    public async Task OfOurAuthorityButNotInTheList_IsUnknown()
    {
        using X509Certificate2 ours = _server.Issue("ann");
        (await _server.SendAsync(ours, "GET", Path)).AssertProblem(403, "InvalidAuth", "does not know the certificate");
    }

    [Fact]
    public async Task SameKeyOfAnotherIssuer_IsRefusedAndSaysSo()
    {
        using var other = new SampleAuthority("another CA");
        using X509Certificate2 elsewhere = other.Issue("ann", _key);
        (await _server.SendAsync(elsewhere, "GET", Path)).AssertProblem(403, "InvalidAuth", "has the key of 'Ann'", "another issuer ('CN=another CA')");
    }

    [Fact]
    public async Task SameKeyThatOnlyNamesOurAuthority_IsRefused()
    {
        using X509Certificate2 forged = SampleAuthority.Forge("ann", _server.Keys.Authority.Certificate.GetNameInfo(X509NameType.SimpleName, false), _key);
        (await _server.SendAsync(forged, "GET", Path)).AssertProblem(403, "InvalidAuth", "has the key of 'Ann'");
    }

    [Fact]
    public async Task SameKeyAndSameIssuer_IsARenewalAndGetsIn()
    {
        using X509Certificate2 renewed = _server.Issue("ann", _key);
        Assert.NotEqual(_ann.Thumbprint, renewed.Thumbprint);
        Assert.Equal(200, (await _server.SendAsync(renewed, "GET", Path)).Status);
        _server.Registry.Delete(_ann.Thumbprint);
        Assert.Equal(403, (await _server.SendAsync(renewed, "GET", Path)).Status); // on the same connection
    }

    [Fact]
    public async Task ClockThatJumpsOverTheExpiry_RefusesTheNextRequestOfTheConnection()
    {
        Assert.Equal(200, (await _server.SendAsync(_ann, "GET", Path)).Status);
        _time.Advance(TimeSpan.FromDays(365));
        (await _server.SendAsync(_ann, "GET", Path)).AssertProblem(
            403, "InvalidAuth", $"'Ann' (thumbprint {_ann.Thumbprint}) expired on", "jackdaw cert renew");
    }
}
