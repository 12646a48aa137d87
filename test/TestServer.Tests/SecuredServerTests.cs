using System.Security.Cryptography.X509Certificates;
using Jackdaw.Client;
using Jackdaw.Client.BulkInserts;
using Jackdaw.Client.Exceptions;
using Jackdaw.Client.Linq;
using Jackdaw.Client.Operations.Certificates;
using Jackdaw.Client.Sessions;

namespace Jackdaw.TestServer.Tests;

/// <summary>A server with https, and stores that have certificates of it.</summary>
public sealed class SecuredServerTests
{
    [Fact]
    public async Task Store_OfASecuredServer_IsAnAdministrators()
    {
        await using JackdawTestServer server = await JackdawTestServer.StartSecuredAsync();
        await using DocumentStore store = await server.NewStoreAsync("shop");
        await SaveAsync(store, "things/1");
        await store.Changes().EnsureConnectedNow();
        Assert.StartsWith("https://127.0.0.1:", server.Url, StringComparison.Ordinal);
        ListedCertificate own = await store.Maintenance.Server.SendAsync(new GetOwnCertificateOperation());
        Assert.Equal(("administrator", SecurityClearance.ClusterAdmin), (own.Name, own.Clearance));
        Assert.Equal(server.Certificates.Administrator.Thumbprint, own.Thumbprint);
    }

    [Fact]
    public async Task Store_OfAReader_QueriesAndIsRefusedAWrite()
    {
        await using JackdawTestServer server = await JackdawTestServer.StartSecuredAsync();
        await using (DocumentStore store = await server.NewStoreAsync("shop"))
        {
            await SaveAsync(store, "things/1");
        }

        X509Certificate2 certificate = server.Certificates.Create(
            "reader", permissions: new Dictionary<string, DatabaseAccessLevel> { ["shop"] = DatabaseAccessLevel.Read });
        await using DocumentStore reader = Open(server, certificate);
        using IAsyncDocumentSession session = reader.OpenAsyncSession();
        Assert.Equal(1, await session.Query<Thing>().CountAsync());
        AuthorizationException refused = await Assert.ThrowsAsync<AuthorizationException>(() => SaveAsync(reader, "things/2"));
        Assert.Contains("ReadWrite", refused.Message, StringComparison.Ordinal);
        string sent = $"This store sends the client certificate 'CN=reader' (thumbprint {certificate.Thumbprint}).";
        Assert.Contains(sent, refused.Message, StringComparison.Ordinal);
        BulkInsertAbortedException ended = await Assert.ThrowsAsync<BulkInsertAbortedException>(async () =>
        {
            await using BulkInsertOperation bulk = reader.BulkInsert();
            await bulk.StoreAsync(new Thing { Name = "x" }, "things/3");
        });
        Assert.Contains(certificate.Thumbprint, ended.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Certificate_ThatIsRevoked_IsRefusedOnItsOpenConnection()
    {
        await using JackdawTestServer server = await JackdawTestServer.StartSecuredAsync();
        await using DocumentStore store = await server.NewStoreAsync("shop");
        X509Certificate2 certificate = server.Certificates.Create("writer", SecurityClearance.Operator);
        await using DocumentStore writer = Open(server, certificate);
        await SaveAsync(writer, "things/1");
        Assert.True(server.Certificates.Revoke(certificate));
        await Assert.ThrowsAsync<AuthorizationException>(() => SaveAsync(writer, "things/2"));
        Assert.False(server.Certificates.Revoke(certificate));
    }

    [Fact]
    public async Task Operations_OfCertificates_MakeEditAndRevokeThem()
    {
        await using JackdawTestServer server = await JackdawTestServer.StartSecuredAsync();
        await using DocumentStore store = await server.NewStoreAsync("shop");
        var toShop = new Dictionary<string, DatabaseAccessLevel> { ["shop"] = DatabaseAccessLevel.ReadWrite };
        byte[] archive = await store.Maintenance.Server.SendAsync(new CreateClientCertificateOperation("web", SecurityClearance.ValidUser, toShop));
        string folder = Directory.CreateTempSubdirectory("secured-server-").FullName;
        using (var zip = new System.IO.Compression.ZipArchive(new MemoryStream(archive)))
        {
            System.IO.Compression.ZipFileExtensions.ExtractToDirectory(zip, folder);
        }

        foreach (string file in (string[])["web.pfx", "web.pem"])
        {
            await using DocumentStore web = new DocumentStore(server.Url, "shop")
            {
                CertificateFile = Path.Combine(folder, file),
                TrustedAuthoritiesFile = Path.Combine(folder, "ca.pem"),
            }.Initialize();
            await SaveAsync(web, $"things/{file}");
        }

        ListedCertificate listed = (await store.Maintenance.Server.SendAsync(new GetCertificatesOperation())).Single(one => one.Name == "web");
        Assert.Equal(toShop, listed.Permissions);
        Assert.Equal(server.Clock.GetUtcNow().Date.AddYears(1), listed.NotAfter!.Value.Date, TimeSpan.FromDays(10 * 365));
        await store.Maintenance.Server.SendAsync(new EditClientCertificateOperation(listed.Thumbprint, "web 2", SecurityClearance.Operator));
        Assert.Equal(
            ("web 2", SecurityClearance.Operator),
            await store.Maintenance.Server.SendAsync(new GetCertificateOperation(listed.Thumbprint)) is { } edited ? (edited.Name, edited.Clearance) : default);
        await store.Maintenance.Server.SendAsync(new DeleteCertificateOperation(listed.Thumbprint));
        Assert.Null(await store.Maintenance.Server.SendAsync(new GetCertificateOperation(listed.Thumbprint)));
        using X509Certificate2 again = X509CertificateLoader.LoadCertificate(Convert.FromBase64String(listed.Certificate!));
        await store.Maintenance.Server.SendAsync(new PutClientCertificateOperation("web", again, SecurityClearance.ValidUser, toShop));
        Assert.NotNull(await store.Maintenance.Server.SendAsync(new GetCertificateOperation(listed.Thumbprint)));
        Directory.Delete(folder, recursive: true);
    }

    [Fact]
    public async Task Keys_OfASecuredServer_AreGoneWithIt()
    {
        string[] before = Directory.GetDirectories(Path.GetTempPath(), "jackdaw-keys-*");
        await using (JackdawTestServer server = await JackdawTestServer.StartSecuredAsync())
        {
            Assert.NotEmpty(Directory.GetDirectories(Path.GetTempPath(), "jackdaw-keys-*").Except(before));
        }

        await using JackdawTestServer open = await JackdawTestServer.StartAsync();
        Assert.Throws<InvalidOperationException>(() => open.Certificates);
    }

    private static DocumentStore Open(JackdawTestServer server, X509Certificate2 certificate) => new DocumentStore(server.Url, "shop")
    {
        Certificate = certificate,
        TrustedAuthorities = [server.Certificates.Authority],
    }.Initialize();

    private static async Task SaveAsync(IDocumentStore store, string id)
    {
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        await session.StoreAsync(new Thing { Name = "some" }, id);
        await session.SaveChangesAsync();
    }
}
