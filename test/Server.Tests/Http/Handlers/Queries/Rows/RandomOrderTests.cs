using Jackdaw.Documents.Reading;
using Jackdaw.Queries.Rows;
using Jackdaw.Storage.Transactions;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Http.Handlers.Queries.Rows;

/// <summary>Collections in random order.</summary>
public sealed class RandomOrderTests : IAsyncLifetime
{
    private const int Users = 50;

    private ServerFixture _server = null!;

    public async Task InitializeAsync()
    {
        _server = await ServerFixture.StartAsync();
        await _server.PutAllAsync("Users", Enumerable.Range(0, Users).Select(i => ($"users/{i}", new Dictionary<string, object> { ["N"] = i })));
        await _server.PutAsync("orders/1", "Orders", "{}");
    }

    public async Task DisposeAsync() => await _server.DisposeAsync();

    [Theory]
    [InlineData("from Users order by random()", "collection/Users", Users)]
    [InlineData("from @all_docs order by random()", "AllDocs", Users + 1)]
    [InlineData("from Users where startsWith(id(), 'users/1') order by random()", "collection/Users", 11)]
    [InlineData("from Users where id() in ('users/1', 'users/2', 'users/3') order by random()", "collection/Users", 3)]
    [InlineData("from Users order by random() filter N < 20", "collection/Users", 20)]
    public async Task Post_Random_HasEachDocumentOnceAndIsACollectionQuery(string query, string index, int count)
    {
        Answer answer = await _server.QueryAsync(query);
        Assert.True(answer.Status == 200, answer.Text);
        Assert.Equal(index, answer.Json.GetProperty("IndexName").GetString());
        Assert.Equal(count, answer.Json.GetProperty("TotalResults").GetInt32());
        Assert.Equal(count, Ids(answer).Distinct().Count());
        Assert.Equal(count, Ids(answer).Count());
        Assert.Null(answer.Header("ETag"));
    }

    [Fact]
    public async Task Post_RandomWithoutASeed_IsAnotherOrderEachTime()
    {
        string[] orders = [.. await Task.WhenAll(Enumerable.Range(0, 3).Select(async _ => await _server.IdsAsync("from Users order by random()")))];
        Assert.Equal(3, orders.Distinct().Count());
    }

    [Fact]
    public async Task Post_RandomWithASeed_IsOneOrderWhosePagesFitTogether()
    {
        const string query = "from Users order by random('seed')";
        string all = await _server.IdsAsync(query);
        Assert.Equal(all, await _server.IdsAsync(query));
        Assert.NotEqual(all, await _server.IdsAsync("from Users order by random('other')"));
        Assert.NotEqual(all, await _server.IdsAsync("from Users"));
        List<string> pages = [];
        for (int skip = 0; skip < Users; skip += 7)
        {
            Answer page = await _server.QueryAsync($"{query} limit {skip}, 7");
            Assert.Equal(Users, page.Json.GetProperty("TotalResults").GetInt32());
            pages.AddRange(Ids(page));
        }

        Assert.Equal(all, string.Join(',', pages));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(7)]
    [InlineData(Users)]
    [InlineData(Users + 1)]
    public void TryGather_PagesOfAnySize_AreOneOrder(int pageMax)
    {
        using var read = new RenewedRead(_server.Database, ReaderKind.List, TimeProvider.System, default);
        List<string> Gather(int size)
        {
            var order = new RandomOrder("Users"u8.ToArray(), prefix: null, seed: 5, size);
            List<string> keys = [];
            while (order.TryGather(read, out IReadOnlyList<byte[]> page))
            {
                Assert.InRange(page.Count, 0, size);
                keys.AddRange(page.Select(System.Text.Encoding.UTF8.GetString));
                read.Renew();
            }

            return keys;
        }

        Assert.Equal(Users, Gather(pageMax).Distinct().Count());
        Assert.Equal(Gather(RandomOrder.PageMax), Gather(pageMax));
    }

    private static IEnumerable<string> Ids(Answer answer) =>
        answer.Json.GetProperty("Results").EnumerateArray().Select(row => row.GetProperty("@metadata").GetProperty("@id").GetString()!);
}
