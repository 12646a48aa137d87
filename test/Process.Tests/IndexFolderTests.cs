using System.Text.Json;
using Jackdaw.ProcessTests.Harness;

namespace Jackdaw.ProcessTests;

/// <summary><c>jackdaw verify</c> and <c>jackdaw compact</c> on the folders of a database with indexes.</summary>
public sealed class IndexFolderTests : IDisposable
{
    private const int PageBytes = 8192;
    private const int HeaderBytes = 64;
    private const int Orders = 400;

    /// <summary>Orders of one write: some tens of transactions, not hundreds, that each wait for the disk.</summary>
    private const int OrdersOfAWrite = 10;

    /// <summary>Indexes that the queries below make or use.</summary>
    private const int Indexes = 3;

    private static readonly string[] s_queries =
    [
        "from Orders where Company = 'companies/3' order by Total as long",
        "from index 'Texts' where search(Note, 'needle') order by Total as long",
        "from Orders group by Company where count() > 5 select key() as Company, count() as Count",
    ];

    private readonly TestFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    [Trait("Tier", "Full")]
    public Task VerifyAndCompact_DatabaseWithIndexesThatWasKilled_KeepThem() => VerifyAndCompactAsync(isKilled: true);

    [Fact]
    [Trait("Tier", "Full")]
    public Task VerifyAndCompact_DatabaseWithIndexes_KeepThem() => VerifyAndCompactAsync(isKilled: false);

    private async Task VerifyAndCompactAsync(bool isKilled)
    {
        string[] expected = await FillAsync(isKilled);

        ProcessEnd verified = await RunAsync("verify");
        Assert.True(verified.Code == 0, verified.ToString());
        Assert.Equal(2 + Indexes, verified.Output.Split("sound ").Length - 1);
        ProcessEnd compacted = await RunAsync("compact");
        Assert.True(compacted.Code == 0, compacted.ToString());
        Assert.Equal(2 + Indexes, compacted.Output.Split("compacted ").Length - 1);
        ProcessEnd again = await RunAsync("verify");
        Assert.True(again.Code == 0, again.ToString());

        using RunningServer server = await RunningServer.StartAsync(_folder);
        Assert.Equal(expected, await AskAsync(server));
        await server.PutAsync("shop", "orders/new", Order(7));
        Assert.NotEqual(expected, await AskAsync(server));
        await server.StopAsync();
    }

    [Fact]
    [Trait("Tier", "Full")]
    public Task Verify_FlippedBytesInAnIndex_NamesItsFileAndWhatToDo() => FlipAsync(pagesAtLeast: 2);

    [Fact]
    [Trait("Tier", "Full")]
    public Task Verify_FlippedBytesInManyPagesOfAnIndex_NamesItsFileAndWhatToDo() => FlipAsync(pagesAtLeast: 12);

    // Each page is damaged in a run of its own.
    private async Task FlipAsync(int pagesAtLeast)
    {
        string[] expected = await FillAsync(isKilled: false);
        Assert.Equal(0, (await RunAsync("compact")).Code); // leaves no page that nothing needs
        string index = Directory.GetDirectories(Path.Combine(_folder.Database("shop"), "Indexes")).Order(StringComparer.Ordinal).First();
        string data = Path.Combine(index, "data");
        byte[] sound = await File.ReadAllBytesAsync(data);
        int[] pages = [.. Enumerable.Range(0, sound.Length / PageBytes).Where(page => LastByteOf(sound, page) > HeaderBytes)];
        foreach (int page in pages.Where((_, i) => i % Math.Max(1, pages.Length / pagesAtLeast) == 0))
        {
            byte[] damaged = [.. sound];
            damaged[(page * PageBytes) + LastByteOf(sound, page)] ^= 4;
            await File.WriteAllBytesAsync(data, damaged);
            ProcessEnd end = await RunAsync("verify");
            Assert.True(end.Code == 1, $"page {page}: {end}");
            Assert.Contains($"damaged {index}", end.Output, StringComparison.Ordinal);
            Assert.Contains("delete the folder, and the server builds the index again", end.Output, StringComparison.Ordinal);
        }

        Directory.Delete(index, recursive: true);
        using RunningServer server = await RunningServer.StartAsync(_folder);
        Assert.Equal(expected, await AskAsync(server));
    }

    private static int LastByteOf(byte[] file, int page) => file.AsSpan(page * PageBytes, PageBytes).LastIndexOfAnyExcept((byte)0);

    private Task<ProcessEnd> RunAsync(string verb) => JackdawProcess.RunAsync(_folder.Path, verb, _folder.Data);

    private async Task<string[]> FillAsync(bool isKilled)
    {
        using RunningServer server = await RunningServer.StartAsync(_folder);
        await server.CreateDatabaseAsync("shop");
        const string definition = "{\"Indexes\":[{\"Name\":\"Texts\",\"Maps\":[\"from o in docs.Orders select new { o.Note, o.Total }\"]," +
            "\"Fields\":{\"Note\":{\"Indexing\":\"Search\"}},\"Type\":\"Map\"}]}";
        await server.ExpectAsync(201, "PUT", "/databases/shop/admin/indexes", definition);
        await PutAsync(server, Enumerable.Range(0, Orders));

        string[] answers = await AskAsync(server);
        await PutAsync(server, Enumerable.Range(0, Orders).Where(i => i % 3 == 0));

        Assert.Equal(answers, await AskAsync(server));
        if (isKilled)
        {
            await server.Process.KillAsync();
        }
        else
        {
            await server.StopAsync();
        }

        return answers;
    }

    private static async Task PutAsync(RunningServer server, IEnumerable<int> numbers)
    {
        foreach (int[] write in numbers.Chunk(OrdersOfAWrite))
        {
            IEnumerable<string> commands = write.Select(i => $$"""{"Type":"PUT","Id":"orders/{{i}}","Document":{{Order(i)}} }""");
            await server.ExpectAsync(201, "POST", "/databases/shop/bulk_docs", $$"""{"Commands":[{{string.Join(',', commands)}}]}""");
        }
    }

    private static string Order(int number)
    {
        string note = (number % 5 == 0 ? "a needle in" : "only") + " hay " + number;
        return $$$"""{"Company":"companies/{{{number % 7}}}","Total":{{{number}}},"Note":"{{{note}}}","@metadata":{"@collection":"Orders"}}""";
    }

    private static async Task<string[]> AskAsync(RunningServer server)
    {
        List<string> answers = [];
        foreach (string query in s_queries)
        {
            string body = JsonSerializer.Serialize(new { Query = query, WaitForNonStaleResults = true });
            using JsonDocument answer = JsonDocument.Parse((await server.ExpectAsync(200, "POST", "/databases/shop/queries", body)).Text);
            Assert.False(answer.RootElement.GetProperty("IsStale").GetBoolean());
            answers.Add(string.Join('\n', answer.RootElement.GetProperty("Results").EnumerateArray().Select(Describe)));
        }

        return [.. answers];
    }

    private static string? Describe(JsonElement row) =>
        row.TryGetProperty("Note", out JsonElement note) ? note.GetString() : row.GetProperty("Company") + " " + row.GetProperty("Count");
}
