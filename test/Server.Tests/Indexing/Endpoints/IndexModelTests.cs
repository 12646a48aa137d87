using System.Globalization;
using System.Text.Json;
using Jackdaw.Pal.Simulation;
using Jackdaw.TestKit;
using Xunit.Abstractions;

namespace Jackdaw.Server.Tests.Indexing.Endpoints;

/// <summary>Random changes of documents, with power cuts: what indexes hold in the end is what the same indexes hold when they are built
/// afterwards.</summary>
public sealed class IndexModelTests(ITestOutputHelper output)
{
    private static readonly string[] s_collections = ["Orders", "Returns", "Companies"];

    private static readonly (string Name, string[] Maps, string? Reduce)[] s_kinds =
    [
        ("Map", ["from o in docs.Orders where o.Size != 3 select new { o.Company, o.Size }"], null),
        ("FanOut", ["from o in docs.Orders from l in o.Lines select new { l.Product, l.Quantity }"], null),
        (
            "MultiMap",
            ["from o in docs.Orders select new { Name = o.Company, Kind = 1 }", "from r in docs.Returns select new { Name = r.Company, Kind = 2 }"],
            null),
        ("All", ["from d in docs select new { Id = Id(d), d.Name }"], null),
        ("Loading", ["from o in docs.Orders let c = LoadDocument(o.Company, \"Companies\") select new { CompanyName = c.Name, Half = 6 / o.Size }"], null),
        (
            "Reducing",
            ["from o in docs.Orders from l in o.Lines select new { l.Product, Count = 1, Total = l.Quantity }"],
            "from r in results group r by r.Product into g "
                + "select new { Product = g.Key, Count = g.Sum(x => x.Count), Total = g.Sum(x => x.Total) }"),
        (
            "LoadingAndReducing",
            [
                "from o in docs.Orders let c = LoadDocument(o.Company, \"Companies\") select new { Name = c.Name, Count = 1 }",
                "from r in docs.Returns select new { Name = r.Name, Count = 100 }",
            ],
            "from r in results group r by r.Name into g select new { Name = g.Key, Count = g.Sum(x => x.Count) }"),
    ];

    [Theory]
    [InlineData(1, 0)]
    [InlineData(2, 5)]
    public Task Changes_Random_LeaveWhatARebuildGives(int seed, int batchesBetweenCuts) => RunAsync(seed, batches: 40, batchesBetweenCuts);

    [Trait("Tier", "Soak")]
    [Theory]
    [InlineData(0)]
    [InlineData(3)]
    [InlineData(20)]
    public async Task Changes_RandomForLong_LeaveWhatARebuildGives(int batchesBetweenCuts)
    {
        for (int round = 0; round < 10; round++)
        {
            await RunAsync(Environment.TickCount + round, batches: 200, batchesBetweenCuts);
        }
    }

    /// <summary>A server that is killed in the middle of its work, changed at once after it is back, and killed again.</summary>
    [Fact]
    public Task Kill_TwentyTimesBetweenChanges_IndexesFollow() => RunAsync(seed: 20, batches: 20, batchesBetweenCuts: 1);

    [Trait("Tier", "Full")]
    [Fact]
    public Task Kill_HundredTimesBetweenChanges_IndexesFollow() => RunAsync(Environment.TickCount, batches: 100, batchesBetweenCuts: 1);

    private async Task RunAsync(int seed, int batches, int batchesBetweenCuts)
    {
        output.WriteLine($"seed {seed}, {batches} batches, a power cut after each {batchesBetweenCuts}");
        var random = new Random(seed);
        var platform = new SimulatedPlatform(seed);
        IndexedServer server = await IndexedServer.StartAsync(platform);
        try
        {
            await PutIndexesAsync(server, "");
            await ChangeOutputAsync(server, new Random(0));
            for (int batch = 1; batch <= batches; batch++)
            {
                Answer answer = await server.SendAsync("POST", "/bulk_docs", MakeBatch(random));
                Assert.True(answer.Status == 201, answer.Text);
                if (random.Next(4) == 0)
                {
                    await server.SettledAsync();
                }

                if (random.Next(10) == 0)
                {
                    await ChangeOutputAsync(server, random);
                }

                if (batchesBetweenCuts > 0 && batch % batchesBetweenCuts == 0)
                {
                    platform = platform.Crash(random.Next());
                    await server.DisposeAsync();
                    server = await IndexedServer.StartAsync(platform);
                }
            }

            await PutIndexesAsync(server, "2");
            await server.SettledAsync();
            foreach ((string name, _, string? reduce) in s_kinds)
            {
                Assert.Equal(await EntriesAsync(server, name + "2", reduce), await EntriesAsync(server, name, reduce));
            }

            await AssertOutputsAsync(server);
        }
        finally
        {
            await server.DisposeAsync();
        }
    }

    private static async Task PutIndexesAsync(IndexedServer server, string suffix)
    {
        object[] definitions = [.. s_kinds.Select(kind => new
        {
            Name = kind.Name + suffix,
            kind.Maps,
            kind.Reduce,
            Fields = new { __all_fields = new { Storage = "Yes" } },
        })];
        Answer answer = await server.PutDefinitionsAsync(definitions);
        Assert.True(answer.Status == 201, answer.Text);
    }

    // Whatever an entry holds, with the document it is of; in no order, because entries have that of their batches.
    private static async Task<List<string>> EntriesAsync(IndexedServer server, string index, string? reduce)
    {
        string[] fields = ["Company", "Size", "Product", "Quantity", "Name", "Kind", "Id", "CompanyName", "Half"];
        string query = reduce is null ? $"from index '{index}' select {string.Join(", ", fields)}" : $"from index '{index}'";
        Answer answer = await server.QueryAsync(query, more: new { ProjectionBehavior = "FromIndex" });
        Assert.True(answer.Status == 200, answer.Text);
        List<string> entries = [.. answer.Json.GetProperty("Results").EnumerateArray().Select(row => row.GetRawText())];
        entries.Sort(string.CompareOrdinal);
        Assert.True(entries.Count > 0, $"{index} is empty");
        Assert.Equal(entries.Count, answer.Json.GetProperty("TotalResults").GetInt32());
        return entries;
    }

    // Puts the index whose groups become documents, with one of some patterns, or resets it.
    private static async Task ChangeOutputAsync(IndexedServer server, Random random)
    {
        if (random.Next(3) == 1)
        {
            await server.SendAsync("RESET", $"/indexes?name=Output&mode={(random.Next(2) == 0 ? "InPlace" : "SideBySide")}");
            return;
        }

        (_, string[] maps, string? reduce) = s_kinds.Single(kind => kind.Name == "Reducing");
        Answer answer = await server.PutDefinitionsAsync(new
        {
            Name = "Output",
            Maps = maps,
            Reduce = reduce,
            OutputReduceToCollection = "Totals",
            PatternForOutputReduceToCollectionReferences = random.Next(2) == 0 ? "counts/{Count}" : "totals/{Total}",
            PatternReferencesCollectionName = random.Next(2) == 0 ? "Lists" : null,
        });
        Assert.True(answer.Status == 201, answer.Text);
    }

    // Exactly one document for each group, and each of them listed by its number.
    private static async Task AssertOutputsAsync(IndexedServer server)
    {
        string[] rows = await server.RowsAsync("from index 'Reducing2'");
        JsonElement[] documents = [.. (await server.QueryAsync("from Totals", waits: false)).Json.GetProperty("Results").EnumerateArray()];
        Assert.Equal(rows.Order(StringComparer.Ordinal), documents.Select(IndexedServer.WithoutMetadata).Order(StringComparer.Ordinal));
        JsonElement definition = (await server.SendAsync("GET", "/indexes?name=Output")).Json.GetProperty("Results")[0];
        bool isByCount = definition.GetProperty("PatternForOutputReduceToCollectionReferences").GetString()!.StartsWith("counts", StringComparison.Ordinal);
        IEnumerable<string> expected = documents.Select(row =>
            (isByCount ? "counts/" + row.GetProperty("Count").GetRawText() : "totals/" + row.GetProperty("Total").GetRawText())
            + " " + row.GetProperty("@metadata").GetProperty("@id").GetString());
        var listed = new List<string>();
        foreach (string collection in (string[])["Lists", "Totals/References"])
        {
            Answer lists = await server.QueryAsync($"from '{collection}'", waits: false);
            listed.AddRange(lists.Json.GetProperty("Results").EnumerateArray().SelectMany(list => list.GetProperty("ReduceOutputs").EnumerateArray()
                .Select(output => $"{list.GetProperty("@metadata").GetProperty("@id").GetString()} {output.GetString()}")));
        }

        Assert.Equal(expected.Order(StringComparer.Ordinal), listed.Order(StringComparer.Ordinal));
    }

    private static string MakeBatch(Random random) =>
        JsonSerializer.Serialize(new { Commands = Enumerable.Range(0, random.Next(1, 12)).Select(_ => MakeCommand(random)).ToArray() });

    private static object MakeCommand(Random random)
    {
        string id = random.Next(3) == 0 ? $"companies/{random.Next(4)}" : $"docs/{random.Next(25)}";
        if (random.Next(5) == 0)
        {
            return new { Id = id, Type = "DELETE" };
        }

        // Mostly of one collection, so that documents move now and then.
        string collection = id.StartsWith('c') && random.Next(6) > 0 ? "Companies" : s_collections[random.Next(s_collections.Length)];
        var document = new Dictionary<string, object?>
        {
            ["Name"] = random.Next(5) == 0 ? null : string.Create(CultureInfo.InvariantCulture, $"name {random.Next(6)}"),
            ["Company"] = $"companies/{random.Next(5)}",
            ["Size"] = random.Next(6),
            ["Lines"] = Enumerable.Range(0, random.Next(4)).Select(_ => new { Product = "p" + random.Next(5), Quantity = random.Next(9) }).ToArray(),
            ["@metadata"] = new Dictionary<string, string> { ["@collection"] = collection },
        };
        return new { Id = id, Type = "PUT", Document = document };
    }
}
