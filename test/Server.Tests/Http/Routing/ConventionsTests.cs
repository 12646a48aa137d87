using Jackdaw.Documents.Databases;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Http.Routing;

public sealed class ConventionsTests : IAsyncLifetime
{
    private ServerFixture _server = null!;

    public async Task InitializeAsync() => _server = await ServerFixture.StartAsync(new ServerSetup { LeftOut = ["indexes"] });

    public async Task DisposeAsync() => await _server.DisposeAsync();

    [Theory]
    [InlineData("GET", "/nowhere")]
    [InlineData("GET", "/databases/db1/nowhere")]
    [InlineData("GET", "/databases//docs")]
    [InlineData("POST", "/databases/db1/admin/unheard-of")]
    public async Task UnknownRoute_Answers400WithItsType(string method, string path) =>
        (await _server.SendAsync(method, path)).AssertProblem(400, "Routing.RouteNotFoundException", "no route");

    [Fact]
    public async Task KnownRoute_WrongMethod_Answers405NamingTheMethods()
    {
        Answer answer = (await _server.DbAsync("DELETE", "/stats")).AssertProblem(405, "RouteNotFoundException", "GET");

        Assert.Equal("GET,HEAD", answer.Header("Allow"));
    }

    [Fact]
    public async Task Head_OfEveryRouteWithGet_AnswersLikeGetWithoutABody()
    {
        string[] lines = await File.ReadAllLinesAsync(Path.Combine(AppContext.BaseDirectory, "Http", "Routing", "routes.golden.txt"));
        ILookup<string, string> methods = lines.Select(line => line.Split(' ')).Where(parts => parts.Length > 1).ToLookup(parts => parts[0], parts => parts[1]);
        string[] paths = [.. methods.Where(one => one.Contains("GET") && !one.Contains("HEAD")).Select(one => one.Key)];
        Assert.True(paths.Length > 50);
        foreach (string path in paths.Select(path => path.Replace("{database}", "db1", StringComparison.Ordinal)))
        {
            Answer get = await _server.SendAsync("GET", path);
            Answer head = await _server.SendAsync("HEAD", path);
            Assert.True(get.Status == head.Status, $"{path}: {head.Status} instead of {get.Status}");
            Assert.Equal("", head.Text);
            Assert.Equal(get.Header("Content-Type"), head.Header("Content-Type"));
        }
    }

    [Theory]
    [InlineData("/DATABASES/DB1/DOCS?ID=a")]
    [InlineData("/databases/db1/docs/?id=a")]
    [InlineData("/databases/Db1/docs?&&id=a&")]
    [InlineData("/databases/db1/docs?nodeTag=A&id=a&loadHash=123")]
    [InlineData("/databases/db1/docs?unknown&id=a&other=%zz")]
    public async Task PathsAndQueries_AreReadLeniently(string path)
    {
        await _server.PutAsync("a", "{}");

        Assert.Equal(200, (await _server.SendAsync("GET", path)).Status);
        Assert.Equal(200, (await _server.SendAsync("get", path)).Status);
    }

    [Theory]
    [InlineData("GET", "/databases/none/docs?id=a")]
    [InlineData("GET", "/databases/a%2F..%2Fb/stats")]
    [InlineData("POST", "/databases/none/bulk_docs")]
    [InlineData("POST", "/databases/none/queries")]
    [InlineData("GET", "/topology?name=none")]
    public async Task MissingDatabase_Answers503WithTheHeader(string method, string path)
    {
        Answer answer = await _server.SendAsync(method, path, method == "POST" ? "{}" : null);

        answer.AssertProblem(503, "DatabaseDoesNotExistException", "does not exist");
        Assert.NotNull(answer.Header("Database-Missing"));
    }

    [Fact]
    public async Task PathThatClimbs_IsNoRoute() =>
        Assert.Equal(400, (await _server.SendAsync("GET", "/databases/../docs")).Status);

    [Theory]
    [InlineData("PUT", "/admin/indexes", "Indexes")]
    [InlineData("GET", "/indexes/stats", "Indexes")]
    [InlineData("PUT", "/admin/attachments/remote/config", "attachments")]
    [InlineData("GET", "/timeseries?docId=a", "Time series")]
    [InlineData("POST", "/admin/revisions/orphaned/adopt", "operation on revisions")]
    [InlineData("GET", "/revisions/bin-cleaner/config", "bin of revisions")]
    [InlineData("PUT", "/subscriptions", "Subscriptions")]
    [InlineData("POST", "/smuggler/export", "Export")]
    [InlineData("POST", "/admin/periodic-backup", "Backup")]
    public async Task LaterFeature_Answers501AndNeverASuccess(string method, string path, string feature) =>
        (await _server.DbAsync(method, path, method is "GET"
            ? null
            : "{}")).AssertProblem(501, "NotSupportedException", feature);

    [Theory]
    [InlineData("POST", "/admin/restore/database", "Backup")]
    [InlineData("GET", "/periodic-backup/status?name=db1&taskId=1", "Backup")]
    [InlineData("PUT", "/admin/configuration/server-wide/backup", "Server-wide")]
    [InlineData("POST", "/admin/replication/internal?name=db1", "Replication")]
    public async Task LaterFeatureOfTheServer_Answers501(string method, string path, string feature) =>
        (await _server.SendAsync(method, path, method is "GET" ? null : "{}")).AssertProblem(501, "NotSupportedException", feature);

    [Fact]
    public async Task RefreshHints_AppearOnlyWhenSomethingIsOutdated()
    {
        await _server.PutAsync("a", "{}");
        string etag = (await _server.SendAsync("GET", "/topology?name=db1")).Json.GetProperty("Etag").GetRawText();
        Task<Answer> GetAsync(string name, string value) => _server.DbAsync("GET", "/docs?id=a", null, (name, value));

        Assert.Null((await GetAsync("Topology-Etag", $"\"{etag}\"")).Header("Refresh-Topology"));
        Assert.Null((await GetAsync("Topology-Etag", "\"-2\"")).Header("Refresh-Topology"));
        Assert.Null((await GetAsync("Topology-Etag", "garbage")).Header("Refresh-Topology"));
        Assert.Equal("true", (await GetAsync("Topology-Etag", "\"99\"")).Header("Refresh-Topology"));
        Assert.Null((await GetAsync("Client-Configuration-Etag", "0")).Header("Refresh-Client-Configuration"));

        Assert.Equal(201, (await _server.DbAsync("PUT", "/admin/configuration/client", """{"MaxNumberOfRequestsPerSession":50}""")).Status);

        Assert.Equal("true", (await GetAsync("Client-Configuration-Etag", "0")).Header("Refresh-Client-Configuration"));
        Assert.Equal(
            "true", (await GetAsync("Client-Configuration-Etag", "\"0\"")).Header("Refresh-Client-Configuration"));
        Assert.Null((await GetAsync("Client-Configuration-Etag", "999")).Header("Refresh-Client-Configuration"));
    }

    [Theory]
    [InlineData(DatabaseLookupStatus.Disabled, 503, "DatabaseDisabledException", "disabled")]
    [InlineData(DatabaseLookupStatus.Loading, 503, "DatabaseLoadTimeoutException", "half way")]
    [InlineData(DatabaseLookupStatus.Faulted, 500, "RavenException", "half way")]
    public async Task DatabaseThatCannotServe_AnswersWhy(
        DatabaseLookupStatus status, int expected, string type, string message)
    {
        _server.Show(new DatabaseLookup(status, null, "half way"));

        Answer answer = (await _server.DbAsync("GET", "/docs?id=a")).AssertProblem(expected, type, message);

        Assert.Equal(status == DatabaseLookupStatus.Loading, answer.Header("Retry-After") is not null);
    }

    [Fact]
    public async Task UnexpectedFailure_Answers500WithItsTypeAndTheServerLivesOn()
    {
        _server.Probe.Gate = Task.FromException(new IOException("disk is gone"));

        (await _server.DbAsync("PUT", "/docs?id=a", "{}")).AssertProblem(500, "IOException", "disk is gone");

        _server.Probe.Gate = null;
        await _server.PutAsync("a", "{}");
    }
}
