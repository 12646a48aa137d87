using System.Runtime.InteropServices;
using System.Text.Json;
using Jackdaw.ProcessTests.Harness;
using Jackdaw.TestKit;

namespace Jackdaw.ProcessTests;

/// <summary>Vectors and query vectors that are none, or are far too large, against one process: each is an error that says where and what was expected, the
/// memory stays bounded, writes beside them are answered in time, and the search goes on.</summary>
public sealed class HostileVectorTests(ITestOutputHelper output) : IDisposable
{
    /// <summary>Memory of the process. Bytes: it came to 640 MB, and to 1.1 GB when each number of a query became a value.</summary>
    private const long AnonymousBytesMax = 900L << 20;

    /// <summary>Longer ones take seconds and are for the night. Characters.</summary>
    private const int SmallMax = 1_000_000;

    private const string Dynamic = "from Items where vector.search(V, ";
    private const string Static = "from index 'Items/ByVector' where vector.search(V, ";

    /// <summary>A write beside them, far above what it takes on a busy machine.</summary>
    private static readonly TimeSpan s_writeTimeMax = TimeSpan.FromSeconds(5);

    // What a document or a query has as its vector, and what the error says of it.
    private static readonly (string Json, string Says)[] s_vectors =
    [
        ("[1]", "has 1 dimension, but"),
        (Ones(4096), "has 4,096 dimensions, but"),
        (Ones(4097), "1 to 4,096 dimensions, and this one has 4,097"),
        (Ones(100_000), "1 to 4,096 dimensions, and this one has 100,000"),
        (Ones(4_000_000), "1 to 4,096 dimensions, and this one has 4,000,000"),
        (Base64(float.NaN, 1, 1), "number 1 of the vector is NaN, but a vector has finite numbers"),
        (Base64(1, float.NegativeInfinity, 1), "number 2 of the vector is -Infinity"),
        ("[1e39,1,1]", "number 1 of the vector is 1E+39, but a vector has finite numbers of 32 bits, which reach from -3.4e38 to 3.4e38"),
        ("[1,1,-1e999]", "number 3 of the vector is -Infinity"),
        ("[0,0,0]", "all numbers of the vector are 0"),
        ("\"%%%\"", "not '%%%'"),
        ("\"AACAPw==x\"", "not 'AACAPw==x'"),
        ("\"AACAPwA=\"", "4 bytes for each number of 32 bits, and this one has 5 bytes"),
        ($"\"{new string('A', 8_000_000)}\"", "up to 4,096 numbers, not 'AAAAAAAAAAAA"),
        ("\"a cat!\"", "not 'a cat!'"),
        ("""{"a":1}""", "an object without '@vector'"),
        ("""{"@vector":"zz"}""", "not 'zz'"),
        ("""{"@vector":[1,2]}""", "has 2 dimensions, but"),
        ($$"""{"@vector":{{Ones(1_000_000)}}}""", "1 to 4,096 dimensions, and this one has 1,000,000"),
        (new string('[', 200) + "1" + new string(']', 200), "a list that is nested deeper"),
        ("[1,null,3]", "a list whose value 2 is 'null'"),
        ("[1,\"x\",3]", "a list whose value 2 is 'x'"),
        ("[[1,2,3],[1,2]]", "has 2 dimensions, but"),
        ("[[1,2,3],4]", "a list of vectors and numbers"),
        ("[[]]", " has 0"),
        (Many("[]", 1_000_000), " has 0"),
        (Many("[1,2,3]", 1001), "may have 1,000 vectors"),
        (Many(Ones(4096), 1000), "has 4,096 dimensions, but"),
        ("true", "not 'true'"),
        ("7", "not '7'"),
    ];

    private static readonly (string Json, string Says)[] s_queries =
    [
        .. s_vectors,
        ("[]", "the vector to search for is expected here"),
        ("null", "the vector to search for is expected here"),
        ("[1,2,NaN]", "Found 'N'"),
    ];

    private static readonly (string Arguments, string Says)[] s_arguments =
    [
        ("1.0001", "the minimum similarity is a number from -1 to 1"),
        ("-2", "the minimum similarity is a number from -1 to 1"),
        ("1e999", "the number is too large"),
        ("'x'", "the minimum similarity is a number from -1 to 1"),
        ("null, 0", "the number of candidates is a whole number from 1 to 65,536"),
        ("null, -1", "the number of candidates is a whole number from 1 to 65,536"),
        ("null, 99999999999999999999", "the number of candidates is a whole number from 1 to 65,536"),
    ];

    private readonly TestFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public Task Documents_WithVectorsThatAreNone_AreErrorsThatSayWhere() => StoreAllAsync(Small(s_vectors));

    [Fact]
    public Task Queries_WithVectorsThatAreNone_AreRefused() => AskAllAsync(Small(s_queries));

    [Fact]
    [Trait("Tier", "Full")]
    public Task Documents_WithVectorsOfMegabytes_TakeBoundedMemory() => StoreAllAsync(s_vectors);

    [Fact]
    [Trait("Tier", "Full")]
    public Task Queries_WithVectorsOfMegabytes_TakeBoundedMemory() => AskAllAsync([.. s_queries, .. s_queries, .. s_queries]);

    // Every third, because each costs an index of a process of its own; all of them at night, and in the process of Server.Tests.
    private static (string Json, string Says)[] Small((string Json, string Says)[] all) =>
        [.. all.Where(one => one.Json.Length < SmallMax).Where((_, i) => i % 3 == 0)];

    private Task StoreAllAsync((string Json, string Says)[] documents) => BesideWritesAsync(async server =>
    {
        for (int i = 0; i < documents.Length; i++)
        {
            await StoreAsync(server, $"bad/{i}", documents[i].Json);
        }

        await StoreAsync(server, "items/large", "[1e38,2e38,3e38]");
        await StoreAsync(server, "items/small", "[1e-30,2e-30,3e-30]");
        await StoreAsync(server, "none/null", "null");
        await StoreAsync(server, "none/empty", "[]");
        foreach ((string query, string index) in new[] { (Dynamic, "Auto/Items/ByVector.search(V)"), (Static, "Items/ByVector") })
        {
            Assert.Equal(["items/1", "items/large", "items/small"], await FindAsync(server, query));
            string errors = (await server.ExpectAsync(200, "GET", $"/databases/shop/indexes/errors?name={Uri.EscapeDataString(index)}")).Text;
            using var answer = JsonDocument.Parse(errors);
            var found = answer.RootElement.GetProperty("Results")[0].GetProperty("Errors").EnumerateArray()
                .ToDictionary(error => error.GetProperty("Document").GetString()!, error => error.GetProperty("Error").GetString()!);
            Assert.Equal(documents.Length, found.Count);
            for (int i = 0; i < documents.Length; i++)
            {
                Assert.Contains("V", found[$"bad/{i}"], StringComparison.Ordinal);
                Assert.Contains(documents[i].Says, found[$"bad/{i}"], StringComparison.Ordinal);
                Assert.InRange(found[$"bad/{i}"].Length, 20, 500);
            }
        }
    });

    private Task AskAllAsync((string Json, string Says)[] queries) => BesideWritesAsync(async server =>
    {
        foreach ((string json, string says) in queries)
        {
            await RefusedAsync(server, $"{Dynamic}$v)", json, says);
            await RefusedAsync(server, $"{Static}$v)", json, says);
        }

        foreach ((string arguments, string says) in s_arguments)
        {
            await RefusedAsync(server, $"{Dynamic}$v, {arguments})", "[1,2,3]", says);
            await RefusedAsync(server, $"{Static}$v, {arguments})", "[1,2,3]", says);
        }

        await StoreAsync(server, "bad/1", Ones(100_000));
        await RefusedAsync(server, $"{Dynamic}embedding.forDoc('bad/1'))", "1", "the document 'bad/1' cannot be searched for");
        await RefusedAsync(server, $"{Dynamic}embedding.forDoc('bad/2'))", "1", "there is no document 'bad/2'");
        await RefusedAsync(server, $"{Dynamic}{Ones(100_000)})", "1", "1 to 4,096 dimensions, and this one has 100,000");
        Assert.Equal(["items/1"], await FindAsync(server, Dynamic));
        Assert.Equal(200, (await AskAsync(server, $"{Static}$v, null, 65536)", Many("[1,2,3]", 1000))).Status);
    });

    private async Task BesideWritesAsync(Func<RunningServer, Task> attack)
    {
        using RunningServer server = await RunningServer.StartAsync(_folder);
        await server.CreateDatabaseAsync("shop");
        await StoreAsync(server, "items/1", "[1,2,3]");
        await server.ExpectAsync(201, "PUT", "/databases/shop/admin/indexes", JsonSerializer.Serialize(new
        {
            Indexes = new[]
            {
                new
                {
                    Name = "Items/ByVector",
                    Maps = new[] { "from i in docs.Items select new { V = CreateVector(i.V) }" },
                    Fields = new { V = new { Vector = new { Dimensions = 3 } } },
                },
            },
        }));
        Assert.Equal(["items/1"], await FindAsync(server, Dynamic));
        Assert.Equal(["items/1"], await FindAsync(server, Static));
        await using (var bystander = new Bystander(server))
        {
            await attack(server);
            await bystander.StopAsync();
            output.WriteLine($"{bystander}; {ProcessFigures.Describe(server.Process.Id)}");
            Assert.InRange(bystander.Slowest, TimeSpan.Zero, s_writeTimeMax);
            Assert.InRange(bystander.AnonymousBytes, 0, AnonymousBytesMax);
        }

        Assert.False(server.Process.HasExited);
        await server.AssertServesAsync("shop");
        await server.StopAsync();
    }

    private static async Task StoreAsync(RunningServer server, string id, string vector) =>
        Assert.Equal(201, (await server.PutAsync("shop", id, $$$"""{"V":{{{vector}}},"@metadata":{"@collection":"Items"}}""")).Status);

    private static async Task<string[]> FindAsync(RunningServer server, string query)
    {
        Answer answer = await AskAsync(server, $"{query}$v)", "[1,2,3]");
        Assert.True(answer.Status == 200 && !answer.Json.GetProperty("IsStale").GetBoolean(), answer.Text);
        return [.. answer.Json.GetProperty("Results").EnumerateArray().Select(row => row.GetProperty("@metadata").GetProperty("@id").GetString()!).Order()];
    }

    private static Task<Answer> AskAsync(RunningServer server, string query, string vector) => server.SendAsync(
        "POST", "/databases/shop/queries", $$$"""{"Query":"{{{query}}}","QueryParameters":{"v":{{{vector}}}},"WaitForNonStaleResults":true}""");

    private static async Task RefusedAsync(RunningServer server, string query, string vector, string says)
    {
        Answer answer = await AskAsync(server, query, vector);
        string about = $"{query[..Math.Min(query.Length, 100)]} {vector[..Math.Min(vector.Length, 60)]}: {answer.Status} {answer.Text}";
        Assert.True(answer.Status == 400, about);
        string message = answer.Json.GetProperty("Message").GetString()!;
        Assert.True(message.Contains(says, StringComparison.Ordinal), about);
        Assert.True(message.Length < 300 + query.Length, about);
    }

    private static string Many(string value, int count) => $"[{string.Join(',', Enumerable.Repeat(value, count))}]";

    private static string Ones(int count) => Many("1", count);

    private static string Base64(params float[] numbers) => $"\"{Convert.ToBase64String(MemoryMarshal.AsBytes(numbers.AsSpan()))}\"";
}
