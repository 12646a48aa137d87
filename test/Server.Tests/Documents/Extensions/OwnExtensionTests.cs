using System.Text;
using System.Text.Json;
using Jackdaw.Documents.Changes;
using Jackdaw.Documents.Database;
using Jackdaw.Documents.Extensions;
using Jackdaw.Server.Tests.Notices;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Documents.Extensions;

/// <summary>An extension that only the tests have takes part in all that a server does with documents, because its descriptor says how.</summary>
public sealed class OwnExtensionTests : IAsyncLifetime
{
    private NoticeServer _server = null!;

    internal static DocumentExtensions Extensions { get; } = StandardExtensions.All.With(LabelExtension.Instance);

    public async Task InitializeAsync()
    {
        _server = await NoticeServer.StartAsync(extensions: Extensions);
        await PutAsync("users/1");
    }

    public async Task DisposeAsync() => await _server.DisposeAsync();

    [Fact]
    public async Task Put_OfADocumentAsItWasLoaded_LeavesItsLabelsAndStoresNoMemberForThem()
    {
        await LabelAsync("users/1", "color", "red");
        string loaded = (await LoadAsync("users/1")).GetRawText();
        Assert.Contains("\"@labels\":[\"color\"]", loaded, StringComparison.Ordinal);
        Assert.Equal(201, (await _server.SendAsync("PUT", "/docs?id=users/1", loaded)).Status);

        JsonElement metadata = (await LoadAsync("users/1")).GetProperty("@metadata");
        Assert.Single(metadata.EnumerateObject(), member => member.Name == "@labels");
        Assert.Equal("""["color"]""", metadata.GetProperty("@labels").GetRawText());
        Assert.Equal("HasLabels", metadata.GetProperty("@flags").GetString());
    }

    [Fact]
    public async Task Batch_WithCommandsOfTheExtension_ChangesTheDocumentOnce()
    {
        JsonElement[] results = await _server.WriteAsync([Label("users/1", "color", "red"), Label("users/1", "size", "big"), Label("users/1", "color", null)]);

        JsonElement metadata = (await LoadAsync("users/1")).GetProperty("@metadata");
        Assert.Equal("""["size"]""", metadata.GetProperty("@labels").GetRawText());
        Assert.All(results, result => Assert.Equal("Label", result.GetProperty("Type").GetString()));
        Assert.All(results, result => Assert.Equal(
            metadata.GetProperty("@change-vector").GetString(), result.GetProperty("DocumentChangeVector").GetString()));
    }

    [Fact]
    public async Task Batch_WithALabelOfNoDocument_IsRefusedAsAWhole()
    {
        Answer answer = await SendBatchAsync(Label("users/1", "color", "red"), Label("users/none", "color", "red"));
        Assert.Contains("There is no document 'users/none'", answer.Text, StringComparison.Ordinal);
        Assert.DoesNotContain("@labels", (await LoadAsync("users/1")).GetRawText(), StringComparison.Ordinal);
        Assert.Contains("or Label or", (await SendBatchAsync(new { Type = "Nothing", Id = "a" })).Text, StringComparison.Ordinal);
    }

    [Fact]
    public async Task BulkInsert_WithElementsOfTheExtension_CountsThem()
    {
        string body = JsonSerializer.Serialize<object[]>(
            [NoticeServer.PutCommand("users/2", "Users"), Label("users/2", "color", "red"), Label("users/2", "size", "big")]);
        Answer inserted = await _server.SendAsync("POST", "/bulk_insert?id=7", body);
        Assert.True(inserted.Status == 201, inserted.Text);

        Assert.Equal("""["color","size"]""", (await LoadAsync("users/2")).GetProperty("@metadata").GetProperty("@labels").GetRawText());
        JsonElement state = (await _server.SendAsync("GET", "/operations/state?id=7")).Json;
        string[] members = ["DocumentsProcessed", "LabelsProcessed", "CountersProcessed", "Total"];
        Assert.Equal([1, 2, 0, 3], members.Select(member => Count(state, member)));
    }

    [Fact]
    public async Task Revisions_KeepTheLabelsOfTheirTime_AndARevertBringsThemBack()
    {
        Assert.Equal(200, (await _server.SendAsync("POST", "/admin/revisions/config", """{"Default":{}}""")).Status);
        await LabelAsync("users/1", "color", "red");
        string red = (await LoadAsync("users/1")).GetProperty("@metadata").GetProperty("@change-vector").GetString()!;
        await LabelAsync("users/1", "color", "green");
        await LabelAsync("users/1", "size", "big");

        JsonElement[] revisions = [.. (await _server.SendAsync("GET", "/revisions?id=users/1")).Json.GetProperty("Results").EnumerateArray()];
        Assert.Equal(
            ["""{"color":"green","size":"big"}""", """{"color":"green"}""", """{"color":"red"}"""],
            revisions.Select(revision => revision.GetProperty("@metadata").TryGetProperty("@labels-snapshot", out JsonElement kept) ? kept.GetRawText() : "")
                .Take(3));
        string revert = JsonSerializer.Serialize(new { IdToChangeVector = new Dictionary<string, string> { ["users/1"] = red } });
        Assert.Equal(204, (await _server.SendAsync("POST", "/revisions/revert/docs", revert)).Status);
        Assert.Equal("""{"color":"red"}""", await LabelsOfAsync("users/1"));
        Assert.Equal("""["color"]""", (await LoadAsync("users/1")).GetProperty("@metadata").GetProperty("@labels").GetRawText());
    }

    [Fact]
    public async Task Delete_OfADocument_TakesItsLabelsAlong()
    {
        await LabelAsync("users/1", "color", "red");
        Assert.Equal(204, (await _server.SendAsync("DELETE", "/docs?id=users/1")).Status);
        Assert.Equal(0, Count((await _server.SendAsync("GET", "/stats")).Json, "CountOfLabels"));
        await PutAsync("users/1");
        Assert.Equal("{}", await LabelsOfAsync("users/1"));
    }

    [Fact]
    public async Task Load_WithTheParameterOfTheExtension_IncludesLabels()
    {
        await _server.WriteAsync([Label("users/1", "color", "red"), Label("users/1", "size", "big")]);
        Answer some = await _server.SendAsync("GET", "/docs?id=users/1&label=size");
        Assert.Equal("""{"users/1":{"size":"big"}}""", some.Json.GetProperty("LabelIncludes").GetRawText());
        Assert.Equal("""{"color":"red","size":"big"}""", await LabelsOfAsync("users/1"));
        Answer alone = await _server.SendAsync("GET", "/docs?start=0&label=size");
        Assert.Equal(400, alone.Status);
        Assert.Contains("'label' brings labels along", alone.Text, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Query_WithTheMethodOfTheExtension_IncludesLabels()
    {
        await _server.WriteAsync(
        [
            new { Type = "PUT", Id = "orders/1", Document = new Dictionary<string, object>
            {
                ["By"] = "users/1", ["@metadata"] = new Dictionary<string, string> { ["@collection"] = "Orders" },
            } },
            Label("orders/1", "color", "red"), Label("users/1", "size", "big"),
        ]);
        Assert.Equal("""{"orders/1":{"color":"red"}}""", await QueryAsync("from Orders include labels()"));
        Assert.Equal("""{"orders/1":{}}""", await QueryAsync("from Orders include labels('size')"));
        Assert.Equal("""{"users/1":{"size":"big"}}""", await QueryAsync("from Orders include labels(By, 'size')"));
        Assert.Contains("there is no method 'tags'", await FailAsync("from Orders include tags()"), StringComparison.Ordinal);
        Assert.Contains("takes 0 to 2 arguments", await FailAsync("from Orders include labels(By, 'a', 'b')"), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Changes_OfLabels_AreInTheFeed()
    {
        using ChangeSubscription feed = _server.Database.Changes.Subscribe();
        await LabelAsync("users/1", "color", "red");
        await LabelAsync("users/1", "color", null);
        List<string> told = [];
        while (feed.TryRead(out FeedItem item))
        {
            foreach (Change change in item)
            {
                told.Add($"{change.Kind} {change.Extension} {Text(change.Id)} {Text(change.Collection)} {Text(change.Name)}={Text(change.Payload)}");
            }
        }

        Assert.Equal(
            ["ExtensionPut 3 users/1 Users color=red", "ExtensionDelete 3 users/1 Users color="],
            told.Where(one => one.StartsWith("Extension", StringComparison.Ordinal)));
    }

    [Fact]
    public async Task Notices_OfLabels_AreToldToThoseWhoWatchThem()
    {
        await PutAsync("users/2");
        using NoticeClient one = await _server.ConnectAsync();
        using NoticeClient all = await _server.ConnectAsync();
        await one.CommandAsync("watch-document-labels", "users/1");
        await all.CommandAsync("watch-labels");
        await _server.WriteAsync([Label("users/2", "color", "green"), Label("users/1", "color", "red"), Label("users/1", "color", null)]);
        await one.ReadUntilAsync(() => one.Of("LabelChange").Count() >= 2);
        await all.ReadUntilAsync(() => all.Of("LabelChange").Count() >= 3);

        Assert.Equal(["Put color red users/1", "Delete color  users/1"], one.Of("LabelChange").Select(TextOf));
        Assert.Equal(["Put color green users/2", "Put color red users/1", "Delete color  users/1"], all.Of("LabelChange").Select(TextOf));
    }

    [Fact]
    public async Task Patch_WithFunctionsOfTheExtension_ReadsAndSetsLabels()
    {
        await LabelAsync("users/1", "color", "red");
        JsonElement patched = await PatchAsync(
            "users/1", "this.Was = getLabel(this, 'color'); setLabel(this, 'size', 'big'); this.Is = getLabel(this, 'size');");

        Assert.Equal(("red", "big"), (patched.GetProperty("Was").GetString(), patched.GetProperty("Is").GetString()));
        Assert.Equal("""{"color":"red","size":"big"}""", await LabelsOfAsync("users/1"));
        JsonElement[] results = await _server.WriteAsync(
        [
            Label("users/1", "color", "green"),
            new { Type = "PATCH", Id = "users/1", Patch = new { Script = "this.Seen = getLabel(this, 'color')" } },
        ]);
        Assert.Equal("Patched", results[1].GetProperty("PatchStatus").GetString());
        Assert.Equal("green", (await LoadAsync("users/1")).GetProperty("Seen").GetString());
    }

    [Fact]
    public async Task Patches_OfDifferentDocumentsThatCountInOneLabel_LoseNothing()
    {
        const int documents = 8;
        const string script = "setLabel('users/1', 'n', String(Number(getLabel('users/1', 'n') || '0') + 1));";
        await _server.WriteAsync(Enumerable.Range(10, documents).Select(i => NoticeServer.PutCommand($"users/{i}", "Users")));
        await Task.WhenAll(Enumerable.Range(10, documents).Select(i => PatchAsync($"users/{i}", script)));
        Assert.Equal($$"""{"n":"{{documents}}"}""", await LabelsOfAsync("users/1"));
    }

    [Fact]
    public async Task PatchByQuery_WithFunctionsOfTheExtension_SetsLabels()
    {
        await PutAsync("users/2");
        string query = JsonSerializer.Serialize(new { Query = new { Query = "from Users update { setLabel(this, 'color', 'blue'); }" } });
        long id = (await _server.SendAsync("PATCH", "/queries", query)).Json.GetProperty("OperationId").GetInt64();
        await Eventually.IsTrueAsync(() => _server.Database.Operations.TryFind(id, out var operation) && operation.State.Status.ToString() == "Completed",
            () => "the operation has not ended");
        Assert.Equal("""{"color":"blue"}""", await LabelsOfAsync("users/2"));
    }

    [Fact]
    public async Task Statistics_CountLabels()
    {
        await _server.WriteAsync([Label("users/1", "color", "red"), Label("users/1", "size", "big")]);
        JsonElement detailed = (await _server.SendAsync("GET", "/stats/detailed")).Json;
        Assert.Equal(2, Count((await _server.SendAsync("GET", "/stats")).Json, "CountOfLabels"));
        Assert.Equal((2, 1), (Count(detailed, "CountOfLabels"), Count(detailed, "CountOfLabeledDocuments")));
    }

    private static object Label(string id, string name, string? text) => new { Type = "Label", Id = id, Name = name, Text = text };

    private static string TextOf(JsonElement change) =>
        $"{change.GetProperty("Type")} {change.GetProperty("Name")} {change.GetProperty("Value")} {change.GetProperty("DocumentId")}";

    private static string Text(ReadOnlySpan<byte> utf8) => Encoding.UTF8.GetString(utf8);

    // Of statistics, or of the result of an operation.
    private static long Count(JsonElement answer, string member) =>
        (answer.TryGetProperty("Result", out JsonElement result) ? result : answer).GetProperty(member).GetInt64();

    private Task PutAsync(string id) => _server.PutAsync(id);

    private Task LabelAsync(string id, string name, string? text) => _server.WriteAsync([Label(id, name, text)]);

    private Task<Answer> SendBatchAsync(params object[] commands) =>
        _server.SendAsync("POST", "/bulk_docs", JsonSerializer.Serialize(new { Commands = commands }));

    private async Task<JsonElement> LoadAsync(string id) =>
        (await _server.SendAsync("GET", $"/docs?id={id}")).Json.GetProperty("Results")[0];

    private async Task<string> LabelsOfAsync(string id) =>
        (await _server.SendAsync("GET", $"/docs?id={id}&label=@all_labels")).Json.GetProperty("LabelIncludes").GetProperty(id).GetRawText();

    private async Task<JsonElement> PatchAsync(string id, string script)
    {
        Answer answer = await _server.SendAsync("PATCH", $"/docs?id={id}", JsonSerializer.Serialize(new { Patch = new { Script = script } }));
        Assert.True(answer.Status == 200, answer.Text);
        return answer.Json.GetProperty("ModifiedDocument");
    }

    private async Task<string> QueryAsync(string query)
    {
        Answer answer = await _server.SendAsync("POST", "/queries", JsonSerializer.Serialize(new { Query = query }));
        Assert.True(answer.Status == 200, answer.Text);
        return answer.Json.GetProperty("LabelIncludes").GetRawText();
    }

    private async Task<string> FailAsync(string query)
    {
        Answer answer = await _server.SendAsync("POST", "/queries", JsonSerializer.Serialize(new { Query = query }));
        Assert.Equal(400, answer.Status);
        return answer.Text;
    }
}
