using System.Text.Json;
using System.Text.RegularExpressions;
using Jackdaw.Documents;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Http.Handlers.SampleShop;

public sealed partial class SampleShopTests : IAsyncLifetime
{
    private const string Path = "/studio/sample-data";

    private ServerFixture _server = null!;

    public async Task InitializeAsync() => _server = await ServerFixture.StartAsync();

    public async Task DisposeAsync() => await _server.DisposeAsync();

    [Fact]
    public async Task Sample_BesideASavedQuery_IsWritten()
    {
        await using ServerFixture server = await ServerFixture.StartAsync();
        await server.PutAsync("@studio/queries/mine", "@studio", "{}");

        Assert.Equal(204, (await server.DbAsync("POST", "/studio/sample-data")).Status);
    }

    [Fact]
    public async Task Post_EmptyDatabase_HasAllKindsInTheirNumbers()
    {
        Assert.Equal(204, (await _server.DbAsync("POST", Path)).Status);

        Answer collections = await _server.DbAsync("GET", "/collections/stats");
        Answer stats = await _server.DbAsync("GET", "/stats");
        Assert.Equal(1059, collections.Json.GetProperty("CountOfDocuments").GetInt64());
        Assert.Equal(
            "@hilo:8 Categories:8 Companies:91 Employees:9 Orders:830 Products:77 Regions:4 Shippers:3 Suppliers:29",
            string.Join(' ', collections.Json.GetProperty("Collections").EnumerateObject()
                .OrderBy(member => member.Name, StringComparer.Ordinal).Select(member => $"{member.Name}:{member.Value}")));
        Assert.Equal(17, stats.Json.GetProperty("CountOfAttachments").GetInt64());
        Assert.True(stats.Json.GetProperty("CountOfRevisionDocuments").GetInt64() > 1500, stats.Text);
        Assert.Equal(4, stats.Json.GetProperty("CountOfIndexes").GetInt32());
        Assert.Equal(2, (await _server.DbAsync("GET", "/revisions?id=orders/1-A")).Json.GetProperty("TotalResults").GetInt32());
        Assert.Equal(200, (await _server.DbAsync("GET", "/docs?id=orders/830-A")).Status);
    }

    /// <summary>Every member of every document is a property, and there are no others: a list, an object or a value, as the class says.</summary>
    [Fact]
    public async Task GetClasses_HasThePropertiesOfTheDocuments()
    {
        string text = (await _server.DbAsync("GET", Path + "/classes")).Text;
        await _server.DbAsync("POST", Path);
        Dictionary<string, Dictionary<string, string>> classes = Class().Matches(text).ToDictionary(
            found => found.Groups[1].Value,
            found => Property().Matches(found.Groups[2].Value).ToDictionary(one => one.Groups[2].Value, one => one.Groups[1].Value));
        HashSet<string> seen = [];
        (string Collection, string Class)[] pairs =
        [
            ("Orders", "Order"), ("Companies", "Company"), ("Products", "Product"), ("Suppliers", "Supplier"), ("Employees", "Employee"),
            ("Categories", "Category"), ("Regions", "Region"), ("Shippers", "Shipper"),
        ];
        foreach ((string collection, string name) in pairs)
        {
            Answer all = await _server.QueryAsync($"from {collection}", more: new { PageSize = 1000 });
            foreach (JsonElement document in all.Json.GetProperty("Results").EnumerateArray())
            {
                Check(document, name);
                seen.Add(name + ".Id");
            }
        }

        Assert.Equal(
            classes.SelectMany(one => one.Value.Keys.Select(member => $"{one.Key}.{member}")).Order(), seen.Order());

        void Check(JsonElement value, string type)
        {
            foreach (JsonProperty member in value.EnumerateObject().Where(member => member.Name != "@metadata"))
            {
                Assert.True(classes[type].TryGetValue(member.Name, out string? declared), $"{type}.{member.Name}");
                seen.Add($"{type}.{member.Name}");
                string inner = declared.Replace("List<", "", StringComparison.Ordinal).Replace(">", "", StringComparison.Ordinal);
                JsonElement[] values = member.Value.ValueKind == JsonValueKind.Array ? [.. member.Value.EnumerateArray()] : [member.Value];
                Assert.Equal(declared.StartsWith("List<", StringComparison.Ordinal), member.Value.ValueKind == JsonValueKind.Array);
                foreach (JsonElement one in values)
                {
                    if (one.ValueKind == JsonValueKind.Object)
                    {
                        Check(one, inner);
                    }
                    else
                    {
                        CheckValue(one, inner, member.Name);
                    }
                }
            }
        }

        static void CheckValue(JsonElement value, string type, string name) => Assert.True(
            type switch
            {
                "int" => value.TryGetInt32(out _),
                "decimal" or "double" => value.ValueKind == JsonValueKind.Number,
                "bool" => value.ValueKind is JsonValueKind.True or JsonValueKind.False,
                "DateTime" => value.TryGetDateTime(out _),
                "DateTime?" => value.ValueKind == JsonValueKind.Null || value.TryGetDateTime(out _),
                _ => value.ValueKind is JsonValueKind.String or JsonValueKind.Null,
            },
            $"{name}: {type} is {value}");
    }

    [GeneratedRegex(@"public class (\w+)\s*\{(.*?)\n\}", RegexOptions.Singleline)]
    private static partial Regex Class();

    [GeneratedRegex(@"public ([\w<>?]+) (\w+) \{ get; set; \}")]
    private static partial Regex Property();

    [Fact]
    public async Task Post_EmptyDatabase_EveryReferenceLeadsToADocument()
    {
        await _server.DbAsync("POST", Path);
        JsonElement[] documents = [.. (await _server.QueryAsync("from @all_docs", more: new { PageSize = 2000 })).Json.GetProperty("Results").EnumerateArray()];
        HashSet<string> ids = [.. documents.Select(document => document.GetProperty("@metadata").GetProperty("@id").GetString()!)];
        HashSet<string> codes = [.. documents.Where(document => IdOf(document).StartsWith("regions/", StringComparison.Ordinal))
            .SelectMany(region => region.GetProperty("Territories").EnumerateArray()).Select(territory => territory.GetProperty("Code").GetString()!)];

        Assert.Equal(1059, ids.Count);
        Assert.Equal(52, codes.Count);
        int references = 0;
        foreach (JsonElement document in documents)
        {
            foreach (Match reference in Reference().Matches(document.GetRawText()))
            {
                references++;
                Assert.True(ids.Contains(reference.Groups[1].Value), $"{IdOf(document)} names {reference.Groups[1].Value}");
            }

            if (IdOf(document).StartsWith("employees/", StringComparison.Ordinal))
            {
                Assert.All(document.GetProperty("Territories").EnumerateArray(), code => Assert.Contains(code.GetString()!, codes));
            }
        }

        Assert.True(references > 4000, $"{references} references");
    }

    [Fact]
    public async Task Post_EmptyDatabase_IndexesAnswerWithoutErrors()
    {
        await _server.DbAsync("POST", Path);
        await _server.SettledAsync();

        Answer errors = await _server.DbAsync("GET", "/indexes/errors");
        Assert.All(errors.Json.GetProperty("Results").EnumerateArray(), index => Assert.Equal(0, index.GetProperty("Errors").GetArrayLength()));
        Assert.NotEmpty(await _server.RowsAsync(
            "from index 'Orders/ByShipment/Location' where spatial.within(ShipmentLocation, spatial.circle(20, 47.61, -122.33)) limit 5"));
        Assert.NotEmpty(await _server.RowsAsync("from index 'Orders/Totals' where Total > 1000 limit 5"));
        Assert.NotEmpty(await _server.RowsAsync("from index 'Products/Search' where search(Name, 'honey') and Category = 'sweets'"));
        string[] totals = await _server.RowsAsync("from index 'Orders/ByCompany'", new { PageSize = 200 });
        Assert.Equal(830, totals.Sum(row => JsonDocument.Parse(row).RootElement.GetProperty("Count").GetInt32()));
    }

    [Fact]
    public async Task Post_DatabaseWithADocument_IsRefusedAndChangesNothing()
    {
        await _server.DbAsync("PUT", "/docs?id=users/1", "{}");

        (await _server.DbAsync("POST", Path)).AssertProblem(409, "ConcurrencyException", "already holds a document", "empty database");
        Assert.Equal(1, (await _server.DbAsync("GET", "/stats")).Json.GetProperty("CountOfDocuments").GetInt64());
        Assert.Equal(0, (await _server.DbAsync("GET", "/stats")).Json.GetProperty("CountOfIndexes").GetInt32());
    }

    [Fact]
    public async Task Post_SeveralAtOnce_OneOfThemFillsTheDatabase()
    {
        Answer[] answers = await Task.WhenAll(Enumerable.Range(0, 4).Select(_ => _server.DbAsync("POST", Path + "?operateOnTypes=Documents")));

        Assert.Equal([204, 409, 409, 409], answers.Select(answer => answer.Status).Order());
        Assert.Equal(1059, (await _server.DbAsync("GET", "/stats")).Json.GetProperty("CountOfDocuments").GetInt64());
    }

    [Fact]
    public async Task Post_ThatFailsBeforeItsTransaction_CanBeSentAgain()
    {
        _server.Probe.Refusal = WriteStatus.DiskFull;
        Assert.Equal(507, (await _server.DbAsync("POST", Path + "?operateOnTypes=Documents,Attachments,RevisionDocuments")).Status);
        Assert.Equal(0, (await _server.DbAsync("GET", "/stats")).Json.GetProperty("CountOfDocuments").GetInt64());

        _server.Probe.Refusal = null;
        Assert.Equal(204, (await _server.DbAsync("POST", Path)).Status);
        Assert.Equal(1059, (await _server.DbAsync("GET", "/stats")).Json.GetProperty("CountOfDocuments").GetInt64());
    }

    [Fact]
    public async Task Post_KindsThatAreNamed_AreAllThatIsMade()
    {
        Assert.Equal(204, (await _server.DbAsync("POST", Path + "?operateOnTypes=Documents&operateOnTypes=TimeSeries")).Status);

        JsonElement stats = (await _server.DbAsync("GET", "/stats")).Json;
        Assert.Equal(1059, stats.GetProperty("CountOfDocuments").GetInt64());
        Assert.Equal(0, stats.GetProperty("CountOfIndexes").GetInt32());
        Assert.Equal(0, stats.GetProperty("CountOfAttachments").GetInt64());
        Assert.Equal(0, stats.GetProperty("CountOfRevisionDocuments").GetInt64());
        Assert.Equal(404, (await _server.DbAsync("GET", "/revisions/config")).Status);
    }

    [Theory]
    [InlineData("?operateOnTypes=Ducks", "names 'Ducks'")]
    [InlineData("?operateOnTypes=TimeSeries&operateOnTypes=none", "names nothing that the sample data has")]
    [InlineData("?operateOnTypes=Attachments", "without Documents")]
    [InlineData("?operateOnTypes=Indexes,RevisionDocuments", "without Documents")]
    public async Task Post_KindsThatCannotBeMade_AreRefused(string query, string message)
    {
        (await _server.DbAsync("POST", Path + query)).AssertProblem(400, "ArgumentException", message, "Nothing was written");
        Assert.Equal(0, (await _server.DbAsync("GET", "/stats")).Json.GetProperty("CountOfIndexes").GetInt32());
    }

    [Fact]
    public async Task NextHiLo_AfterTheShop_BeginsBehindItsDocuments()
    {
        await _server.DbAsync("POST", Path + "?operateOnTypes=Documents");

        Assert.Equal(831, (await _server.DbAsync("GET", "/hilo/next?tag=orders")).Json.GetProperty("Low").GetInt64());
        Assert.Equal(10, (await _server.DbAsync("GET", "/hilo/next?tag=employees")).Json.GetProperty("Low").GetInt64());
    }

    private static string IdOf(JsonElement document) => document.GetProperty("@metadata").GetProperty("@id").GetString()!;

    [GeneratedRegex("\"([a-z]+/[0-9]+-A)\"")]
    private static partial Regex Reference();
}
