using System.Text.Json;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Http.Handlers.Queries.Rows;

/// <summary>Queries that need no index, over HTTP.</summary>
public sealed class CollectionQueryTests : IAsyncLifetime
{
    private ServerFixture _server = null!;

    public async Task InitializeAsync()
    {
        _server = await ServerFixture.StartAsync(new ServerSetup { LeftOut = ["indexes"] });
        await PutAsync("users/2", "Users", """{"Name":"Bob","Age":30,"Tags":["x","Y"],"Boss":"users/1","Lines":[{"P":"a"},{"P":"b"}]}""");
        await PutAsync("users/1", "Users", """{"Name":"Ann","Age":40,"Tags":[],"Boss":null,"Home":{"City":"Ulm"}}""");
        await PutAsync("users/3", "Users", """{"Name":"bob","Age":30.5,"Boss":"users/9","At":"2024-03-01T10:00:00Z"}""");
        await PutAsync("orders/1", "Orders", """{"Name":"Bob","User":"users/1"}""");
    }

    public async Task DisposeAsync() => await _server.DisposeAsync();

    [Theory]
    [InlineData("from Users", "users/2,users/1,users/3", 3)]
    [InlineData("from 'users'", "users/2,users/1,users/3", 3)]
    [InlineData("from Users where true", "users/2,users/1,users/3", 3)]
    [InlineData("from Users where false", "", 0)]
    [InlineData("from Nobody", "", 0)]
    [InlineData("from @all_docs", "users/2,users/1,users/3,orders/1", 4)]
    [InlineData("from Users order by id()", "users/1,users/2,users/3", 3)]
    [InlineData("from @all_docs order by id()", "orders/1,users/1,users/2,users/3", 4)]
    [InlineData("from Users limit 1", "users/2", 3)]
    [InlineData("from Users limit 1, 1", "users/1", 3)]
    [InlineData("from Users limit 0", "", 3)]
    [InlineData("from Users limit 5, 5", "", 3)]
    [InlineData("from Users limit null, null", "users/2,users/1,users/3", 3)]
    [InlineData("from Users offset 2", "users/3", 3)]
    [InlineData("from Users where id() = 'USERS/1'", "users/1", 1)]
    [InlineData("from Users where id() = 'orders/1'", "", 0)]
    [InlineData("from @all_docs where id() = 'orders/1'", "orders/1", 1)]
    [InlineData("from Users where id() = null", "", 0)]
    [InlineData("from Users where exact(id() = 'Users/1')", "users/1", 1)]
    [InlineData("from Users where id() in ('users/3', 'users/9', 'users/1', 'USERS/3', 'orders/1')", "users/3,users/1", 2)]
    [InlineData("from Users where id() in ()", "", 0)]
    [InlineData("from Users where id() in ('users/3', 'users/1') limit 1", "users/3", 2)]
    [InlineData("from Users where id() in ('users/3', 'users/1', 'users/2') order by id()", "users/1,users/2,users/3", 3)]
    [InlineData("from Users where id() in ('users/3', 'users/1', 'users/2') order by id() desc limit 2", "users/3,users/2", 3)]
    [InlineData("from Users where id() = 'users/1' order by id()", "users/1", 1)]
    [InlineData("from Users where exact(id() = 'users/1') order by id() desc", "users/1", 1)]
    [InlineData("from Users where id() in () order by random()", "", 0)]
    [InlineData("from Users where false order by random()", "", 0)]
    [InlineData("from Nobody order by random()", "", 0)]
    [InlineData("from Users where startsWith(id(), 'USERS/')", "users/1,users/2,users/3", 3)]
    [InlineData("from Users where startsWith(id(), 'users/') limit 1, 1", "users/2", 3)]
    [InlineData("from Users where startsWith(id(), '')", "users/1,users/2,users/3", 3)]
    [InlineData("from Users where startsWith(id(), 'orders/')", "", 0)]
    [InlineData("from @all_docs where startsWith(id(), 'o')", "orders/1", 1)]
    public async Task Post_CollectionQuery_GivesItsRows(string query, string ids, int total)
    {
        using JsonDocument answer = await QueryAsync(query);
        Assert.Equal(ids, string.Join(',', Ids(answer)));
        Assert.Equal(total, answer.RootElement.GetProperty("TotalResults").GetInt64());
    }

    [Fact]
    public async Task Post_Query_HasTheWholeEnvelope()
    {
        using JsonDocument answer = await QueryAsync("from users include Boss");
        JsonElement root = answer.RootElement;
        Assert.Equal("collection/Users", root.GetProperty("IndexName").GetString());
        Assert.False(root.GetProperty("IsStale").GetBoolean());
        Assert.Equal(0, root.GetProperty("SkippedResults").GetInt64());
        Assert.True(root.GetProperty("DurationInMs").GetInt64() >= 0);
        Assert.Equal("A", root.GetProperty("NodeTag").GetString());
        Assert.Equal("0001-01-01T00:00:00.0000000Z", root.GetProperty("IndexTimestamp").GetString());
        Assert.Equal("0001-01-01T00:00:00.0000000Z", root.GetProperty("LastQueryTime").GetString());
        Assert.Equal("Boss", root.GetProperty("IncludedPaths")[0].GetString());
        Assert.False(root.TryGetProperty("ScannedResults", out _));
        JsonElement metadata = root.GetProperty("Results")[0].GetProperty("@metadata");
        Assert.StartsWith("A:", metadata.GetProperty("@change-vector").GetString(), StringComparison.Ordinal);
        Assert.Equal("Users", metadata.GetProperty("@collection").GetString());
        using JsonDocument all = await QueryAsync("from @all_docs");
        Assert.Equal("AllDocs", all.RootElement.GetProperty("IndexName").GetString());
        Assert.Equal(JsonValueKind.Null, all.RootElement.GetProperty("IncludedPaths").ValueKind);
    }

    [Fact]
    public async Task Post_Includes_BringsDocumentsOnce()
    {
        using JsonDocument answer = await QueryAsync("from Orders as o include o.User, 'Name'");
        Assert.Equal(["users/1"], answer.RootElement.GetProperty("Includes").EnumerateObject().Select(include => include.Name));
        using JsonDocument loaded = await QueryAsync("from Orders as o load o.User as u include u");
        Assert.Equal("Ann", loaded.RootElement.GetProperty("Includes").GetProperty("users/1").GetProperty("Name").GetString());
    }

    [Fact]
    public async Task Post_ParametersAndPagingOfTheBody_Used()
    {
        using JsonDocument listed = await QueryAsync(
            "from Users where id() in ($p) limit $skip, $take", """{"p":["users/1","users/3"],"skip":1,"take":null}""");
        Assert.Equal(["users/3"], Ids(listed));
        Answer paged = await _server.DbAsync("POST", "/queries",
            """{"query":"from Users","start":1,"PAGESIZE":1,"Unknown":{"a":[1]},"QueryParameters":null,"WaitForNonStaleResults":true}""");
        using JsonDocument rows = JsonDocument.Parse(paged.Text);
        Assert.Equal(["users/1"], Ids(rows));
    }

    [Fact]
    public async Task Get_Query_AnswersAsPost()
    {
        Answer answer = await _server.DbAsync(
            "GET", "/queries?query=from%20Users%20where%20id()%20%3D%20%24x&parameters=%7B%22x%22%3A%22users%2F1%22%7D&start=0&pageSize=5");
        Assert.Equal(200, answer.Status);
        using JsonDocument rows = JsonDocument.Parse(answer.Text);
        Assert.Equal(["users/1"], Ids(rows));
    }

    [Fact]
    public async Task Post_MetadataOnly_GivesNoFields()
    {
        Answer answer = await _server.DbAsync("POST", "/queries?metadataOnly=true", """{"Query":"from Orders"}""");
        using JsonDocument rows = JsonDocument.Parse(answer.Text);
        Assert.Equal(["@metadata"], rows.RootElement.GetProperty("Results")[0].EnumerateObject().Select(member => member.Name));
    }

    [Theory]
    [InlineData("from Users", true)]
    [InlineData("from Orders", false)]
    [InlineData("from Orders include User", true)]
    [InlineData("from @all_docs", true)]
    [InlineData("from Orders as o select { N: load(o.User).Name }", true)]
    [InlineData("declare function f(o) { return { N: load(o.User).Name }; } from Orders as o select f(o)", true)]
    public async Task Post_KnownTag_NotModifiedUntilTheCollectionChanges(string query, bool seesUsers)
    {
        string tag = await TagAsync(query);
        Assert.Equal(304, await StatusAsync(query, tag));
        Assert.Equal(304, await StatusAsync(query, tag.Trim('"')));
        await PutAsync("users/3", "Users", """{"Name":"new"}""");
        Assert.Equal(seesUsers ? 200 : 304, await StatusAsync(query, tag));
        string changed = await TagAsync(query);
        Assert.Equal(204, (await _server.DbAsync("DELETE", "/docs?id=users/2")).Status);
        Assert.Equal(seesUsers ? 200 : 304, await StatusAsync(query, changed));
        Assert.Equal(200, await StatusAsync(query + " limit 1", changed));
    }

    [Theory]
    [InlineData("""{"Query":"from Users where"}""", 400, "Raven.Client.Exceptions.InvalidQueryException", "1:17")]
    [InlineData("""{"Query":"from Users limit -1"}""", 400, "Raven.Client.Exceptions.InvalidQueryException", "0 or more")]
    [InlineData("""{"Query":"from Users limit $p","QueryParameters":{"P":1}}""", 400, "Raven.Client.Exceptions.InvalidQueryException", "'$p' was not sent")]
    [InlineData("""{"Query":"from Users where id() = $p"}""", 400, "Raven.Client.Exceptions.InvalidQueryException", "'$p' was not sent")]
    [InlineData("""{"Query":"from Us where id() = $p","QueryParameters":{"p":["a"]}}""", 400, "Raven.Client.Exceptions.InvalidQueryException", "use 'in'")]
    [InlineData("""{"Query":"from Us where startsWith(id(), $p)","QueryParameters":{"p":[]}}""", 400, "Raven.Client.Exceptions.InvalidQueryException", "array")]
    [InlineData("""{"Query":"from Us where startsWith(id(), $p)","QueryParameters":{"p":5}}""", 400, "Raven.Client.Exceptions.InvalidQueryException", "a text")]
    [InlineData("""{"Query":"from Users where startsWith(id(), true)"}""", 400, "Raven.Client.Exceptions.InvalidQueryException", "a text")]
    [InlineData("""{"Query":"from Users update { this.X = 1 }"}""", 400, "Raven.Client.Exceptions.InvalidQueryException", "PATCH /queries")]
    [InlineData("""{"QueryParameters":{}}""", 400, "System.InvalidOperationException", "'Query'")]
    [InlineData("""{"Query":"from Users","QueryParameters":[]}""", 400, "Raven.Client.Exceptions.BadRequestException", "JSON object")]
    [InlineData("[]", 400, "Raven.Client.Exceptions.BadRequestException", "JSON object")]
    [InlineData("{", 400, "Raven.Client.Exceptions.BadRequestException", "")]
    [InlineData("""{"Query":"from Users","Start":-1}""", 400, "Raven.Client.Exceptions.BadRequestException", "Start")]
    [InlineData("""{"Query":"from Users where Name = 'x'"}""", 501, "System.NotSupportedException", "Conditions on other fields than id() are")]
    [InlineData("""{"Query":"from Users where id() = 'a' or id() = 'b'"}""", 501, "System.NotSupportedException", "Conditions on other fields")]
    [InlineData("""{"Query":"from Users where search(Name, 'x')"}""", 501, "System.NotSupportedException", "Full-text searches are")]
    [InlineData("""{"Query":"from Users where vector.search(V, $p)"}""", 501, "System.NotSupportedException", "Vector searches are")]
    [InlineData("""{"Query":"from Users where exact(vector.search(V, $p))"}""", 501, "System.NotSupportedException", "Vector searches are")]
    [InlineData("""{"Query":"from Users where spatial.within(A, spatial.wkt($p))"}""", 501, "System.NotSupportedException", "Spatial queries are")]
    [InlineData("""{"Query":"from Users order by Name"}""", 501, "System.NotSupportedException", "Order by other fields")]
    [InlineData("""{"Query":"from Users order by id() desc"}""", 501, "System.NotSupportedException", "descending order")]
    [InlineData("""{"Query":"from Users order by custom(Name, 'S')"}""", 501, "System.NotSupportedException", "Order by other fields than id()")]
    [InlineData("""{"Query":"from Users order by Name, random()"}""", 501, "System.NotSupportedException", "Order by other fields")]
    [InlineData("""{"Query":"from Users\nselect 1e999 as X"}""", 400, "Raven.Client.Exceptions.InvalidQueryException", "2:8: the number is too large")]
    [InlineData("""{"Query":"from Users select -1_0e308 as X"}""", 400, "Raven.Client.Exceptions.InvalidQueryException", "1:19: the number is too large")]
    [InlineData(
        """{"Query":"from Users select $x as X","QueryParameters":{"x":[1e999]}}""",
        400, "Raven.Client.Exceptions.InvalidQueryException", "'$x' has a number that is too large")]
    [InlineData("""{"Query":"from index 'X'"}""", 501, "System.NotSupportedException", "Queries of indexes")]
    [InlineData("""{"Query":"from Users group by Name select key()"}""", 501, "System.NotSupportedException", "Grouped queries")]
    [InlineData("""{"Query":"from Users select counter(Name, 'Likes')"}""", 400, "Raven.Client.Exceptions.InvalidQueryException", "name of a document")]
    [InlineData("""{"Query":"from Users select counter(7)"}""", 400, "Raven.Client.Exceptions.InvalidQueryException", "name of a counter")]
    [InlineData("""{"Query":"from Users select counter(Name)"}""", 400, "Raven.Client.Exceptions.InvalidQueryException", "name of a counter")]
    [InlineData("""{"Query":"from Users include counters(7)"}""", 400, "Raven.Client.Exceptions.InvalidQueryException", "names of counters")]
    [InlineData("""{"Query":"from Users where counter('Likes') > 1"}""", 501, "System.NotSupportedException", "Counters are")]
    [InlineData("""{"Query":"from Users include timeseries('HR')"}""", 501, "System.NotSupportedException", "Time series are")]
    [InlineData("""{"Query":"from Users select timeseries(from HR)"}""", 501, "System.NotSupportedException", "Time series are")]
    [InlineData("""{"Query":"from Users include revisions()"}""", 400, "Raven.Client.Exceptions.InvalidQueryException", "takes 1 argument")]
    [InlineData("""{"Query":"from Users include revisions(7)"}""", 400, "Raven.Client.Exceptions.InvalidQueryException", "takes texts")]
    [InlineData("""{"Query":"from Users include revisions($p)"}""", 400, "Raven.Client.Exceptions.InvalidQueryException", "$p")]
    [InlineData(
        """{"Query":"from Users include revisions('2024-01-01'), revisions('2025-01-01')"}""",
        400, "Raven.Client.Exceptions.InvalidQueryException", "one time only")]
    [InlineData("""{"Query":"from Users select facet(Name)"}""", 501, "System.NotSupportedException", "Facets are")]
    [InlineData("""{"Query":"from Users select suggest(Name, 'x')"}""", 501, "System.NotSupportedException", "Suggestions are")]
    public async Task Post_WhatCannotBeRun_RefusedByName(string body, int status, string type, string message)
    {
        Answer answer = await _server.DbAsync("POST", "/queries", body);
        Assert.Equal(status, answer.Status);
        using JsonDocument problem = JsonDocument.Parse(answer.Text);
        Assert.Equal(type, problem.RootElement.GetProperty("Type").GetString());
        Assert.Contains(message, problem.RootElement.GetProperty("Message").GetString(), StringComparison.Ordinal);
    }

    private static string[] Ids(JsonDocument answer) =>
    [
        .. answer.RootElement.GetProperty("Results").EnumerateArray().Select(
            row => row.GetProperty("@metadata").GetProperty("@id").GetString()!),
    ];

    private Task PutAsync(string id, string collection, string json) =>
        _server.PutAsync(id, $"{json[..^1]},\"@metadata\":{{\"@collection\":\"{collection}\"}}}}");

    private async Task<JsonDocument> QueryAsync(string query, string parameters = "null")
    {
        Answer answer = await _server.DbAsync("POST", "/queries", Body(query, parameters));
        Assert.True(answer.Status == 200, answer.Text);
        return JsonDocument.Parse(answer.Text);
    }

    private async Task<string> TagAsync(string query) =>
        (await _server.DbAsync("POST", "/queries", Body(query, "null"))).Header("ETag")!;

    private async Task<int> StatusAsync(string query, string tag) =>
        (await _server.DbAsync("POST", "/queries", Body(query, "null"), ("If-None-Match", tag))).Status;

    private static string Body(string query, string parameters) =>
        $$"""{"Query":{{JsonSerializer.Serialize(query)}},"QueryParameters":{{parameters}}}""";
}
