using System.Text.Json;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Http.Handlers;

public sealed class AdministrationTests : IAsyncLifetime
{
    private ServerFixture _server = null!;

    public async Task InitializeAsync() => _server = await ServerFixture.StartAsync();

    public async Task DisposeAsync() => await _server.DisposeAsync();

    [Fact]
    public async Task BuildVersion_HasTheFourMembers()
    {
        Answer answer = await _server.SendAsync("GET", "/build/version");

        Assert.Equal("7.2", answer.Json.GetProperty("ProductVersion").GetString());
        Assert.Equal(72000, answer.Json.GetProperty("BuildVersion").GetInt32());
        Assert.Equal("application/json; charset=utf-8", answer.Header("Content-Type"));
    }

    [Fact]
    public async Task Topology_EchoesTheAddressTheClientCameBy()
    {
        Answer answer = await _server.SendAsync(
            "GET", "/topology?name=DB1&first-topology-update&applicationIdentifier=x");

        JsonElement node = answer.Json.GetProperty("Nodes")[0];
        Assert.Equal(_server.Address.ToString().TrimEnd('/'), node.GetProperty("Url").GetString());
        Assert.Equal("db1", node.GetProperty("Database").GetString());
        Assert.Equal("Member", node.GetProperty("ServerRole").GetString());
        Assert.True(answer.Json.GetProperty("Etag").GetInt64() > 0);
        (await _server.SendAsync("GET", "/topology")).AssertProblem(400, "ArgumentException", "name");
    }

    [Fact]
    public async Task ClusterTopologyAndNodeInfo_HaveTheObjectsThatClientsIterate()
    {
        Answer cluster = await _server.SendAsync("GET", "/cluster/topology?first-topology-update");
        Answer node = await _server.SendAsync("GET", "/cluster/node-info");

        Assert.Equal(JsonValueKind.Object, cluster.Json.GetProperty("Status").ValueKind);
        Assert.Equal(JsonValueKind.Object, cluster.Json.GetProperty("Topology").GetProperty("Watchers").ValueKind);
        Assert.StartsWith("http://", cluster.Json.GetProperty("Topology").GetProperty("Members").GetProperty("A").GetString(), StringComparison.Ordinal);
        Assert.Equal("A", cluster.Json.GetProperty("Leader").GetString());
        Assert.Equal("A", node.Json.GetProperty("NodeTag").GetString());
        Assert.Equal("Member", node.Json.GetProperty("ServerRole").GetString());
    }

    [Fact]
    public async Task Pings_Answer()
    {
        Assert.Equal(204, (await _server.DbAsync("GET", "/healthcheck")).Status);
        Assert.Equal(204, (await _server.SendAsync("GET", "/setup/alive")).Status);
        Assert.Equal(200, (await _server.SendAsync("GET", "/info/tcp?tcp=health-check")).Status);
        (await _server.SendAsync("GET", "/info/tcp?tcp=Subscription")).AssertProblem(
            501, "NotSupportedException", "TCP");
    }

    [Fact]
    public async Task Create_NewDatabase_IsUsableWhenAnswered()
    {
        Answer answer = await _server.SendAsync(
            "PUT", "/admin/databases?name=shop&replicationFactor=1&raft-request-id=x", """{"DatabaseName":"Shop"}""", ("ETag", "\"undefined\""));

        Assert.Equal(201, answer.Status);
        Assert.Equal("shop", answer.Json.GetProperty("Name").GetString());
        Assert.True(answer.Json.GetProperty("RaftCommandIndex").GetInt64() > 0);
        Assert.Equal("A", answer.Json.GetProperty("Topology").GetProperty("Members")[0].GetString());
        Assert.Equal(1, answer.Json.GetProperty("NodesAddedTo").GetArrayLength());
        Assert.Equal(201, (await _server.SendAsync("PUT", "/databases/SHOP/docs?id=a", "{}")).Status);
    }

    [Fact]
    public async Task Create_ExistingName_Answers409AndUpdateNeedsTheEtag()
    {
        Task<Answer> PutAsync(string etag) => _server.SendAsync(
            "PUT", "/admin/databases?name=DB1", """{"DatabaseName":"db1","Settings":{"a":"b"}}""", ("ETag", etag));
        long etag = (await _server.SendAsync("GET", "/admin/databases?name=db1")).Json.GetProperty("Etag").GetInt64();

        (await PutAsync("\"undefined\"")).AssertProblem(409, "ConcurrencyException", "exists already");
        (await PutAsync("\"99\"")).AssertProblem(409, "ConcurrencyException", "99");
        Assert.Equal(201, (await PutAsync($"\"{etag}\"")).Status);
        Answer record = await _server.DbAsync("GET", "/admin/record");
        Assert.Equal("b", record.Json.GetProperty("Settings").GetProperty("a").GetString());
        Assert.Equal("db1", record.Json.GetProperty("DatabaseName").GetString());
    }

    [Fact]
    public async Task Record_OfAMissingDatabase_IsNotFoundAndNamesIt()
    {
        Answer missing = await _server.SendAsync("GET", "/admin/databases?name=nope");
        Assert.Equal((404, "", "nope"), (missing.Status, missing.Text, missing.Header("Database-Missing")));
    }

    [Theory]
    [InlineData("..")]
    [InlineData(".")]
    [InlineData(".hidden")]
    [InlineData("a%2Fb")]
    [InlineData("a%5Cb")]
    [InlineData("..%2F..%2Fetc")]
    [InlineData("a%00b")]
    [InlineData("a%20b")]
    [InlineData("%C3%BC")]
    public async Task Create_ImpossibleName_Answers400(string name) =>
        (await _server.SendAsync("PUT", $"/admin/databases?name={name}", "{}")).AssertProblem(
            400, "ArgumentException", "name of a database");

    [Theory]
    [InlineData("", "JSON")]
    [InlineData("[]", "object")]
    [InlineData("{\"DatabaseName\":\"a\",\"DatabaseName\":\"b\"}", "JSON")]
    [InlineData("{\"DatabaseName\":1}", "DatabaseName")]
    [InlineData("{\"DatabaseName\":\"x\"", "JSON")]
    public async Task Create_MalformedRecord_Answers400(string body, string message) =>
        (await _server.SendAsync("PUT", "/admin/databases?name=shop", body)).AssertProblem(
            400, "Exception", message);

    [Theory]
    [InlineData("{\"Disabled\":\"yes\"}", "Disabled")]
    [InlineData("{\"Disabled\":1}", "Disabled")]
    public async Task Create_MalformedRecord_LeavesNothing(string body, string message)
    {
        (await _server.SendAsync("PUT", "/admin/databases?name=shop", body)).AssertProblem(400, "ArgumentException", message);
        Assert.Equal(404, (await _server.SendAsync("GET", "/admin/databases?name=shop")).Status);
    }

    [Theory]
    [InlineData("PUT", "/admin/databases?name=shop", """{"\ud800":1}""")]
    [InlineData("PUT", "/admin/databases?name=shop", """{"Settings":{"a":"\ud800"}}""")]
    [InlineData("PUT", "/admin/databases?name=shop", """{"DatabaseName":"\udc00"}""")]
    [InlineData("DELETE", "/admin/databases", """{"DatabaseNames":["\ud800x"]}""")]
    [InlineData("POST", "/admin/databases/disable", """{"DatabaseNames":["\ud800"]}""")]
    [InlineData("PUT", "/admin/configuration/client", """{"a":"\ud800"}""")]
    public async Task AdministrativeBody_HalfOfASurrogatePair_Answers400(string method, string path, string body)
    {
        (await _server.SendAsync(method, path, body)).AssertProblem(400, "BadRequestException", "surrogate");
        Assert.Equal(404, (await _server.SendAsync("GET", "/admin/databases?name=shop")).Status);
        Assert.Contains("null", (await _server.SendAsync("GET", "/configuration/client")).Text, StringComparison.Ordinal);
    }

    [Fact]
    public async Task AdministrativeBody_DeepAsADocumentMayBe_IsReadAgain()
    {
        string deep = $$$"""{"X":{{{new string('[', 200)}}}{{{new string(']', 200)}}}}""";

        Assert.Equal(201, (await _server.SendAsync("PUT", "/admin/databases?name=shop", deep)).Status);
        Assert.Equal(201, (await _server.DbAsync("PUT", "/admin/configuration/client", deep)).Status);

        Assert.Equal(200, (await _server.SendAsync("GET", "/admin/databases?name=shop")).Status);
        Assert.Equal(200, (await _server.DbAsync("GET", "/configuration/client")).Status);
    }

    [Fact]
    public async Task Create_TwoNamesOrTooLongOrEncrypted_IsRefused()
    {
        (await _server.SendAsync("PUT", "/admin/databases?name=a", """{"DatabaseName":"b"}""")).AssertProblem(400, "ArgumentException", "differ");
        (await _server.SendAsync("PUT", $"/admin/databases?name={new string('x', 129)}", "{}")).AssertProblem(
            400, "ArgumentException", "128");
        (await _server.SendAsync("PUT", "/admin/databases?name=a", """{"Encrypted":true}""")).AssertProblem(501, "NotSupportedException", "Encrypted");
    }

    [Fact]
    public async Task Delete_ExistingDatabase_FreesTheNameAtOnce()
    {
        Answer answer = await _server.SendAsync("DELETE", "/admin/databases",
            """{"DatabaseNames":["DB1","none"],"HardDelete":true,"TimeToWaitForConfirmation":15000}""");

        Assert.Equal(200, answer.Status);
        Assert.Equal(0, answer.Json.GetProperty("PendingDeletes").GetArrayLength());
        Assert.Equal(404, (await _server.SendAsync("GET", "/admin/databases?name=db1")).Status);
        Assert.Equal(201, (await _server.SendAsync("PUT", "/admin/databases?name=db1", "{}")).Status);
        Assert.Equal(404, (await _server.DbAsync("GET", "/docs?id=a")).Status);
    }

    [Theory]
    [InlineData("[]", 200)]
    [InlineData("null", 200)]
    [InlineData("[\"A\"]", 200)]
    [InlineData("[\"B\"]", 400)]
    [InlineData("[\"A\",\"B\"]", 400)]
    [InlineData("\"B\"", 400)]
    public async Task Delete_FromAnotherNode_IsRefusedAndDeletesNothing(string nodes, int status)
    {
        Answer answer = await _server.SendAsync(
            "DELETE", "/admin/databases", $$"""{"DatabaseNames":["db1"],"HardDelete":true,"FromNodes":{{nodes}}}""");

        Assert.Equal(status, answer.Status);
        Assert.Equal(status == 200 ? 404 : 200, (await _server.SendAsync("GET", "/admin/databases?name=db1")).Status);
    }

    [Fact]
    public async Task Delete_NothingThatExists_IsAnError()
    {
        (await _server.SendAsync("DELETE", "/admin/databases", """{"DatabaseNames":["none"]}"""))
            .AssertProblem(503, "DatabaseDoesNotExistException", "none");
        (await _server.SendAsync("DELETE", "/admin/databases", """{"DatabaseNames":[]}""")).AssertProblem(400, "ArgumentException", "empty");
    }

    [Fact]
    public async Task List_NamesAndSummaries_ArePagedByName()
    {
        await _server.SendAsync("PUT", "/admin/databases?name=Abc", "{}");

        Answer names = await _server.SendAsync("GET", "/databases?start=0&pageSize=25&namesOnly=true");
        Answer page = await _server.SendAsync("GET", "/databases?start=1&pageSize=1");

        Assert.Equal("""{"Databases":["Abc","db1"]}""", names.Text);
        Assert.Equal("db1", page.Json.GetProperty("Databases")[0].GetProperty("Name").GetString());
    }

    [Fact]
    public async Task DisableAndEnable_SwitchTheDatabaseAndItsRecord()
    {
        Answer off = await _server.SendAsync("POST", "/admin/databases/disable?raft-request-id=", """{"DatabaseNames":["db1","none"]}""");

        Assert.True(off.Json.GetProperty("Status")[0].GetProperty("Success").GetBoolean());
        Assert.False(off.Json.GetProperty("Status")[1].GetProperty("Success").GetBoolean());
        (await _server.DbAsync("GET", "/stats")).AssertProblem(503, "DatabaseDisabledException", "disabled");
        Assert.Equal(200, (await _server.SendAsync("GET", "/topology?name=db1")).Status);
        Assert.True(
            (await _server.SendAsync("GET", "/admin/databases?name=db1")).Json.GetProperty("Disabled").GetBoolean());
        Assert.Equal(200, (await _server.SendAsync("POST", "/admin/databases/enable", """{"DatabaseNames":["db1"]}""")).Status);
        Assert.Equal(200, (await _server.DbAsync("GET", "/stats")).Status);
    }

    [Fact]
    public async Task ClientConfiguration_OfDatabaseAndServer_HasTheEtagFirst()
    {
        Assert.Equal("""{"Etag":0,"Configuration":null}""", (await _server.DbAsync("GET", "/configuration/client")).Text);
        Answer none = await _server.SendAsync("GET", "/configuration/client");
        Assert.Equal((200, """{"Etag":0,"Configuration":null}"""), (none.Status, none.Text));

        Assert.Equal(201, (await _server.SendAsync("PUT", "/admin/configuration/client", """{"ReadBalanceBehavior":"None"}""")).Status);
        Assert.StartsWith(
            "{\"Etag\":", (await _server.SendAsync("GET", "/configuration/client")).Text, StringComparison.Ordinal);
        Assert.Contains("ReadBalanceBehavior", (await _server.DbAsync("GET", "/configuration/client")).Text, StringComparison.Ordinal);

        Answer put = await _server.DbAsync("PUT", "/admin/configuration/client?raft-request-id=x", """{"MaxNumberOfRequestsPerSession":50,"Disabled":false}""");
        Answer own = await _server.DbAsync("GET", "/configuration/client");
        Assert.Equal("true", put.Header("Refresh-Client-Configuration"));
        Assert.Matches("^\\{\"Etag\":[0-9]+,\"Configuration\":\\{\"Etag\":[0-9]+,", own.Text);
        Assert.Equal(50, own.Json.GetProperty("Configuration").GetProperty("MaxNumberOfRequestsPerSession").GetInt32());
    }

    /// <summary>A client goes back to its own settings when it is told "disabled"; "none" is no news to it.</summary>
    [Fact]
    public async Task ClientConfiguration_Disabled_IsSaidSoAsLongAsTheServerHasNone()
    {
        await _server.DbAsync("PUT", "/admin/configuration/client", """{"MaxNumberOfRequestsPerSession":5}""");

        await _server.DbAsync("PUT", "/admin/configuration/client", """{"Disabled":true}""");
        JsonElement alone = (await _server.DbAsync("GET", "/configuration/client")).Json.GetProperty("Configuration");
        await _server.SendAsync("PUT", "/admin/configuration/client", """{"MaxNumberOfRequestsPerSession":17}""");
        JsonElement withServer = (await _server.DbAsync("GET", "/configuration/client")).Json.GetProperty("Configuration");

        Assert.True(alone.GetProperty("Disabled").GetBoolean());
        Assert.Equal(17, withServer.GetProperty("MaxNumberOfRequestsPerSession").GetInt32());
    }

    [Theory]
    [InlineData("/databases/db1/admin/configuration/client")]
    [InlineData("/admin/configuration/client")]
    public async Task ClientConfiguration_OtherIdentityPartsSeparator_IsThatOfLaterIds(string path)
    {
        Assert.Equal("companies/", await PrefixAsync());
        Assert.Equal(201, (await _server.SendAsync("PUT", path, """{"identityPartsSeparator":":"}""")).Status);
        Assert.Equal("companies:", await PrefixAsync());
        Assert.Matches("^companies:[0-9]{19}-A$", await PutIdAsync("companies:"));
        Assert.Matches("^companies:[0-9]{19}-A$", await PutIdInBatchAsync("companies:"));
        Assert.Equal("companies:1", await PutIdAsync("companies|"));
        Assert.Equal("companies/", await PutIdAsync("companies/"));
        await _server.RestartAsync();
        Assert.Equal("companies:", await PrefixAsync());
        Assert.Equal("companies:2", await PutIdAsync("companies|"));

        Assert.Equal(201, (await _server.SendAsync("PUT", path, """{"IdentityPartsSeparator":null}""")).Status);
        Assert.Equal("companies/", await PrefixAsync());
        Assert.Matches("^companies/[0-9]{19}-A$", await PutIdAsync("companies/"));
        Assert.Equal("companies/3", await PutIdAsync("companies|"));
        Assert.Equal("companies:", await PutIdAsync("companies:"));
        JsonElement hilo = (await _server.DbAsync("GET", "/docs?id=Raven/Hilo/companies")).Json.GetProperty("Results")[0];
        Assert.Equal(128, hilo.GetProperty("Max").GetInt64()); // four ranges of one document
    }

    [Theory]
    [InlineData("")]
    [InlineData("--")]
    [InlineData("|")]
    [InlineData(" ")]
    [InlineData("é")]
    public async Task ClientConfiguration_SeparatorThatIsNone_IsRefusedWithoutAChange(string separator)
    {
        Answer answer = await _server.DbAsync("PUT", "/admin/configuration/client", JsonSerializer.Serialize(new { IdentityPartsSeparator = separator }));
        answer.AssertProblem(400, "ArgumentException", "IdentityPartsSeparator must be one visible");
        Assert.Equal("""{"Etag":0,"Configuration":null}""", (await _server.DbAsync("GET", "/configuration/client")).Text);
    }

    private async Task<string?> PrefixAsync() =>
        (await _server.DbAsync("GET", "/hilo/next?tag=companies&lastBatchSize=0&identityPartsSeparator=%2F")).Json.GetProperty("Prefix").GetString();

    private async Task<string?> PutIdAsync(string id) =>
        (await _server.DbAsync("PUT", $"/docs?id={Uri.EscapeDataString(id)}", "{}")).Json.GetProperty("Id").GetString();

    private async Task<string?> PutIdInBatchAsync(string id) =>
        (await _server.DbAsync("POST", "/bulk_docs", $$$"""{"Commands":[{"Type":"PUT","Id":"{{{id}}}","Document":{}}]}"""))
            .Json.GetProperty("Results")[0].GetProperty("@id").GetString();

    [Fact]
    public async Task Stats_CountDocumentsTombstonesAndCollections()
    {
        await _server.PutAsync("a", """{"@metadata":{"@collection":"Users"}}""");
        await _server.PutAsync("b", """{"@metadata":{"@collection":"Users"}}""");
        await _server.PutAsync("c", "{}");
        await _server.DbAsync("DELETE", "/docs?id=b");

        JsonElement stats = (await _server.DbAsync("GET", "/stats?failure=check")).Json;
        JsonElement collections = (await _server.DbAsync("GET", "/collections/stats")).Json;

        Assert.Equal(2, stats.GetProperty("CountOfDocuments").GetInt64());
        Assert.Equal(1, stats.GetProperty("CountOfTombstones").GetInt64());
        Assert.Equal(3, stats.GetProperty("LastDocEtag").GetInt64()); // the last write is a deletion
        Assert.Equal(0, stats.GetProperty("Indexes").GetArrayLength());
        Assert.StartsWith("A:4-", stats.GetProperty("DatabaseChangeVector").GetString(), StringComparison.Ordinal);
        Assert.Equal("""{"@empty":1,"Users":1}""", collections.GetProperty("Collections").GetRawText());
        Assert.Equal(
            0, (await _server.DbAsync("GET", "/stats/detailed")).Json.GetProperty("CountOfIdentities").GetInt64());
        Assert.Equal(200, (await _server.DbAsync("GET", "/stats/essential")).Status);
        Assert.Equal(1, (await _server.DbAsync("GET", "/collections/stats/detailed")).Json
            .GetProperty("Collections").GetProperty("Users").GetProperty("CountOfDocuments").GetInt64());
        Assert.Equal(1, (await _server.DbAsync("GET", "/collections/docs?name=users&start=0&pageSize=25")).Json
            .GetProperty("Results").GetArrayLength());
    }
}
