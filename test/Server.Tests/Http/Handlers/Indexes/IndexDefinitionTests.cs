using System.Text.Json;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Http.Handlers.Indexes;

/// <summary>Putting, reading and deleting definitions over HTTP.</summary>
public sealed class IndexDefinitionTests : IAsyncLifetime
{
    private const string ByName = "from u in docs.Users select new { u.Name }";

    private ServerFixture _server = null!;

    public async Task InitializeAsync() => _server = await ServerFixture.StartAsync();

    public async Task DisposeAsync() => await _server.DisposeAsync();

    [Fact]
    public async Task Put_Definition_IsListedAndRead()
    {
        Answer put = await _server.PutIndexAsync("Users/ByName", ByName, more: new { Priority = "High", Fields = new { Name = new { Storage = "Yes" } } });
        Assert.Equal(201, put.Status);
        JsonElement made = put.Json.GetProperty("Results")[0];
        Assert.Equal("Users/ByName", made.GetProperty("Index").GetString());
        Assert.True(made.GetProperty("RaftCommandIndex").GetInt64() > 0);

        Answer one = await _server.DbAsync("GET", "/indexes?name=users/byname");
        JsonElement definition = one.Json.GetProperty("Results")[0];
        Assert.Equal("Users/ByName", definition.GetProperty("Name").GetString());
        Assert.Equal("Map", definition.GetProperty("Type").GetString());
        Assert.Equal("High", definition.GetProperty("Priority").GetString());
        Assert.Equal(ByName, definition.GetProperty("Maps")[0].GetString());
        Assert.Equal("Yes", definition.GetProperty("Fields").GetProperty("Name").GetProperty("Storage").GetString());

        await _server.PutIndexAsync("Another", ByName);
        Answer names = await _server.DbAsync("GET", "/indexes?start=0&pageSize=10&namesOnly=true");
        Assert.Equal("""{"Results":["Another","Users/ByName"]}""", names.Text);
        Answer page = await _server.DbAsync("GET", "/indexes?start=1&pageSize=1");
        Assert.Equal("Users/ByName", Assert.Single(page.Json.GetProperty("Results").EnumerateArray()).GetProperty("Name").GetString());
    }

    [Fact]
    public async Task Delete_Index_IsGoneAndUnknownIs404()
    {
        await _server.PutIndexAsync("X", ByName);
        Answer deleted = await _server.DbAsync("DELETE", "/indexes?name=x");
        Assert.Equal((204, ""), (deleted.Status, deleted.Text));
        Assert.Equal(404, (await _server.DbAsync("DELETE", "/indexes?name=x")).Status);
        Answer missing = await _server.DbAsync("GET", "/indexes?name=X");
        Assert.Equal((404, ""), (missing.Status, missing.Text));
    }

    [Fact]
    public async Task Put_TextWithAMistake_SaysIndexPartLineAndColumn()
    {
        Answer answer = await _server.PutIndexAsync("Broken", "from u in docs.Users\nselect new { N = u.Name + }");
        Assert.Equal(500, answer.Status);
        Assert.Equal("Raven.Client.Exceptions.Documents.Compilation.IndexCompilationException", answer.Json.GetProperty("Type").GetString());
        Assert.Equal("Maps", answer.Json.GetProperty("IndexDefinitionProperty").GetString());
        Assert.Equal(2, answer.Json.GetProperty("Line").GetInt32());
        Assert.True(answer.Json.GetProperty("Column").GetInt32() > 20);
        Assert.Contains("Failed to compile index 'Broken'", answer.Text, StringComparison.Ordinal);
        Assert.Contains("Maps[0](2,", answer.Text, StringComparison.Ordinal);
        Assert.Contains("from u in docs.Users", answer.Json.GetProperty("ProblematicText").GetString(), StringComparison.Ordinal);
        Assert.Equal("""{"Results":[]}""", (await _server.DbAsync("GET", "/indexes")).Text);
    }

    [Fact]
    public async Task Put_OneOfSeveralIsWrong_NoneIsStored()
    {
        Answer answer = await _server.PutDefinitionsAsync(
            new { Name = "Good", Maps = new[] { ByName } }, new { Name = "Bad", Maps = new[] { "from u in docs.Users select" } });
        Assert.Equal(500, answer.Status);
        Assert.Equal("""{"Results":[]}""", (await _server.DbAsync("GET", "/indexes")).Text);
    }

    [Theory]
    [InlineData("Auto/Users/ByName", "reserved")]
    [InlineData("ReplacementOf/X", "reserved")]
    [InlineData(" ", "name")]
    public async Task Put_NameThatIsNotAllowed_IsRefused(string name, string message)
    {
        Answer answer = await _server.PutIndexAsync(name, ByName);
        Assert.Equal(400, answer.Status);
        Assert.Contains(message, answer.Text, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Put_NameOf257Characters_IsRefused()
    {
        Assert.Equal(201, (await _server.PutIndexAsync(new string('n', 256), ByName)).Status);
        Answer answer = await _server.PutIndexAsync(new string('n', 257), ByName);
        Assert.Equal(400, answer.Status);
        Assert.Contains("at most 256", answer.Text, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("from t in timeSeries.Users.Heart select new { t.Name }", "Indexes of time series")]
    public async Task Put_WhatThisVersionCannotDo_IsRefused(string map, string message)
    {
        Answer answer = await _server.PutIndexAsync("Later", map);
        answer.AssertProblem(501, "NotSupportedException", message);
    }

    [Fact]
    public async Task PutWithoutAdministration_CSharpText_IsForbidden()
    {
        string body = JsonSerializer.Serialize(new { Indexes = new[] { new { Name = "X", Maps = new[] { ByName } } } });
        Answer answer = await _server.DbAsync("PUT", "/indexes", body);
        Assert.Equal(403, answer.Status);
        Assert.Equal("System.UnauthorizedAccessException", answer.Json.GetProperty("Type").GetString());
    }

    [Theory]
    [InlineData("{}")]
    [InlineData("""{"Indexes":{}}""")]
    [InlineData("""{"Indexes":[1]}""")]
    [InlineData("""{"Indexes":[{"Name":"X","Maps":[]}]}""")]
    public async Task Put_BodyThatIsNoListOfDefinitions_IsRefused(string body)
    {
        Answer answer = await _server.DbAsync("PUT", "/admin/indexes", body);
        Assert.Equal(400, answer.Status);
    }
}
