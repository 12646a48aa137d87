using System.Text.Json;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Http.Handlers.Settings;

/// <summary>What official clients send about databases and the server as a whole, and read back.</summary>
public sealed class AdministrationAnswerTests : IAsyncLifetime
{
    private ServerFixture _server = null!;

    public async Task InitializeAsync() => _server = await ServerFixture.StartAsync();

    public async Task DisposeAsync() => await _server.DisposeAsync();

    [Theory]
    [InlineData("null")]
    [InlineData("")]
    public async Task Record_OfMembersThatAreAbsentOrNull_HasTheirDefaults(string sent)
    {
        // As the clients' class declares them: name and default.
        string[] maps =
        [
            "DeletionInProgress", "RollingIndexes", "Sorters", "Analyzers", "Indexes", "IndexesHistory", "AutoIndexes", "Settings", "RavenConnectionStrings",
            "SqlConnectionStrings", "OlapConnectionStrings", "ElasticSearchConnectionStrings", "QueueConnectionStrings", "AiConnectionStrings",
        ];
        string[] lists =
        [
            "PeriodicBackups", "ExternalReplications", "SinkPullReplications", "HubPullReplications", "RavenEtls", "SqlEtls", "ElasticSearchEtls", "OlapEtls",
            "QueueEtls", "QueueSinks", "AiAgents", "GenAis", "EmbeddingsGenerations", "UnusedDatabaseIds",
        ];
        string[] nulls =
        [
            "Sharding", "ConflictSolverConfig", "DocumentsCompression", "Revisions", "TimeSeries", "RevisionsForConflicts", "Expiration", "Refresh",
            "DataArchival", "Integrations", "Client", "Studio",
        ];
        string[] all = [.. maps, .. lists, .. nulls, "Encrypted", "EtagForBackup", "DatabaseState", "LockMode"];
        string members = sent.Length == 0 ? "" : "," + string.Join(',', all.Select(name => $"\"{name}\":{sent}"));
        JsonElement record = await PutRecordAsync(members);
        Assert.All(maps, name => Assert.True(record.GetProperty(name) is { ValueKind: JsonValueKind.Object } map && !map.EnumerateObject().Any(), name));
        Assert.All(lists, name => Assert.True(record.GetProperty(name) is { ValueKind: JsonValueKind.Array } list && list.GetArrayLength() == 0, name));
        Assert.All(nulls, name => Assert.Equal(JsonValueKind.Null, record.GetProperty(name).ValueKind));
        Assert.Equal(("Normal", "Unlock", 0L, false, false), (
            record.GetProperty("DatabaseState").GetString(), record.GetProperty("LockMode").GetString(), record.GetProperty("EtagForBackup").GetInt64(),
            record.GetProperty("Encrypted").GetBoolean(), record.GetProperty("Disabled").GetBoolean()));
        string[] names = [.. record.EnumerateObject().Select(member => member.Name)];
        Assert.Equal(names.Distinct(StringComparer.OrdinalIgnoreCase), names);
    }

    [Fact]
    public async Task Record_OfObjectsThatAreSentInPart_HasTheirOtherMembers()
    {
        JsonElement record = await PutRecordAsync("""
            ,"Revisions":{"Default":{"Disabled":null},"Collections":{"Users":{"PurgeOnDelete":true}}},"expiration":{"Disabled":true},"Studio":{},"Own":{"a":1},
            "TimeSeries":{"Collections":null},"SqlConnectionStrings":{"s":{"Name":"s","ConnectionString":"x"}},"Settings":{"a":"b"}
            """);
        Assert.False(record.GetProperty("Revisions").GetProperty("Default").GetProperty("Disabled").GetBoolean());
        JsonElement users = record.GetProperty("Revisions").GetProperty("Collections").GetProperty("Users");
        Assert.Equal((true, false, JsonValueKind.Null), (
            users.GetProperty("PurgeOnDelete").GetBoolean(), users.GetProperty("Disabled").GetBoolean(),
            users.GetProperty("MinimumRevisionsToKeep").ValueKind));
        Assert.Equal("""{"Disabled":true,"DeleteFrequencyInSec":null,"MaxItemsToProcess":null}""", record.GetProperty("Expiration").GetRawText());
        Assert.Equal("None", record.GetProperty("Studio").GetProperty("Environment").GetString());
        Assert.Equal("""{"a":1}""", record.GetProperty("Own").GetRawText());
        Assert.Equal("""{"Collections":{},"PolicyCheckFrequency":null,"NamedValues":{}}""", record.GetProperty("TimeSeries").GetRawText());
        Assert.Equal("Sql", record.GetProperty("SqlConnectionStrings").GetProperty("s").GetProperty("Type").GetString());
        Assert.Equal("""{"a":"b"}""", record.GetProperty("Settings").GetRawText());
    }

    [Fact]
    public async Task Record_OfADatabaseWithIndexes_HasTheirHistoryAndPriorities()
    {
        await _server.PutIndexAsync("I", "from u in docs.Us select new { u.Name }");
        await _server.QueryAsync("from Us where Name = 'x'");
        await _server.DbAsync("PUT", "/admin/configuration/client", """{"MaxNumberOfRequestsPerSession":7}""");
        JsonElement record = (await _server.SendAsync("GET", "/admin/databases?name=db1")).Json;
        JsonElement history = Assert.Single(record.GetProperty("IndexesHistory").GetProperty("I").EnumerateArray());
        Assert.Equal("I", history.GetProperty("Definition").GetProperty("Name").GetString());
        Assert.True(history.GetProperty("CreatedAt").GetDateTime() > DateTime.UnixEpoch.AddDays(-1));
        Assert.Equal("{}", history.GetProperty("RollingDeployment").GetRawText());
        Assert.NotNull(history.GetProperty("Source").GetString());
        JsonElement auto = record.GetProperty("AutoIndexes").GetProperty("Auto/Us/ByName");
        Assert.Equal(("Normal", "Normal"), (auto.GetProperty("Priority").GetString(), auto.GetProperty("State").GetString()));
        Assert.Equal(7, record.GetProperty("Client").GetProperty("MaxNumberOfRequestsPerSession").GetInt32());
        Assert.Equal(JsonValueKind.Null, record.GetProperty("DocumentsCompression").ValueKind);
    }

    [Fact]
    public async Task Record_OfAnIndexThatWasReplaced_HasItsTenLastDefinitionsAlsoAfterARestart()
    {
        for (int i = 1; i <= 12; i++)
        {
            await _server.PutIndexAsync("I", $"from u in docs.Us select new {{ N = {i} }}");
            await _server.PutIndexAsync("I", $"from u in docs.Us select new {{ N = {i} }}"); // nothing new
        }

        await Eventually.IsTrueAsync(async () => (await HistoryAsync())[0] == 12);
        int[] expected = [12, 11, 10, 9, 8, 7, 6, 5, 4, 3];
        Assert.Equal(expected, await HistoryAsync());
        await _server.RestartAsync();
        Assert.Equal(expected, await HistoryAsync());
        await _server.DbAsync("DELETE", "/indexes?name=I");
        await _server.PutIndexAsync("I", "from u in docs.Us select new { N = 0 }");
        Assert.Equal("0", string.Join(",", await HistoryAsync()));

        async Task<int[]> HistoryAsync() =>
        [
            .. (await _server.SendAsync("GET", "/admin/databases?name=db1")).Json.GetProperty("IndexesHistory").GetProperty("I").EnumerateArray()
                .Select(version => version.GetProperty("Definition").GetProperty("Maps")[0].GetString()!.Split('=', '}')[1])
                .Select(number => int.Parse(number, System.Globalization.CultureInfo.InvariantCulture)),
        ];
    }

    [Fact]
    public async Task ConflictSolver_IsKeptInTheRecord()
    {
        const string solver = """{"ResolveByCollection":{"Users":{"Script":"return docs[0];","LastModifiedTime":null}},"ResolveToLatest":true}""";
        Answer post = await _server.SendAsync("POST", "/admin/replication/conflicts/solver?name=db1", solver);
        Assert.True(post.Json.GetProperty("RaftCommandIndex").GetInt64() > 0, post.Text);
        Assert.Equal(("db1", solver), (post.Json.GetProperty("Key").GetString(), post.Json.GetProperty("Solver").GetRawText()));
        await _server.RestartAsync();
        Assert.Equal(solver, (await _server.SendAsync("GET", "/admin/databases?name=db1")).Json.GetProperty("ConflictSolverConfig").GetRawText());

        (await _server.SendAsync("POST", "/admin/replication/conflicts/solver?name=no", solver)).AssertProblem(503, "DatabaseDoesNotExistException", "'no'");
        (await _server.SendAsync("POST", "/admin/replication/conflicts/solver?name=db1", """{"ResolveByCollection":[]}"""))
            .AssertProblem(400, "ArgumentException", "'ResolveByCollection' must be an object");
        Assert.Equal(
            """{"Id":"users/1","LargestEtag":0,"TotalResults":0,"Results":[]}""", (await _server.DbAsync("GET", "/replication/conflicts?docId=users/1")).Text);
    }

    [Fact]
    public async Task Lock_OfADatabase_DecidesWhetherItIsDeleted()
    {
        await PutRecordAsync("");
        Assert.Equal(204, (await LockAsync("""["x","db1"]""", "PreventDeletesError")).Status);
        Assert.Equal("PreventDeletesError", (await RecordAsync()).GetProperty("LockMode").GetString());
        (await DeleteAsync("""["x"]""")).AssertProblem(500, "InvalidOperationException", "cannot be deleted because of the set lock mode");
        Assert.Equal(204, (await LockAsync("""["x"]""", "PreventDeletesIgnore")).Status);
        Answer ignored = await DeleteAsync("""["x"]""");
        Assert.Equal((200, -1), (ignored.Status, ignored.Json.GetProperty("RaftCommandIndex").GetInt32()));
        (await DeleteAsync("""["x","db1"]""")).AssertProblem(500, "InvalidOperationException", "'db1'");
        await _server.RestartAsync();
        Assert.Equal("PreventDeletesIgnore", (await RecordAsync()).GetProperty("LockMode").GetString());
        Assert.Equal(204, (await LockAsync("""["X"]""", "unlock")).Status);
        Assert.True((await DeleteAsync("""["x"]""")).Json.GetProperty("RaftCommandIndex").GetInt64() > 0);
        Assert.Equal(404, (await _server.SendAsync("GET", "/admin/databases?name=x")).Status);
    }

    [Theory]
    [InlineData("""["db1","y"]""", "PreventDeletesError", 503, "DatabaseDoesNotExistException", "'y'")]
    [InlineData("""["db1"]""", "Locked", 400, "ArgumentException", "PreventDeletesIgnore")]
    [InlineData("""["db1"]""", "1", 400, "ArgumentException", "not '1'")]
    [InlineData("[]", "Unlock", 400, "ArgumentException", "DatabaseNames is empty")]
    [InlineData("""["db1"]""", "", 400, "ArgumentException", "Mode must be Unlock, PreventDeletesIgnore or PreventDeletesError, and it is missing or empty")]
    public async Task Lock_ThatCannotBe_IsRefusedWhole(string names, string mode, int status, string type, string message)
    {
        (await LockAsync(names, mode)).AssertProblem(status, type, message);
        Assert.Equal("Unlock", (await _server.SendAsync("GET", "/admin/databases?name=db1")).Json.GetProperty("LockMode").GetString());
    }

    [Fact]
    public async Task ConnectionStrings_ArePutReadAndDeleted()
    {
        foreach ((string type, string more) in new[]
        {
            ("Raven", """, "Database":"other","TopologyDiscoveryUrls":["http://a"]"""), ("Sql", ""","ConnectionString":"c","FactoryName":"f" """), ("Olap", ""),
            ("ElasticSearch", ""","Nodes":["http://e"]"""), ("Queue", ""","BrokerType":"Kafka" """),
        })
        {
            Answer put = await _server.DbAsync("PUT", "/admin/connection-strings", $$"""{"Name":"{{type}}1","Type":"{{type}}"{{more}}}""");
            Assert.True(put.Json.GetProperty("RaftCommandIndex").GetInt64() > 0, put.Text);
            JsonElement one = (await _server.DbAsync("GET", $"/admin/connection-strings?connectionStringName={type}1&type={type}")).Json;
            JsonElement found = Assert.Single(one.GetProperty(type + "ConnectionStrings").EnumerateObject()).Value;
            Assert.Equal(type + "1", found.GetProperty("Name").GetString());
        }

        JsonElement all = (await _server.DbAsync("GET", "/admin/connection-strings")).Json;
        Assert.Equal("http://a", all.GetProperty("RavenConnectionStrings").GetProperty("Raven1").GetProperty("TopologyDiscoveryUrls")[0].GetString());
        Answer deleted = await _server.DbAsync("DELETE", "/admin/connection-strings?connectionString=sql1&type=Sql");
        Assert.True(deleted.Json.GetProperty("RaftCommandIndex").GetInt64() > 0, deleted.Text);
        all = (await _server.DbAsync("GET", "/admin/connection-strings")).Json;
        Assert.Equal(["1", "0", "1", "1", "1"], new[] { "Raven", "Sql", "Olap", "ElasticSearch", "Queue" }
            .Select(type => all.GetProperty(type + "ConnectionStrings").EnumerateObject().Count().ToString(System.Globalization.CultureInfo.InvariantCulture)));
        (await _server.DbAsync("PUT", "/admin/connection-strings", """{"Name":"a","Type":"Other"}""")).AssertProblem(400, "ArgumentException", "not 'Other'");
        (await _server.DbAsync("PUT", "/admin/connection-strings", """{"Type":"Sql"}""")).AssertProblem(400, "ArgumentException", "no Name");
    }

    [Fact]
    public async Task Compression_IsKeptInTheRecord()
    {
        Answer post = await _server.DbAsync("POST", "/admin/documents-compression/config", """{"CompressAllCollections":true,"CompressRevisions":false}""");
        Assert.True(post.Json.GetProperty("RaftCommandIndex").GetInt64() > 0, post.Text);
        JsonElement kept = (await _server.SendAsync("GET", "/admin/databases?name=db1")).Json.GetProperty("DocumentsCompression");
        Assert.Equal("""{"Collections":[],"CompressAllCollections":true,"CompressRevisions":false}""", kept.GetRawText());
    }

    [Theory]
    [InlineData("POST", "reorder?name=db1", """{"MembersOrder":["A"]}""", 204, "")]
    [InlineData("POST", "reorder?name=db1", """{"MembersOrder":["A","B"]}""", 500, "'B' is not part of the cluster")]
    [InlineData("POST", "reorder?name=db1", """{"MembersOrder":[]}""", 400, "MembersOrder has 0 nodes")]
    [InlineData("POST", "promote?name=db1&node=a", null, 200, "\"Members\":[\"A\"]")]
    [InlineData("POST", "promote?name=db1&node=B", null, 500, "'B' is not part of the cluster")]
    [InlineData("PUT", "node?name=db1", null, 500, "already exists on all the nodes of the cluster")]
    [InlineData("PUT", "node?name=db1&node=A", null, 500, "already exists on all the nodes of the cluster")]
    [InlineData("PUT", "node?name=db1&node=B", null, 500, "'B' is not part of the cluster")]
    [InlineData("PUT", "node?name=y", null, 503, "'y' does not exist")]
    [InlineData("POST", "dynamic-node-distribution?name=db1&enabled=false", null, 204, "")]
    [InlineData("POST", "dynamic-node-distribution?name=db1&enabled=true", null, 501, "needs several nodes")]
    [InlineData("POST", "topology/modify?name=db1", """{"Members":["A"],"ReplicationFactor":1}""", 200, "RaftCommandIndex")]
    [InlineData("POST", "topology/modify?name=db1", """{"Members":["A","B"]}""", 500, "'B' is not part of the cluster")]
    [InlineData("POST", "topology/modify?name=db1", """{"Members":[]}""", 400, "one member 'A'")]
    [InlineData("POST", "unused-ids?name=db1", """{"DatabaseIds":["abc"],"Validate":false}""", 204, "")]
    public async Task Topology_CommandThatNeedsNoOtherNode_IsAnswered(string method, string path, string? body, int status, string text)
    {
        Answer answer = await _server.SendAsync(method, "/admin/databases/" + path, body);
        Assert.True(answer.Status == status, answer.Text);
        Assert.Contains(text, System.Text.RegularExpressions.Regex.Unescape(answer.Text), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Log_IsReadAndChangedWhileTheServerRuns()
    {
        const string path = "/admin/logs/configuration";
        JsonElement before = (await _server.SendAsync("GET", path)).Json;
        Assert.Equal(
            ["CurrentMode", "Mode", "Path", "UseUtcTime", "RetentionTime", "RetentionSize", "Compress"], before.EnumerateObject().Select(one => one.Name));
        Assert.Equal(("Information", "Information", "3.00:00:00"), (
            before.GetProperty("CurrentMode").GetString(), before.GetProperty("Mode").GetString(), before.GetProperty("RetentionTime").GetString()));
        Assert.Equal(204, (await _server.SendAsync("POST", path, """{"Mode":"Operations","RetentionTime":"1.02:00:00"}""")).Status);
        JsonElement after = (await _server.SendAsync("GET", path)).Json;
        Assert.Equal(("Operations", "Information", "1.02:00:00"), (
            after.GetProperty("CurrentMode").GetString(), after.GetProperty("Mode").GetString(), after.GetProperty("RetentionTime").GetString()));
        (await _server.SendAsync("POST", path, "{}"))
            .AssertProblem(400, "ArgumentException", "Mode must be None, Operations or Information, and it is missing");
        (await _server.SendAsync("POST", path, """{"Mode":"2"}""")).AssertProblem(400, "ArgumentException", "not '2'");
        (await _server.SendAsync("POST", path, """{"Mode":"Loud"}""")).AssertProblem(400, "ArgumentException", "None, Operations or Information");
        (await _server.SendAsync("POST", path, """{"Mode":"None","RetentionTime":"long"}""")).AssertProblem(400, "ArgumentException", "RetentionTime");
        Assert.Equal("Operations", (await _server.SendAsync("GET", path)).Json.GetProperty("CurrentMode").GetString());
    }

    private async Task<JsonElement> PutRecordAsync(string members)
    {
        Answer put = await _server.SendAsync("PUT", "/admin/databases?name=x", $$"""{"DatabaseName":"x"{{members}}}""");
        Assert.True(put.Status == 201, put.Text);
        return await RecordAsync();
    }

    private async Task<JsonElement> RecordAsync() => (await _server.SendAsync("GET", "/admin/databases?name=x")).Json;

    private Task<Answer> LockAsync(string names, string mode) =>
        _server.SendAsync("POST", "/admin/databases/set-lock", $$"""{"DatabaseNames":{{names}},"Mode":"{{mode}}"}""");

    private Task<Answer> DeleteAsync(string names) =>
        _server.SendAsync("DELETE", "/admin/databases", $$"""{"DatabaseNames":{{names}},"HardDelete":true}""");
}
