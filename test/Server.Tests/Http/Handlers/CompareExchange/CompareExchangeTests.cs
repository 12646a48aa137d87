using System.Text.Json;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Http.Handlers.CompareExchange;

public sealed class CompareExchangeTests : IAsyncLifetime
{
    private ServerFixture _server = null!;

    public async Task InitializeAsync() => _server = await ServerFixture.StartAsync();

    public async Task DisposeAsync() => await _server.DisposeAsync();

    [Fact]
    public async Task Put_NewValue_IsReadBackWithItsIndex()
    {
        await _server.PutAsync("a", "{}");

        Answer put = await PutAsync("Emails/Ä", 0, """ { "@metadata" : {"x":[1, 2]} , "Object" : {"id" : "users/1"} } """);

        Assert.Equal("""{"Index":2,"Value":{"Object":{"id":"users/1"},"@metadata":{"x":[1,2]}},"Successful":true}""", put.Text);
        Answer get = await _server.DbAsync("GET", "/cmpxchg?key=EMAILS%2F%C3%A4");
        Assert.Equal(
            """{"Results":[{"Key":"Emails/Ä","Index":2,"Value":{"Object":{"id":"users/1"},"@metadata":{"x":[1,2]}},"ChangeVector":null}]}""", get.Text);
        Assert.Equal(1, (await _server.DbAsync("GET", "/stats/detailed")).Json.GetProperty("CountOfCompareExchange").GetInt32());
    }

    [Theory]
    [InlineData("1")]
    [InlineData("null")]
    [InlineData("\"v\"")]
    [InlineData("[true,1.50]")]
    public async Task Put_AnyJson_ComesBackAsItWasSent(string json)
    {
        await PutAsync("k", 0, $$"""{"Object":{{json}}}""");

        Assert.Equal(json, (await GetOneAsync("k")).GetProperty("Value").GetProperty("Object").GetRawText());
    }

    [Fact]
    public async Task Put_OtherIndex_ChangesNothingAndTellsTheCurrentValue()
    {
        await PutAsync("k", 0, """{"Object":1}""");

        string taken = (await PutAsync("K", 0, """{"Object":2}""")).Text;
        string wrong = (await PutAsync("k", 7, """{"Object":2}""")).Text;
        string right = (await PutAsync("K", 1, """{"Object":2}""")).Text;
        string missing = (await PutAsync("none", 7, """{"Object":2}""")).Text;

        Assert.Equal("""{"Index":1,"Value":{"Object":1},"Successful":false}""", taken);
        Assert.Equal(taken, wrong);
        Assert.Equal("""{"Index":2,"Value":{"Object":2},"Successful":true}""", right);
        Assert.Equal("""{"Index":2,"Value":null,"Successful":false}""", missing);
        Assert.Equal("k", (await GetOneAsync("k")).GetProperty("Key").GetString());
        Assert.Equal(404, (await _server.DbAsync("GET", "/cmpxchg?key=none")).Status);
    }

    [Fact]
    public async Task Delete_IndexRightWrongAndMissing_TellsWhatThereWas()
    {
        Assert.Equal("""{"Index":1,"Value":null,"Successful":true}""", (await DeleteAsync("k", 5)).Text);
        await PutAsync("k", 0, """{"Object":1}""");

        Assert.Equal("""{"Index":1,"Value":{"Object":1},"Successful":false}""", (await DeleteAsync("k", 0)).Text);
        Assert.Equal("""{"Index":2,"Value":{"Object":1},"Successful":true}""", (await DeleteAsync("K", 1)).Text);
        Assert.Equal(404, (await _server.DbAsync("GET", "/cmpxchg?key=k")).Status);
        Assert.Equal("""{"Index":3,"Value":{"Object":2},"Successful":true}""", (await PutAsync("k", 0, """{"Object":2}""")).Text);
    }

    [Fact]
    public async Task Get_SeveralKeys_AnswersEachInOrder()
    {
        await PutAsync("a", 0, """{"Object":1}""");

        Answer answer = await _server.DbAsync("GET", "/cmpxchg?&key=none&key=A&key=a");

        Assert.Equal(
            """{"Results":[{"Key":"none","Index":-1,"Value":null},{"Key":"a","Index":1,"Value":{"Object":1},"ChangeVector":null},""" +
                """{"Key":"a","Index":1,"Value":{"Object":1},"ChangeVector":null}]}""",
            answer.Text);
    }

    [Theory]
    [InlineData("", "B/1 a/1 a/2 A/3 ab")]
    [InlineData("startsWith=A/", "a/1 a/2 A/3")]
    [InlineData("startsWith=a&start=1&pageSize=2", "a/2 A/3")]
    [InlineData("start=4", "B/1")]
    [InlineData("pageSize=0", "")]
    [InlineData("startsWith=zz", "")]
    public async Task Get_List_IsOrderedByKeyAndPaged(string query, string expected)
    {
        foreach (string key in new[] { "ab", "a/2", "A/3", "B/1", "a/1" })
        {
            await PutAsync(key, 0, """{"Object":1}""");
        }

        JsonElement results = (await _server.DbAsync("GET", $"/cmpxchg?&{query}")).Json.GetProperty("Results");

        string[] keys = [.. results.EnumerateArray().Select(one => one.GetProperty("Key").GetString()!)];
        Assert.Equal(expected.Split(' ', StringSplitOptions.RemoveEmptyEntries).OrderBy(key => key.ToLowerInvariant(), StringComparer.Ordinal), keys);
    }

    /// <summary>More than one snapshot gives: the walk goes on behind the last key of the one before.</summary>
    [Fact]
    public async Task Get_ListOverSeveralSnapshots_HasEachValueOnce()
    {
        const int values = 10_500;
        for (int first = 0; first < values; first += 1500)
        {
            string commands = string.Join(',', Enumerable.Range(first, 1500).Select(i =>
                $$$"""{"Id":"v/{{{i:D5}}}","Document":{"Object":{{{i}}}},"Index":0,"Type":"CompareExchangePUT"}"""));
            Assert.Equal(201, (await BatchAsync(commands)).Status);
        }

        int before = _server.Probe.ScopesBegun;
        JsonElement results = (await _server.DbAsync("GET", "/cmpxchg?startsWith=v/")).Json.GetProperty("Results");

        Assert.True(_server.Probe.ScopesBegun - before > 1);
        Assert.Equal(Enumerable.Range(0, values), results.EnumerateArray().Select(one => one.GetProperty("Value").GetProperty("Object").GetInt32()));
    }

    [Theory]
    [InlineData("", "{}", "'key' is missing")]
    [InlineData("key=a", """{"Object":1}""", "'index' is missing")]
    [InlineData("key=a&index=x", """{"Object":1}""", "'index' is 'x'")]
    [InlineData("key=a&index=-1", """{"Object":1}""", "'index' is '-1'")]
    [InlineData("key=a%00b&index=0", """{"Object":1}""", "holds the character NUL")]
    [InlineData("key=a&index=0", "", "A compare exchange value is missing")]
    [InlineData("key=a&index=0", "[]", "A compare exchange value must be an object")]
    [InlineData("key=a&index=0", "{}", "no member 'Object'")]
    [InlineData("key=a&index=0", """{"object":1}""", "'Object' and '@metadata' only")]
    [InlineData("key=a&index=0", """{"Object":1,"Other":2}""", "'Object' and '@metadata' only")]
    [InlineData("key=a&index=0", """{"Object":1,"Object":2}""", "Object occurs twice")]
    [InlineData("key=a&index=0", """{"Object":1,"@metadata":null,"@metadata":{}}""", "@metadata occurs twice")]
    [InlineData("key=a&index=0", """{"Object":1,"@metadata":[]}""", "@metadata must be an object")]
    [InlineData("key=a&index=0", """{"Object":{"a":1,"a":2}}""", "'a'")]
    [InlineData("key=a&index=0", """{"Object":1}x""", "the end of the text")]
    public async Task Put_BadKeyIndexOrBody_IsRefused(string query, string body, string message)
    {
        Answer answer = await _server.DbAsync("PUT", $"/cmpxchg?{query}", body);

        answer.AssertProblem(400, "Exception", message);
        Assert.Equal("""{"Results":[]}""", (await _server.DbAsync("GET", "/cmpxchg")).Text);
    }

    [Fact]
    public async Task Put_LongestKeyAndLargestValue_AreTheBounds()
    {
        const int text = (1024 * 1024) - 13; // Beside {"Object":""}
        string key = new('k', 512);

        Assert.Equal(200, (await PutAsync(key, 0, $$"""{"Object":"{{new string('v', text)}}"}""")).Status);
        Assert.Equal(text, (await GetOneAsync(key)).GetProperty("Value").GetProperty("Object").GetString()!.Length);
        (await PutAsync(key + "k", 0, """{"Object":1}""")).AssertProblem(400, "CompareExchangeKeyTooBigException", "longer than 512 bytes");
        (await PutAsync("k", 0, $$"""{"Object":"{{new string('v', text + 1)}}"}""")).AssertProblem(413, "Exception", "1048577 bytes", "1048576");
        (await PutAsync("k", 0, $$"""{"Object":1{{new string(' ', 2 * 1024 * 1024)}}}""")).AssertProblem(413, "Exception", "compare exchange value");
        (await _server.DbAsync("GET", $"/cmpxchg?key={key}k")).AssertProblem(400, "CompareExchangeKeyTooBigException", "longer than 512 bytes");
        (await _server.DbAsync("GET", "/cmpxchg?key=")).AssertProblem(400, "ArgumentException", "is empty");
    }

    [Fact]
    public async Task Batch_PutsAndDeletes_AnswersEachAndTheTransaction()
    {
        await PutAsync("old", 0, """{"Object":1}""");

        Answer answer = await BatchAsync("""
            {"Id":"New","Document":{"Object":{"a":1},"@metadata":{"@collection":5}},"Index":0,"Type":"CompareExchangePUT"},
            {"Type":"CompareExchangeDELETE","Id":"OLD","Index":1},
            {"Index":0,"Type":"CompareExchangePUT","Document":{"Object":null},"Id":"other"},
            {"Id":"none","Index":0,"Type":"CompareExchangeDELETE"}
            """);

        Assert.Equal(201, answer.Status);
        Assert.Equal(
            """{"Results":[{"Type":"CompareExchangePUT","Key":"New","Index":2},{"Type":"CompareExchangeDELETE","Key":"OLD","Index":2},""" +
                """{"Type":"CompareExchangePUT","Key":"other","Index":2},{"Type":"CompareExchangeDELETE","Key":"none","Index":2}],"TransactionIndex":2}""",
            answer.Text);
        Assert.Equal("""{"Object":{"a":1},"@metadata":{"@collection":5}}""", (await GetOneAsync("new")).GetProperty("Value").GetRawText());
        Assert.Equal(404, (await _server.DbAsync("GET", "/cmpxchg?key=old")).Status);
        Assert.Contains("\"TransactionIndex\":5", (await BatchAsync("""{"Id":"x","Index":0,"Type":"CompareExchangeDELETE"}""")).Text, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Batch_OtherIndices_NamesEachAndWritesNothing()
    {
        await PutAsync("a", 0, """{"Object":1}""");

        Answer answer = await BatchAsync("""
            {"Id":"new","Document":{"Object":1},"Index":0,"Type":"CompareExchangePUT"},
            {"Id":"a","Document":{"Object":2},"Index":0,"Type":"CompareExchangePUT"},
            {"Id":"none","Index":3,"Type":"CompareExchangeDELETE"},
            {"Id":"NEW","Index":0,"Type":"CompareExchangeDELETE"}
            """);

        answer.AssertProblem(
            409, "ClusterTransactionConcurrencyException", "'a' has index 1, but the transaction expected 0",
            "'none' has index 0, but the transaction expected 3", "'NEW' has index 0, but the transaction expected 0, and changes it twice");
        Assert.Equal(
            """[{"Id":"a","Type":"CompareExchange","Expected":0,"Actual":1},{"Id":"none","Type":"CompareExchange","Expected":3,"Actual":0},""" +
                """{"Id":"NEW","Type":"CompareExchange","Expected":0,"Actual":0}]""",
            answer.Json.GetProperty("ConcurrencyViolations").GetRawText());
        Assert.Equal(404, (await _server.DbAsync("GET", "/cmpxchg?key=new")).Status);
        (await BatchAsync("""{"Id":"a","Index":9,"Type":"CompareExchangeDELETE"}""")).AssertProblem(
            409, "ClusterTransactionConcurrencyException", "'a' has index 1, but the transaction expected 9");
        Assert.Equal(201, (await BatchAsync("""{"Id":"A","Index":1,"Type":"CompareExchangeDELETE"}""")).Status);
    }

    [Theory]
    [InlineData("""{"Id":"d/","Document":{},"Type":"PUT"}""", "ClusterWide", 500, "Command 0 has an id that ends with '/'")]
    [InlineData("""{"Id":"k","Index":0,"Type":"CompareExchangeDELETE"},{"Id":"d","Type":"DELETE","IdPrefixed":true}""",
        "ClusterWide", 500, "Command 1 cannot be part of a cluster-wide transaction")]
    [InlineData("""{"Id":"d","Patch":{"Script":"this.a = 1"},"Type":"PATCH"}""", "ClusterWide", 500, "Command 0 cannot be part of a cluster-wide transaction")]
    [InlineData("", "ClusterWide", 400, "has no commands")]
    [InlineData("""{"Id":"k","Document":{"Object":1},"Index":0,"Type":"CompareExchangePUT"}""", "SingleNode", 400, "needs TransactionMode ClusterWide")]
    [InlineData("""{"Id":"k","Index":0,"Type":"CompareExchangePUT"}""", "ClusterWide", 400, "Document is missing")]
    [InlineData("""{"Id":"k","Document":null,"Index":0,"Type":"CompareExchangePUT"}""", "ClusterWide", 400, "Document is missing")]
    [InlineData("""{"Id":"k","Document":{"a":1},"Index":0,"Type":"CompareExchangePUT"}""", "ClusterWide", 400, "'Object' and '@metadata' only")]
    [InlineData("""{"Id":"k","Document":[1],"Index":0,"Type":"CompareExchangePUT"}""", "ClusterWide", 400, "must be an object")]
    [InlineData("""{"Id":"","Document":{"Object":1},"Index":0,"Type":"CompareExchangePUT"}""", "ClusterWide", 400, "key is empty")]
    [InlineData("""{"Id":"rvn-atomic/x","Document":{"Object":1},"Index":0,"Type":"CompareExchangePUT"}""", "ClusterWide", 500,
        "You cannot manipulate the atomic guard 'rvn-atomic/x' via the cluster-wide session")]
    [InlineData("""{"Id":"RVN-atomic/x","Index":1,"Type":"CompareExchangeDELETE"}""", "ClusterWide", 500,
        "You cannot manipulate the atomic guard 'RVN-atomic/x'")]
    [InlineData("""{"Id":"k","Document":{"Object":1},"Index":-1,"Type":"CompareExchangePUT"}""",
        "ClusterWide", 400, "Index must be a whole number of 0 or more")]
    [InlineData("""{"Id":"k","Index":"1","Type":"CompareExchangeDELETE"}""", "ClusterWide", 400, "Index must be a whole number")]
    [InlineData("""{"Id":"k","Index":1.5,"Type":"CompareExchangeDELETE"}""", "ClusterWide", 400, "Index must be a whole number")]
    [InlineData("""{"Id":"k","Index":99999999999999999999,"Type":"CompareExchangeDELETE"}""", "ClusterWide", 400, "Index must be a whole number")]
    public async Task Batch_ThatCannotBeDone_IsRefusedWhole(string commands, string mode, int status, string message)
    {
        Answer answer = await BatchAsync(commands, mode);

        answer.AssertProblem(status, "Exception", message);
        Assert.Equal(0, _server.Probe.Batches);
    }

    [Theory]
    [InlineData('a')]
    [InlineData('é')]
    public async Task Key_ThatIsTooLong_IsAnErrorOfItsOwnType(char letter)
    {
        string key = new(letter, 1 + (512 / System.Text.Encoding.UTF8.GetByteCount([letter])));
        const string type = "Raven.Client.Exceptions.CompareExchangeKeyTooBigException";
        foreach (Answer answer in new[]
        {
            await PutAsync(key, 0, """{"Object":1}"""),
            await _server.DbAsync("GET", $"/cmpxchg?key={Uri.EscapeDataString(key)}"),
            await _server.DbAsync("DELETE", $"/cmpxchg?key={Uri.EscapeDataString(key)}&index=0"),
            await BatchAsync($$"""{"Id":"{{key}}","Document":{"Object":1},"Index":0,"Type":"CompareExchangePUT"}""", "ClusterWide"),
            await BatchAsync($$"""{"Id":"{{key}}","Index":0,"Type":"CompareExchangeDELETE"}""", "ClusterWide"),
        })
        {
            Assert.Equal(type, answer.Json.GetProperty("Type").GetString());
            Assert.Contains("512 bytes", answer.Json.GetProperty("Message").GetString(), StringComparison.Ordinal);
        }
    }

    [Fact]
    public async Task Guard_OutsideOfClusterWideTransactions_IsWrittenByHand()
    {
        const string guard = "rvn-atomic/users/1";
        Assert.Equal(201, (await BatchAsync("""{"Id":"users/1","Document":{},"Type":"PUT"}""", "ClusterWide")).Status);
        long index = (await _server.DbAsync("GET", $"/cmpxchg?key={guard}")).Json.GetProperty("Results")[0].GetProperty("Index").GetInt64();
        Answer written = await PutAsync(guard, index, """{"Object":{"Id":"users/1","locked":true}}""");
        Assert.True(written.Json.GetProperty("Successful").GetBoolean(), written.Text);
        JsonElement read = (await _server.DbAsync("GET", $"/cmpxchg?key={guard}")).Json.GetProperty("Results")[0];
        Assert.True(read.GetProperty("Value").GetProperty("Object").GetProperty("locked").GetBoolean());
        Answer deleted = await _server.DbAsync("DELETE", $"/cmpxchg?key={guard}&index={read.GetProperty("Index").GetInt64()}");
        Assert.True(deleted.Json.GetProperty("Successful").GetBoolean(), deleted.Text);
    }

    [Fact]
    public async Task MultiGet_OfAValueThatIsNotThere_AnswersSo()
    {
        Answer answer = await _server.DbAsync("POST", "/multi_get", """{"Requests":[{"Url":"/databases/db1/cmpxchg","Query":"?key=a"}]}""");

        Assert.Equal(404, answer.Json.GetProperty("Results")[0].GetProperty("StatusCode").GetInt32());
    }

    private Task<Answer> PutAsync(string key, long index, string body) =>
        _server.DbAsync("PUT", $"/cmpxchg?key={Uri.EscapeDataString(key)}&index={index}&raft-request-id=x", body);

    private Task<Answer> DeleteAsync(string key, long index) => _server.DbAsync("DELETE", $"/cmpxchg?key={key}&index={index}");

    private async Task<JsonElement> GetOneAsync(string key) =>
        Assert.Single((await _server.DbAsync("GET", $"/cmpxchg?key={key}")).Json.GetProperty("Results").EnumerateArray());

    private Task<Answer> BatchAsync(string commands, string mode = "ClusterWide") =>
        _server.DbAsync("POST", "/bulk_docs?raft-request-id=x", $$"""{"Commands":[{{commands}}],"TransactionMode":"{{mode}}"}""");
}
