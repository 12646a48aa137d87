using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using System.Text.Json;
using Jackdaw.Security.Callers;
using Jackdaw.Server.Tests.Security;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Http.Handlers.Certificates;

public sealed class ServerCertificateRoutesTests : IAsyncLifetime
{
    private SecuredFixture _server = null!;

    public async Task InitializeAsync() => _server = await SecuredFixture.StartAsync();

    public async Task DisposeAsync() => await _server.DisposeAsync();

    [Fact]
    public async Task Renew_Server_KeepsOpenConnectionsAndShowsTheNewOne()
    {
        string old = _server.Keys.Keys.Current.Thumbprint;
        Answer renewed = await _server.SendAsync("POST", "/admin/certificates/renew-server");
        Assert.Equal(200, renewed.Status);
        Assert.NotEqual(old, renewed.Json.GetProperty("ServerThumbprint").GetString());
        Assert.Equal(200, (await _server.SendAsync("GET", "/databases")).Status);
        using X509Certificate2 admin = SecuredFolder.ReadAdministrator(_server.Keys.Folder);
        Assert.Equal(200, (await _server.SendAsync(admin, "GET", "/databases")).Status);
    }

    [Fact]
    public async Task Replace_PfxWithKey_IsShownToNewConnections()
    {
        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        using X509Certificate2 own = new CertificateRequest("CN=given", key, HashAlgorithmName.SHA256).CreateSelfSigned(
            SampleAuthority.Start, SampleAuthority.End);
        string request = JsonSerializer.Serialize(new { Certificate = Convert.ToBase64String(own.Export(X509ContentType.Pkcs12)) });
        Answer replaced = await _server.SendAsync("POST", "/admin/certificates/replace-cluster-cert?replaceImmediately=true", request);
        Assert.Equal(200, replaced.Status);
        Assert.Equal(own.Thumbprint, replaced.Json.GetProperty("ServerThumbprint").GetString());
        using X509Certificate2 admin = SecuredFolder.ReadAdministrator(_server.Keys.Folder);
        Assert.Equal(200, (await _server.SendAsync(admin, "GET", "/databases")).Status);
    }

    [Fact]
    public async Task Replace_NoKey_IsRefused()
    {
        using X509Certificate2 issued = _server.Issue("server");
        string request = JsonSerializer.Serialize(new { Certificate = Convert.ToBase64String(issued.RawData) });
        (await _server.SendAsync("POST", "/admin/certificates/replace-cluster-cert", request)).AssertProblem(400, "ArgumentException", "with the private key");
    }

    [Fact]
    public async Task RotateCa_BothSteps_NameTheClientsOfThePreviousAuthority()
    {
        using X509Certificate2 ann = _server.AddUser("Ann", DatabasePermission.Read, "db1");
        (await _server.SendAsync("POST", "/admin/certificates/rotate-ca?finish=true")).AssertProblem(400, "InvalidOperationException", "No rotation");
        Answer begun = await _server.SendAsync("POST", "/admin/certificates/rotate-ca");
        Assert.True(begun.Json.GetProperty("IsRotating").GetBoolean());
        Assert.Equal(["admin", "Ann"], begun.Json.GetProperty("OfPreviousAuthority").EnumerateArray().Select(name => name.GetString()));
        (await _server.SendAsync("POST", "/admin/certificates/rotate-ca")).AssertProblem(400, "InvalidOperationException", "has begun already");
        Assert.Equal(200, (await _server.SendAsync(ann, "GET", "/databases/db1/stats")).Status);
        Answer finished = await _server.SendAsync("POST", "/admin/certificates/rotate-ca?finish=true");
        Assert.False(finished.Json.GetProperty("IsRotating").GetBoolean());
        Assert.Equal(200, (await _server.SendAsync(ann, "GET", "/databases/db1/stats")).Status);
        using X509Certificate2 admin = SecuredFolder.ReadAdministrator(_server.Keys.Folder);
        Assert.Equal(200, (await _server.SendAsync(admin, "GET", "/databases")).Status); // a new connection
    }
}
