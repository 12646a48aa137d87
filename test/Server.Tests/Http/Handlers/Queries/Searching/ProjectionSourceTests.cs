using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Http.Handlers.Queries.Searching;

/// <summary>Where the fields of a projection come from, for each kind of query.</summary>
public sealed class ProjectionSourceTests : IAsyncLifetime
{
    private const string Types = "@metadata.@nested-object-types as Types";

    private ServerFixture _server = null!;

    public async Task InitializeAsync()
    {
        _server = await ServerFixture.StartAsync();
        await _server.PutAsync("users/1", "Users", """{"Name":"Ann","Age":40,"Boss":null}""");
        var stored = new { Storage = "Yes" };
        await _server.PutIndexAsync(
            "Names", "from u in docs.Users select new { Name = u.Name + \"!\", u.Age }", more: new { Fields = new { Name = stored } });
        await _server.PutIndexAsync("Ages", "from u in docs.Users select new { u.Age, Count = 1 }",
            "from r in results group r by r.Age into g select new { Age = g.Key, Count = g.Sum(x => x.Count) }");
    }

    public async Task DisposeAsync() => await _server.DisposeAsync();

    [Theory]
    [InlineData("from index 'Names'", "Default", "Name, Age", """{"Name":"Ann!","Age":40}""")]
    [InlineData("from index 'Names'", "FromIndex", "Name, Age", """{"Name":"Ann!","Age":null}""")]
    [InlineData("from index 'Names'", "FromIndexOrThrow", "Name, " + Types, """{"Name":"Ann!","Types":null}""")]
    [InlineData("from index 'Names'", "FromDocument", "Name, None", """{"Name":"Ann","None":null}""")]
    [InlineData("from index 'Names'", "FromDocumentOrThrow", "Name, Boss, id(), " + Types, """{"Name":"Ann","Boss":null,"id()":"users/1","Types":null}""")]
    [InlineData("from index 'Ages'", "FromIndexOrThrow", "Age, Count", """{"Age":40,"Count":1}""")]
    [InlineData("from index 'Ages'", "FromDocumentOrThrow", "Age, Count", """{"Age":40,"Count":1}""")]
    [InlineData("from Users where Age = 40", "FromIndex", "Name, id()", """{"Name":null,"id()":"users/1"}""")]
    [InlineData("from Users where Age = 40", "FromDocumentOrThrow", "Name", """{"Name":"Ann"}""")]
    [InlineData("from Users", "FromIndex", "Name, id()", """{"Name":null,"id()":"users/1"}""")]
    [InlineData("from Users", "FromIndexOrThrow", "id(), " + Types, """{"id()":"users/1","Types":null}""")]
    [InlineData("from Users as u", "FromDocumentOrThrow", "u.Name, u.@metadata.None as N", """{"Name":"Ann","N":null}""")]
    public async Task Select_FromASource_HasItsFields(string from, string behavior, string select, string row) =>
        Assert.Equal([row], await _server.RowsAsync($"{from} select {select}", new { ProjectionBehavior = behavior }));

    [Theory]
    [InlineData("from index 'Names'", "FromIndexOrThrow", "'Age' is not stored")]
    [InlineData("from Users where Age = 40", "FromIndexOrThrow", "'Name' is not stored")]
    [InlineData("from Users", "FromIndexOrThrow", "'Name' is not stored")]
    [InlineData("from index 'Names'", "FromDocumentOrThrow", "The document 'users/1' has no field 'None'")]
    [InlineData("from Users where Age = 40", "FromDocumentOrThrow", "has no field 'None'")]
    [InlineData("from Users", "FromDocumentOrThrow", "has no field 'None'")]
    public async Task Select_FieldThatTheSourceLacks_IsRefusedByName(string from, string behavior, string message)
    {
        Answer answer = await _server.QueryAsync($"{from} select Name, Age, None", more: new { ProjectionBehavior = behavior });
        answer.AssertProblem(400, "InvalidQueryException", message);
    }
}
