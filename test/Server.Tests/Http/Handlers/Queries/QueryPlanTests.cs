using System.Diagnostics;
using System.Text.Json;
using System.Xml.Linq;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Http.Handlers.Queries;

/// <summary>What a query says about itself: timings, explanations of scores, its plan as JSON and as a page.</summary>
public sealed class QueryPlanTests : IAsyncLifetime
{
    private const string Query =
        "from Users where search(Notes, 'quick') and Age > 20 order by Age as long filter Name != 'x' select Name include Firm";

    private ServerFixture _server = null!;

    public async Task InitializeAsync()
    {
        _server = await ServerFixture.StartAsync();
        for (int i = 0; i < 50; i++)
        {
            string notes = i % 2 == 0 ? "quick brown fox" : "quick quick lazy dog";
            await _server.PutAsync($"Users/{i}", "Users", $$"""{"Name":"User {{i}}","Age":{{i}},"Notes":"{{notes}}","Firm":"firms/1"}""");
        }
    }

    public async Task DisposeAsync() => await _server.DisposeAsync();

    [Theory]
    [InlineData("from Users include timings()", "Parse,Plan,Documents,Rows")]
    [InlineData("from Users where Age > 20 include timings()", "Parse,Plan,Wait,Search,Documents,Rows")]
    [InlineData("from Users select facet(Age) include timings()", "Parse,Plan,Wait,Facets,Documents,Rows")]
    [InlineData("from Users where Age > 20 filter Name = 'x' select Name include Firm, timings()",
        "Parse,Plan,Wait,Search,Documents,Filter,Projection,Includes")]
    public async Task Timings_Included_NameEachStep(string query, string steps)
    {
        Answer answer = await _server.QueryAsync(query);
        JsonElement timings = answer.Json.GetProperty("Timings");
        Assert.True(timings.GetProperty("DurationInMs").GetInt64() >= 1);
        JsonElement inner = timings.GetProperty("Timings");
        Assert.Equal(steps, string.Join(',', inner.EnumerateObject().Select(step => step.Name)));
        Assert.All(inner.EnumerateObject(), step => Assert.True(step.Value.GetProperty("DurationInMs").GetInt64() >= 0));
        Assert.Equal(JsonValueKind.Null, inner.GetProperty("Parse").GetProperty("Timings").ValueKind);
        Assert.Null(answer.Header("ETag"));
    }

    [Fact]
    public async Task Timings_NotAsked_AreNotThere()
    {
        Answer answer = await _server.QueryAsync("from Users where Age > 20");
        Assert.False(answer.Json.TryGetProperty("Timings", out _));
        Assert.False(answer.Json.TryGetProperty("Explanations", out _));
    }

    [Fact]
    public async Task Explanations_Included_AreThereForEachRowByItsId()
    {
        Answer answer = await _server.QueryAsync("from Users where search(Notes, 'lazy') order by score() limit 3 include explanations()");
        JsonElement explanations = answer.Json.GetProperty("Explanations");
        string[] ids = [.. answer.Json.GetProperty("Results").EnumerateArray()
            .Select(row => row.GetProperty("@metadata").GetProperty("@id").GetString()!)];
        Assert.Equal(ids.Order(), explanations.EnumerateObject().Select(member => member.Name).Order());
        Assert.All(explanations.EnumerateObject(), member => Assert.Contains("lazy", member.Value[0].GetString(), StringComparison.Ordinal));
    }

    [Fact]
    public async Task Plan_AsJson_IsATreeWithRowsAndTimes()
    {
        Answer answer = await PlanAsync(Query, "");
        Assert.StartsWith("application/json", answer.Header("Content-Type"), StringComparison.Ordinal);
        JsonElement plan = answer.Json.GetProperty("Plan");
        Assert.Equal(29, answer.Json.GetProperty("TotalResults").GetInt64());
        string[] steps = [.. plan.GetProperty("Steps").EnumerateArray().Select(step => step.GetProperty("Operator").GetString()!)];
        Assert.Equal(["parse", "plan", "wait", "search", "documents", "filter", "projection", "includes"], steps);
        JsonElement search = plan.GetProperty("Steps")[3];
        Assert.NotEmpty(search.GetProperty("Steps").EnumerateArray());
        Assert.Equal(29, plan.GetProperty("Steps")[5].GetProperty("RowsOut").GetInt64());
        double parts = plan.GetProperty("Steps").EnumerateArray().Sum(step => step.GetProperty("DurationInUs").GetDouble());
        Assert.True(parts <= plan.GetProperty("DurationInUs").GetDouble(), "the steps take longer than the whole");
    }

    [Fact]
    public async Task Plan_OfALongQuery_IsAskedForWithABody()
    {
        string query = $"from Users where Name in ({string.Join(", ", Enumerable.Range(0, 5000).Select(i => $"'User {i}'"))}) and Age > $age";
        Answer answer = await _server.DbAsync("POST", "/queries/plan", JsonSerializer.Serialize(new { Query = query, QueryParameters = new { age = 39 } }));

        Assert.True(answer.Status == 200, answer.Text);
        Assert.Equal(10, answer.Json.GetProperty("TotalResults").GetInt32());
        Assert.Equal(10, answer.Json.GetProperty("Plan").GetProperty("RowsOut").GetInt32());
    }

    [Fact]
    public async Task Plan_OfASearch_SaysWhatEachStepReads()
    {
        await _server.PutAsync("firms/1", "Firms", """{"Name":"Acme"}""");
        const string query = "from Users as u where u.Age < 10 load u.Firm as f select u.Name, f.Name as Firm include u.Firm";
        Answer answer = await PlanAsync(query, "");
        Dictionary<string, JsonElement> steps = answer.Json.GetProperty("Plan").GetProperty("Steps").EnumerateArray()
            .ToDictionary(step => step.GetProperty("Operator").GetString()!);
        JsonElement search = steps["search"];
        Assert.True(search.GetProperty("Bytes").GetInt64() > 0 && search.GetProperty("Pages").GetInt64() >= 0, answer.Text);
        JsonElement node = search.GetProperty("Steps")[0].GetProperty("Steps")[0];
        Assert.InRange(node.GetProperty("Bytes").GetInt64(), 1, search.GetProperty("Bytes").GetInt64());
        AssertReads(steps["documents"], documents: 10, bytesMin: 600);
        AssertReads(steps["loads"], documents: 10, bytesMin: 100);
        AssertReads(steps["includes"], documents: 1, bytesMin: 10);
        Assert.False(steps["documents"].TryGetProperty("Pages", out _));
        Assert.Contains(" bytes", (await PlanAsync(query, "&format=html")).Text, StringComparison.Ordinal);
        Assert.Contains(" page", (await PlanAsync(query, "&format=html")).Text, StringComparison.Ordinal);

        JsonElement timings = (await _server.QueryAsync(query + ", timings()")).Json.GetProperty("Timings").GetProperty("Timings");
        Assert.True(timings.GetProperty("Search").GetProperty("Bytes").GetInt64() > 0);
        AssertReads(timings.GetProperty("Documents"), documents: null, bytesMin: 600);
    }

    [Theory]
    [InlineData("from Users select facet(Age)", "facets")]
    [InlineData("from Users select suggest(Notes, 'quick brown fix')", "suggestions")]
    [InlineData("from Users where search(Notes, 'lazy') include highlight(Notes, 20, 2)", "highlights")]
    [InlineData("from Users where search(Notes, 'lazy') include explanations()", "explanations")]
    public async Task Plan_OfWhatTheIndexMakes_SaysWhatItReads(string query, string step)
    {
        Answer answer = await PlanAsync(query, "");
        JsonElement found = answer.Json.GetProperty("Plan").GetProperty("Steps").EnumerateArray()
            .Single(one => one.GetProperty("Operator").GetString() == step);
        Assert.True(found.TryGetProperty("Bytes", out JsonElement bytes) && bytes.GetInt64() >= (step is "facets" or "suggestions" ? 1 : 0), answer.Text);
    }

    private static void AssertReads(JsonElement step, int? documents, long bytesMin)
    {
        Assert.True(step.GetProperty("Bytes").GetInt64() >= bytesMin, step.GetRawText());
        if (documents is { } count)
        {
            Assert.Equal(count, step.GetProperty("RowsOut").GetInt64());
        }
    }

    [Fact]
    public async Task Plan_AsHtml_IsOnePageThatNeedsNothingElse()
    {
        const string hostile = "from Users where Name = '<script>alert(1)</script>\" onload=\"x' select Name";
        foreach (string query in (string[])[Query, hostile])
        {
            Answer answer = await PlanAsync(query, "&format=html");
            Assert.StartsWith("text/html", answer.Header("Content-Type"), StringComparison.Ordinal);
            Assert.DoesNotContain("<script", answer.Text, StringComparison.OrdinalIgnoreCase);
            Assert.DoesNotContain("onload=\"", answer.Text, StringComparison.OrdinalIgnoreCase);
            int start = answer.Text.IndexOf("<svg", StringComparison.Ordinal);
            XElement drawing = XElement.Parse(answer.Text[start..(answer.Text.LastIndexOf("</svg>", StringComparison.Ordinal) + 6)]);
            Assert.DoesNotContain(drawing.DescendantsAndSelf().Attributes(), one => one.Name.LocalName is "href" or "src");
            Assert.True(drawing.Descendants().Count(one => one.Name.LocalName == "rect") >= 7);
            Assert.All(drawing.Elements().Where(one => one.Name.LocalName == "svg"), box => Assert.True((int)box.Attribute("x")! >= 0));
        }
    }

    [Fact]
    public async Task Plan_AcceptOfABrowser_GivesHtmlUnlessAnotherFormatIsAsked()
    {
        (string, string) accept = ("Accept", "text/html,application/xhtml+xml,*/*;q=0.8");
        Answer page = await Answer.ToAsync(_server.Client, "GET", "/databases/db1/queries/plan?query=from%20Users", null, accept);
        Assert.StartsWith("text/html", page.Header("Content-Type"), StringComparison.Ordinal);
        Answer json = await Answer.ToAsync(_server.Client, "GET", "/databases/db1/queries/plan?query=from%20Users&format=json", null, accept);
        Assert.StartsWith("application/json", json.Header("Content-Type"), StringComparison.Ordinal);
    }

    [BrowserFact]
    public async Task Plan_InABrowser_IsDrawn()
    {
        string folder = Directory.CreateTempSubdirectory("jackdaw-plan").FullName;
        try
        {
            await File.WriteAllTextAsync(Path.Combine(folder, "plan.html"), (await PlanAsync(Query, "&format=html")).Text);
            var start =
                new ProcessStartInfo(BrowserFactAttribute.Path) { RedirectStandardError = true, RedirectStandardOutput = true, WorkingDirectory = folder };
            string[] arguments =
            [
                "--headless", "--no-sandbox", "--disable-gpu", $"--user-data-dir={folder}/profile", "--window-size=2000,700",
                $"--screenshot={folder}/plan.png", $"file://{folder}/plan.html",
            ];
            arguments.ToList().ForEach(start.ArgumentList.Add);
            using var process = Process.Start(start)!;
            await process.WaitForExitAsync().WaitAsync(TimeSpan.FromMinutes(2));
            byte[] picture = await File.ReadAllBytesAsync(Path.Combine(folder, "plan.png"));
            Assert.True(picture.Length > 10_000, $"the picture has only {picture.Length} bytes");
            if (Environment.GetEnvironmentVariable("JACKDAW_PICTURES") is { Length: > 0 } kept)
            {
                File.Copy(Path.Combine(folder, "plan.png"), Path.Combine(kept, "plan.png"), overwrite: true);
            }
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    private Task<Answer> PlanAsync(string query, string more) =>
        _server.DbAsync("GET", $"/queries/plan?query={Uri.EscapeDataString(query)}&waitForNonStaleResults=true{more}");
}
