using System.Text.Json;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests;

/// <summary>Queries with their rows.</summary>
internal static class QueryRequests
{
    /// <summary>Runs a query that waits for its index.</summary>
    public static async Task<Answer> QueryAsync(this ServerFixture server, string query, bool waits = true, object? more = null)
    {
        var request = new { Query = query, WaitForNonStaleResults = waits, WaitForNonStaleResultsTimeout = "00:01:00" };
        return await server.DbAsync("POST", "/queries", JsonSerializer.Serialize(Merge(request, more)));
    }

    /// <summary>The results of a query, each as JSON without its metadata.</summary>
    public static async Task<string[]> RowsAsync(this ServerFixture server, string query, object? more = null)
    {
        Answer answer = await server.QueryAsync(query, more: more);
        Assert.True(answer.Status == 200, answer.Text);
        Assert.False(answer.Json.GetProperty("IsStale").GetBoolean(), answer.Text);
        return [.. answer.Json.GetProperty("Results").EnumerateArray().Select(WithoutMetadata)];
    }

    /// <summary>The ids of the results of a query.</summary>
    public static async Task<string> IdsAsync(this ServerFixture server, string query)
    {
        Answer answer = await server.QueryAsync(query);
        Assert.True(answer.Status == 200, answer.Text);
        Assert.False(answer.Json.GetProperty("IsStale").GetBoolean(), answer.Text);
        return string.Join(',', answer.Json.GetProperty("Results").EnumerateArray()
            .Select(row => row.GetProperty("@metadata").GetProperty("@id").GetString()));
    }

    public static string WithoutMetadata(JsonElement row) =>
        "{" + string.Join(',', row.EnumerateObject().Where(member => member.Name != "@metadata")
            .Select(member => $"\"{member.Name}\":{member.Value.GetRawText()}")) + "}";

    /// <summary>The members of two objects; those of the second one win.</summary>
    public static Dictionary<string, object?> Merge(object first, object? second)
    {
        var members = new Dictionary<string, object?>();
        foreach (object? part in (ReadOnlySpan<object?>)[first, second])
        {
            foreach (System.Reflection.PropertyInfo property in part?.GetType().GetProperties() ?? [])
            {
                members[property.Name] = property.GetValue(part);
            }
        }

        return members;
    }
}
