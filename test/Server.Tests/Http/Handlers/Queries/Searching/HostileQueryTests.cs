using System.Diagnostics;
using System.Text;
using System.Text.Json;
using Jackdaw.TestKit;
using Xunit.Abstractions;

namespace Jackdaw.Server.Tests.Http.Handlers.Queries.Searching;

/// <summary>Queries that are wrong, huge or mutated: each gets a documented answer, soon, and the server goes on.</summary>
public sealed class HostileQueryTests(ITestOutputHelper output) : IAsyncLifetime
{
    /// <summary>Far above what any of them takes, on a busy machine too.</summary>
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(30);

    private static readonly string[] s_types =
    [
        "Raven.Client.Exceptions.InvalidQueryException", "Raven.Client.Exceptions.BadRequestException", "System.NotSupportedException",
        "System.ArgumentException", "System.InvalidOperationException",
        "Raven.Client.Exceptions.Documents.Indexes.IndexDoesNotExistException",
        "Raven.Client.Exceptions.Documents.Patching.JavaScriptException", "Raven.Client.Exceptions.Documents.Patching.JavaScriptParseException",
    ];

    private static readonly string[] s_queries =
    [
        "from Users where Name = 'ann' and (Age > 20 or not Tags in ('a', 'b')) order by Age as long desc, Name limit 1, 10",
        "from Users as u where exact(startsWith(u.Name, $p)) select u.Name as N, u.Home.City",
        "from Users where search(Notes, 'quick \"brown fox\" la*', and) or boost(Age between 1 and 5.5e3, 2) include Firm, timings()",
        "from Users where Tags all in ($list) and exists(Lines[].Product) and Name != null filter Age <= 30 filter_limit 10",
        "from index 'Auto/Users/ByName' where endsWith(Name, 'n') select distinct Name",
        "declare function f(x) { return { a: x } } from Users as u where id() in ('users/1') load u.Firm as f select { n: u.Name }",
    ];

    private static readonly string[] s_pieces =
        ["(", ")", "'", "\"", "$p", " not ", " and ", ",", "[]", "\u0000", "\uD800", "日", "//", "/*", "9e9"];

    private ServerFixture _server = null!;

    public async Task InitializeAsync()
    {
        _server = await ServerFixture.StartAsync();
        await _server.PutAsync("users/1", "Users", """{"Name":"Ann","Age":30,"Tags":["a"],"Notes":"the quick brown fox"}""");
        await _server.QueryAsync("from Users where Name = 'ann'");
    }

    public async Task DisposeAsync() => await _server.DisposeAsync();

    [Fact]
    public async Task Post_MutatedQueries_GetDocumentedAnswers()
    {
        int seed = Environment.TickCount;
        output.WriteLine($"seed {seed}");
        var random = new Random(seed);
        int succeeded = 0;
        for (int i = 0; i < 600; i++)
        {
            string query = Mutate(random, s_queries[random.Next(s_queries.Length)]);
            succeeded += await AskAsync(query, $"seed {seed}, query {i}") == 200 ? 1 : 0;
        }

        output.WriteLine($"{succeeded} were good queries");
        await StillAnswersAsync();
    }

    [Fact]
    public async Task Post_EndlessNesting_IsRefused()
    {
        const int depth = 100_000;
        string[] queries =
        [
            $"from Users where {new string('(', depth)}Name = 1{new string(')', depth)}",
            $"from Users where {string.Concat(Enumerable.Repeat("exact(", 20_000))}Name = 1{new string(')', 20_000)}",
            $"from Users where {string.Concat(Enumerable.Repeat("true and not ", 15_000))}Name = 1",
            $"from Users where {string.Concat(Enumerable.Repeat("A.", 100_000))}B = 1",
            $"from Users where Name = 1 {string.Concat(Enumerable.Repeat("or Name = 2 ", 20_000))}",
            $"from Users select {{ a: {new string('[', depth)}{new string(']', depth)} }}",
        ];
        foreach (string query in queries)
        {
            await AskAsync(query, query[..40]);
        }

        await StillAnswersAsync();
    }

    [Theory]
    [InlineData(50_000)]
    public async Task Post_HugeList_IsAnswered(int values)
    {
        object parameters = new { list = Enumerable.Range(0, values).Select(i => $"name {i}").Append("ann") };
        var watch = Stopwatch.StartNew();
        Answer answer = await _server.DbAsync("POST", "/queries", JsonSerializer.Serialize(
            new { Query = "from Users where Name in ($list)", QueryParameters = parameters }));
        Assert.True(answer.Status == 200, answer.Text[..Math.Min(500, answer.Text.Length)]);
        Assert.Equal(1, answer.Json.GetProperty("TotalResults").GetInt64());
        Assert.True(watch.Elapsed < s_patience, $"{watch.Elapsed}");
    }

    [Theory]
    [InlineData("{\"Query\":\"from Users where Name = '\\ud800'\"}")]
    [InlineData("{\"Query\":\"from Users where startsWith(Name, '\\udc00\\ud800')\"}")]
    [InlineData("{\"Query\":\"from Users where Name = '\\u0000\\u0001\\u001f'\"}")]
    [InlineData("{\"Query\":\"from Users where '\\u0001id' = 'users/1'\"}")]
    [InlineData("{\"Query\":\"\\u0000\"}")]
    [InlineData("{\"Query\":\"from Users where Name = $p\",\"QueryParameters\":{\"p\":\"\\udfff\"}}")]
    [InlineData("{\"Query\":\"from Users where Name = 1e999\"}")]
    [InlineData("{\"Query\":\"from Users where Name = 99999999999999999999\"}")]
    [InlineData("{\"Query\":\"from Users limit 99999999999999999999\"}")]
    [InlineData("{\"Query\":\"from Users where Age = 1 limit 9223372036854775807, 9223372036854775807\"}")]
    [InlineData("{\"Query\":5}")]
    [InlineData("{\"Query\":\"from Users\",\"QueryParameters\":[]}")]
    [InlineData("{\"Query\":\"from Users\",\"WaitForEtag\":-1}")]
    [InlineData("[]")]
    public async Task Post_StrangeText_GetsADocumentedAnswer(string body) =>
        Check(await _server.DbAsync("POST", "/queries", body), body);

    private static string Mutate(Random random, string query)
    {
        var text = new StringBuilder(query);
        for (int edits = random.Next(1, 4); edits > 0; edits--)
        {
            int at = random.Next(text.Length);
            switch (random.Next(5))
            {
                case 0:
                    text.Remove(at, Math.Min(random.Next(1, 8), text.Length - at));
                    break;
                case 1:
                    text.Insert(at, (char)random.Next(1, 128));
                    break;
                case 2:
                    string other = s_queries[random.Next(s_queries.Length)];
                    int from = random.Next(other.Length);
                    text.Insert(at, other.AsSpan(from, Math.Min(random.Next(1, 20), other.Length - from)));
                    break;
                case 3:
                    text.Insert(at, s_pieces[random.Next(s_pieces.Length)]);
                    break;
                default:
                    text[at] = char.IsUpper(text[at]) ? char.ToLowerInvariant(text[at]) : char.ToUpperInvariant(text[at]);
                    break;
            }

            if (text.Length == 0)
            {
                text.Append('x');
            }
        }

        return text.ToString();
    }

    private async Task<int> AskAsync(string query, string what)
    {
        var watch = Stopwatch.StartNew();
        string body = JsonSerializer.Serialize(new { Query = query, QueryParameters = new { p = "An", list = new[] { "a" } } });
        Answer answer = await _server.DbAsync("POST", "/queries", body);
        Assert.True(watch.Elapsed < s_patience, $"{what} took {watch.Elapsed}");
        Check(answer, $"{what}: {query[..Math.Min(300, query.Length)]}");
        return answer.Status;
    }

    private static void Check(Answer answer, string what)
    {
        if (answer.Status != 200)
        {
            string type = answer.Json.GetProperty("Type").GetString()!;
            Assert.True(s_types.Contains(type), $"{what}\n{answer.Status} {answer.Text[..Math.Min(1000, answer.Text.Length)]}");
        }
    }

    private async Task StillAnswersAsync() => Assert.Equal("users/1", await _server.IdsAsync("from Users where Name = 'ann'"));
}
