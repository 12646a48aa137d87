using System.Text.Json;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Http.Handlers;

/// <summary>The list of operations: what runs, and how what has ended did.</summary>
public sealed class OperationListTests
{
    [Fact]
    public async Task List_OperationsOfAllKinds_NewestFirst()
    {
        await using ServerFixture server = await ServerFixture.StartAsync();
        Assert.Empty(await ListAsync(server));
        await server.PutAsync("users/1", "Users", """{"Name":"Ann"}""");
        long first = await BeginAsync(server, "DELETE", "/queries", """{"Query":"from Users"}""");
        Assert.Equal("Completed", (await server.EndOfOperationAsync(first)).GetProperty("Status").GetString());
        await server.DbAsync("POST", "/admin/revisions/config", """{"Default":{"Disabled":false}}""");
        long second = await BeginAsync(server, "POST", "/admin/revisions/config/enforce", """{"IncludeForceCreated":false}""");
        await server.EndOfOperationAsync(second);
        await server.PutIndexAsync("Broken", "from u in docs.Users select new { u.Name }");
        long third = await BeginAsync(server, "PATCH", "/queries", """{"Query":{"Query":"from index 'Broken' update { throw 'no' }"}}""");
        await server.EndOfOperationAsync(third);
        JsonElement[] listed = await ListAsync(server);
        Assert.Equal([third, second, first], listed.Select(one => one.GetProperty("Id").GetInt64()));
        Assert.Equal(["ChangeByQuery", "EnforceConfiguration", "ChangeByQuery"], listed.Select(one => one.GetProperty("Kind").GetString()));
        Assert.Equal("from Users", listed[2].GetProperty("Query").GetString());
        Assert.Equal(1, listed[2].GetProperty("Progress").GetProperty("Processed").GetInt32());
        double took = listed[2].GetProperty("Milliseconds").GetDouble();
        Assert.Equal(took, (await ListAsync(server))[2].GetProperty("Milliseconds").GetDouble()); // it stands still after the end
        Assert.Equal(JsonValueKind.Null, listed[2].GetProperty("Failure").ValueKind);
    }

    [Fact]
    public async Task Kill_OperationThatWaits_IsListedAsCanceled()
    {
        await using ServerFixture server = await ServerFixture.StartAsync();
        await server.PutIndexAsync("ByName", "from u in docs.Users select new { u.Name }");
        await server.RowsAsync("from index 'ByName'");
        using IDisposable hold = await server.HoldIndexesAsync();
        await server.PutAsync("users/1", "Users", """{"Name":"Ann"}""");
        const string query = """{"Query":"from index 'ByName'","WaitForNonStaleResults":true,"WaitForNonStaleResultsTimeout":"00:01:00"}""";
        long id = await BeginAsync(server, "DELETE", "/queries?staleTimeout=00:01:00", query);
        Assert.Equal("InProgress", Assert.Single(await ListAsync(server)).GetProperty("Status").GetString());
        Assert.Equal(204, (await server.DbAsync("POST", $"/operations/kill?id={id}")).Status);
        Assert.Equal("Canceled", Assert.Single(await ListAsync(server)).GetProperty("Status").GetString());
        Assert.Equal(200, (await server.SendAsync("GET", "/admin/operations")).Status);
    }

    private static async Task<long> BeginAsync(ServerFixture server, string method, string path, string body)
    {
        Answer answer = await server.DbAsync(method, path, body);
        Assert.True(answer.Status is 200 or 201 or 202, answer.Text);
        return answer.Json.GetProperty("OperationId").GetInt64();
    }

    private static async Task<JsonElement[]> ListAsync(ServerFixture server) =>
        [.. (await server.DbAsync("GET", "/operations")).Json.GetProperty("Results").EnumerateArray()];
}
