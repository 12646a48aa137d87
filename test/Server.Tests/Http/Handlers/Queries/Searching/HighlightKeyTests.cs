using System.Text.Json;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Http.Handlers.Queries.Searching;

/// <summary>Highlighted pieces stand under the id of their document exactly as it is stored, because clients look for exactly that.</summary>
public sealed class HighlightKeyTests : IAsyncLifetime
{
    private static readonly object s_options =
        new { Fields = new { Name = new { Indexing = "Search", Storage = "Yes", TermVector = "WithPositionsAndOffsets" } } };

    private ServerFixture _server = null!;

    public async Task InitializeAsync()
    {
        _server = await ServerFixture.StartAsync();
        await _server.PutAsync("Users/1-A", "Users", """{"Name":"quick brown fox","Age":1}""");
        await _server.PutAsync("USERS/2-A", "Users", """{"Name":"the quick one","Age":2}""");
        await _server.PutIndexAsync("CSharp", "from u in docs.Users select new { u.Name, u.Age }", more: s_options);
        await _server.PutIndexAsync("Script", "map('Users', u => ({ Name: u.Name, Age: u.Age }))", more: s_options);
        await _server.PutIndexAsync("Fanout", "from u in docs.Users from a in new[] { 1, 2 } select new { u.Name, u.Age }", more: s_options);
        await _server.PutIndexAsync("AllDocs", "from u in docs select new { u.Name, u.Age }", more: s_options);
    }

    public async Task DisposeAsync() => await _server.DisposeAsync();

    [Theory]
    [InlineData("from Users")]
    [InlineData("from @all_docs")]
    [InlineData("from index 'CSharp'")]
    [InlineData("from index 'Script'")]
    [InlineData("from index 'Fanout'")]
    [InlineData("from index 'AllDocs'")]
    public async Task Query_Highlights_StandUnderTheStoredId(string from)
    {
        foreach (string rest in (string[])["", " order by Age desc", " filter Age > 0", " select Name", " order by Age limit 10"])
        {
            (string clauses, string select) = rest.StartsWith(" select", StringComparison.Ordinal) ? ("", rest) : (rest, "");
            (string middle, string limit) = clauses.Contains("limit", StringComparison.Ordinal)
                ? (clauses[..clauses.IndexOf(" limit", StringComparison.Ordinal)], " limit 10") : (clauses, "");
            string query = $"{from} where search(Name, 'quick'){middle}{select} include highlight(Name, 30, 1){limit}";
            Answer answer = await _server.QueryAsync(query);
            Assert.True(answer.Status == 200, answer.Text);
            Assert.True(answer.Json.GetProperty("TotalResults").GetInt32() > 1, query + answer.Text);
            JsonElement found = answer.Json.GetProperty("Highlightings").GetProperty("Name");
            Assert.Equal(["USERS/2-A", "Users/1-A"], found.EnumerateObject().Select(entry => entry.Name).Order(StringComparer.Ordinal));
            Assert.All(found.EnumerateObject(), entry => Assert.Contains(
                "quick</b>", Assert.Single(entry.Value.EnumerateArray()).GetString(), StringComparison.Ordinal));
        }
    }
}
