using Jackdaw.Documents.Answers;
using Jackdaw.Documents.Identity;
using Jackdaw.Documents.Reading;
using Jackdaw.Queries.Planning;
using Jackdaw.Queries.Rows;
using Jackdaw.Scripting.Caching;
using Jackdaw.Storage.Transactions;
using Xunit.Abstractions;

namespace Jackdaw.Server.Tests.Http.Handlers.Queries.Searching;

/// <summary>What a query on an existing auto index allocates, from its text to its answer.</summary>
public sealed class QueryAllocationTests(ITestOutputHelper log)
{
    private static readonly QueryScripts s_scripts = new();

    private const int Documents = 500;
    private const int Categories = 20;
    private const int Rounds = 200;

    /// <summary>Bytes, about twice of what was measured with each: room for other runtimes, none for a heap of all entries or a second
    /// reading of the text.</summary>
    [Theory]
    [InlineData("from Products where Category = $p", 40_000)]
    [InlineData("from Products where Category = $p order by Price as double desc limit 10", 44_000)]
    public async Task Query_OnAnIndexThatIsThere_AllocatesLittle(string text, long bytesMax)
    {
        await using ServerFixture server = await ServerFixture.StartAsync();
        for (int i = 0; i < Documents; i++)
        {
            await server.PutAsync($"products/{i}", "Products", $$"""{"Category":"c{{i % Categories}}","Price":{{i}}}""");
        }

        await server.QueryAsync(text, more: new { QueryParameters = new { p = "c1" } });
        Run(server, text);
        long before = GC.GetAllocatedBytesForCurrentThread();
        for (int i = 0; i < Rounds; i++)
        {
            Run(server, text);
        }

        long bytes = (GC.GetAllocatedBytesForCurrentThread() - before) / Rounds;
        log.WriteLine($"{bytes} bytes per query");
        Assert.InRange(bytes, 1, bytesMax);
    }

    private static void Run(ServerFixture server, string text)
    {
        var admission = new AnswerAdmission(1 << 30);
        var request = new QueryRequest { Text = text, Parameters = """{"p":"c7"}"""u8.ToArray() };
        using QueryRun query = QueryRun.Prepare(server.Database, request, s_scripts, CancellationToken.None);
        ValueTask search = query.SearchAsync(TimeSpan.Zero, CancellationToken.None);
        Assert.True(search.IsCompletedSuccessfully, "an index that is up to date is not waited for");
        using var body = new ResponseBuffer(admission);
        using var read = new RenewedRead(server.Database, ReaderKind.List, TimeProvider.System, CancellationToken.None);
        Assert.False(QueryAnswers.Answer(server.Database, read, query, null, body, admission, NodeTag.Default, 0).IsKnown);
    }
}
