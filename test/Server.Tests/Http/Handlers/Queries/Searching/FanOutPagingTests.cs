using System.Text.Json;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Http.Handlers.Queries.Searching;

/// <summary>Pages of an index with several entries of one document, as clients read them: the next one skips what was taken and what was
/// skipped as repeated.</summary>
public sealed class FanOutPagingTests : IAsyncLifetime
{
    private const int Orders = 60;
    private const string Index = "from index 'Lines'";

    private readonly List<(string Id, int Group, int[] Quantities)> _orders = [];
    private ServerFixture _server = null!;

    public async Task InitializeAsync()
    {
        _server = await ServerFixture.StartAsync();
        int seed = Environment.TickCount;
        Console.WriteLine($"{nameof(FanOutPagingTests)}: seed {seed}");
        var random = new Random(seed);
        for (int i = 0; i < Orders; i++)
        {
            int[] quantities = [.. Enumerable.Range(0, random.Next(6)).Select(_ => random.Next(10))];
            _orders.Add(($"orders/{i}", random.Next(4), quantities));
        }

        await _server.PutAllAsync("Orders", _orders.Select(order => (order.Id, new Dictionary<string, object>
        {
            ["Group"] = order.Group,
            ["Lines"] = order.Quantities.Select(quantity => new { Quantity = quantity }).ToArray(),
        })));
        await _server.PutIndexAsync("Lines", "from o in docs.Orders from l in o.Lines select new { l.Quantity, o.Group }");
    }

    public async Task DisposeAsync() => await _server.DisposeAsync();

    [Theory]
    [InlineData("")]
    [InlineData(" order by Quantity as long")]
    [InlineData(" order by Quantity as long desc, id()")]
    [InlineData(" order by random('seed')")]
    [InlineData(" order by id()")]
    public async Task Pages_ByTheRuleOfClients_HaveEachDocumentOnce(string order)
    {
        foreach (string filter in (string[])["", " filter Group < 2", " filter Group = 9"])
        {
            foreach (string select in (string[])["", " select distinct *"])
            {
                IEnumerable<string> expected = _orders
                    .Where(one => one.Quantities.Any(quantity => quantity < 7) && one.Group < (filter == "" ? 4 : filter.EndsWith('2') ? 2 : 0))
                    .Select(one => one.Id);
                foreach (int size in (int[])[1, 2, 7, 100])
                {
                    string text = $"{Index} where Quantity < 7{order}{filter}{select}";
                    Assert.Equal(expected.Order(StringComparer.Ordinal), (await IdsOfPagesAsync(text, size)).Order(StringComparer.Ordinal));
                }
            }
        }
    }

    [Theory]
    [InlineData("")]
    [InlineData(" order by Quantity as long")]
    public async Task Pages_OfDistinctRows_HaveEachRowOnce(string order)
    {
        foreach (string filter in (string[])["", " filter Group > 1"])
        {
            IEnumerable<string> expected = _orders.Where(one => one.Quantities.Length > 0 && (filter == "" || one.Group > 1))
                .Select(one => $$"""{"Group":{{one.Group}}}""").Distinct();
            foreach (int size in (int[])[1, 2, 100])
            {
                List<JsonElement> rows = await RowsOfPagesAsync($"{Index}{order}{filter} select distinct Group", size);
                Assert.Equal(expected.Order(StringComparer.Ordinal), rows.Select(QueryRequests.WithoutMetadata).Order(StringComparer.Ordinal));
            }
        }
    }

    [Theory]
    [InlineData("", 0)]
    [InlineData(" filter Group >= 0", 0)]
    [InlineData(" order by Quantity as long", 0)]
    [InlineData(" order by Quantity as long", 3)]
    public async Task Page_BehindTheLastEntry_IsEmpty(string rest, int behind)
    {
        int entries = _orders.Sum(one => one.Quantities.Length);
        Answer answer = await _server.QueryAsync($"{Index}{rest} limit {entries + behind}, 10");
        Assert.Equal(0, answer.Json.GetProperty("Results").GetArrayLength());
        Assert.Equal(entries, answer.Json.GetProperty("TotalResults").GetInt32());
    }

    private async Task<List<string>> IdsOfPagesAsync(string text, int size) =>
        [.. (await RowsOfPagesAsync(text, size)).Select(row => row.GetProperty("@metadata").GetProperty("@id").GetString()!)];

    private async Task<List<JsonElement>> RowsOfPagesAsync(string text, int size)
    {
        List<JsonElement> rows = [];
        int skipped = 0;
        for (int page = 0; page <= Orders; page++)
        {
            Answer answer = await _server.QueryAsync($"{text} limit {(page * size) + skipped}, {size}");
            Assert.True(answer.Status == 200, answer.Text);
            JsonElement[] found = [.. answer.Json.GetProperty("Results").EnumerateArray()];
            rows.AddRange(found);
            if (found.Length < size)
            {
                return rows;
            }

            skipped += answer.Json.GetProperty("SkippedResults").GetInt32();
        }

        throw new InvalidOperationException("the pages do not end");
    }
}
