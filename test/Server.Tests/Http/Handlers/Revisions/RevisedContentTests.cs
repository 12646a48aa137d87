using System.Globalization;
using System.Text;
using System.Text.Json;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Http.Handlers.Revisions;

/// <summary>Attachments and counters in revisions: each shows those of its time, contents stay while a revision shows them, and a revert
/// brings both back.</summary>
public sealed class RevisedContentTests : IAsyncLifetime
{
    private ServerFixture _server = null!;

    public async Task InitializeAsync()
    {
        _server = await ServerFixture.StartAsync();
        await _server.ConfigureAsync("""{"Default":{}}""");
        await _server.PutNumberAsync("users/1", 1);
    }

    public async Task DisposeAsync() => await _server.DisposeAsync();

    [Fact]
    public async Task Revisions_ShowTheAttachmentsOfTheirTime()
    {
        await AttachAsync("one");
        await AttachAsync("two");
        await _server.PutNumberAsync("users/1", 2);
        await DeleteAttachmentAsync();

        JsonElement[] revisions = await _server.RevisionsAsync("users/1");
        Assert.Equal(["", "two", "two", "one", ""], revisions.Select(Attached));
        Assert.Equal((0, 2), await CountsAsync());
    }

    [Fact]
    public async Task Get_AttachmentOfARevision_GivesTheContentOfItsTime()
    {
        await AttachAsync("one");
        await AttachAsync("two");
        await DeleteAttachmentAsync();
        JsonElement[] revisions = await _server.RevisionsAsync("users/1");
        string one = revisions.First(revision => Attached(revision) == "one").Vector();

        Answer found = await GetAsync("users/1", "A.TXT", one);
        Assert.Equal((200, "one", $"\"{one}\""), (found.Status, found.Text, found.Header("ETag")));
        Answer part = await GetAsync("users/1", "a.txt", one, ("Range", "bytes=1-"));
        Assert.Equal((206, "ne"), (part.Status, part.Text));
        Assert.Equal(304, (await GetAsync("users/1", "a.txt", one, ("If-None-Match", $"\"{one}\""))).Status);
        Assert.Equal(404, (await GetAsync("users/1", "a.txt", revisions[0].Vector())).Status);
        Assert.Equal(404, (await GetAsync("users/1", "b.txt", one)).Status);
        Assert.Equal(404, (await GetAsync("users/2", "a.txt", one)).Status);
        Assert.Equal(404, (await GetAsync("users/1", "a.txt", "A:999-x")).Status);
        (await _server.DbAsync("POST", "/attachments?id=users/1&name=a.txt", """{"Type":"Revision"}"""))
            .AssertProblem(400, "ArgumentException", "ChangeVector");
    }

    [Fact]
    public async Task Revert_BringsAttachmentsAndCountersBack()
    {
        await AttachAsync("one");
        await CountAsync("Likes", 3);
        await _server.PutNumberAsync("users/1", 2);
        await AttachAsync("two");
        await DeleteCounterAsync("likes");
        await CountAsync("Other", 1);

        JsonElement wanted = (await _server.RevisionsAsync("users/1")).First(revision => revision.Number() == 2 && Attached(revision) == "one");
        Assert.Equal("""{"Likes":3}""", wanted.GetProperty("@metadata").GetProperty("@counters-snapshot").GetRawText());
        Answer reverted = await _server.DbAsync(
            "POST", "/revisions/revert/docs", $$$"""{"IdToChangeVector":{"users/1":"{{{wanted.Vector()}}}"}}""");
        Assert.True(reverted.Status == 204, reverted.Text);

        (int status, byte[] bytes, _) = await _server.GetBytesAsync("users/1", "a.txt");
        Assert.Equal((200, "one"), (status, Encoding.UTF8.GetString(bytes)));
        JsonElement document = await _server.LoadAsync("users/1");
        Assert.Equal("one", Attached(document));
        Assert.Equal("""["Likes"]""", document.GetProperty("@metadata").GetProperty("@counters").GetRawText());
        Assert.Contains("\"TotalValue\":3", (await _server.DbAsync("GET", "/counters?docId=users/1&counter=Likes")).Text, StringComparison.Ordinal);
        Assert.Equal((1, 2), await CountsAsync());
    }

    [Fact]
    public async Task Revert_ToARevisionThatTheLimitRemoves_KeepsItsContent()
    {
        await _server.ConfigureAsync("""{"Default":{"MinimumRevisionsToKeep":2}}""");
        await AttachAsync("one");
        string vector = (await _server.LoadAsync("users/1")).Vector();
        await DeleteAttachmentAsync();
        await RevertAsync(vector);

        (int status, byte[] bytes, _) = await _server.GetBytesAsync("users/1", "a.txt");
        Assert.Equal((200, "one"), (status, Encoding.UTF8.GetString(bytes)));
        Assert.Equal(["one", ""], (await _server.RevisionsAsync("users/1")).Select(Attached));
        Assert.Equal(204, (await _server.DbAsync("DELETE", "/docs?id=users/1")).Status);
        await _server.DbAsync("DELETE", "/admin/revisions", """{"DocumentIds":["users/1"]}""");
        Assert.Equal((0, 0), await CountsAsync());
    }

    [Fact]
    public async Task Revert_OfADocumentWithContents_IsOneVersion()
    {
        await AttachAsync("one");
        await CountAsync("Likes", 3);
        string vector = (await _server.LoadAsync("users/1")).Vector();
        await _server.PutNumberAsync("users/1", 2);
        long before = Etag(await _server.LoadAsync("users/1"));
        await RevertAsync(vector);
        JsonElement document = await _server.LoadAsync("users/1");
        Assert.Equal((before + 1, 1, "HasRevisions, HasAttachments, HasCounters, Reverted"), (Etag(document), document.Number(), document.Flags()));

        await AttachAsync("two");
        await DeleteCounterAsync("Likes");
        long revisions = await _server.CountAsync("users/1");
        await RevertAsync(vector);
        document = await _server.LoadAsync("users/1");
        Assert.Equal(("one", "HasRevisions, HasAttachments, HasCounters, Reverted"), (Attached(document), document.Flags()));
        JsonElement[] listed = await _server.RevisionsAsync("users/1");
        Assert.Equal(revisions + 1, listed.Length);
        Assert.Equal(("one", "two"), (Attached(listed[0]), Attached(listed[1])));
        Assert.Equal("HasRevisions, HasAttachments, HasCounters, Revision, Reverted", listed[0].Flags());
    }

    [Fact]
    public async Task Revert_OfADeletedDocument_BringsItsAttachmentBack()
    {
        await AttachAsync("one");
        string vector = (await _server.LoadAsync("users/1")).Vector();
        Assert.Equal(204, (await _server.DbAsync("DELETE", "/docs?id=users/1")).Status);
        Assert.Equal((0, 1), await CountsAsync());
        Assert.Equal(204, (await _server.DbAsync("POST", "/revisions/revert/docs", $$$"""{"IdToChangeVector":{"users/1":"{{{vector}}}"}}""")).Status);
        Assert.Equal("one", Attached(await _server.LoadAsync("users/1")));
        Assert.Equal((1, 1), await CountsAsync());
    }

    [Fact]
    public async Task Force_AfterAChangeOfTheSameBatch_KeepsTheNewVersion()
    {
        await _server.ConfigureAsync("{}");
        await AttachAsync("one");
        Answer batch = await _server.DbAsync("POST", "/bulk_docs", """
            {"Commands":[
              {"Id":"users/1","Name":"a.txt","Type":"AttachmentDELETE"},
              {"Id":"users/1","Type":"ForceRevisionCreation"}]}
            """);
        Assert.True(batch.Status == 201, batch.Text);
        JsonElement document = await _server.LoadAsync("users/1");
        JsonElement revision = (await _server.RevisionsAsync("users/1"))[0];
        Assert.Equal((document.Vector(), ""), (revision.Vector(), Attached(revision)));
        Assert.Equal(document.Vector(), batch.Json.GetProperty("Results")[1].GetProperty("@change-vector").GetString());
    }

    [Fact]
    public async Task Contents_OfRemovedRevisions_Go()
    {
        await AttachAsync("one");
        await AttachAsync("two");
        await DeleteAttachmentAsync();
        Assert.Equal((0, 2), await CountsAsync());
        Answer removed = await _server.DbAsync("DELETE", "/admin/revisions", """{"DocumentIds":["users/1"]}""");
        Assert.True(removed.Status == 200, removed.Text);
        Assert.Equal((0, 0), await CountsAsync());
    }

    [Fact]
    public async Task Batch_ThatReplacesAnAttachmentAndThenPutsItsDocument_KeepsWhatEachVersionHad()
    {
        await _server.ConfigureAsync("""{"Default":{"MinimumRevisionsToKeep":1}}""");
        await AttachAsync("one");
        Answer batch = await _server.DbAsync("POST", "/bulk_docs", """
            {"Commands":[
              {"Id":"users/1","Name":"a.txt","Type":"AttachmentDELETE"},
              {"Id":"users/1","Document":{"N":7,"@metadata":{"@collection":"Users"}},"Type":"PUT"}]}
            """);
        Assert.True(batch.Status == 201, batch.Text);
        Assert.Equal((0, 0), await CountsAsync());
        Assert.Equal(7, (await _server.LoadAsync("users/1")).Number());
    }

    [Fact]
    public async Task Batch_ThatChangesAttachmentsAndThenTheCollection_MakesNoRevisionOfWhatWasNotKept()
    {
        await _server.ConfigureAsync("""{"Collections":{"People":{}}}""");
        await _server.PutNumberAsync("users/2", 1);
        Assert.Equal(201, (await _server.PutAttachmentAsync("users/2", "a.txt", "one")).Status);
        Answer batch = await _server.DbAsync("POST", "/bulk_docs", """
            {"Commands":[
              {"Id":"users/2","Name":"a.txt","Type":"AttachmentDELETE"},
              {"Id":"users/2","Document":{"N":7,"@metadata":{"@collection":"People"}},"Type":"PUT"},
              {"Id":"users/3","Document":{"N":8,"@metadata":{"@collection":"People"}},"Type":"PUT"}]}
            """);
        Assert.True(batch.Status == 201, batch.Text);
        Assert.Equal([7], (await _server.RevisionsAsync("users/2")).Select(RevisionRequests.Number));

        // What was before is not known: going back does not take the document for a new one, as it does the other.
        await _server.RunAsync("/revisions/revert", """{"Time":"2000-01-01T00:00:00Z"}""");
        Assert.Equal(7, (await _server.LoadAsync("users/2")).Number());
        Assert.Equal(404, (await _server.DbAsync("GET", "/docs?id=users/3")).Status);
    }

    [Fact]
    public async Task Revision_OfAnArchivedDocument_IsReadAndRevertedTo()
    {
        string text = new('x', 5_000);
        await _server.PutAsync("users/2", $$$"""{"N":1,"Text":"{{{text}}}","@metadata":{"@collection":"Users","@archived":true}}""");
        string vector = (await _server.LoadAsync("users/2")).Vector();
        await _server.PutNumberAsync("users/2", 2);
        JsonElement revision = (await _server.RevisionsAsync("users/2"))[1];
        Assert.Equal(text, revision.GetProperty("Text").GetString());

        Assert.Equal(204, (await _server.DbAsync("POST", "/revisions/revert/docs", $$$"""{"IdToChangeVector":{"users/2":"{{{vector}}}"}}""")).Status);
        JsonElement document = await _server.LoadAsync("users/2");
        Assert.Equal(text, document.GetProperty("Text").GetString());
        Assert.True(document.GetProperty("@metadata").GetProperty("@archived").GetBoolean());
        Assert.Contains("Archived", document.Flags(), StringComparison.Ordinal);
    }

    private static string Attached(JsonElement document)
    {
        if (!document.GetProperty("@metadata").TryGetProperty("@attachments", out JsonElement attachments))
        {
            return "";
        }

        string hash = Assert.Single(attachments.EnumerateArray()).GetProperty("Hash").GetString()!;
        return new[] { "one", "two" }.First(content => AttachmentRequests.Sha256(content) == hash);
    }

    private static long Etag(JsonElement document) => long.Parse(document.Vector().Split(':', '-')[1], CultureInfo.InvariantCulture);

    private async Task RevertAsync(string vector)
    {
        Answer reverted = await _server.DbAsync("POST", "/revisions/revert/docs", $$$"""{"IdToChangeVector":{"users/1":"{{{vector}}}"}}""");
        Assert.True(reverted.Status == 204, reverted.Text);
    }

    private Task<Answer> GetAsync(string id, string name, string vector, params (string Name, string Value)[] headers) =>
        _server.DbAsync("POST", $"/attachments?id={id}&name={name}", $$"""{"Type":"Revision","ChangeVector":"{{vector}}"}""", headers);

    private async Task AttachAsync(string content)
    {
        Answer put = await _server.PutAttachmentAsync("users/1", "a.txt", content, "");
        Assert.True(put.Status == 201, put.Text);
    }

    private async Task DeleteAttachmentAsync() => Assert.Equal(204, (await _server.DbAsync("DELETE", "/attachments?id=users/1&name=a.txt")).Status);

    private Task CountAsync(string name, int delta) =>
        ChangeCounterAsync($$"""{"Type":"Increment","CounterName":"{{name}}","Delta":{{delta}}}""");

    private Task DeleteCounterAsync(string name) => ChangeCounterAsync($$"""{"Type":"Delete","CounterName":"{{name}}"}""");

    private async Task ChangeCounterAsync(string operation)
    {
        Answer answer = await _server.DbAsync("POST", "/counters", $$"""{"Documents":[{"DocumentId":"users/1","Operations":[{{operation}}]}]}""");
        Assert.True(answer.Status == 200, answer.Text);
    }

    private async Task<(int Attachments, int Contents)> CountsAsync()
    {
        JsonElement statistics = (await _server.DbAsync("GET", "/stats")).Json;
        return (statistics.GetProperty("CountOfAttachments").GetInt32(), statistics.GetProperty("CountOfUniqueAttachments").GetInt32());
    }
}
