using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using Jackdaw.Json.Refusals;
using Jackdaw.Security.Callers;
using Jackdaw.Security.Certificates;
using Jackdaw.TestKit;

namespace Jackdaw.Security.Tests.Certificates;

public sealed class CertificateRegistryTests : IDisposable
{
    private static readonly Grants s_admin = new(Clearance.ClusterAdmin);
    private static readonly Grants s_user = new(Clearance.ValidUser, [new("Orders", DatabasePermission.Read)]);

    private readonly SampleAuthority _authority = new("our CA");
    private readonly ManualTime _time = new();
    private byte[]? _stored;

    public CertificateRegistryTests() => _time.Advance(SampleAuthority.Start.AddYears(5) - DateTimeOffset.UnixEpoch);

    public void Dispose() => _authority.Dispose();

    [Fact]
    public void Find_EntryOfTheList_IsFoundUntilItIsDeleted()
    {
        CertificateRegistry registry = Open();
        using X509Certificate2 ann = _authority.Issue("ann");
        Assert.Null(registry.Find(ann));
        registry.Put(KnownCertificate.From(ann, "Ann", s_user));
        Assert.Equal("Ann", registry.Find(ann)?.Name);
        Assert.Equal("Ann", registry.Find(ann.Thumbprint.ToLowerInvariant())?.Name);
        Assert.Equal("Ann", registry.Delete(ann.Thumbprint)?.Name);
        Assert.Null(registry.Find(ann));
        Assert.Null(registry.Delete(ann.Thumbprint));
    }

    [Fact]
    public void Change_EachKind_IsThereAfterARestart()
    {
        CertificateRegistry registry = Open();
        using X509Certificate2 admin = _authority.Issue("admin"), ann = _authority.Issue("ann"), bob = _authority.Issue("bob");
        registry.Put(KnownCertificate.From(admin, "Admin", s_admin));
        registry.Put(KnownCertificate.From(ann, "Ann", s_user));
        registry.Put(KnownCertificate.From(bob, "Bob", s_user));
        registry.Edit(ann.Thumbprint, "Anna", new Grants(Clearance.ValidUser, [new("Orders", DatabasePermission.Admin), new("täglich \"1\"", default)]));
        registry.Delete(bob.Thumbprint);

        CertificateRegistry again = Open();
        Assert.Equal(registry.Version, again.Version);
        Assert.Equal(["Admin", "Anna"], again.All.Select(known => known.Name));
        Assert.Equal(DatabasePermission.Admin, again.Find(ann)!.Grants.Permissions["orders"]);
        Assert.Equal(["Orders", "täglich \"1\""], again.Find(ann)!.Grants.Permissions.Keys.Order(StringComparer.Ordinal));
        Assert.Equal(CertificateStanding.Revoked, StandingOf(again, bob));
    }

    /// <summary>What an edit or a renewal takes from an entry must still be so.</summary>
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void EditAndRenewal_OfAnEntryThatWasChangedSinceItWasRead_AreRefused(bool isRevoked)
    {
        CertificateRegistry registry = Open();
        using X509Certificate2 admin = _authority.Issue("admin"), ann = _authority.Issue("ann"), next = _authority.Issue("ann");
        registry.Put(KnownCertificate.From(admin, "Admin", s_admin));
        registry.Put(KnownCertificate.From(ann, "Ann", s_admin));
        KnownCertificate read = registry.Find(ann.Thumbprint)!;
        if (isRevoked)
        {
            registry.Delete(ann.Thumbprint);
        }
        else
        {
            registry.Edit(ann.Thumbprint, "Ann", s_user);
        }

        Assert.Equal(RefusalKind.Conflict, Assert.Throws<RefusedException>(() => registry.Edit(read, "Anna", read.Grants)).Refusal.Kind);
        RefusedException refused = Assert.Throws<RefusedException>(() => registry.Put(KnownCertificate.From(next, "Ann", read.Grants), renewed: read));
        Assert.Equal(RefusalKind.Conflict, refused.Refusal.Kind);
        Assert.DoesNotContain(registry.All, known => known.Thumbprint != admin.Thumbprint && known.Grants.Clearance == Clearance.ClusterAdmin);
    }

    [Fact]
    public void Change_ByACallerWhoLostTheAccess_ChangesNothing()
    {
        CertificateRegistry registry = Open();
        using X509Certificate2 admin = _authority.Issue("admin"), ann = _authority.Issue("ann");
        registry.Put(KnownCertificate.From(admin, "Admin", s_admin));
        KnownCertificate read = registry.Find(admin.Thumbprint)!;
        Action lost = () => throw new UnauthorizedAccessException();
        Assert.Throws<UnauthorizedAccessException>(() => registry.Put(KnownCertificate.From(ann, "Ann", s_admin), lost));
        Assert.Throws<UnauthorizedAccessException>(() => registry.Edit(read, "Other", s_admin, lost));
        Assert.Throws<UnauthorizedAccessException>(() => registry.Delete(admin.Thumbprint, lost));
        Assert.Same(read, Assert.Single(registry.All));
    }

    [Fact]
    public void Version_EachChange_Grows()
    {
        CertificateRegistry registry = Open();
        using X509Certificate2 ann = _authority.Issue("ann");
        long before = registry.Version;
        registry.Put(KnownCertificate.From(ann, "Ann", s_user));
        long put = registry.Version;
        registry.Edit(ann.Thumbprint, "Anna", s_user);
        long edited = registry.Version;
        registry.Delete(ann.Thumbprint);
        Assert.True(before < put && put < edited && edited < registry.Version);
    }

    [Fact]
    public void Change_StoreThatFails_ChangesNothing()
    {
        bool fails = false;
        var registry = new CertificateRegistry(CertificateList.Empty, _ => ThrowIf(fails), _time);
        using X509Certificate2 ann = _authority.Issue("ann");
        registry.Put(KnownCertificate.From(ann, "Ann", s_user));
        long version = registry.Version;
        fails = true;
        Assert.Throws<IOException>(() => registry.Delete(ann.Thumbprint));
        Assert.Throws<IOException>(() => registry.Edit(ann.Thumbprint, "Anna", s_admin));
        Assert.Equal(version, registry.Version);
        Assert.Equal("Ann", registry.Find(ann)?.Name);
    }

    [Fact]
    public void Find_BeforeAndAfterItsTime_IsNotFound()
    {
        CertificateRegistry registry = Open();
        DateTimeOffset now = _time.GetUtcNow();
        using X509Certificate2 ann = _authority.Issue("ann", null, now.AddHours(1), now.AddHours(2));
        registry.Put(KnownCertificate.From(ann, "Ann", s_user));
        Assert.Null(registry.Find(ann));
        _time.Advance(TimeSpan.FromHours(1.5));
        Assert.NotNull(registry.Find(ann));
        _time.Advance(TimeSpan.FromHours(1));
        Assert.Null(registry.Find(ann));
    }

    [Fact]
    public void Match_SameKeyAndSameIssuer_IsTheRenewalOfTheEntry()
    {
        CertificateRegistry registry = Open();
        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        using X509Certificate2 first = _authority.Issue("ann", key), renewed = _authority.Issue("ann", key);
        registry.Put(KnownCertificate.From(first, "Ann", s_user));
        Assert.Equal("Ann", registry.Find(renewed)?.Name);
        registry.Delete(first.Thumbprint);
        Assert.Null(registry.Find(renewed));
    }

    [Fact]
    public void Match_RevokedCertificateWhoseRenewalIsKnown_IsRevoked()
    {
        CertificateRegistry registry = Open();
        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        using X509Certificate2 first = _authority.Issue("ann", key), renewed = _authority.Issue("ann", key);
        registry.Put(KnownCertificate.From(first, "Ann", s_user));
        registry.Put(KnownCertificate.From(renewed, "Ann, renewed", s_user));
        registry.Delete(first.Thumbprint);
        Assert.Equal(CertificateStanding.Revoked, StandingOf(registry, first));
        Assert.Equal("Ann, renewed", registry.Find(renewed)?.Name);
        registry.Put(KnownCertificate.From(first, "Ann again", s_user));
        Assert.Equal("Ann again", registry.Find(first)?.Name);
    }

    [Fact]
    public void Match_SameKeyOfAnotherIssuer_IsNotKnown()
    {
        CertificateRegistry registry = Open();
        using var other = new SampleAuthority("another CA");
        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        using X509Certificate2 first = _authority.Issue("ann", key), elsewhere = other.Issue("ann", key);
        registry.Put(KnownCertificate.From(first, "Ann", s_user));
        Assert.Equal(CertificateStanding.OtherIssuer, StandingOf(registry, elsewhere));
    }

    /// <summary>Whoever has the key of an expired certificate can make one that names the same issuer, but cannot sign it for our CA.</summary>
    [Fact]
    public void Match_SameKeyThatOnlyNamesOurIssuer_IsNotKnown()
    {
        CertificateRegistry registry = Open();
        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        using X509Certificate2 first = _authority.Issue("ann", key), forged = SampleAuthority.Forge("ann", "our CA", key);
        registry.Put(KnownCertificate.From(first, "Ann", s_user));
        Assert.Equal(CertificateStanding.OtherIssuer, StandingOf(registry, forged));
    }

    [Fact]
    public void Match_RenewalOfAForeignIssuer_IsKnownByItsName()
    {
        CertificateRegistry registry = Open();
        using var other = new SampleAuthority("another CA");
        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        using X509Certificate2 first = other.Issue("ann", key), renewed = other.Issue("ann", key);
        registry.Put(KnownCertificate.From(first, "Ann", s_user));
        Assert.Equal("Ann", registry.Find(renewed)?.Name);
    }

    [Fact]
    public void Match_RenewalOfAnAuthorityOfOursThatWasReplaced_IsNotKnown()
    {
        CertificateRegistry registry = Open();
        using var replaced = new SampleAuthority("Jackdaw CA 01234567");
        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        using X509Certificate2 first = replaced.Issue("ann", key), renewed = replaced.Issue("ann", key);
        registry.Put(KnownCertificate.From(first, "Ann", s_user));
        Assert.Equal("Ann", registry.Find(first)?.Name);
        Assert.Equal(CertificateStanding.OtherIssuer, StandingOf(registry, renewed));
    }

    [Fact]
    public void Match_CopyWithEqualNamesAndAnotherKey_IsUnknown()
    {
        CertificateRegistry registry = Open();
        using X509Certificate2 first = _authority.Issue("ann"), copy = SampleAuthority.Forge("ann", "our CA"), ours = _authority.Issue("ann");
        registry.Put(KnownCertificate.From(first, "Ann", s_user));
        Assert.Equal(CertificateStanding.Unknown, StandingOf(registry, copy));
        Assert.Equal(CertificateStanding.Unknown, StandingOf(registry, ours)); // our CA alone opens nothing
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Match_WellKnownAdministrator_IsAClusterAdmin(bool isSha256)
    {
        using X509Certificate2 boss = SampleAuthority.Forge("boss", "boss");
        string thumbprint = isSha256 ? boss.GetCertHashString(HashAlgorithmName.SHA256).ToLowerInvariant() : boss.Thumbprint;
        var registry = new CertificateRegistry(CertificateList.Empty, _ => { }, _time) { WellKnownAdministrators = [thumbprint] };
        Assert.Equal(Clearance.ClusterAdmin, registry.Find(boss)?.Grants.Clearance);
        using X509Certificate2 other = SampleAuthority.Forge("boss", "boss");
        Assert.Null(registry.Find(other));
    }

    [Fact]
    public void Change_LastAdministratorWouldGo_IsRefused()
    {
        CertificateRegistry registry = Open();
        using X509Certificate2 admin = _authority.Issue("admin"), second = _authority.Issue("second"),
            over = _authority.Issue("over", null, null, _time.GetUtcNow().AddDays(-1));
        registry.Put(KnownCertificate.From(admin, "Admin", s_admin));
        registry.Put(KnownCertificate.From(over, "Expired", s_admin));
        foreach (Action change in (Action[])
        [
            () => registry.Delete(admin.Thumbprint), () => registry.Edit(admin.Thumbprint, "Admin", s_user),
            () => registry.Put(KnownCertificate.From(admin, "Admin", s_user)),
        ])
        {
            RefusedException refused = Assert.Throws<RefusedException>(change);
            Assert.Contains("last certificate of a cluster administrator", refused.Message, StringComparison.Ordinal);
        }

        registry.Put(KnownCertificate.From(second, "Second", s_admin));
        Assert.NotNull(registry.Delete(admin.Thumbprint));
    }

    [Fact]
    public void Put_OneMoreThanTheMost_IsRefused()
    {
        CertificateRegistry registry = Full();
        using X509Certificate2 ann = _authority.Issue("ann");
        string refusal = Assert.Throws<RefusedException>(() => registry.Put(KnownCertificate.From(ann, "Ann", s_user))).Message;
        Assert.Contains("10000", refusal, StringComparison.Ordinal);
        registry.Delete(registry.All[0].Thumbprint);
        registry.Put(KnownCertificate.From(ann, "Ann", s_user));
    }

    [Theory]
    [InlineData("")]
    [InlineData("a\nb")]
    [InlineData(null)]
    public void Put_NameThatCannotBeShown_IsRefused(string? name)
    {
        CertificateRegistry registry = Open();
        using X509Certificate2 ann = _authority.Issue("ann");
        name ??= new string('x', CertificateRegistry.NameLengthMax + 1);
        Assert.Throws<RefusedException>(() => registry.Put(KnownCertificate.From(ann, name, s_user)));
        registry.Put(KnownCertificate.From(ann, new string('x', CertificateRegistry.NameLengthMax), s_user));
        Assert.Throws<RefusedException>(() => registry.Edit(ann.Thumbprint, name, s_user));
    }

    [Theory]
    [InlineData("")]
    [InlineData("{}")]
    [InlineData("[1]")]
    [InlineData("""{"Form":2,"Version":1,"Certificates":[],"Revoked":[]}""")]
    [InlineData("""{"Form":1,"Version":1,"Certificates":[{"Name":"a","SecurityClearance":"King","Permissions":{},"Certificate":"AAAA"}],"Revoked":[]}""")]
    [InlineData("""{"Form":1,"Version":1,"Certificates":[{"Name":"a","SecurityClearance":"Operator","Permissions":{},"Certificate":"%"}],"Revoked":[]}""")]
    public void Open_TextThatCannotBeRead_SaysWhatToDo(string text)
    {
        InvalidDataException bad = Assert.Throws<InvalidDataException>(() => CertificateListText.Read(Encoding.UTF8.GetBytes(text)));
        Assert.StartsWith("The list of certificates", bad.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Delete_ManyThatExpire_ForgetsTheirRevocations()
    {
        CertificateRegistry registry = Open();
        using X509Certificate2 brief = _authority.Issue("brief", null, null, _time.GetUtcNow().AddHours(1)), ann = _authority.Issue("ann");
        registry.Put(KnownCertificate.From(brief, "Brief", s_user));
        registry.Delete(brief.Thumbprint);
        Assert.Equal(CertificateStanding.Revoked, StandingOf(registry, brief));
        _time.Advance(TimeSpan.FromHours(2));
        registry.Put(KnownCertificate.From(ann, "Ann", s_user));
        Assert.Equal(CertificateStanding.Unknown, StandingOf(registry, brief));
    }

    private static CertificateStanding StandingOf(CertificateRegistry registry, X509Certificate2 certificate) =>
        registry.Match(PresentedCertificate.From(certificate)).Standing;

    private CertificateRegistry Open() =>
        new(_stored is { } stored ? CertificateListText.Read(stored) : CertificateList.Empty, text => _stored = text, _time)
        {
            Authorities = () => [_authority.Certificate],
        };

    private static void ThrowIf(bool fails)
    {
        if (fails)
        {
            throw new IOException("disk full");
        }
    }

    private CertificateRegistry Full()
    {
        using X509Certificate2 ann = _authority.Issue("ann");
        KnownCertificate one = KnownCertificate.From(ann, "Ann", s_user);
        KnownCertificate[] all = [.. Enumerable.Range(0, CertificateRegistry.CertificatesMax).Select(i => one with { Thumbprint = $"{i:X40}" })];
        return new CertificateRegistry(new CertificateList(1, all, []), _ => { }, _time);
    }
}
