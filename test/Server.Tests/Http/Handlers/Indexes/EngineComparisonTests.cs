using System.Text.Json;
using Jackdaw.Server.Tests.Additions;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Http.Handlers.Indexes;

/// <summary>POST indexes/compare-engines: one definition over the same documents with each engine.</summary>
public sealed class EngineComparisonTests : EngineComparisonHarness
{
    public static TheoryData<string, string?, int, string[]> Definitions => new()
    {
        {
            Map, null, Orders,
            ["from index 'T' where Company = 'companies/1' order by Total as long", "from index 'T'", "from index 't' select facet(Company)"]
        },
        {
            "from o in docs.Orders from l in o.Lines select new { l.Item }", null, 2 * Orders,
            ["from index 'T' where Item = 'tea'", "from index 'T' select Item"]
        },
        {
            "from o in docs.Orders select new { Name = LoadDocument(o.Company, \"Companies\").Name }", null, Orders,
            ["from index 'T' where Name = 'acme'"]
        },
        { "map('Orders', o => ({ Company: o.Company, Total: o.Total }))", null, Orders, ["from index 'T' where Total > 10 limit 5"] },
        {
            "from o in docs.Orders select new { o.Company, Count = 1 }",
            "from r in results group r by r.Company into g select new { Company = g.Key, Count = g.Sum(x => x.Count) }", 3,
            ["from index 'T' where Count = 20", "from index 'T' order by Company desc"]
        },
    };

    [Theory]
    [MemberData(nameof(Definitions))]
    public async Task SameEntries_OfTwoEngines_DoNotDiffer_AndNothingStays(string map, string? reduce, int entries, string[] queries)
    {
        JsonElement answer = await CompareAsync(new { Name = "T", Maps = new[] { map }, Reduce = reduce }, queries);
        JsonElement[] engines = [.. answer.GetProperty("Engines").EnumerateArray()];
        Assert.Equal(["Corax", "Lucene"], engines.Select(engine => engine.GetProperty("Engine").GetString()));
        Assert.All(engines, engine =>
        {
            Assert.Equal((Orders, entries, 0), (IntOf(engine, "Documents"), IntOf(engine, "Entries"), IntOf(engine, "Errors")));
            Assert.InRange(engine.GetProperty("Milliseconds").GetDouble(), 0.1, 60_000);
            Assert.InRange(engine.GetProperty("Bytes").GetInt64(), 8192, 10 << 20);
            Assert.InRange(engine.GetProperty("BytesPerDocument").GetDouble(), 1, 1 << 20);
            Assert.Equal(OperatingSystem.IsLinux(), engine.GetProperty("ProcessorMilliseconds").ValueKind == JsonValueKind.Number);
        });
        Assert.Equal(queries, answer.GetProperty("Queries").EnumerateArray().Select(query => query.GetProperty("Query").GetString()));
        Assert.All(answer.GetProperty("Queries").EnumerateArray(), query =>
        {
            Assert.All(query.GetProperty("Engines").EnumerateArray(), engine =>
            {
                Assert.Equal(JsonValueKind.Null, engine.GetProperty("Error").ValueKind);
                Assert.InRange(IntOf(engine, "Runs"), 1, 100);
                Assert.InRange(IntOf(engine, "Rows"), 1, Orders * 2);
                Assert.True(engine.GetProperty("P50Milliseconds").GetDouble() <= engine.GetProperty("P99Milliseconds").GetDouble());
            });
            JsonElement difference = Assert.Single(query.GetProperty("Differences").EnumerateArray().ToArray());
            Assert.Equal((0, 0), (IntOf(difference.GetProperty("OnlyCorax"), "Count"), IntOf(difference.GetProperty("OnlyLucene"), "Count")));
        });
        await AssertNothingStaysAsync();
    }

    [Theory]
    [InlineData("from index 'T' order by Total as long", true)]
    [InlineData("from index 'T' where search(Company, 'companies') order by score()", null)]
    [InlineData("from index 'T'", null)]
    public async Task Order_IsComparedWhereEveryEngineMustHaveIt(string query, bool? isEqual)
    {
        JsonElement answer = await CompareAsync(new { Name = "T", Maps = new[] { Map } }, query);
        JsonElement order = answer.GetProperty("Queries")[0].GetProperty("Differences")[0].GetProperty("IsOrderEqual");
        Assert.Equal(isEqual, order.ValueKind == JsonValueKind.Null ? null : order.GetBoolean());
    }

    // An engine that forgets documents: those with an even number.
    [Fact]
    public async Task Rows_ThatOneEngineDoesNotFind_AreCountedAndNamed()
    {
        Own.Takes = id => int.Parse(id.Split('/')[1], null) % 2 == 1;
        JsonElement answer = await CompareAsync(
            new { Name = "T", Maps = new[] { Map } }, "from index 'T'", "from index 'T' where Total = 4", "from index 'T' where Total = 5");
        JsonElement[] differences = [.. answer.GetProperty("Queries").EnumerateArray().Select(query => query.GetProperty("Differences")[0])];
        Assert.Equal([Orders / 2, 1, 0], differences.Select(difference => IntOf(difference.GetProperty("OnlyLucene"), "Count")));
        Assert.All(differences, difference => Assert.Equal(0, IntOf(difference.GetProperty("OnlyCorax"), "Count")));
        string[] named = TextsOf(differences[0].GetProperty("OnlyLucene"), "Rows");
        Assert.Equal(20, named.Length);
        Assert.All(named, id => Assert.Matches("^Orders/[0-9]*[02468]$", id)); // as they were written
        Assert.Equal(["Orders/4"], TextsOf(differences[1].GetProperty("OnlyLucene"), "Rows"));
        Assert.Equal([Orders / 2, Orders], answer.GetProperty("Engines").EnumerateArray().Select(engine => IntOf(engine, "Entries")));
    }

    [Fact]
    public async Task Sample_HasTheNewestDocumentsOfEachCollection_WithDeletedOnesLeftOut()
    {
        await Server.DbAsync("DELETE", "/docs?id=Orders/59");
        string[] maps = ["from o in docs.Orders select new { N = o.Total }", "from c in docs.Companies select new { N = c.Name }"];
        JsonElement answer = await CompareAsync(new { Name = "T", Maps = maps }, 6, "from index 'T' where N >= 0", "from index 'T' where N = 'acme'");
        Assert.All(answer.GetProperty("Engines").EnumerateArray(), engine => Assert.Equal((4, 4), (IntOf(engine, "Documents"), IntOf(engine, "Entries"))));
        Own.Takes = _ => false;
        answer = await CompareAsync(new { Name = "T", Maps = maps }, 6, "from index 'T'");
        Assert.Equal(["Orders/56", "Orders/57", "Orders/58", "companies/1"],
            TextsOf(answer.GetProperty("Queries")[0].GetProperty("Differences")[0].GetProperty("OnlyLucene"), "Rows").Order(StringComparer.Ordinal));
    }

    // Documents are changed, added and deleted between the batches.
    [Fact]
    public async Task Documents_WrittenMeanwhile_MakeNoDifference()
    {
        int batches = 0;
        Own.Batching = () =>
        {
            int batch = Interlocked.Increment(ref batches);
            Server.PutAsync($"Orders/{250 - batch}", "Orders", """{"Company":"changed","Total":1}""").GetAwaiter().GetResult();
            Server.DbAsync("DELETE", $"/docs?id=Orders/{200 + batch}").GetAwaiter().GetResult();
        };
        for (int i = Orders; i < 300; i++)
        {
            await Server.PutAsync($"Orders/{i}", "Orders", $$"""{"Company":"companies/{{i % 3}}","Total":{{i}}}""");
        }

        object definition = new { Name = "T", Maps = new[] { Map }, Configuration = new Dictionary<string, string> { ["Indexing.MapBatchSize"] = "128" } };
        JsonElement answer = await CompareAsync(definition, "from index 'T'", "from index 'T' where Company = 'changed'");
        Assert.True(batches >= 3, $"{batches} batches");
        Assert.All(answer.GetProperty("Queries").EnumerateArray(), query =>
        {
            Assert.Equal(0, IntOf(query.GetProperty("Differences")[0].GetProperty("OnlyCorax"), "Count"));
            Assert.Equal(0, IntOf(query.GetProperty("Differences")[0].GetProperty("OnlyLucene"), "Count"));
        });
        JsonElement changed = answer.GetProperty("Queries")[1];
        Assert.All(changed.GetProperty("Engines").EnumerateArray(), engine => Assert.Equal(0, IntOf(engine, "TotalResults"))); // they have left the sample
        int[] documents = [.. answer.GetProperty("Engines").EnumerateArray().Select(engine => IntOf(engine, "Documents"))];
        Assert.Equal(documents[0], documents[1]);
        Assert.InRange(documents[0], 290, 300);
    }

    [Fact]
    public async Task Sample_ThatTakesTooLong_IsCutAtTheSameDocument()
    {
        for (int i = Orders; i < 300; i++)
        {
            await Server.PutAsync($"Orders/{i}", "Orders", $$"""{"Company":"companies/{{i % 3}}","Total":{{i}}}""");
        }

        Server.IndexPart.Comparisons.TimeMax = TimeSpan.Zero;
        object definition = new { Name = "T", Maps = new[] { Map }, Configuration = new Dictionary<string, string> { ["Indexing.MapBatchSize"] = "128" } };
        JsonElement answer = await CompareAsync(definition, "from index 'T'");
        Assert.True(answer.GetProperty("IsCut").GetBoolean());
        Assert.Contains("longer than 0 s", answer.GetProperty("Cut").GetString(), StringComparison.Ordinal);
        Assert.All(answer.GetProperty("Engines").EnumerateArray(), engine => Assert.Equal(128, IntOf(engine, "Documents")));
    }

    [Fact]
    public async Task Query_ThatOneEngineCannotAnswer_SaysWhy_AndTheOtherAnswers()
    {
        int searches = 0;
        Own.Searching = () => _ = ++searches > 2 ? throw new NotSupportedException("not written yet") : true; // when it is opened and counted, it works
        JsonElement answer = await CompareAsync(new { Name = "T", Maps = new[] { Map } }, "from index 'T'");
        JsonElement[] engines = [.. answer.GetProperty("Queries")[0].GetProperty("Engines").EnumerateArray()];
        Assert.Equal(["not written yet", null], engines.Select(engine => engine.GetProperty("Error").GetString()));
        Assert.Equal([0, Orders], engines.Select(engine => IntOf(engine, "Rows")));
        Own.Searching = null;
    }

    [Fact]
    public async Task Query_OfAFieldThatIsNotThere_SaysSoForEachEngine()
    {
        JsonElement answer = await CompareAsync(new { Name = "T", Maps = new[] { Map } }, "from index 'T' where Totl = 4");
        Assert.All(answer.GetProperty("Queries")[0].GetProperty("Engines").EnumerateArray(), engine =>
        {
            Assert.Contains("did you mean 'Total'?", engine.GetProperty("Error").GetString(), StringComparison.Ordinal);
            Assert.Equal((0, JsonValueKind.Null), (IntOf(engine, "Runs"), engine.GetProperty("P50Milliseconds").ValueKind));
        });
        Assert.Equal(0, answer.GetProperty("Queries")[0].GetProperty("Differences").GetArrayLength());
    }

    [Fact]
    public Task Engine_ThatCannotOpen_SaysWhy_AndTheOtherIsMeasured() =>
        AssertFailsAsync(() => Own.Searching = () => throw new InvalidOperationException("a mistake of the engine"));

    [Fact]
    public Task Engine_ThatFails_SaysWhy_AndTheOtherIsMeasured() =>
        AssertFailsAsync(() => Own.Batching = () => throw new InvalidOperationException("a mistake of the engine"));

    [Theory]
    [InlineData("""{}""", "'Definition' is missing")]
    [InlineData("""{"Definition":{"Name":"T","Maps":["from o in docs.Orders select new { o.A }"]},"SampleSize":0}""", "'SampleSize' is 0; give 1 to 100000")]
    [InlineData("""{"Definition":{"Name":"T","Maps":["from o in docs.Orders select new { o.A }"]},"SampleSize":100001}""", "'SampleSize' is 100001")]
    [InlineData("""{"Definition":{"Name":"T","Maps":["from o in docs.Orders select new { o.A }"]},"SampleSize":"many"}""", "'SampleSize' is \"many\"")]
    [InlineData("""{"Definition":{"Name":"T","Maps":["from o in docs.Orders select new { o.A }"]},"Queries":["from Orders"]}""", "write from index 'T'")]
    [InlineData("""{"Definition":{"Name":"T","Maps":["from o in docs.Orders select new { o.A }"]},"Queries":["from index 'U'"]}""", "write from index 'T'")]
    [InlineData("""{"Definition":{"Name":"T","Maps":["from o in docs.Orders select new { o.A }"]},"Queries":["from index 'T' where"]}""", "where")]
    [InlineData("""{"Definition":{"Name":"T","Maps":["from o in docs.Orders select new { o.A }"]},"Queries":["from index 'T' where A = $p"]}""", "$p")]
    [InlineData("""{"Definition":{"Name":"T","Maps":["from o in docs.Orders select new { o.A }"]},"Queries":["from index 'T' update { }"]}""", "update")]
    public async Task WrongBodies_AreRefused(string body, string message)
    {
        Answer answer = await Server.DbAsync("POST", Path, body);
        Assert.Equal(400, answer.Status);
        Assert.Contains(message, answer.Json.GetProperty("Message").GetString(), StringComparison.Ordinal);
        await AssertNothingStaysAsync();
    }

    [Fact]
    public async Task Queries_AreBounded()
    {
        string body = BodyOf(new { Name = "T", Maps = new[] { Map } }, null, [.. Enumerable.Repeat("from index 'T'", 21)]);
        (await Server.DbAsync("POST", Path, body)).AssertProblem(400, "ArgumentException", "There are 21 queries; give at most 20");
    }

    [Fact]
    public async Task Mistakes_AreThoseOfAPut_AndCSharpNeedsTheRouteOfAdministrators()
    {
        object wrong = new { Name = "T", Maps = new[] { "from o in docs.Orders select new { o.Company " } };
        Answer compared = await Server.DbAsync("POST", Path, JsonSerializer.Serialize(new { Definition = wrong }));
        Answer put = await Server.PutDefinitionsAsync(wrong);
        Assert.Equal((put.Status, put.Json.GetProperty("Message").GetString()), (compared.Status, compared.Json.GetProperty("Message").GetString()));

        string body = JsonSerializer.Serialize(new { Definition = new { Name = "T", Maps = new[] { Map } } });
        Answer refused = await Server.DbAsync("POST", "/indexes/compare-engines", body);
        Assert.Equal(403, refused.Status);
        Assert.Contains("POST /admin/indexes/compare-engines", refused.Text, StringComparison.Ordinal);
        string script = JsonSerializer.Serialize(new { Definition = new { Name = "T", Maps = new[] { "map('Orders', o => ({ Company: o.Company }))" } } });
        Assert.Equal(200, (await Server.DbAsync("POST", "/indexes/compare-engines", script)).Status);
    }

    [Fact]
    public async Task Outputs_OfTheDefinition_AreNotWritten()
    {
        object definition = new
        {
            Name = "T",
            Maps = new[] { "from o in docs.Orders select new { o.Company, Count = 1 }" },
            Reduce = "from r in results group r by r.Company into g select new { Company = g.Key, Count = g.Sum(x => x.Count) }",
            OutputReduceToCollection = "Counts",
        };
        await CompareAsync(definition, "from index 'T'");
        Assert.DoesNotContain("Counts", (await Server.DbAsync("GET", "/collections/stats")).Text, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Program_WithOneEngine_ReportsThatOne()
    {
        await using ServerFixture one = await ServerFixture.StartAsync(new ServerSetup { Engines = StandInEngine.LuceneAlone });
        await one.PutAsync("Orders/1", "Orders", """{"Company":"companies/1"}""");
        Answer answer = await one.DbAsync("POST", Path, BodyOf(new { Name = "T", Maps = new[] { Map } }, null, "from index 'T'"));
        Assert.Equal("Lucene", Assert.Single(answer.Json.GetProperty("Engines").EnumerateArray().ToArray()).GetProperty("Engine").GetString());
        Assert.Equal(0, answer.Json.GetProperty("Queries")[0].GetProperty("Differences").GetArrayLength());
    }

    private async Task AssertFailsAsync(Action breakEngine)
    {
        breakEngine();
        JsonElement answer = await CompareAsync(new { Name = "T", Maps = new[] { Map } }, "from index 'T'");
        Assert.Equal("a mistake of the engine", answer.GetProperty("Engines")[0].GetProperty("Failure").GetString());
        Assert.Equal(Orders, IntOf(answer.GetProperty("Engines")[1], "Entries"));
        JsonElement asked = Assert.Single(answer.GetProperty("Queries")[0].GetProperty("Engines").EnumerateArray().ToArray());
        Assert.Equal("Lucene", asked.GetProperty("Engine").GetString());
        await AssertNothingStaysAsync();
    }
}
