using System.Text;
using System.Text.Json;
using Jackdaw.Documents;
using Jackdaw.Documents.Commands;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Rows;
using Jackdaw.Indexing.Outputs;
using Jackdaw.Indexing.Records;
using Jackdaw.Pal.Simulation;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Http.Handlers.Indexes;

/// <summary>Groups that become documents (OutputReduceToCollection).</summary>
public sealed class IndexOutputTests : IAsyncLifetime
{
    private const string Map = "from o in docs.Orders select new { o.Company, o.At, Count = 1 }";
    private const string Reduce = "from r in results group r by new { r.Company, r.At } into g "
        + "select new { Company = g.Key.Company, At = g.Key.At, Count = g.Sum(x => x.Count) }";

    private SimulatedPlatform _platform = new(seed: 3);
    private ServerFixture _server = null!;

    public async Task InitializeAsync()
    {
        _server = await ServerFixture.StartAsync(new ServerSetup { Platform = _platform });
        await PutOrderAsync(1, "acme", "2024-01-05");
        await PutOrderAsync(2, "acme", "2024-01-05");
        await PutOrderAsync(3, "zeta", "2024-02-06");
    }

    public async Task DisposeAsync() => await _server.DisposeAsync();

    [Fact]
    public async Task Groups_BecomeDocuments_AndFollowThem()
    {
        await PutIndexAsync();
        Assert.Equal(["acme 2024-01-05 2", "zeta 2024-02-06 1"], await TotalsAsync());
        JsonElement metadata = (await DocumentsAsync("Totals"))[0].GetProperty("@metadata");
        Assert.Matches("^Totals/[0-9a-f]{32}$", metadata.GetProperty("@id").GetString());
        Assert.Equal("Artificial, FromIndex", metadata.GetProperty("@flags").GetString());
        string vector = metadata.GetProperty("@change-vector").GetString()!;
        await PutOrderAsync(4, "acme", "2024-01-05");
        await _server.DeleteAsync("orders/3");
        await PutOrderAsync(5, "new", "2024-03-07");
        await _server.SettledAsync();
        Assert.Equal(["acme 2024-01-05 3", "new 2024-03-07 1"], await TotalsAsync());
        JsonElement changed = (await DocumentsAsync("Totals"))[0].GetProperty("@metadata");
        Assert.Equal(metadata.GetProperty("@id").GetString(), changed.GetProperty("@id").GetString());
        Assert.NotEqual(vector, changed.GetProperty("@change-vector").GetString());
    }

    [Fact]
    public async Task Pattern_ListsTheDocuments_AndFollowsThem()
    {
        await PutIndexAsync(new { PatternForOutputReduceToCollectionReferences = "reports/{At:yyyy}/{Company}", PatternReferencesCollectionName = "Reports" });
        await PutOrderAsync(4, "acme", "2024-09-01");
        await _server.SettledAsync();
        Assert.Equal(["reports/2024/acme 2", "reports/2024/zeta 1"], await ReportsAsync());
        await _server.DeleteAsync("orders/3");
        await _server.DeleteAsync("orders/4");
        await _server.SettledAsync();
        Assert.Equal(["reports/2024/acme 1"], await ReportsAsync());
        JsonElement report = (await DocumentsAsync("Reports"))[0];
        Answer listed = await _server.DbAsync("GET", "/docs?id=" + report.GetProperty("ReduceOutputs")[0].GetString());
        Assert.Equal(2, listed.Json.GetProperty("Results")[0].GetProperty("Count").GetInt32());
        Assert.Equal("reports/2024/acme", report.GetProperty("Id").GetString());

        // Another pattern: the old lists go, the rows stay as they are.
        string rows = Text(await DocumentsAsync("Totals"));
        await PutIndexAsync(new { PatternForOutputReduceToCollectionReferences = "monthly/{At:yyyy-MM}" });
        Assert.Equal(["monthly/2024-01 1"], await ReportsAsync("Totals/References"));
        Assert.Empty(await DocumentsAsync("Reports"));
        Assert.Equal(rows, Text(await DocumentsAsync("Totals")));
    }

    /// <summary>Who deletes what is left in a collection has read it before another index moved it to its own.</summary>
    [Fact]
    public async Task Delete_OfADocumentThatWasMadeAnewSinceItWasRead_LeavesIt()
    {
        await PutIndexAsync();
        IndexRecord record = _server.Indexes.All.Single().Record;
        string id = (await DocumentsAsync("Totals"))[0].GetProperty("@metadata").GetProperty("@id").GetString()!;
        Etag seen;
        using (DocumentReadScope read = _server.Database.BeginRead())
        {
            ChangeCursor cursor = read.OpenChanges("totals"u8, Etag.None);
            Assert.True(cursor.MoveNext());
            seen = cursor.Etag;
        }

        await PutOrderAsync(4, "acme", "2024-01-05");
        await PutOrderAsync(5, "zeta", "2024-02-06");
        await _server.SettledAsync();
        Assert.Equal(2, (await TotalsAsync()).Length);
        await DeleteAsync(seen);
        Assert.Equal(2, (await TotalsAsync()).Length);
        await DeleteAsync(null);
        Assert.Single(await TotalsAsync());

        async Task DeleteAsync(Etag? version)
        {
            var gone = new OutputDocument(Encoding.UTF8.GetBytes(id), Encoding.UTF8.GetBytes(id.ToLowerInvariant()), null) { Seen = version };
            var batch = new WriteBatch { Commands = new DocumentCommand[] { new WriteOutputsCommand(record.Name, record.Folder, [gone]) } };
            Assert.Equal(WriteStatus.Applied, (await _server.Database.WriteAsync(batch, default)).Status);
        }
    }

    [Fact]
    public async Task Pattern_ThatMakesTheIdOfAUsersDocument_LeavesItAndSaysSo()
    {
        await _server.PutAsync("by/acme", "Users", """{"Name":"mine"}""");
        await PutIndexAsync(new { PatternForOutputReduceToCollectionReferences = "by/{Company}" });
        Assert.Equal(["by/zeta 1"], await ReportsAsync("Totals/References"));
        await AssertMineAsync();
        Answer errors = await _server.DbAsync("GET", "/indexes/errors?name=Totals");
        Assert.Contains("'by/acme' is not written", errors.Text, StringComparison.Ordinal);
        await _server.DeleteAsync("orders/1");
        await _server.DeleteAsync("orders/2");
        await _server.SettledAsync();
        await AssertMineAsync();
        Assert.Equal(204, (await _server.DbAsync("DELETE", "/indexes?name=Totals")).Status);
        await _server.SettledAsync();
        await AssertMineAsync();

        async Task AssertMineAsync()
        {
            Answer mine = await _server.DbAsync("GET", "/docs?id=by/acme");
            Assert.Equal("mine", mine.Json.GetProperty("Results")[0].GetProperty("Name").GetString());
        }
    }

    [Fact]
    public async Task Pattern_ThatMakesNoIdOfARow_IsAnErrorAndTheRowIsWritten()
    {
        await _server.PutAsync("orders/9", "Orders", """{"Company":null,"At":"2024-01-05"}""");
        await PutIndexAsync(new { PatternForOutputReduceToCollectionReferences = "by/{Company}" });
        Assert.Equal(3, (await TotalsAsync()).Length);
        Assert.Equal(["by/acme 1", "by/zeta 1"], await ReportsAsync("Totals/References"));
        Answer errors = await _server.DbAsync("GET", "/indexes/errors?name=Totals");
        Assert.Contains("'Company' is missing", errors.Text, StringComparison.Ordinal);
        Assert.Contains("\"Output\"", errors.Text, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("InPlace")]
    [InlineData("SideBySide")]
    public async Task Reset_LeavesTheSameDocumentsUntouched_AndRemovesWhatIsNotOfIt(string mode)
    {
        await PutIndexAsync();
        string before = Text(await DocumentsAsync("Totals"));
        await _server.PutAsync("Totals/mine", "Totals", """{"Mine":true}""");
        Assert.Equal(204, (await _server.DbAsync("POST", "/admin/indexes/stop")).Status);
        Assert.Equal(204, (await _server.DbAsync("RESET", "/indexes?name=Totals&mode=" + mode)).Status);
        await _server.DeleteAsync("orders/3"); // the index that is reset never learns of its group
        await PutOrderAsync(4, "late", "2024-05-05");
        Assert.Equal(204, (await _server.DbAsync("POST", "/admin/indexes/start")).Status);
        await _server.SettledAsync();
        Assert.Equal(["acme 2024-01-05 2", "late 2024-05-05 1"], await TotalsAsync());
        Assert.StartsWith(Text(await DocumentsAsync("Totals"))[..100], before, StringComparison.Ordinal); // same change vector
        Assert.Equal(200, (await _server.DbAsync("GET", "/docs?id=Totals/mine")).Status);
    }

    [Fact]
    public async Task Replacement_WritesNothing_BeforeItTakesThePlace()
    {
        await PutIndexAsync();
        Assert.Equal(204, (await _server.DbAsync("POST", "/admin/indexes/stop?name=Totals")).Status);
        Assert.Equal(201, (await _server.PutIndexAsync(
            "Totals", Map.Replace("Count = 1", "Count = 100", StringComparison.Ordinal), Reduce, new { OutputReduceToCollection = "Hundreds" })).Status);
        await _server.SettledAsync();
        Assert.Equal(["acme 2024-01-05 200", "zeta 2024-02-06 100"], await TotalsAsync("Hundreds"));
        Assert.Empty(await DocumentsAsync("Totals"));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Delete_Index_ItsDocumentsGoAndThoseOfUsersStay(bool isCut)
    {
        await PutIndexAsync(new { PatternForOutputReduceToCollectionReferences = "by/{Company}" });
        await _server.PutAsync("Totals/mine", "Totals", """{"Mine":true}""");
        Assert.Equal(204, (await _server.DbAsync("DELETE", "/indexes?name=Totals")).Status);
        if (isCut)
        {
            await CutPowerAsync();
        }

        await _server.SettledAsync();
        Assert.Equal("Totals/mine", Assert.Single(await DocumentsAsync("Totals")).GetProperty("@metadata").GetProperty("@id").GetString());
        Assert.Empty(await DocumentsAsync("Totals/References"));
        await PutIndexAsync();
        Assert.Equal(2, (await TotalsAsync()).Length);
    }

    [Fact]
    public async Task Outputs_AreIndexedByOthers_AndLoopsAreRefused()
    {
        await PutIndexAsync();
        const string reduce = "from r in results group r by r.Company into g select new { Company = g.Key, N = g.Sum(x => x.N) }";
        Answer second = await _server.PutIndexAsync(
            "Companies", "from t in docs.Totals select new { t.Company, N = t.Count }", reduce, new { OutputReduceToCollection = "ByCompany" });
        Assert.Equal(201, second.Status);
        await _server.SettledAsync();
        Assert.Equal(2, (await DocumentsAsync("ByCompany")).Count);
        await RefusedAsync("from t in docs.ByCompany select new { t.Company, N = 1 }", reduce, "Orders", "by way of", "Totals", "Companies");
        await RefusedAsync("from t in docs.Orders select new { t.Company, N = 1 }", reduce, "orders", "never end");
        await RefusedAsync("from t in docs select new { t.Company, N = 1 }", reduce, "Others", "never end");
        await RefusedAsync(
            "from t in docs.Firms let x = LoadDocument(t.Other, \"Mine\") select new { x.Company, N = 1 }", reduce, "mine", "reads collection 'mine'");
        await RefusedAsync("from t in docs.Firms select new { t.Company, N = 1 }", reduce, "totals", "which index 'Totals' writes to");
        await RefusedAsync("from t in docs.Firms select new { t.Company, N = 1 }", null, "X", "no Reduce");
        await RefusedAsync("from t in docs.Firms select new { t.Company, N = 1 }", reduce, "@X", "cannot be used");
    }

    [Theory]
    [InlineData("reports/{At", "character 9")]
    [InlineData("reports/{}", "character 9")]
    [InlineData("reports}", "character 8")]
    [InlineData("reports", "names no field")]
    [InlineData("reports/{Nothing}", "'Nothing', which its rows do not have")]
    public async Task Pattern_ThatIsWrong_IsRefused(string pattern, string message)
    {
        Answer answer = await _server.PutIndexAsync(
            "Totals", Map, Reduce, new { OutputReduceToCollection = "Totals", PatternForOutputReduceToCollectionReferences = pattern });
        Assert.NotEqual(201, answer.Status);
        Assert.Contains(message, answer.Text, StringComparison.Ordinal);
    }

    private async Task RefusedAsync(string map, string? reduce, string output, params string[] messages)
    {
        Answer answer = await _server.PutIndexAsync("Third", map, reduce, new { OutputReduceToCollection = output });
        Assert.NotEqual(201, answer.Status);
        Assert.All(messages, message => Assert.Contains(message, answer.Text, StringComparison.Ordinal));
        Assert.Null(_server.Indexes.Find("Third"));
    }

    private async Task PutIndexAsync(object? more = null)
    {
        var members = new Dictionary<string, object?>
        {
            ["Name"] = "Totals",
            ["Maps"] = new[] { Map },
            ["Reduce"] = Reduce,
            ["OutputReduceToCollection"] = "Totals",
        };
        foreach (System.Reflection.PropertyInfo property in more?.GetType().GetProperties() ?? [])
        {
            members[property.Name] = property.GetValue(more);
        }

        Answer answer = await _server.PutDefinitionsAsync(members);
        Assert.True(answer.Status == 201, answer.Text);
        await _server.SettledAsync();
    }

    private Task PutOrderAsync(int number, string company, string at) =>
        _server.PutAsync($"orders/{number}", "Orders", $$"""{"Company":"{{company}}","At":"{{at}}"}""");

    private async Task<string[]> TotalsAsync(string collection = "Totals") =>
    [
        .. (await DocumentsAsync(collection)).Where(row => row.TryGetProperty("Count", out _))
            .Select(row => $"{row.GetProperty("Company")} {row.GetProperty("At")} {row.GetProperty("Count")}").Order(StringComparer.Ordinal),
    ];

    private async Task<string[]> ReportsAsync(string collection = "Reports") =>
    [
        .. (await DocumentsAsync(collection)).Select(row =>
            $"{row.GetProperty("@metadata").GetProperty("@id")} {row.GetProperty("ReduceOutputs").GetArrayLength()}").Order(StringComparer.Ordinal),
    ];

    private async Task<List<JsonElement>> DocumentsAsync(string collection)
    {
        Answer answer = await _server.QueryAsync($"from '{collection}'", waits: false);
        Assert.True(answer.Status == 200, answer.Text);
        return
        [
            .. answer.Json.GetProperty("Results").EnumerateArray()
                .OrderBy(row => row.GetProperty("@metadata").GetProperty("@id").GetString(), StringComparer.Ordinal),
        ];
    }

    private static string Text(List<JsonElement> documents) => string.Join('\n', documents.Select(document => document.GetRawText()));

    private async Task CutPowerAsync()
    {
        _platform = _platform.Crash(seed: 7);
        await _server.DisposeAsync();
        _server = await ServerFixture.StartAsync(new ServerSetup { Platform = _platform });
    }
}
