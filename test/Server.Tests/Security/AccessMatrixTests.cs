using System.Net.WebSockets;
using System.Text.Json;
using Jackdaw.DocumentKit;
using Jackdaw.Documents.Callers;
using Jackdaw.Documents.Commands;
using Jackdaw.Documents.Database;
using Jackdaw.Server.Http.Routing;
using Jackdaw.Server.Notices;
using Jackdaw.Server.Tests.Http.Routing;
using Jackdaw.Server.Tests.Notices;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Security;

/// <summary>Every route, command of a batch, part of a multi_get and watch, asked by everybody over https: refused exactly where it is declared.</summary>
public sealed class AccessMatrixTests : IAsyncLifetime
{
    private SecuredFixture _server = null!;
    private MatrixCaller[] _callers = null!;

    public async Task InitializeAsync()
    {
        _server = await SecuredFixture.StartAsync();
        await _server.Server.PutAsync("users/1", """{"Name":"Ann","@metadata":{"@collection":"Users"}}""");
        Assert.Equal(201, (await _server.Server.DbAsync("PUT", "/attachments?id=users/1&name=a", "x")).Status);
        _callers = await new MatrixCallers(_server).MakeAsync();
    }

    public async Task DisposeAsync() => await _server.DisposeAsync();

    [Fact]
    public async Task Routes_EachCaller_AreRefusedExactlyWhereDeclared()
    {
        RouteMethod[] methods = [.. RouteListTests.All()];
        Assert.InRange(methods.Length, 150, 1_000);
        AssertNone(await FindDifferencesAsync(methods, _callers));
    }

    /// <summary>The matrix is not blind: where the server lets somebody in who should not get in, and the other way round, it says so.</summary>
    [Fact]
    public async Task Routes_DeclarationThatTheServerDoesNotKeep_IsFound()
    {
        RouteMethod read = RouteListTests.All().Single(method => method.Route.Template == "/databases/{database}/stats");
        RouteMethod write = RouteListTests.All().Single(method => method.Name == "PUT" && method.Route.Template == "/databases/{database}/docs");
        var stricter = new RouteMethod(read.Route, read.Name, Access.Admin, read.Traits, _ => default);
        var weaker = new RouteMethod(write.Route, write.Name, Access.Read, write.Traits, _ => default);
        List<string> found = await FindDifferencesAsync([stricter, weaker], _callers);
        Assert.Contains(found, line => line.StartsWith("GET /databases/{database}/stats by read: ", StringComparison.Ordinal));
        Assert.Contains(found, line => line.StartsWith("PUT /databases/{database}/docs by read: ", StringComparison.Ordinal));
    }

    [Fact]
    public async Task BatchCommands_EachCaller_AreRefusedExactlyWhereDeclared()
    {
        var differences = new List<string>();
        foreach (MatrixCaller caller in _callers)
        {
            foreach (CommandKind kind in TestCommands.Kinds.OfBatch.All.Where(kind => kind.Read is not null))
            {
                string before = await StateAsync();
                Answer answer = await SendBatchAsync(caller, kind);
                Check(differences, $"command {kind.Name}", caller, kind.Access, answer);
                if (answer.Status == 403 && await StateAsync() != before)
                {
                    differences.Add($"command {kind.Name} by {caller}: refused, and something was written");
                }
            }
        }

        AssertNone(differences);
    }

    /// <summary>One command that is refused keeps all others of its batch from being written.</summary>
    [Fact]
    public async Task Batch_OfAReader_WritesNothing()
    {
        MatrixCaller reader = _callers.Single(caller => caller.Name == "read");
        string before = await StateAsync();
        string commands = string.Join(',', PartAccessTests.Examples.Where(one => one.Key is "PUT" or "DELETE" or "PATCH").Select(one => one.Value));
        (await reader.SendAsync("POST", "/databases/db1/bulk_docs", $$"""{"Commands":[{{commands}}]}""")).AssertProblem(403, "InvalidAuth", "ReadWrite");
        Assert.Equal(before, await StateAsync());
    }

    [Theory]
    [InlineData("GET", "/queries?query=from%20Users%20update%20%7B%20this.Name%20%3D%20'Eve'%20%7D", null)]
    [InlineData("POST", "/queries", """{"Query":"from Users update { this.Name = 'Eve' }"}""")]
    [InlineData("PATCH", "/queries", """{"Query":{"Query":"from Users update { this.Name = 'Eve' }"}}""")]
    [InlineData("DELETE", "/queries", """{"Query":"from Users"}""")]
    [InlineData("POST", "/streams/queries", """{"Query":"from Users update { this.Name = 'Eve' }"}""")]
    public async Task QueryThatWrites_OfAReader_WritesNothing(string method, string path, string? query)
    {
        MatrixCaller reader = _callers.Single(caller => caller.Name == "read");
        string before = await StateAsync();
        Answer answer = await reader.SendAsync(method, $"/databases/db1{path}", query);
        Assert.InRange(answer.Status, 400, 501);
        Assert.Equal(before, await StateAsync());
        Assert.Contains("Ann", (await _server.Server.DbAsync("GET", "/docs?id=users/1")).Text, StringComparison.Ordinal);
    }

    [Fact]
    public async Task MultiGetParts_EachCaller_AreRefusedExactlyWhereDeclared()
    {
        RouteMethod[] methods = [.. RouteListTests.All().Where(method => method.Has(RouteTraits.InMultiGet))];
        string request = JsonSerializer.Serialize(new
        {
            Requests = methods.Select(method => new { Method = method.Name, Url = $"/databases/db1{method.Route.Pattern}", Query = "" }),
        });
        var differences = new List<string>();
        foreach (MatrixCaller caller in _callers)
        {
            Answer answer = await caller.SendAsync("POST", "/databases/db1/multi_get", request);
            if (caller.OnDatabase < Access.Read)
            {
                Check(differences, "multi_get", caller, Access.Read, answer);
                continue;
            }

            foreach ((RouteMethod method, JsonElement part) in methods.Zip(answer.Json.GetProperty("Results").EnumerateArray()))
            {
                bool isRefused = part.GetProperty("StatusCode").GetInt32() == 403;
                if (isRefused != method.Access > caller.OnDatabase)
                {
                    differences.Add($"part {method.Title} by {caller}: {part}");
                }
            }
        }

        AssertNone(differences);
    }

    [Fact]
    public async Task Watches_EachCaller_AreRefusedExactlyWhereDeclared()
    {
        var differences = new List<string>();
        foreach (MatrixCaller caller in _callers)
        {
            NoticeClient? client = await ConnectAsync(caller);
            if (client is not null != caller.OnDatabase >= Access.Read)
            {
                differences.Add($"/changes by {caller}");
            }

            int id = 0;
            foreach (WatchKind kind in new WatchKinds(StandardExtensions.All).All)
            {
                if (client is not null && (await WatchAsync(client, kind, ++id) != kind.Access <= caller.OnDatabase))
                {
                    differences.Add($"watch {kind.Name} by {caller}");
                }
            }

            client?.Dispose();
        }

        AssertNone(differences);
    }

    /// <summary>Lists of databases show what the caller may open.</summary>
    [Fact]
    public async Task Lists_EachCaller_NameOnlyWhatItMayOpen()
    {
        Assert.Equal(201, (await _server.SendAsync("PUT", "/admin/databases?name=db2", """{"DatabaseName":"db2"}""")).Status);
        foreach (MatrixCaller caller in _callers.Where(caller => caller.OnServer >= Access.ValidUser))
        {
            bool isOfOther = caller.Name.Contains("other", StringComparison.Ordinal);
            foreach (string path in (string[])["/databases", "/databases?namesOnly=true", "/metrics"])
            {
                string text = (await caller.SendAsync("GET", path)).Text;
                Assert.Equal(!isOfOther, text.Contains("\"db1\"", StringComparison.Ordinal));
                Assert.Equal(isOfOther || caller.OnServer >= Access.Operator, text.Contains("\"db2\"", StringComparison.Ordinal));
            }
        }
    }

    private static async Task<List<string>> FindDifferencesAsync(IReadOnlyCollection<RouteMethod> methods, IEnumerable<MatrixCaller> callers)
    {
        var differences = new List<string>();
        foreach (MatrixCaller caller in callers)
        {
            // Logging out comes last, because it ends the session that the other requests need.
            foreach (RouteMethod method in methods.OrderBy(method => method.Route.Pattern == "/logout"))
            {
                Answer answer = await caller.SendAsync(method.Name, method.Route.Template.Replace("{database}", "db1", StringComparison.Ordinal));
                Check(differences, method.Title, caller, method.Access, answer, method.Route);
            }
        }

        return differences;
    }

    private static void Check(List<string> differences, string subject, MatrixCaller caller, Access access, Answer answer, Route? route = null)
    {
        Access highest = route is { IsOfDatabase: false } ? caller.OnServer : caller.OnDatabase;
        bool isDeclared = access <= highest || (caller.OnlyRoute is { } only && only == route?.Pattern);
        bool isRefused = answer.Status == 403;
        bool isSaid = answer.Text.Length == 0 || answer.Text.Contains("\"InvalidAuth\"", StringComparison.Ordinal);
        if (isRefused == isDeclared || (isRefused && !isSaid))
        {
            differences.Add($"{subject} by {caller}: {answer.Status} {answer.Text}");
        }
    }

    private static void AssertNone(List<string> differences) =>
        Assert.True(differences.Count == 0, $"{differences.Count} differences:\n{string.Join('\n', differences.Take(20))}");

    private static Task<Answer> SendBatchAsync(MatrixCaller caller, CommandKind kind)
    {
        string example = PartAccessTests.Examples[kind.Name];
        string mode = kind.Name.StartsWith("CompareExchange", StringComparison.Ordinal) ? ""","TransactionMode":"ClusterWide" """ : "";
        object body = kind.Name == "AttachmentPUT" ? AttachmentRequests.Multipart(example, [1]) : $$"""{"Commands":[{{example}}]{{mode}}}""";
        return caller.SendAsync("POST", "/databases/db1/bulk_docs", body);
    }

    private async Task<NoticeClient?> ConnectAsync(MatrixCaller caller)
    {
        try
        {
            return await NoticeClient.ConnectAsync(_server.Server.Address, "/databases/db1/changes", certificate: caller.Certificate, header: caller.Header);
        }
        catch (WebSocketException refused) when (refused.Message.Contains("403", StringComparison.Ordinal))
        {
            return null;
        }
    }

    private static async Task<bool> WatchAsync(NoticeClient client, WatchKind kind, int id)
    {
        await client.SendAsync(WatchAccessTests.Command(kind, id));
        return await client.TryReadUntilAsync(() => client.Of("Confirm").Count() == id);
    }

    private async Task<string> StateAsync() => (await _server.Server.DbAsync("GET", "/stats/detailed")).Text;
}
