using System.Text;
using Jackdaw.Security.Keys;
using Jackdaw.Server.Configuration;
using Jackdaw.Server.Verbs;

namespace Jackdaw.Server.Tests.Verbs;

public sealed class AskedServerTests : IDisposable
{
    private readonly SecuredFolder _folder = new SecuredFolder().WithKeys();

    public void Dispose() => _folder.Dispose();

    /// <summary>Both are signed by the authority that the verb trusts; only one of them is a server's.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Verb_ServerThatShowsTheCertificateOfAClient_IsNotTrusted(bool isClients)
    {
        string path = Path.Combine(_folder.Path, "own.pem");
        using (CertificateAuthority authority = CertificateAuthority.Open(_folder.Security, TimeProvider.System))
        using (ClientKey client = ClientKey.Issue(authority, "localhost", ClientKey.UsualValidity, TimeProvider.System))
        {
            ProtectedFiles.WriteAll(path, Encoding.ASCII.GetBytes(client.ToPem()));
        }

        ServerSetup setup = _folder.Setup;
        await using ServerFixture server = await ServerFixture.StartAsync(
            isClients ? setup with { Security = new SecuritySettings { CertificatePath = path } } : setup);
        var address = new Uri($"https://localhost:{server.Address.Port}");
        AskedServer asked = AskedServer.Make(address, null, null, _folder.Security.Authority, out string? problem)!;
        Assert.Null(problem);
        using HttpClient asking = asked.MakeClient(TimeSpan.FromSeconds(30));
        Exception? failure = await Record.ExceptionAsync(() => asking.GetAsync(new Uri(address, "/health/live")));
        Assert.Equal(isClients, failure is HttpRequestException);
    }
}
