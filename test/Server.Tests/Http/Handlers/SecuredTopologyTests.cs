using System.Text.Json;
using Jackdaw.Server.Configuration;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Http.Handlers;

public sealed class SecuredTopologyTests : IDisposable
{
    private readonly SecuredFolder _folder = new SecuredFolder().WithKeys();

    public void Dispose() => _folder.Dispose();

    /// <summary>Clients use the address from then on, and check its name.</summary>
    [Theory]
    [InlineData("localhost:1234", "https://localhost:1234")]
    [InlineData("named.example.com", "https://named.example.com:443")]
    [InlineData("[::1]:1234", "https://[::1]:1234")]
    [InlineData("elsewhere.example.com:1234", "https://127.0.0.1:1234")]
    public async Task Topology_EachHost_IsAnAddressThatTheCertificateHas(string host, string expected)
    {
        await using ServerFixture server = await ServerFixture.StartAsync(
            _folder.Setup with { Security = new SecuritySettings { CertificateNames = ["named.example.com"] } });
        Assert.Equal(expected, await AskAsync(server, host));
    }

    [Fact]
    public async Task Topology_PublicAddress_IsGiven()
    {
        await using ServerFixture server = await ServerFixture.StartAsync(_folder.Setup with { PublicServerUrl = new Uri("https://db.example.com:444") });
        Assert.Equal("https://db.example.com:444", await AskAsync(server, "localhost"));
    }

    [Fact]
    public async Task Topology_CertificateOfTheOperator_GivesItsName()
    {
        string path = Path.Combine(_folder.Path, "own.pem");
        using (var key = System.Security.Cryptography.ECDsa.Create())
        {
            var request = new System.Security.Cryptography.X509Certificates.CertificateRequest(
                "CN=db.example.com", key, System.Security.Cryptography.HashAlgorithmName.SHA256);
            var names = new System.Security.Cryptography.X509Certificates.SubjectAlternativeNameBuilder();
            names.AddDnsName("*.example.com");
            names.AddDnsName("db.example.org");
            request.CertificateExtensions.Add(names.Build());
            using var own = request.CreateSelfSigned(SampleAuthority.Start, SampleAuthority.End);
            await File.WriteAllTextAsync(path, $"{own.ExportCertificatePem()}\n{key.ExportPkcs8PrivateKeyPem()}");
        }

        await using ServerFixture server = await ServerFixture.StartAsync(_folder.Setup with { Security = new SecuritySettings { CertificatePath = path } });
        Assert.Equal("https://any.example.com:1", await AskAsync(server, "any.example.com:1"));
        Assert.Equal("https://db.example.org:1", await AskAsync(server, "elsewhere:1"));
    }

    [Fact]
    public async Task NodeFacts_OfASecuredServer_HaveItsCertificate()
    {
        await using ServerFixture server = await ServerFixture.StartAsync(_folder.Setup);
        using var json = JsonDocument.Parse((await server.SendAsync("GET", "/cluster/node-info")).Text);
        Assert.Equal(server.Server.Security!.Keys.Current.RawData, json.RootElement.GetProperty("Certificate").GetBytesFromBase64());
    }

    private static async Task<string> AskAsync(ServerFixture server, string host)
    {
        Answer answer = await server.SendAsync("GET", "/topology?name=db1", null, ("Host", host));
        using var json = JsonDocument.Parse(answer.Text);
        return json.RootElement.GetProperty("Nodes")[0].GetProperty("Url").GetString()!;
    }
}
