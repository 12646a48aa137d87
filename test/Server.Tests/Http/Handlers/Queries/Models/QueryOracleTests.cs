using System.Collections.Concurrent;
using System.Diagnostics;
using System.Net;
using System.Text.Json;
using Jackdaw.Indexing.Settings;
using Xunit.Abstractions;

namespace Jackdaw.Server.Tests.Http.Handlers.Queries.Models;

/// <summary>Random queries over HTTP, on documents that change meanwhile, against a plain evaluation: which rows, in which order, how many.</summary>
public sealed class QueryOracleTests(ITestOutputHelper output)
{
    private const int Documents = 150;

    /// <summary>Differences of one run that are described; more would hide the first ones.</summary>
    private const int ReportedMax = 10;

    [Fact]
    public Task Queries_FourHundredRandomOnes_AnswerAsThePlainEvaluation() => RunAsync(runs: 2, queries: 200, queriesBetweenWrites: 50);

    [Fact]
    [Trait("Tier", "Full")]
    public Task Queries_HundredThousandRandomOnes_AnswerAsThePlainEvaluation() => RunAsync(runs: 8, queries: 12_500, queriesBetweenWrites: 100);

    /// <summary>Independent runs, each with a seed, a server and documents of its own; as many at a time as there are processors.</summary>
    private async Task RunAsync(int runs, int queries, int queriesBetweenWrites)
    {
        int seed = Environment.TickCount;
        ConcurrentBag<string> differences = [];
        await Parallel.ForAsync(seed, seed + runs, async (each, _) =>
        {
            foreach (string difference in await RunOneAsync(each, queries, queriesBetweenWrites))
            {
                differences.Add(difference);
            }
        });
        Assert.True(differences.IsEmpty, $"{differences.Count} differences:\n{string.Join("\n\n", differences)}");
    }

    private async Task<List<string>> RunOneAsync(int seed, int queries, int queriesBetweenWrites)
    {
        long began = Stopwatch.GetTimestamp();
        var random = new Random(seed);
        await using ServerFixture server = await StartAsync();
        var model = new PlainDatabase(server.Client, random, new RandomQueries(random));
        await model.WriteAsync(Documents);
        List<string> differences = [];
        int asked = 0;
        for (; asked < queries && differences.Count < ReportedMax; asked++)
        {
            if (asked % queriesBetweenWrites == queriesBetweenWrites - 1)
            {
                await model.WriteAsync(random.Next(1, 10));
            }

            if (await model.CheckAsync() is { } difference)
            {
                differences.Add($"seed {seed}, query {asked}: {difference}");
            }
        }

        output.WriteLine($"seed {seed}: {asked} queries, {differences.Count} differences, {Stopwatch.GetElapsedTime(began).TotalSeconds:F1} s, "
            + $"of it {model.Asked.TotalSeconds:F1} s of the server");
        return differences;
    }

    // Queries make one index after the other until one has all fields; each that stayed for a while would be kept up with the writes.
    private static Task<ServerFixture> StartAsync() =>
        ServerFixture.StartAsync(new ServerSetup { Indexing = new IndexingSettings { SupersededDeletedAfter = TimeSpan.Zero } });
}

/// <summary>The documents of the server a second time, in the order of their last writes.</summary>
internal sealed class PlainDatabase(HttpClient client, Random random, RandomQueries made)
{
    private readonly List<PlainDocument> _documents = [];
    private int _lastId;

    /// <summary>Time that the server had.</summary>
    public TimeSpan Asked { get; private set; }

    /// <summary>Writes some documents in one batch: new ones, changed ones, and a few deletions.</summary>
    public async Task WriteAsync(int count)
    {
        List<object> commands = [];
        HashSet<string> written = [];
        for (int i = 0; i < count; i++)
        {
            PlainDocument? old = _documents.Count > 100 && random.Next(2) == 0 ? _documents[random.Next(_documents.Count)] : null;
            string id = old?.Id ?? $"things/{_lastId++}";
            if (!written.Add(id))
            {
                continue;
            }

            _documents.RemoveAll(document => document.Id == id);
            if (old is not null && random.Next(3) == 0)
            {
                commands.Add(new { Type = "DELETE", Id = id, ChangeVector = (string?)null });
                continue;
            }

            var document = new PlainDocument(id, random.Next(5) == 0 ? "Others" : "Things", made.Document());
            _documents.Add(document);
            var body = document.Body.EnumerateObject().ToDictionary(member => member.Name, member => (object)member.Value);
            body.Add("@metadata", new Dictionary<string, string> { ["@collection"] = document.Collection });
            commands.Add(new { Type = "PUT", Id = id, ChangeVector = (string?)null, Document = body });
        }

        using var content = new StringContent(JsonSerializer.Serialize(new { Commands = commands }));
        using HttpResponseMessage answer = await client.PostAsync("/databases/db1/bulk_docs", content);
        Assert.True(answer.StatusCode == HttpStatusCode.Created, await answer.Content.ReadAsStringAsync());
    }

    /// <summary>Sends one random query; a text when the answer is another one than it should be.</summary>
    public async Task<string?> CheckAsync()
    {
        PlainCondition condition = made.Condition();
        bool isFilter = condition.IsForFilters && random.Next(4) == 0;
        IReadOnlyList<PlainOrder> orders = isFilter ? [] : made.Orders();
        string collection = random.Next(6) switch { 0 => "@all_docs", 1 => "others", _ => "Things" };
        int skip = random.Next(3) == 0 ? random.Next(20) : 0;
        int take = random.Next(3) == 0 ? random.Next(20) : int.MaxValue;

        var writer = new PlainWriter(random);
        string order = orders.Count > 0 ? $" order by {string.Join(", ", orders.Select(key => key.Rql))}" : "";
        string rql = $"from {collection} {(isFilter ? "filter" : "where")} {condition.ToRql(writer)}{order}";
        // The best come first then, and what is best is a matter of the engine: all of them in any order.
        bool isByScore = orders.Count == 0 && rql.Contains("boost(", StringComparison.Ordinal);
        (skip, take) = isByScore ? (0, int.MaxValue) : (skip, take);
        rql += skip > 0 || take < int.MaxValue ? $" limit {skip}, {take}" : "";
        List<PlainDocument> expected = [.. _documents.Where(document => IsOf(document, collection) && condition.IsMet(document))];
        List<string> ids = [.. Sort(expected, orders).Skip(skip).Take(take).Select(document => document.Id)];

        using var content = new StringContent(JsonSerializer.Serialize(
            new { Query = rql, QueryParameters = writer.Parameters, WaitForNonStaleResults = true }));
        long began = Stopwatch.GetTimestamp();
        using HttpResponseMessage sent = await client.PostAsync("/databases/db1/queries?metadataOnly=true", content);
        string text = await sent.Content.ReadAsStringAsync();
        Asked += Stopwatch.GetElapsedTime(began);
        string asked = $"{rql} {JsonSerializer.Serialize(writer.Parameters)}";
        if (!sent.IsSuccessStatusCode)
        {
            return $"{asked}\n  refused: {text}";
        }

        using var answer = JsonDocument.Parse(text);
        List<string> got = [.. answer.RootElement.GetProperty("Results").EnumerateArray()
            .Select(row => row.GetProperty("@metadata").GetProperty("@id").GetString()!)];
        got = isByScore ? [.. got.OrderBy(ids.IndexOf)] : got;
        long total = answer.RootElement.GetProperty("TotalResults").GetInt64();
        return got.SequenceEqual(ids) && total == expected.Count ? null : Describe(asked, total, got, expected.Count, ids);
    }

    private static bool IsOf(PlainDocument document, string collection) =>
        collection == "@all_docs" || document.Collection.Equals(collection, StringComparison.OrdinalIgnoreCase);

    private static List<PlainDocument> Sort(List<PlainDocument> documents, IReadOnlyList<PlainOrder> orders)
    {
        IOrderedEnumerable<PlainDocument> sorted = documents.OrderBy(_ => 0);
        foreach (PlainOrder key in orders)
        {
            sorted = sorted.ThenBy(document => document, Comparer<PlainDocument>.Create(key.Compare));
        }

        return [.. sorted];
    }

    private string Describe(string asked, long total, List<string> got, int expectedTotal, List<string> expected)
    {
        string wrong = got.Except(expected).Concat(expected.Except(got)).FirstOrDefault()
            ?? got.Where((id, i) => i < expected.Count && id != expected[i]).FirstOrDefault() ?? "";
        string body = _documents.Find(document => document.Id == wrong)?.Body.GetRawText() ?? "";
        return $"{asked}\n  total {total}, should be {expectedTotal}\n  rows {string.Join(' ', got.Take(12))}\n  should be "
            + $"{string.Join(' ', expected.Take(12))}\n  such as {wrong} {(got.Contains(wrong) ? "(found)" : "(not found)")} {body}";
    }
}
