using System.Net.WebSockets;
using System.Security.Cryptography.X509Certificates;
using Jackdaw.Client.BulkInserts;
using Jackdaw.Client.Changes;
using Jackdaw.Client.Exceptions;
using Jackdaw.Client.Operations;
using Jackdaw.Client.Sessions;
using Jackdaw.TestKit;
using Microsoft.AspNetCore.Http;

namespace Jackdaw.Client.Tests.Certificates;

/// <summary>Connections of a store over TLS: what they send, whom they trust, and what a failure says.</summary>
public sealed class StoreCertificatesTests : IAsyncLifetime
{
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(30);

    private readonly IssuedCertificates _issued = new();
    private SecureListener _listener = null!;

    public async Task InitializeAsync() => _listener = await SecureListener.StartAsync(_issued.Server());

    public async Task DisposeAsync()
    {
        await _listener.DisposeAsync();
        _issued.Dispose();
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Request_OfAStoreWithACertificate_SendsIt(bool isElliptic)
    {
        using X509Certificate2 own = _issued.Client("writer", isElliptic);
        await using DocumentStore store = Open(new DocumentStore(_listener.Url, "shop") { Certificate = own, TrustedAuthorities = [_issued.Authority] });
        await store.Maintenance.SendAsync(new GetStatisticsOperation());
        using (IDocumentSession session = store.OpenSession())
        {
            _ = session.Advanced.RawQuery<object>("from x");
            store.Maintenance.Send(new GetStatisticsOperation());
        }

        Assert.Equal([("/databases/shop/stats", "CN=writer"), ("/databases/shop/stats", "CN=writer")], _listener.Requests);
    }

    [Fact]
    public async Task ChangesAndBulkInserts_OfAStoreWithACertificate_SendIt()
    {
        _listener.Answer = AcceptAsync;
        using X509Certificate2 own = _issued.Client("writer");
        await using DocumentStore store = Open(new DocumentStore(_listener.Url, "shop") { Certificate = own, TrustedAuthorities = [_issued.Authority] });
        IDatabaseChanges changes = store.Changes();
        using IDisposable watch = changes.ForAllDocuments().Subscribe(_ => { });
        await using (BulkInsertOperation bulk = store.BulkInsert())
        {
            await bulk.StoreAsync(new { Name = "x" }, "things/1");
        }

        await Eventually.IsTrueAsync(() => _listener.Requests.Any(one => one.Path.EndsWith("/changes", StringComparison.Ordinal)));
        Assert.Contains(("/databases/shop/bulk_insert", "CN=writer"), _listener.Requests);
        Assert.All(_listener.Requests, one => Assert.Equal("CN=writer", one.Subject));
    }

    [Fact]
    public async Task Request_WhoseCertificateTheServerRefuses_SaysWhatWasSentAndWhatTheServerSaid()
    {
        _listener.Answer = context => SecureListener.Refuse(context, "'CN=old' is not known here.");
        using X509Certificate2 own = _issued.Client("old", until: new DateTimeOffset(2001, 2, 3, 4, 5, 0, TimeSpan.Zero));
        await using DocumentStore store = Open(new DocumentStore(_listener.Url, "shop") { Certificate = own, TrustedAuthorities = [_issued.Authority] });
        AuthorizationException refused = await Assert.ThrowsAsync<AuthorizationException>(() => store.Maintenance.SendAsync(new GetStatisticsOperation()));
        Assert.Equal(
            $"'CN=old' is not known here. This store sends the client certificate 'CN=old' (thumbprint {own.Thumbprint}); " +
            "it has expired on 2001-02-03 04:05 UTC.",
            refused.Message);
        Assert.Equal(403, refused.StatusCode);
    }

    [Fact]
    public async Task Request_OfAStoreWithoutCertificate_SaysThatNoneWasSent()
    {
        _listener.Answer = context => SecureListener.Refuse(context, "A client certificate is needed.");
        await using DocumentStore store = Open(new DocumentStore(_listener.Url, "shop") { TrustedAuthorities = [_issued.Authority] });
        AuthorizationException refused = await Assert.ThrowsAsync<AuthorizationException>(() => store.Maintenance.SendAsync(new GetStatisticsOperation()));
        Assert.Equal("A client certificate is needed. This store sends no client certificate: set its CertificateFile or Certificate.", refused.Message);
    }

    [Fact]
    public async Task Changes_ThatTheServerRefuses_SayWhatItSaid()
    {
        _listener.Answer = context => SecureListener.Refuse(context, "It needs read access.");
        using X509Certificate2 own = _issued.Client("other");
        await using DocumentStore store = Open(new DocumentStore(_listener.Url, "shop") { Certificate = own, TrustedAuthorities = [_issued.Authority] });
        var failure = new TaskCompletionSource<Exception>(TaskCreationOptions.RunContinuationsAsynchronously);
        store.Changes().OnError += why => failure.TrySetResult(why);
        using IDisposable watch = store.Changes().ForAllDocuments().Subscribe(_ => { });
        Exception said = await failure.Task.WaitAsync(s_patience);
        Assert.Contains("It needs read access. This store sends the client certificate 'CN=other'", said.Message, StringComparison.Ordinal);
        Assert.Equal(403, Assert.IsType<DocumentDatabaseException>(said).StatusCode);
    }

    [Fact]
    public async Task BulkInsert_ThatTheServerRefuses_SaysWhatItSaid()
    {
        _listener.Answer = context => SecureListener.Refuse(context, "It needs write access.");
        using X509Certificate2 own = _issued.Client("other");
        await using DocumentStore store = Open(new DocumentStore(_listener.Url, "shop") { Certificate = own, TrustedAuthorities = [_issued.Authority] });
        BulkInsertAbortedException ended = await Assert.ThrowsAsync<BulkInsertAbortedException>(async () =>
        {
            await using BulkInsertOperation bulk = store.BulkInsert();
            await bulk.StoreAsync(new { Name = "x" }, "things/1");
        });
        Assert.Contains("It needs write access. This store sends the client certificate 'CN=other'", ended.Message, StringComparison.Ordinal);
    }

    private static DocumentStore Open(DocumentStore store) => store.Initialize();

    private static async Task AcceptAsync(HttpContext context)
    {
        if (context.WebSockets.IsWebSocketRequest)
        {
            using WebSocket socket = await context.WebSockets.AcceptWebSocketAsync();
            byte[] buffer = new byte[4096];
            while (socket.State == WebSocketState.Open && (await socket.ReceiveAsync(buffer, context.RequestAborted)).MessageType != WebSocketMessageType.Close)
            {
            }

            return;
        }

        await context.Request.Body.CopyToAsync(Stream.Null);
        await context.Response.WriteAsync("""{"Id":1,"NodeTag":"A","Low":1,"High":32,"Prefix":"things/","ServerTag":"A"}""");
    }
}
