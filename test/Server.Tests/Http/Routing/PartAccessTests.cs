using System.Text.Json;
using Jackdaw.DocumentKit;
using Jackdaw.Documents.Callers;
using Jackdaw.Documents.Commands;
using Jackdaw.Server.Http.Routing;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Http.Routing;

/// <summary>Commands of batches and parts of a multi_get: each asks what the caller may do, also when the route let the caller in.</summary>
public sealed class PartAccessTests : IAsyncLifetime
{
    /// <summary>A command of each kind.</summary>
    internal static IReadOnlyDictionary<string, string> Examples => s_examples;

    private static readonly Dictionary<string, string> s_examples = new()
    {
        ["PUT"] = """{"Type":"PUT","Id":"users/2","Document":{"Name":"Bob"}}""",
        ["DELETE"] = """{"Type":"DELETE","Id":"users/1"}""",
        ["PATCH"] = """{"Type":"PATCH","Id":"users/1","Patch":{"Script":"this.Name = 'Eve'"}}""",
        ["BatchPATCH"] = """{"Type":"BatchPATCH","Ids":[{"Id":"users/1"}],"Patch":{"Script":"this.Name = 'Eve'"}}""",
        ["JsonPatch"] = """{"Type":"JsonPatch","Id":"users/1","JsonPatch":{"Operations":[{"op":"add","path":"/Age","value":1}]}}""",
        ["ForceRevisionCreation"] = """{"Type":"ForceRevisionCreation","Id":"users/1"}""",
        ["AttachmentPUT"] = """{"Type":"AttachmentPUT","Id":"users/1","Name":"a","ContentLength":1}""",
        ["AttachmentDELETE"] = """{"Type":"AttachmentDELETE","Id":"users/1","Name":"a"}""",
        ["AttachmentMOVE"] = """{"Type":"AttachmentMOVE","Id":"users/1","Name":"a","DestinationId":"users/1","DestinationName":"b"}""",
        ["AttachmentCOPY"] = """{"Type":"AttachmentCOPY","Id":"users/1","Name":"a","DestinationId":"users/1","DestinationName":"b"}""",
        ["Counters"] =
            """{"Type":"Counters","Id":"users/1","Counters":{"DocumentId":"users/1","Operations":[{"Type":"Increment","CounterName":"c","Delta":1}]}}""",
        ["CompareExchangePUT"] = """{"Type":"CompareExchangePUT","Id":"k","Index":0,"Document":{"Object":1}}""",
        ["CompareExchangeDELETE"] = """{"Type":"CompareExchangeDELETE","Id":"k","Index":0}""",
    };

    private readonly TestCaller _caller = new();
    private ServerFixture _server = null!;

    public async Task InitializeAsync()
    {
        _server = await ServerFixture.StartAsync(new ServerSetup { Caller = _caller });
        await _server.PutAsync("users/1", """{"Name":"Ann"}""");
        Assert.Equal(201, (await _server.DbAsync("PUT", "/attachments?id=users/1&name=a", "x")).Status);
    }

    public async Task DisposeAsync() => await _server.DisposeAsync();

    [Fact]
    public async Task Batch_EachKindOfCommand_AsksTheCallerAndWritesNothing()
    {
        Assert.NotEmpty(TestCommands.Kinds.OfBatch.All);
        foreach (CommandKind kind in TestCommands.Kinds.OfBatch.All.Where(kind => kind.Read is not null))
        {
            string before = await StateAsync();
            _caller.Grant(Access.Read);
            (await BatchAsync(kind)).AssertProblem(403, "InvalidAuth", "POST /databases/{database}/bulk_docs needs the access ReadWrite");

            _caller.GrantTimes(1); // the route lets the caller in, the command does not
            (await BatchAsync(kind)).AssertProblem(403, "InvalidAuth", $"The command {kind.Name} needs the access {kind.Access} to database 'db1'");
            Assert.Equal(before, await StateAsync());
        }
    }

    [Fact]
    public async Task Batch_OneCommandThatIsRefused_WritesNoneOfTheOthers()
    {
        string before = await StateAsync();
        _caller.GrantTimes(1);
        Answer answer = await _server.DbAsync("POST", "/bulk_docs", $$"""{"Commands":[{{s_examples["DELETE"]}},{{s_examples["PUT"]}}]}""");
        answer.AssertProblem(403, "InvalidAuth", "The command DELETE needs");
        Assert.Equal(before, await StateAsync());

        _caller.Grant(Access.ReadWrite);
        Assert.Equal(201, (await _server.DbAsync("POST", "/bulk_docs", $$"""{"Commands":[{{s_examples["PUT"]}}]}""")).Status);
    }

    [Fact]
    public async Task BulkInsert_EachKindOfCommand_AsksTheCallerAndWritesNothing()
    {
        foreach (CommandKind kind in TestCommands.Kinds.OfBulkInsert.All.Where(kind => kind.Read is not null && kind.Name != "HeartBeat"))
        {
            string before = await StateAsync();
            _caller.GrantTimes(1);
            Answer answer = await _server.DbAsync("POST", "/bulk_insert", $"[{s_examples[kind.Name]}x]");
            answer.AssertProblem(403, "InvalidAuth", $"The command {kind.Name} needs the access {kind.Access} to database 'db1'");
            Assert.Equal(before, await StateAsync());
        }
    }

    [Theory]
    [InlineData((int)Access.Read)]
    [InlineData((int)Access.ReadWrite)]
    [InlineData((int)Access.Admin)]
    public async Task MultiGet_EachRoute_IsRefusedWhereItNeedsMoreOrComesAlone(int granted)
    {
        _caller.GrantAll();
        string before = await StateAsync();
        RouteMethod[] methods = [.. RouteListTests.All().Where(method => method.Route.IsOfDatabase)];
        _caller.Grant((Access)granted);
        JsonElement[] results = await MultiGetAsync([.. methods.Select(method => (method.Name, method.Route.Pattern))]);
        foreach ((RouteMethod method, JsonElement result) in methods.Zip(results))
        {
            int status = result.GetProperty("StatusCode").GetInt32();
            if (!method.Has(RouteTraits.InMultiGet))
            {
                Assert.True(status is 400 or 501, $"{method.Name} {method.Route.Pattern}: {status}");
            }
            else if (method.Access <= (Access)granted)
            {
                Assert.NotEqual(403, status);
            }
            else
            {
                AssertRefused(result, $"{method.Name} {method.Route.Template} needs the access {method.Access} to database 'db1'");
            }
        }

        Assert.Equal(before, await StateAsync());
    }

    [Fact]
    public async Task MultiGet_CallerWhoLosesTheAccess_IsRefusedAtEachPart()
    {
        RouteMethod[] methods = [.. RouteListTests.All().Where(method => method.Has(RouteTraits.InMultiGet))];
        Answer answer;
        do
        {
            _caller.GrantTimes(1);
            answer = await SendAsync([.. methods.Select(method => (method.Name, method.Route.Pattern))]);
        }
        while (answer.Status == 403); // a body that comes later than its headers is judged once more, before the parts

        IEnumerable<JsonElement> results = answer.Json.GetProperty("Results").EnumerateArray();
        Assert.All(methods.Zip(results), pair => AssertRefused(pair.Second, $"{pair.First.Name} {pair.First.Route.Template} needs"));
    }

    [Fact]
    public async Task MultiGet_Reader_GetsWhatReaderMayRead()
    {
        _caller.Grant(Access.Read);
        JsonElement[] results = await MultiGetAsync(
            ("GET", "/docs?id=users/1"), ("GET", "/queries?query=from%20@all_docs"), ("GET", "/stats"), ("GET", "/admin/record"));
        Assert.Equal([200, 200, 200, 403], results.Select(result => result.GetProperty("StatusCode").GetInt32()));
        Assert.Contains("Ann", results[0].GetRawText(), StringComparison.Ordinal);
        Assert.Contains("Ann", results[1].GetRawText(), StringComparison.Ordinal);
    }

    private static void AssertRefused(JsonElement part, string message)
    {
        Assert.Equal(403, part.GetProperty("StatusCode").GetInt32());
        JsonElement problem = part.GetProperty("Result");
        Assert.Equal("InvalidAuth", problem.GetProperty("Type").GetString());
        Assert.StartsWith(message, problem.GetProperty("Message").GetString(), StringComparison.Ordinal);
    }

    private Task<Answer> BatchAsync(CommandKind kind)
    {
        string mode = kind.Name.StartsWith("CompareExchange", StringComparison.Ordinal) ? ""","TransactionMode":"ClusterWide" """ : "";
        object body = kind.Name == "AttachmentPUT"
            ? AttachmentRequests.Multipart(s_examples[kind.Name], [1])
            : $$"""{"Commands":[{{s_examples[kind.Name]}}]{{mode}}}""";
        return _server.DbAsync("POST", "/bulk_docs", body);
    }

    private async Task<JsonElement[]> MultiGetAsync(params (string Method, string Path)[] parts)
    {
        Answer answer = await SendAsync(parts);
        Assert.True(answer.Status == 200, answer.Text);
        return [.. answer.Json.GetProperty("Results").EnumerateArray()];
    }

    private Task<Answer> SendAsync(params (string Method, string Path)[] parts)
    {
        var requests = parts.Select(part => new
        {
            part.Method,
            Url = $"/databases/db1{part.Path.Split('?')[0]}",
            Query = part.Path.Contains('?', StringComparison.Ordinal) ? part.Path[part.Path.IndexOf('?', StringComparison.Ordinal)..] : "",
        });
        return _server.DbAsync("POST", "/multi_get", JsonSerializer.Serialize(new { Requests = requests }));
    }

    private async Task<string> StateAsync()
    {
        _caller.GrantAll();
        return (await _server.DbAsync("GET", "/stats/detailed")).Text;
    }
}
