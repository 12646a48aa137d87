using System.Text.Json;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Http.Handlers.Documents;

/// <summary>Cluster-wide transactions over HTTP: guards, change vectors, refusals.</summary>
public sealed class ClusterWideTests : IAsyncLifetime
{
    private ServerFixture _server = null!;

    public async Task InitializeAsync() => _server = await ServerFixture.StartAsync();

    public async Task DisposeAsync() => await _server.DisposeAsync();

    [Fact]
    public async Task Puts_OfOneTransaction_HaveChangeVectorsOfTheirOwn()
    {
        await _server.DbAsync("POST", "/admin/revisions/config", """{"Default":{"MinimumRevisionsToKeep":5}}""");
        Answer answer = await BatchAsync(
            """{"Id":"a","Document":{"n":1},"Type":"PUT"}""", """{"Id":"b","Document":{"n":2},"Type":"PUT"}""");

        string[] vectors = [.. answer.Json.GetProperty("Results").EnumerateArray().Select(put => put.GetProperty("@change-vector").GetString()!)];
        Assert.NotEqual(vectors[0], vectors[1]);
        foreach ((string vector, int number) in vectors.Zip([1, 2]))
        {
            Answer revision = await _server.DbAsync("GET", $"/revisions?changeVector={Uri.EscapeDataString(vector)}");
            Assert.Equal(number, revision.Json.GetProperty("Results")[0].GetProperty("n").GetInt32());
        }
    }

    [Fact]
    public async Task Put_DocumentAndValue_HaveTheIndexOfTheTransaction()
    {
        Answer answer = await BatchAsync(
            """{"Id":"Users/1","Document":{"n":1,"@metadata":{"@collection":"Users"}},"Type":"PUT"}""",
            """{"Id":"emails/a","Document":{"Object":"users/1"},"Index":0,"Type":"CompareExchangePUT"}""");

        Assert.Equal(201, answer.Status);
        JsonElement put = answer.Json.GetProperty("Results")[0];
        string id = _server.Database.DatabaseId;
        Assert.Equal(1, answer.Json.GetProperty("TransactionIndex").GetInt64());
        Assert.Equal($"RAFT:1-{id}, TRXN:1-{id}", put.GetProperty("@change-vector").GetString());
        Assert.Equal("FromClusterTransaction", put.GetProperty("@flags").GetString());
        Assert.Equal("""{"Type":"CompareExchangePUT","Key":"emails/a","Index":1}""", answer.Json.GetProperty("Results")[1].GetRawText());
        Assert.Equal(
            """{"Results":[{"Key":"emails/a","Index":1,"Value":{"Object":"users/1"},"ChangeVector":null},""" +
                """{"Key":"rvn-atomic/Users/1","Index":1,"Value":{"Object":{"Id":"Users/1"}},"ChangeVector":null}]}""",
            (await _server.DbAsync("GET", "/cmpxchg")).Text);
        JsonElement loaded = (await _server.DbAsync("GET", "/docs?id=users/1")).Json.GetProperty("Results")[0].GetProperty("@metadata");
        Assert.Equal(put.GetProperty("@change-vector").GetString(), loaded.GetProperty("@change-vector").GetString());
        Assert.Equal("FromClusterTransaction", loaded.GetProperty("@flags").GetString());
    }

    [Fact]
    public async Task Put_VersionThatAnotherChanged_IsRefusedWithEachViolation()
    {
        string first = await PutAsync("a", 1);
        string second = await PutAsync("a", 2, first);
        await PutAsync("b", 1);

        Answer answer = await BatchAsync(
            Put("c", 1), Put("a", 3, first), Put("b", 2), """{"Id":"k","Index":7,"Type":"CompareExchangeDELETE"}""");

        answer.AssertProblem(
            409, "ClusterTransactionConcurrencyException", "Document 'a' has index 3, but the transaction expected 1",
            "Document 'b' has index 5, but the transaction expected 0", "value 'k' has index 0, but the transaction expected 7");
        Assert.Equal(
            """[{"Id":"a","Type":"Document","Expected":1,"Actual":3},{"Id":"b","Type":"Document","Expected":0,"Actual":5},""" +
                """{"Id":"k","Type":"CompareExchange","Expected":7,"Actual":0}]""",
            answer.Json.GetProperty("ConcurrencyViolations").GetRawText());
        Assert.Equal(404, (await _server.DbAsync("GET", "/docs?id=c")).Status);
        (await BatchAsync(Put("a", 3, first))).AssertProblem(409, "ClusterTransactionConcurrencyException", "'a'");
        await PutAsync("a", 3, second);
    }

    [Fact]
    public async Task Delete_GuardedDocument_RemovesTheGuardAndRefusesThoseWhoLoadedIt()
    {
        string first = await PutAsync("a", 1);

        (await BatchAsync(Delete("a", "A:9-x"))).AssertProblem(409, "ClusterTransactionConcurrencyException", "'a' has index 1");
        Answer deleted = await BatchAsync(Delete("a", first));

        Assert.Equal(201, deleted.Status);
        Assert.True(deleted.Json.GetProperty("Results")[0].GetProperty("Deleted").GetBoolean());
        Assert.Equal("""{"Results":[]}""", (await _server.DbAsync("GET", "/cmpxchg")).Text);
        (await BatchAsync(Put("a", 2, first))).AssertProblem(409, "ClusterTransactionConcurrencyException", "'a' has index 0");
        string created = await PutAsync("a", 3);
        Assert.NotEqual(first, created);
        (await BatchAsync(Put("a", 2, first))).AssertProblem(409, "ClusterTransactionConcurrencyException", "'a'");
    }

    /// <summary>The version that was loaded has no guard yet, and others have deleted the document with theirs.</summary>
    [Fact]
    public async Task Put_UnguardedVersionThatWasDeletedMeanwhile_IsRefused()
    {
        await _server.PutAsync("a", "{}");
        string loaded = (await LoadAsync("a")).GetProperty("Results")[0].GetProperty("@metadata").GetProperty("@change-vector").GetString()!;
        string changed = await PutAsync("a", 1, loaded);
        Assert.Equal(201, (await BatchAsync(Delete("a", changed))).Status);

        (await BatchAsync(Put("a", 2, loaded))).AssertProblem(409, "ClusterTransactionConcurrencyException", "'a' has index 0");
    }

    [Fact]
    public async Task Put_DocumentOfOrdinaryWrites_GetsItsGuard()
    {
        await _server.PutAsync("a", "{}");
        string before = (await LoadAsync("a")).GetProperty("Results")[0].GetProperty("@metadata").GetProperty("@change-vector").GetString()!;

        await PutAsync("a", 1, before);

        (await BatchAsync(Put("a", 2, before))).AssertProblem(409, "ClusterTransactionConcurrencyException", "'a' has index 2");
    }

    [Fact]
    public async Task Load_ClusterWide_LeavesMissingOutAndTellsTheirGuards()
    {
        await PutAsync("Gone", 1);
        Assert.Equal(204, (await _server.DbAsync("DELETE", "/docs?id=gone")).Status);
        await _server.PutAsync("plain", "{}");

        Assert.Equal("""{"Results":[],"Includes":{}}""", (await LoadAsync("none")).GetRawText());
        string id = _server.Database.DatabaseId;
        JsonElement loaded = await LoadAsync("GONE", "plain", "none");

        Assert.Equal("plain", Assert.Single(loaded.GetProperty("Results").EnumerateArray()).GetProperty("@metadata").GetProperty("@id").GetString());
        Assert.Equal(
            $$$"""{"rvn-atomic/GONE":{"Key":"rvn-atomic/GONE","Index":1,"Value":{"Object":{"Id":"Gone"}},"ChangeVector":"TRXN:1-{{{id}}}"}}""",
            loaded.GetProperty("CompareExchangeValueIncludes").GetRawText());
        (await BatchAsync(Put("gone", 2))).AssertProblem(409, "ClusterTransactionConcurrencyException", "'gone' has index 1");
        await PutAsync("gone", 2, $"TRXN:1-{id}");
    }

    [Fact]
    public async Task Load_OrdinaryVersionOfAGuardedDocument_NamesTheGuard()
    {
        await PutAsync("a", 1);
        await _server.DbAsync("DELETE", "/docs?id=a");
        await BatchAsync("disableAtomicDocumentWrites=true", Put("a", 5));

        JsonElement metadata = (await LoadAsync("a")).GetProperty("Results")[0].GetProperty("@metadata");

        Assert.EndsWith($", TRXN:1-{_server.Database.DatabaseId}", metadata.GetProperty("@change-vector").GetString(), StringComparison.Ordinal);
        await PutAsync("a", 6, metadata.GetProperty("@change-vector").GetString());
    }

    [Fact]
    public async Task Put_WithoutGuards_WritesNoneAndLooksAtNone()
    {
        string first = await PutAsync("a", 1);
        await PutAsync("a", 2, first);

        Answer answer = await BatchAsync("disableAtomicDocumentWrites=true", Put("a", 3, first), Put("b", 1));

        Assert.Equal(201, answer.Status);
        Assert.DoesNotContain("TRXN", answer.Text, StringComparison.Ordinal);
        Assert.Equal(1, (await _server.DbAsync("GET", "/stats/detailed")).Json.GetProperty("CountOfCompareExchange").GetInt32());
    }

    [Fact]
    public async Task OrdinaryPut_OverALaterClusterWideVersion_IsAConflict()
    {
        string first = await PutAsync("a", 1);
        Assert.Equal(201, (await OrdinaryAsync(Put("a", 2, first))).Status);
        string ordinary = (await LoadAsync("a")).GetProperty("Results")[0].GetProperty("@metadata").GetProperty("@change-vector").GetString()!;
        Assert.StartsWith(first, ordinary, StringComparison.Ordinal);
        await PutAsync("a", 3, ordinary);

        (await OrdinaryAsync(Put("b", 1), Put("a", 4, first))).AssertProblem(409, ".ConcurrencyException", "'a'", "TRXN:1-");
        (await OrdinaryAsync(Put("a", 4, first))).AssertProblem(409, ".ConcurrencyException", "'a'", "TRXN:1-");
        Assert.Equal(404, (await _server.DbAsync("GET", "/docs?id=b")).Status);
        Assert.Equal(201, (await OrdinaryAsync(Put("a", 4))).Status);
        Assert.Equal(201, (await OrdinaryAsync(Put("a", 5, "A:1-x"))).Status);
    }

    [Fact]
    public async Task Put_IdOfAnIdentity_IsCompletedAndGuarded()
    {
        Answer answer = await BatchAsync(Put("users|", 1));

        Assert.Equal("users/1", answer.Json.GetProperty("Results")[0].GetProperty("@id").GetString());
        Assert.Equal(200, (await _server.DbAsync("GET", "/cmpxchg?key=rvn-atomic%2Fusers%2F1")).Status);
    }

    [Fact]
    public async Task Batch_DocumentAndValueOfOneName_AreNotTheSameThing()
    {
        Answer answer = await BatchAsync(Put("x", 1), """{"Id":"x","Document":{"Object":1},"Index":0,"Type":"CompareExchangePUT"}""");

        Assert.Equal(201, answer.Status);
    }

    [Fact]
    public async Task Load_IncludesOfValues_AreInTheAnswer()
    {
        await _server.DbAsync("PUT", "/cmpxchg?key=emails%2Fa&index=0", """{"Object":"x"}""");
        await _server.PutAsync("a", """{"Key":"Emails/A","Keys":["emails/a","none"]}""");

        JsonElement loaded = (await _server.DbAsync("GET", "/docs?id=a&cmpxchg=Key&cmpxchg=Keys")).Json;

        Assert.Equal(
            """{"Emails/A":{"Key":"emails/a","Index":1,"Value":{"Object":"x"},"ChangeVector":null},"emails""" +
                """/a":{"Key":"emails/a","Index":1,"Value":{"Object":"x"},"ChangeVector":null},"none":{"Key":"none","Index":-1,"Value":null}}""",
            loaded.GetProperty("CompareExchangeValueIncludes").GetRawText());
        (await _server.DbAsync("GET", "/docs?id=a&cmpxchg=")).AssertProblem(400, "ArgumentException", "names no member");
    }

    [Fact]
    public async Task Query_IncludesOfValues_AreInTheAnswer()
    {
        await _server.DbAsync("PUT", "/cmpxchg?key=emails%2Fa&index=0", """{"Object":"x"}""");
        await _server.PutAsync("a", """{"Key":"emails/a","@metadata":{"@collection":"Users"}}""");

        foreach (string source in (string[])["Users include cmpxchg('Key')", "Users as u include cmpxchg(u.Key)", "Users as u include cmpxchg('u.Key')"])
        {
            Answer answer = await _server.DbAsync("POST", "/queries", JsonSerializer.Serialize(new { Query = "from " + source }));
            Assert.True(answer.Status == 200, answer.Text);
            Assert.Equal(
                """{"emails/a":{"Key":"emails/a","Index":1,"Value":{"Object":"x"},"ChangeVector":null}}""",
                answer.Json.GetProperty("CompareExchangeValueIncludes").GetRawText());
        }

        (await _server.DbAsync("POST", "/queries", JsonSerializer.Serialize(new { Query = "from Users include cmpxchg('')" })))
            .AssertProblem(400, "InvalidQueryException", "cmpxchg() takes the path");
    }

    [Theory]
    [InlineData("from Users select Name, cmpxchg('emails/a') as Email", """{"Name":"Ann","Email":{"Domain":"x.org"}}""")]
    [InlineData("from Users as u select u.Name as N, cmpxchg(u.Key).Domain as D, 'x' as X", """{"N":"Ann","D":"x.org","X":"x"}""")]
    [InlineData("from Users select id() as Id, cmpxchg($key) as None", """{"Id":"a","None":null}""")]
    [InlineData("from Users as u select { Domain: cmpxchg(u.Key).Domain, None: cmpxchg('none') }", """{"Domain":"x.org","None":null}""")]
    public async Task Query_SelectedValues_AreInTheRows(string query, string row)
    {
        await _server.DbAsync("PUT", "/cmpxchg?key=emails%2Fa&index=0", """{"Object":{"Domain":"x.org"}}""");
        await _server.PutAsync("a", """{"Name":"Ann","Key":"emails/a","@metadata":{"@collection":"Users"}}""");

        Answer answer = await _server.DbAsync(
            "POST", "/queries", JsonSerializer.Serialize(new { Query = query, QueryParameters = new { key = "none" } }));

        Assert.True(answer.Status == 200, answer.Text);
        string found = Assert.Single(answer.Json.GetProperty("Results").EnumerateArray()).GetRawText();
        Assert.StartsWith(row[..^1] + ",\"@metadata\"", found, StringComparison.Ordinal);
    }

    private static string Put(string id, int n, string? original = null) =>
        $$$"""{"Id":"{{{id}}}","Document":{"n":{{{n}}}},"Type":"PUT"{{{Original(original)}}}}""";

    private static string Delete(string id, string? original) => $$"""{"Id":"{{id}}","Type":"DELETE"{{Original(original)}}}""";

    private static string Original(string? changeVector) => changeVector is null ? "" : $",\"OriginalChangeVector\":\"{changeVector}\"";

    private async Task<string> PutAsync(string id, int n, string? original = null)
    {
        Answer answer = await BatchAsync(Put(id, n, original));
        Assert.True(answer.Status == 201, answer.Text);
        return answer.Json.GetProperty("Results")[0].GetProperty("@change-vector").GetString()!;
    }

    private async Task<JsonElement> LoadAsync(params string[] ids) =>
        (await _server.DbAsync("GET", "/docs?&txMode=ClusterWide&" + string.Join('&', ids.Select(id => "id=" + id)))).Json;

    private Task<Answer> OrdinaryAsync(params string[] commands) =>
        _server.DbAsync("POST", "/bulk_docs", $$"""{"Commands":[{{string.Join(',', commands)}}]}""");

    private Task<Answer> BatchAsync(params string[] commands)
    {
        bool hasQuery = commands[0].StartsWith("disable", StringComparison.Ordinal);
        string query = hasQuery ? $"?{commands[0]}" : "?disableAtomicDocumentWrites=false&raft-request-id=x";
        string all = string.Join(',', hasQuery ? commands[1..] : commands);
        return _server.DbAsync("POST", $"/bulk_docs{query}", $$"""{"Commands":[{{all}}],"TransactionMode":"ClusterWide"}""");
    }
}
