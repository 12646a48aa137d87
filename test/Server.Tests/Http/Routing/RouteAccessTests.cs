using Jackdaw.Documents.Callers;
using Jackdaw.Server.Http.Routing;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Http.Routing;

/// <summary>Every route, asked by callers with every access.</summary>
public sealed class RouteAccessTests : IAsyncLifetime
{
    private readonly TestCaller _caller = new();
    private ServerFixture _server = null!;

    public async Task InitializeAsync()
    {
        _server = await ServerFixture.StartAsync(new ServerSetup { Caller = _caller });
        await _server.PutAsync("users/1", """{"Name":"Ann"}""");
    }

    public async Task DisposeAsync() => await _server.DisposeAsync();

    [Theory]
    [MemberData(nameof(Accesses))]
    public async Task Routes_CallerWithAnAccess_AreRefusedWhereTheyNeedMore(int granted)
    {
        string before = await StateAsync();
        foreach (RouteMethod method in RouteListTests.All())
        {
            _caller.Grant((Access)granted);
            Answer answer = await _server.SendAsync(method.Name, method.Route.Template.Replace("{database}", "db1", StringComparison.Ordinal));
            if (method.Access <= (Access)granted)
            {
                Assert.NotEqual(403, answer.Status);
                continue;
            }

            AssertRefused(method, answer);
            Assert.Equal(before, await StateAsync());
        }
    }

    public static TheoryData<int> Accesses { get; } = [.. Enum.GetValues<Access>().Cast<int>()];

    [Theory]
    [InlineData("PUT", "/docs?id=users/2", """{"Name":"Bob"}""")]
    [InlineData("DELETE", "/docs?id=users/1", null)]
    [InlineData("PATCH", "/docs?id=users/1", """{"Patch":{"Script":"this.Name = 'Eve'"}}""")]
    [InlineData("PATCH", "/queries", """{"Query":{"Query":"from Users update { this.Name = 'Eve' }"}}""")]
    [InlineData("DELETE", "/queries", """{"Query":"from @all_docs"}""")]
    [InlineData("POST", "/bulk_docs", """{"Commands":[{"Type":"DELETE","Id":"users/1"}]}""")]
    [InlineData("POST", "/bulk_insert", """[{"Type":"PUT","Id":"users/2","Document":{"Name":"Bob"}}]""")]
    [InlineData("PUT", "/attachments?id=users/1&name=a", "content")]
    [InlineData("POST", "/counters", """{"Documents":[{"DocumentId":"users/1","Operations":[{"Type":"Increment","CounterName":"Likes","Delta":1}]}]}""")]
    [InlineData("PUT", "/cmpxchg?key=a&index=0", """{"Object":1}""")]
    [InlineData("POST", "/identity/next?name=users", null)]
    [InlineData("GET", "/hilo/next?tag=users", null)]
    public async Task Writes_Reader_AreRefusedAndNothingIsWritten(string method, string path, string? body)
    {
        string before = await StateAsync();
        _caller.Grant(Access.Read);
        Answer refused = await _server.DbAsync(method, path, body);
        refused.AssertProblem(403, "InvalidAuth", "needs the access ReadWrite to database 'db1'", "the caller of the test does not have");
        Assert.Equal(before, await StateAsync());

        _caller.Grant(Access.ReadWrite);
        Assert.InRange((await _server.DbAsync(method, path, body)).Status, 200, 299);
    }

    [Theory]
    [InlineData("GET", "/docs?id=users/1", null)]
    [InlineData("HEAD", "/docs?id=users/1", null)]
    [InlineData("POST", "/docs", """{"Ids":["users/1"]}""")]
    [InlineData("GET", "/queries?query=from%20@all_docs", null)]
    [InlineData("POST", "/queries", """{"Query":"from @all_docs"}""")]
    [InlineData("GET", "/streams/docs", null)]
    [InlineData("GET", "/stats", null)]
    [InlineData("GET", "/cmpxchg", null)]
    [InlineData("POST", "/counters", """{"Documents":[{"DocumentId":"users/1","Operations":[{"Type":"Get","CounterName":"Likes"}]}]}""")]
    public async Task Reads_Reader_AreAnswered(string method, string path, string? body)
    {
        _caller.Grant(Access.Read);
        Assert.Equal(200, (await _server.DbAsync(method, path, body)).Status);
    }

    [Fact]
    public async Task Database_OfOthers_IsNotToldToBeMissing()
    {
        _caller.Grant(Access.Admin, "db1");
        foreach (string name in new[] { "db2", "missing" })
        {
            await _server.Databases.PutRecordAsync("db2", "{}"u8.ToArray(), null, default);
            (await _server.SendAsync("GET", $"/databases/{name}/docs?id=a")).AssertProblem(403, "InvalidAuth", $"'{name}'");
            (await _server.SendAsync("GET", $"/databases/{name}/timeseries")).AssertProblem(501, "NotSupportedException");
            (await _server.SendAsync("GET", $"/topology?name={name}")).AssertProblem(403, "InvalidAuth", $"'{name}'");
            (await _server.SendAsync("GET", $"/admin/databases?name={name}")).AssertProblem(403, "InvalidAuth", $"'{name}'");
        }

        Assert.Equal(200, (await _server.SendAsync("GET", "/databases/DB1/docs?id=users/1")).Status);
        Assert.Equal(200, (await _server.SendAsync("GET", "/topology?name=db1")).Status);
        Assert.Equal(200, (await _server.SendAsync("GET", "/admin/databases?name=db1")).Status);
        Assert.Equal("""{"Databases":["db1"]}""", (await _server.SendAsync("GET", "/databases?namesOnly=true")).Text);

        _caller.GrantAll();
        (await _server.SendAsync("GET", "/databases/missing/docs?id=a")).AssertProblem(503, "DatabaseDoesNotExistException");
        (await _server.SendAsync("GET", "/databases/missing/timeseries")).AssertProblem(503, "DatabaseDoesNotExistException");
        Assert.Equal("""{"Databases":["db1","db2"]}""", (await _server.SendAsync("GET", "/databases?namesOnly=true")).Text);
    }

    private static void AssertRefused(RouteMethod method, Answer answer)
    {
        if (method.Name == "HEAD")
        {
            Assert.Equal(403, answer.Status);
            return;
        }

        answer.AssertProblem(403, "InvalidAuth", $"{method.Name} {method.Route.Template} needs the access {method.Access}");
    }

    // What a write would change: counts and the last etag of the database, and the records of the server.
    private async Task<string> StateAsync()
    {
        _caller.GrantAll();
        return $"{_server.Databases.CommitIndex} {(await _server.DbAsync("GET", "/stats/detailed")).Text}";
    }
}
