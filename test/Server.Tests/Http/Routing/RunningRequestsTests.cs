using System.Diagnostics;
using System.Net;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using System.Text.Json;
using Jackdaw.Security.Callers;
using Jackdaw.Server.Tests.Notices;
using Jackdaw.Server.Tests.Security;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Http.Routing;

/// <summary>Requests that run while their certificate is revoked or edited.</summary>
public sealed class RunningRequestsTests : IAsyncLifetime
{
    /// <summary>What is promised.</summary>
    private static readonly TimeSpan s_promised = TimeSpan.FromSeconds(1);

    private SecuredFixture _server = null!;

    public async Task InitializeAsync() => _server = await SecuredFixture.StartAsync();

    public async Task DisposeAsync() => await _server.DisposeAsync();

    [Fact]
    public async Task Websocket_CertificateThatIsRevoked_EndsWithTheReason()
    {
        using X509Certificate2 ann = _server.AddUser("Ann", DatabasePermission.Read, "db1");
        using NoticeClient client = await ConnectAsync(ann);
        await client.CommandAsync("watch-docs");
        _server.Registry.Delete(ann.Thumbprint);
        long revoked = Stopwatch.GetTimestamp();
        await client.ReadToEndAsync();
        AssertSoon(revoked);
        string error = client.Frames.Single(frame => frame.Contains("InvalidAuth", StringComparison.Ordinal));
        Assert.Contains("was revoked", error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Websocket_PermissionThatIsTakenAway_EndsAndOthersGoOn()
    {
        using X509Certificate2 ann = _server.AddUser("Ann", DatabasePermission.Read, "db1"), bob = _server.AddUser("Bob", DatabasePermission.Read, "db1");
        using NoticeClient ofAnn = await ConnectAsync(ann), ofBob = await ConnectAsync(bob);
        await ofAnn.CommandAsync("watch-docs");
        await ofBob.CommandAsync("watch-docs");
        _server.Registry.Edit(ann.Thumbprint, "Ann", new Grants(Clearance.ValidUser, [new("db2", DatabasePermission.Admin)]));
        long edited = Stopwatch.GetTimestamp();
        await ofAnn.ReadToEndAsync();
        AssertSoon(edited);
        Assert.Contains(ofAnn.Frames, frame => frame.Contains("needs the access Read to database", StringComparison.Ordinal));
        await _server.Server.PutEmptyAsync("users/1");
        await ofBob.ReadUntilAsync(() => ofBob.Changes.Any());
    }

    [Fact]
    public async Task Upload_CertificateThatIsRevoked_IsCutAndStoresNothing()
    {
        using X509Certificate2 ann = _server.AddUser("Ann", DatabasePermission.ReadWrite, "db1");
        var body = new EndlessContent("""{"Name":"A""");
        Task<HttpResponseMessage> sending = _server.ClientOf(ann).PutAsync(new Uri("/databases/db1/docs?id=a", UriKind.Relative), body);
        await body.Begun;
        await ExpectRunningAsync(1);
        _server.Registry.Delete(ann.Thumbprint);
        await AssertCutAsync(sending);
        Assert.Equal(404, (await _server.SendAsync("GET", "/databases/db1/docs?id=a")).Status);
    }

    [Fact]
    public async Task BulkInsert_PermissionThatIsLowered_IsCut()
    {
        using X509Certificate2 ann = _server.AddUser("Ann", DatabasePermission.ReadWrite, "db1");
        var body = new EndlessContent("[");
        Task<HttpResponseMessage> sending = _server.ClientOf(ann).PostAsync(new Uri("/databases/db1/bulk_insert?id=1", UriKind.Relative), body);
        await body.Begun;
        await ExpectRunningAsync(1);
        _server.Registry.Edit(ann.Thumbprint, "Ann", new Grants(Clearance.ValidUser, [new("db1", DatabasePermission.Read)]));
        await AssertCutAsync(sending);
        Assert.Equal(200, (await _server.SendAsync(ann, "GET", "/databases/db1/stats")).Status);
    }

    [Fact]
    public async Task Query_ThatWaitsForAnIndex_IsCut()
    {
        using X509Certificate2 ann = _server.AddUser("Ann", DatabasePermission.Read, "db1");
        string index = """{"Indexes":[{"Name":"Users/ByName","Maps":["from u in docs.Users select new { u.Name }"]}]}""";
        Assert.Equal(201, (await _server.SendAsync("PUT", "/databases/db1/admin/indexes", index)).Status);
        using IDisposable hold = await _server.Server.HoldIndexesAsync();
        await _server.Server.PutEmptyAsync("users/1");
        await ExpectRunningAsync(0);
        string query = """{"Query":"from index 'Users/ByName'","WaitForNonStaleResults":true,"WaitForNonStaleResultsTimeout":"00:01:00"}""";
        Task<HttpResponseMessage> sending = _server.ClientOf(ann).PostAsync(new Uri("/databases/db1/queries", UriKind.Relative), new StringContent(query));
        await ExpectRunningAsync(1);
        _server.Registry.Delete(ann.Thumbprint);
        await AssertCutAsync(sending);
    }

    [Fact]
    public async Task Websocket_CertificateThatExpires_Ends()
    {
        var time = new ManualTime();
        time.Advance(DateTimeOffset.UtcNow - DateTimeOffset.UnixEpoch);
        await using SecuredFixture server = await SecuredFixture.StartAsync(new ServerSetup { Time = time });
        using X509Certificate2 ann = server.Add(
            "Ann", new Grants(Clearance.ValidUser, [new("db1", DatabasePermission.Read)]), notAfter: time.GetUtcNow().AddHours(1));
        using NoticeClient client = await NoticeClient.ConnectAsync(server.Server.Address, "/databases/db1/changes", certificate: ann);
        await client.CommandAsync("watch-docs");
        Task ended = client.ReadToEndAsync();
        time.Advance(TimeSpan.FromHours(2));
        await time.AdvanceUntilAsync(TimeSpan.FromMilliseconds(250), () => Task.FromResult(ended.IsCompleted), "The websocket goes on.");
        Assert.Contains(client.Frames, frame => frame.Contains("expired on", StringComparison.Ordinal));
    }

    /// <summary>An operation outlives its request, but not the access of who began it.</summary>
    [Theory]
    [InlineData("PATCH", """{"Query":{"Query":"from Users update { this.Done = true }"}}""")]
    [InlineData("DELETE", """{"Query":"from Users"}""")]
    public async Task ChangeByQuery_PermissionThatIsLowered_EndsWithTheReason(string method, string body)
    {
        using X509Certificate2 ann = _server.AddUser("Ann", DatabasePermission.ReadWrite, "db1");
        string operation = await BeginChangeAsync(method, body, query => _server.SendAsync(ann, method, query, body));
        _server.Registry.Edit(ann.Thumbprint, "Ann", new Grants(Clearance.ValidUser, [new("db1", DatabasePermission.Read)]));
        long edited = Stopwatch.GetTimestamp();
        JsonElement state = await EndOfAsync(operation);
        AssertSoon(edited);
        Assert.Equal("Faulted", state.GetProperty("Status").GetString());
        Assert.Equal(403, state.GetProperty("Result").GetProperty("StatusCode").GetInt32());
        Assert.Contains("needs the access ReadWrite", state.GetProperty("Result").GetProperty("Message").GetString(), StringComparison.Ordinal);
        string after = await ChangedAsync();
        await Task.Delay(TimeSpan.FromSeconds(2.5)); // the operation changed one document a second
        Assert.Equal(after, await ChangedAsync());
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task ChangeByQuery_OfASession_OutlivesItsEndButNotItsCertificate(bool isRevoked)
    {
        const string body = """{"Query":{"Query":"from Users update { this.Done = true }"}}""";
        using X509Certificate2 boss = _server.Add("Boss", new Grants(Clearance.ClusterAdmin));
        Answer link = await _server.SendAsync(boss, "POST", "/admin/login-links", "{}");
        string secret = link.Json.GetProperty("Link").GetString()!.Split('#')[1];
        Answer login = await _server.SendAsync(null, "POST", "/login", $$"""{"Link":"{{secret}}"}""");
        (string, string) cookie = ("Cookie", login.Header("Set-Cookie")!.Split(';')[0]);
        string operation = await BeginChangeAsync("PATCH", body, query => Answer.ToAsync(_server.ClientOf(null), "PATCH", query, body, cookie));
        Assert.Equal(204, (await Answer.ToAsync(_server.ClientOf(null), "POST", "/logout", null, cookie)).Status);
        if (!isRevoked)
        {
            string before = await ChangedAsync();
            await Eventually.IsTrueAsync(async () => await ChangedAsync() != before);
            Assert.Equal("InProgress", (await StateOfAsync(operation)).GetProperty("Status").GetString());
            await _server.SendAsync("POST", $"/databases/db1/operations/kill?id={operation}");
            return;
        }

        _server.Registry.Delete(boss.Thumbprint);
        long revoked = Stopwatch.GetTimestamp();
        JsonElement state = await EndOfAsync(operation);
        AssertSoon(revoked);
        Assert.Contains("which gave the session, was revoked", state.GetProperty("Result").GetProperty("Message").GetString(), StringComparison.Ordinal);
    }

    // A change of twenty documents, one a second.
    private async Task<string> BeginChangeAsync(string method, string body, Func<string, Task<Answer>> send)
    {
        string documents = string.Join(',', Enumerable.Range(0, 20).Select(i =>
            $$$"""{"Type":"PUT","Id":"users/{{{i}}}","Document":{"@metadata":{"@collection":"Users"} } }"""));
        Assert.Equal(201, (await _server.SendAsync("POST", "/databases/db1/bulk_docs", $$"""{"Commands":[{{documents}}]}""")).Status);
        string before = await ChangedAsync();
        Answer begun = await send("/databases/db1/queries?maxOpsPerSec=1");
        Assert.True(begun.Status == 202, $"{method} {body}: {begun.Text}");
        await Eventually.IsTrueAsync(async () => await ChangedAsync() != before);
        return begun.Json.GetProperty("OperationId").GetRawText();
    }

    private async Task<string> ChangedAsync()
    {
        JsonElement stats = (await _server.SendAsync("GET", "/databases/db1/stats")).Json;
        return $"{stats.GetProperty("LastDocEtag")} {stats.GetProperty("CountOfDocuments")}";
    }

    private async Task<JsonElement> StateOfAsync(string operation) => (await _server.SendAsync("GET", $"/databases/db1/operations/state?id={operation}")).Json;

    private async Task<JsonElement> EndOfAsync(string operation)
    {
        JsonElement state = default;
        await Eventually.IsTrueAsync(async () =>
        {
            state = await StateOfAsync(operation);
            return state.GetProperty("Status").GetString() != "InProgress";
        });
        return state;
    }

    private static void AssertSoon(long since)
    {
        TimeSpan took = Stopwatch.GetElapsedTime(since);
        Assert.True(took < s_promised, $"It took {took.TotalSeconds:0.00} s.");
    }

    private static async Task AssertCutAsync(Task<HttpResponseMessage> sending)
    {
        long revoked = Stopwatch.GetTimestamp();
        await Assert.ThrowsAnyAsync<HttpRequestException>(async () => Assert.Fail(await (await sending).Content.ReadAsStringAsync()));
        AssertSoon(revoked);
    }

    private Task ExpectRunningAsync(int count) => Eventually.IsTrueAsync(() => _server.Server.Server.RequestsInWork == count);

    private Task<NoticeClient> ConnectAsync(X509Certificate2 certificate) =>
        NoticeClient.ConnectAsync(_server.Server.Address, "/databases/db1/changes", certificate: certificate);

    /// <summary>A body that begins and never ends.</summary>
    private sealed class EndlessContent(string beginning) : HttpContent
    {
        private static readonly TimeSpan s_pause = TimeSpan.FromMilliseconds(20);

        private readonly TaskCompletionSource _begun = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public Task Begun => _begun.Task;

        protected override Task SerializeToStreamAsync(Stream stream, TransportContext? context) =>
            SerializeToStreamAsync(stream, context, CancellationToken.None);

        protected override async Task SerializeToStreamAsync(Stream stream, TransportContext? context, CancellationToken cancellationToken)
        {
            await stream.WriteAsync(Encoding.UTF8.GetBytes(beginning), cancellationToken);
            await stream.FlushAsync(cancellationToken);
            _begun.TrySetResult();
            while (true)
            {
                await Task.Delay(s_pause, cancellationToken); // the client notices that the connection is cut only when it writes
                await stream.WriteAsync(" "u8.ToArray(), cancellationToken);
                await stream.FlushAsync(cancellationToken);
            }
        }

        protected override bool TryComputeLength(out long length)
        {
            length = 0;
            return false;
        }
    }
}
