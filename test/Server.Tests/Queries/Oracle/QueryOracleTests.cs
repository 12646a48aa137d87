using System.Net;
using System.Text;
using System.Text.Json;
using Jackdaw.Pal.InMemory;
using Jackdaw.Search.Lucene;
using Jackdaw.Server.Documents.Databases;
using Jackdaw.Server.Documents.Identity;
using Jackdaw.Server.Indexing;
using Jackdaw.Server.Indexing.Running;
using Jackdaw.Server.Tests.Http;
using Jackdaw.Storage;
using Microsoft.Extensions.Logging.Abstractions;
using Xunit.Abstractions;

namespace Jackdaw.Server.Tests.Queries.Oracle;

/// <summary>Random queries over HTTP, on documents that change meanwhile, against a plain evaluation: which rows, in which order, how many.</summary>
public sealed class QueryOracleTests(ITestOutputHelper output)
{
    private const int Documents = 150;
    private const int QueriesBetweenWrites = 50;
    private const int ReportedMax = 10;

    [Fact]
    public Task Queries_ThousandsOfRandomOnes_AnswerAsThePlainEvaluation() => RunAsync(Environment.TickCount, 3_000);

    [Fact]
    [Trait("Tier", "Full")]
    public Task Queries_HundredThousandRandomOnes_AnswerAsThePlainEvaluation() => RunAsync(Environment.TickCount, 100_000);

    private async Task RunAsync(int seed, int queries)
    {
        output.WriteLine($"seed {seed}");
        var random = new Random(seed);
        var made = new RandomQueries(random);
        await using ServerFixture server = await StartAsync();
        var model = new PlainDatabase(server.Client, random, made);
        await model.WriteAsync(Documents);
        List<string> differences = [];
        for (int i = 0; i < queries && differences.Count < ReportedMax; i++)
        {
            if (i % QueriesBetweenWrites == QueriesBetweenWrites - 1)
            {
                await model.WriteAsync(random.Next(1, 10));
            }

            if (await model.CheckAsync() is { } difference)
            {
                differences.Add($"query {i}: {difference}");
            }
        }

        output.WriteLine($"of the server: {model.Asked.TotalSeconds:F1} s");
        Assert.True(differences.Count == 0, $"seed {seed}, {differences.Count} differences:\n{string.Join("\n\n", differences)}");
    }

    private static async Task<ServerFixture> StartAsync()
    {
        var kind = new IndexPartKind(new IndexingWorkers(), new IndexFactory(LuceneSearchIndex.Open), TimeProvider.System, NullLogger.Instance);
        DatabaseCatalog catalog = await StoredDatabaseCatalog.OpenAsync(
            new MemoryPlatform(), "/data", new StorageOptions(), NodeTag.Default, [kind], new Progress<RecoveryProgress>(), NullLogger.Instance, default);
        await catalog.PutRecordAsync("things", Encoding.UTF8.GetBytes("""{"DatabaseName":"things"}"""), null, default);
        return await ServerFixture.StartAsync((_, _, _) => Task.FromResult(catalog));
    }
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
        using HttpResponseMessage answer = await client.PostAsync("/databases/things/bulk_docs", content);
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
        rql += skip > 0 || take < int.MaxValue ? $" limit {skip}, {take}" : "";
        List<PlainDocument> expected = [.. _documents.Where(document => IsOf(document, collection) && condition.IsMet(document))];
        List<string> ids = [.. Sort(expected, orders).Skip(skip).Take(take).Select(document => document.Id)];

        using var content = new StringContent(JsonSerializer.Serialize(
            new { Query = rql, QueryParameters = writer.Parameters, WaitForNonStaleResults = true }));
        long began = System.Diagnostics.Stopwatch.GetTimestamp();
        using HttpResponseMessage sent = await client.PostAsync("/databases/things/queries?metadataOnly=true", content);
        string text = await sent.Content.ReadAsStringAsync();
        Asked += System.Diagnostics.Stopwatch.GetElapsedTime(began);
        string asked = $"{rql} {JsonSerializer.Serialize(writer.Parameters)}";
        if (!sent.IsSuccessStatusCode)
        {
            return $"{asked}\n  refused: {text}";
        }

        using var answer = JsonDocument.Parse(text);
        List<string> got = [.. answer.RootElement.GetProperty("Results").EnumerateArray()
            .Select(row => row.GetProperty("@metadata").GetProperty("@id").GetString()!)];
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
