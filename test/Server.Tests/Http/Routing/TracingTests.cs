using System.Collections.Concurrent;
using System.Diagnostics;
using System.Threading.Channels;
using Jackdaw.Documents.Database;
using Jackdaw.Documents.Databases;
using Jackdaw.Documents.Diagnostics;
using Jackdaw.Server.Http.Routing;
using Jackdaw.Storage.Merging;
using Microsoft.AspNetCore.Http;

namespace Jackdaw.Server.Tests.Http.Routing;

/// <summary>Activities of requests and commits, over the real server. Alone: a listener hears all servers of the
/// process.</summary>
[Collection(AloneCollection.Name)]
public sealed class TracingTests
{
    private const string Trace = "0af7651916cd43dd8448eb211c80319c";
    private const string Parent = "b7ad6b7169203331";

    [Fact]
    public async Task Request_WithTraceparent_IsAChildOfItsCallerWithTheConventionsTags()
    {
        await using ServerFixture server = await ServerFixture.StartAsync();
        using var heard = new HeardActivities();

        await server.DbAsync("GET", "/docs?id=secret", null, ("traceparent", $"00-{Trace}-{Parent}-01"), ("tracestate", "a=1"));
        Activity request = await heard.NextAsync(ActivityKind.Server);

        Assert.Equal("GET /databases/{database}/docs", request.DisplayName);
        Assert.Equal((Trace, Parent, "a=1"), (request.TraceId.ToHexString(), request.ParentSpanId.ToHexString(), request.TraceStateString));
        Assert.True(request.HasRemoteParent);
        Assert.Equal(
            new Dictionary<string, object?>
            {
                ["http.request.method"] = "GET",
                ["url.scheme"] = "http",
                ["url.path"] = "/databases/db1/docs",
                ["server.address"] = "127.0.0.1",
                ["server.port"] = server.Address.Port,
                ["http.response.status_code"] = 404,
                ["http.route"] = "/databases/{database}/docs",
                ["db.namespace"] = "db1",
            },
            request.TagObjects.Where(tag => tag.Value is not null).ToDictionary());
        Assert.Equal(ActivityStatusCode.Unset, request.Status);
    }

    [Theory]
    [InlineData(null)]
    [InlineData("nonsense")]
    [InlineData("00-00000000000000000000000000000000-b7ad6b7169203331-01")]
    [InlineData($"00-{Trace}-{Parent}-01,00-{Trace}-{Parent}-01")]
    public async Task Request_WithoutAUsableTraceparent_BeginsATrace(string? header)
    {
        await using ServerFixture server = await ServerFixture.StartAsync();
        using var heard = new HeardActivities();

        await server.SendAsync("GET", "/build/version", null, header is null ? [] : [("traceparent", header)]);
        Activity request = await heard.NextAsync(ActivityKind.Server);

        Assert.Equal(default, request.ParentSpanId);
        Assert.NotEqual(Trace, request.TraceId.ToHexString());
        Assert.Equal("GET /build/version", request.DisplayName);
        Assert.Null(request.GetTagItem("db.namespace"));
    }

    [Theory]
    [InlineData("GET", "/databases/db1/docs?id=a", 404, "GET /databases/{database}/docs")]
    [InlineData("GET", "/no/such/route", 400, "GET")]
    [InlineData("WONDER", "/build/version", 405, "HTTP /build/version")]
    public async Task Request_ThatIsRefused_IsNoErrorOfTheServer(string method, string path, int status, string name)
    {
        await using ServerFixture server = await ServerFixture.StartAsync();
        using var heard = new HeardActivities();

        await server.SendAsync(method, path);
        Activity request = await heard.NextAsync(ActivityKind.Server);

        Assert.Equal((name, status, ActivityStatusCode.Unset),
            (request.DisplayName, request.GetTagItem("http.response.status_code"), request.Status));
        Assert.Equal(method == "WONDER" ? "_OTHER" : method, request.GetTagItem("http.request.method"));
        Assert.Equal(method == "WONDER" ? method : null, request.GetTagItem("http.request.method_original"));
    }

    [Fact]
    public async Task Request_ThatFails_HasTheStatusErrorAndItsType()
    {
        await using ServerFixture server = await ServerFixture.StartAsync();
        using var heard = new HeardActivities();

        server.Show(new DatabaseLookup(DatabaseLookupStatus.Faulted, null, "broken"));
        await server.DbAsync("GET", "/docs?id=a");
        Activity answered = await heard.NextAsync(ActivityKind.Server);
        Assert.Equal((ActivityStatusCode.Error, "500"), (answered.Status, answered.GetTagItem("error.type")));

        // No database behind an open one: the handler throws.
        server.Show(new DatabaseLookup(DatabaseLookupStatus.Open, null, null));
        await server.DbAsync("GET", "/docs?id=a");
        Activity thrown = await heard.NextAsync(ActivityKind.Server);
        Assert.Equal((ActivityStatusCode.Error, typeof(NullReferenceException).FullName), (thrown.Status, thrown.GetTagItem("error.type")));
    }

    [Fact]
    public async Task Commit_HasItsNumbersAndALinkToTheRequest()
    {
        await using ServerFixture server = await ServerFixture.StartAsync();
        using var heard = new HeardActivities();

        await server.PutAsync("users/1", """{"n":1}""");
        Activity commit = await heard.NextAsync(ActivityKind.Internal);
        Activity request = await heard.NextAsync(ActivityKind.Server);

        Assert.Equal((CommitTraces.CommitName, default(ActivitySpanId)), (commit.DisplayName, commit.ParentSpanId));
        Assert.Equal(("db1", 1), (commit.GetTagItem("db.namespace"), commit.GetTagItem("jackdaw.commit.commands")));
        Assert.InRange((long)commit.GetTagItem("jackdaw.commit.journal_bytes")!, 1, 1 << 20);
        Assert.Equal(request.Context, Assert.Single(commit.Links).Context);
        Assert.True(commit.StartTimeUtc >= request.StartTimeUtc - TimeSpan.FromMilliseconds(20), "begins within the request");
    }

    [Fact]
    public async Task NextRequestOfAConnection_IsNoChildOfTheOneBefore()
    {
        await using ServerFixture server = await ServerFixture.StartAsync();
        using var heard = new HeardActivities();

        await server.SendAsync("GET", "/build/version");
        Activity first = await heard.NextAsync(ActivityKind.Server);
        await server.SendAsync("GET", "/build/version");
        Activity second = await heard.NextAsync(ActivityKind.Server);

        Assert.Equal(default, second.ParentSpanId);
        Assert.NotEqual(first.TraceId, second.TraceId);
    }

    [Fact]
    public void Traces_WhenNobodyListens_AllocateNothing()
    {
        var http = new DefaultHttpContext();
        http.Request.Method = "GET";
        http.Request.Headers.TraceParent = $"00-{Trace}-{Parent}-01";
        var commits = new CommitTraces("db1", TimeProvider.System);
        var batch = new EndedBatch([], 1, 1, default, null);

        Assert.Equal(0, Measure());
        using var heard = new HeardActivities();
        Assert.NotEqual(0, Measure());

        long Measure()
        {
            long before = 0;
            for (int round = 0; round < 20; round++)
            {
                before = round == 10 ? GC.GetAllocatedBytesForCurrentThread() : before;
                RequestTrace.TryBegin(http.Request)?.Dispose();
                _ = DatabaseActivities.CurrentContext;
                commits.OnEnded(batch);
            }

            return GC.GetAllocatedBytesForCurrentThread() - before;
        }
    }

    /// <summary>Hears the server's activities when they end.</summary>
    private sealed class HeardActivities : IDisposable
    {
        private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(30);

        private readonly ConcurrentDictionary<ActivityKind, Channel<Activity>> _ended = new();
        private readonly ActivityListener _listener;

        public HeardActivities()
        {
            _listener = new ActivityListener
            {
                ShouldListenTo = source => source.Name == DatabaseActivities.SourceName,
                Sample = (ref ActivityCreationOptions<ActivityContext> _) => ActivitySamplingResult.AllDataAndRecorded,
                ActivityStopped = activity => Of(activity.Kind).Writer.TryWrite(activity),
            };
            ActivitySource.AddActivityListener(_listener);
        }

        public async Task<Activity> NextAsync(ActivityKind kind)
        {
            using var deadline = new CancellationTokenSource(s_patience);
            return await Of(kind).Reader.ReadAsync(deadline.Token);
        }

        public void Dispose() => _listener.Dispose();

        private Channel<Activity> Of(ActivityKind kind) => _ended.GetOrAdd(kind, static _ => Channel.CreateUnbounded<Activity>());
    }
}
