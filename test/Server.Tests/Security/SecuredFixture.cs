using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using Jackdaw.Security;
using Jackdaw.Security.Callers;
using Jackdaw.Security.Certificates;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Security;

/// <summary>A whole server on https, with its keys in a folder of its own and its databases in memory.</summary>
internal sealed class SecuredFixture : IAsyncDisposable
{
    private readonly SecuredFolder _folder;
    private readonly Dictionary<string, HttpClient> _clients = [];

    private SecuredFixture(SecuredFolder folder, ServerFixture server)
    {
        _folder = folder;
        Server = server;
    }

    public ServerFixture Server { get; }

    public ServerSecurity Keys => Server.Server.Security!;

    public CertificateRegistry Registry => Keys.Registry;

    public static async Task<SecuredFixture> StartAsync(ServerSetup? setup = null)
    {
        // Other clocks need keys of their own.
        bool isNow = setup is null || (setup.Time.GetUtcNow() - DateTimeOffset.UtcNow).Duration() < TimeSpan.FromHours(1);
        SecuredFolder folder = isNow ? new SecuredFolder().WithKeys() : new SecuredFolder();
        ServerSetup secured = folder.Setup;
        ServerFixture server = await ServerFixture.StartAsync((setup ?? secured) with { ServerUrl = secured.ServerUrl, DataDir = secured.DataDir });
        return new SecuredFixture(folder, server);
    }

    /// <summary>Makes a certificate of the server's own authority, with a key of a kind that is quickly made, and adds it to the list.</summary>
    public X509Certificate2 Add(string name, Grants grants, DateTimeOffset? notBefore = null, DateTimeOffset? notAfter = null)
    {
        X509Certificate2 certificate = Issue(name, null, notBefore, notAfter);
        Registry.Put(KnownCertificate.From(certificate, name, grants));
        return certificate;
    }

    /// <summary>Adds a valid user with a permission for one database.</summary>
    public X509Certificate2 AddUser(string name, DatabasePermission permission, string database) =>
        Add(name, new Grants(Clearance.ValidUser, [new(database, permission)]));

    /// <summary>Makes a certificate of the server's own authority, without adding it to the list.</summary>
    public X509Certificate2 Issue(string name, ECDsa? key = null, DateTimeOffset? notBefore = null, DateTimeOffset? notAfter = null)
    {
        ECDsa own = key ?? ECDsa.Create(ECCurve.NamedCurves.nistP256);
        var request = new CertificateRequest($"CN={name}", own, HashAlgorithmName.SHA256);
        DateTimeOffset now = Server.Setup.Time.GetUtcNow();
        using X509Certificate2 signed = Keys.Authority.Sign(request, notBefore ?? now.AddDays(-1), notAfter ?? now.AddDays(10));
        return signed.CopyWithPrivateKey(own);
    }

    /// <summary>The client of a certificate, whose connections are kept.</summary>
    public HttpClient ClientOf(X509Certificate2? certificate)
    {
        string key = certificate?.Thumbprint ?? "";
        if (!_clients.TryGetValue(key, out HttpClient? client))
        {
            _clients.Add(key, client = Server.MakeClient(certificate));
        }

        return client;
    }

    /// <summary>Sends a request with a certificate, or with none.</summary>
    public Task<Answer> SendAsync(X509Certificate2? certificate, string method, string path, object? body = null) =>
        Answer.ToAsync(ClientOf(certificate), method, path, body);

    /// <summary>Sends a request as the first administrator.</summary>
    public Task<Answer> SendAsync(string method, string path, object? body = null) => Server.SendAsync(method, path, body);

    public async ValueTask DisposeAsync()
    {
        foreach (HttpClient client in _clients.Values)
        {
            client.Dispose();
        }

        await Server.DisposeAsync();
        _folder.Dispose();
    }
}
