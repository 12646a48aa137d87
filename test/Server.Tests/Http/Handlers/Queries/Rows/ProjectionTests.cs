using System.Text.Json;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Http.Handlers.Queries.Rows;

/// <summary>Filters, selected fields, distinct rows and loaded documents, over HTTP.</summary>
public sealed class ProjectionTests : IAsyncLifetime
{
    private ServerFixture _server = null!;

    public async Task InitializeAsync()
    {
        _server = await ServerFixture.StartAsync();
        await PutAsync("users/1", """{"Name":"Ann","Age":40,"Home":{"City":"Ulm"},"Lines":[{"P":"a"},{"P":"b"},{}],"Firm":"firms/1"}""");
        await PutAsync("users/2", """{"Name":"Bob","Age":30,"Home":{"City":"Bonn"},"Firm":"firms/9","A\"b":1}""");
        await PutAsync("users/3", """{"Name":"Cid","Age":40,"Home":{"City":"Ulm"},"Firm":["firms/1"]}""");
        await _server.PutAsync("firms/1", """{"Name":"Acme","Chief":"users/2","@metadata":{"@collection":"Firms"}}""");
    }

    public async Task DisposeAsync() => await _server.DisposeAsync();

    [Theory]
    [InlineData("select Name", """{"Name":"Ann"} {"Name":"Bob"} {"Name":"Cid"}""")]
    [InlineData("select Name as N, Home.City limit 1", """{"N":"Ann","Home.City":"Ulm"}""")]
    [InlineData("select u.Name, u.Home.City as 'The City' limit 1", """{"Name":"Ann","The City":"Ulm"}""")]
    [InlineData(
        "select Missing, Lines, Lines[].P as Ps, Lines[1].P as P limit 1",
        """{"Missing":null,"Lines":[{"P":"a"},{"P":"b"},{}],"Ps":["a","b",null],"P":"b"}""")]
    [InlineData(
        "select id() as Id, id(u) as Id2, 'text' as t, 5, $p as v, null as n limit 1",
        """{"Id":"users/1","Id2":"users/1","t":"text","5":5,"v":{"a":[1,"x"]},"n":null}""")]
    [InlineData("select id() limit 1", """{"id()":"users/1"}""")]
    [InlineData("select @metadata.@collection as C, @metadata.@nested-object-types as __T limit 1", """{"C":"Users","__T":null}""")]
    [InlineData("where id() = 'users/2' select 'A\"b' as q", """{"q":"A\"b"}""")]
    [InlineData("select distinct Age", """{"Age":40} {"Age":30}""")]
    [InlineData("select distinct Age limit 1", """{"Age":40}""")]
    [InlineData("select distinct Age limit 1, 5", """{"Age":30}""")]
    [InlineData("load u.Firm as f select u.Name, f.Name as Firm", """{"Name":"Ann","Firm":"Acme"} {"Name":"Bob","Firm":null} {"Name":"Cid","Firm":"Acme"}""")]
    [InlineData("load u.Firm as f, f.Chief as c select c.Name as Chief limit 1", """{"Chief":"Bob"}""")]
    [InlineData("load u.Firm as f filter f.Name = 'ACME' select Name", """{"Name":"Ann"} {"Name":"Cid"}""")]
    [InlineData("filter Age >= 40 and Home.City = 'ulm' select Name limit 1, 1", """{"Name":"Cid"}""")]
    public async Task Select_Fields_GivesTheirValues(string clauses, string rows)
    {
        using JsonDocument answer = await QueryAsync(clauses);
        IEnumerable<string> written = answer.RootElement.GetProperty("Results").EnumerateArray().Select(WithoutMetadata);
        Assert.Equal(rows, string.Join(' ', written));
    }

    [Fact]
    public async Task Select_Rows_AreMarkedAsProjections()
    {
        using JsonDocument answer = await QueryAsync("select Name");
        JsonElement metadata = answer.RootElement.GetProperty("Results")[1].GetProperty("@metadata");
        Assert.True(metadata.GetProperty("@projection").GetBoolean());
        Assert.Equal("users/2", metadata.GetProperty("@id").GetString());
    }

    [Theory]
    [InlineData("select u")]
    [InlineData("select *")]
    [InlineData("select distinct *")]
    public async Task Select_Everything_GivesDocuments(string clauses)
    {
        using JsonDocument answer = await QueryAsync(clauses);
        JsonElement row = answer.RootElement.GetProperty("Results")[0];
        Assert.Equal("Ann", row.GetProperty("Name").GetString());
        Assert.True(row.GetProperty("@metadata").TryGetProperty("@change-vector", out _));
    }

    [Theory]
    [InlineData("filter Age = 40", 2, 3, 2)]
    [InlineData("filter Age = 40 limit 1", 2, 3, 1)]
    [InlineData("filter Age = 40 limit 0", 2, 3, 0)]
    [InlineData("filter Age = 40 filter_limit 2", 1, 2, 1)]
    [InlineData("filter Age = 40 filter_limit 0", 0, 0, 0)]
    [InlineData("where id() in ('users/3', 'users/2') filter Age = 40", 1, 2, 1)]
    [InlineData("where startsWith(id(), 'users/') filter Age > 50", 0, 3, 0)]
    public async Task Filter_OfCandidates_CountsResultsAndScanned(string clauses, int total, int scanned, int rows)
    {
        using JsonDocument answer = await QueryAsync(clauses);
        Assert.Equal(total, answer.RootElement.GetProperty("TotalResults").GetInt32());
        Assert.Equal(scanned, answer.RootElement.GetProperty("ScannedResults").GetInt32());
        Assert.Equal(rows, answer.RootElement.GetProperty("Results").GetArrayLength());
    }

    [Fact]
    public async Task Distinct_PageAfterPage_GivesEachRowOnceByTheRuleOfClients()
    {
        List<string> seen = [];
        int skipped = 0;
        for (int page = 0; page < 3; page++)
        {
            using JsonDocument answer = await QueryAsync($"select distinct Age limit {page + skipped}, 1");
            Assert.Equal(3, answer.RootElement.GetProperty("TotalResults").GetInt32());
            skipped += answer.RootElement.GetProperty("SkippedResults").GetInt32();
            seen.AddRange(answer.RootElement.GetProperty("Results").EnumerateArray().Select(WithoutMetadata));
        }

        Assert.Equal(["""{"Age":40}""", """{"Age":30}"""], seen);
    }

    [Theory]
    [InlineData("load u.Firm as f[] select f.Name", 501, "NotSupportedException", "several loaded documents")]
    [InlineData("select lastModified(u)", 501, "NotSupportedException", "Selecting 'lastModified' is")]
    [InlineData("select sum(Age) as years", 400, "InvalidQueryException", "'sum' needs groups")]
    [InlineData("filter search(Name, 'x')", 400, "InvalidQueryException", "needs an index")]
    [InlineData("select $none", 400, "InvalidQueryException", "was not sent")]
    public async Task Post_WhatCannotBeSelected_Refused(string clauses, int status, string type, string message) =>
        (await SendAsync(clauses)).AssertProblem(status, type, message);

    private static string WithoutMetadata(JsonElement row)
    {
        string text = row.GetRawText();
        int metadata = text.LastIndexOf(",\"@metadata\":", StringComparison.Ordinal);
        return text[..metadata] + "}";
    }

    private Task PutAsync(string id, string json) =>
        _server.PutAsync(id, json[..^1] + ",\"@metadata\":{\"@collection\":\"Users\"}}");

    private async Task<JsonDocument> QueryAsync(string clauses)
    {
        Answer answer = await SendAsync(clauses);
        Assert.True(answer.Status == 200, answer.Text);
        return JsonDocument.Parse(answer.Text);
    }

    private Task<Answer> SendAsync(string clauses) => _server.DbAsync("POST", "/queries", JsonSerializer.Serialize(new
    {
        Query = "from Users as u " + clauses,
        QueryParameters = new { p = new { a = new object[] { 1, "x" } } },
    }));
}
