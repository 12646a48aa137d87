using System.Text;
using System.Text.Json;
using Jackdaw.Client.BulkInserts;
using Jackdaw.Client.Exceptions;
using Jackdaw.Client.Linq;
using Jackdaw.Client.Requests;
using Jackdaw.Client.Sessions;
using Jackdaw.Client.Tests.Harness;

namespace Jackdaw.Client.Tests.Sessions;

/// <summary>Results one by one.</summary>
public sealed class StreamTests : IAsyncLifetime
{
    private const int Many = 100_000;

    private StoreFixture _fixture = null!;

    private DocumentStore Store => _fixture.Store;

    public async Task InitializeAsync() => _fixture = await StoreFixture.StartAsync();

    public async Task DisposeAsync() => await _fixture.DisposeAsync();

    [Fact]
    public async Task Stream_ByIds_HasWhatEachDocumentIs()
    {
        await FillAsync(30);
        using IAsyncDocumentSession session = Store.OpenAsyncSession();
        List<StreamResult<Order>> all = await ListAsync(session.Advanced.StreamAsync<Order>("orders/"));
        Assert.Equal(30, all.Count);
        StreamResult<Order> one = all.Single(result => result.Document.Number == 7);
        Assert.Equal(("orders/0000007", "orders/0000007", "companies/7"), (one.Id, one.Document.Id, one.Document.Company));
        Assert.Equal("Orders", one.Metadata.GetString("@collection"));
        Assert.Equal(one.ChangeVector, one.Metadata.GetString("@change-vector"));
        Assert.False(session.Advanced.IsLoaded(one.Id!));
        Assert.Equal(1, session.Advanced.NumberOfRequests);
        Assert.Equal(
            ["orders/0000012", "orders/0000013"],
            (await ListAsync(session.Advanced.StreamAsync<Order>("orders/", matches: "00000*", start: 1, pageSize: 2, startAfter: "orders/0000010")))
                .Select(result => result.Id));
        Assert.True((await ListAsync(session.Advanced.StreamAsync<Order>(""))).Count >= 30);
        using IDocumentSession sync = Store.OpenSession();
        Assert.Equal(all.Select(result => result.Id), sync.Advanced.Stream<Order>("orders/").Select(result => result.Id));
    }

    [Fact]
    public async Task Stream_OfAQuery_HasDocumentsAndProjections()
    {
        await FillAsync(30);
        using IAsyncDocumentSession session = Store.OpenAsyncSession();
        IQueryable<Order> query = session.Query<Order>().Where(order => order.Number >= 20).OrderBy(order => order.Number);
        List<StreamResult<Order>> all = await ListAsync(session.Advanced.StreamAsync(query));
        Assert.Equal(Enumerable.Range(20, 10), all.Select(result => result.Document.Number));
        Assert.Equal("orders/0000020", all[0].Id);
        Assert.NotEmpty(all[0].ChangeVector!);
        Assert.Equal(["companies/0"], (await ListAsync(session.Advanced.StreamAsync(
            session.Query<Order>().Where(order => order.Number == 0).Select(order => order.Company)))).Select(result => result.Document));
        Assert.Equal(3, (await ListAsync(session.Advanced.StreamAsync(
            session.Advanced.RawQuery<Order>("from Orders where Number < $n").AddParameter("n", 3)))).Count);
        using IDocumentSession sync = Store.OpenSession();
        Assert.Equal(all.Select(result => result.Id), sync.Advanced.Stream(
            sync.Query<Order>().Where(order => order.Number >= 20).OrderBy(order => order.Number)).Select(result => result.Id));
        Assert.Equal(3, sync.Advanced.Stream(sync.Advanced.RawQuery<Order>("from Orders where Number < 3")).Count());
        Assert.Equal(2, sync.Advanced.NumberOfRequests);
    }

    [Fact]
    public async Task Stream_ThatCannotBegin_SaysWhy()
    {
        using IAsyncDocumentSession session = Store.OpenAsyncSession();
        await Assert.ThrowsAsync<IndexDoesNotExistException>(() => ListAsync(session.Advanced.StreamAsync(session.Query<Order>("None"))));
        RawQuery<Order> wrong = session.Advanced.RawQuery<Order>("from Orders where where");
        await Assert.ThrowsAsync<InvalidQueryException>(() => ListAsync(session.Advanced.StreamAsync(wrong)));
        using IDocumentSession sync = Store.OpenSession();
        Assert.Throws<IndexDoesNotExistException>(() => sync.Advanced.Stream(sync.Query<Order>("None")).Count());
        sync.Advanced.MaxNumberOfRequestsPerSession = 1;
        Assert.Throws<TooManyRequestsInSessionException>(() => sync.Advanced.Stream<Order>("orders/").Count());
    }

    [Fact]
    public async Task Stream_ThatIsNotFound_IsAnErrorAndNotEmpty()
    {
        await using var store = new DocumentStore(Store.Urls[0], "db1") { MessageHandler = new NotFoundHandler() };
        store.Initialize();
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        IndexDoesNotExistException missing = await Assert.ThrowsAsync<IndexDoesNotExistException>(
            () => ListAsync(session.Advanced.StreamAsync(session.Query<Order>("None"))));
        Assert.Equal("no None", missing.Message);
        using IDocumentSession sync = store.OpenSession();
        Assert.Throws<IndexDoesNotExistException>(() => sync.Advanced.Stream(sync.Query<Order>("None")).Count());
    }

    [Fact]
    public async Task Stream_OfVeryManyDocuments_TakesTheSameMemoryForEach()
    {
        await FillAsync(Many);
        using IDocumentSession session = Store.OpenSession();
        AllocatedPerDocument(session, 1000); // with what is made once
        long few = AllocatedPerDocument(session, 1000);
        long all = AllocatedPerDocument(session, Many);
        Assert.True(all < 4096, $"{all} bytes for each document");
        Assert.True(all <= few * 11 / 10, $"{few} bytes for each of 1000 documents, {all} for each of {Many}");

        using IAsyncDocumentSession other = Store.OpenAsyncSession();
        int count = 0;
        await foreach (StreamResult<Order> result in other.Advanced.StreamAsync(other.Query<Order>()))
        {
            count++;
        }

        Assert.Equal(Many, count);
    }

    [Fact]
    public async Task Stream_ThatIsAbandoned_GivesItsConnectionBack()
    {
        await FillAsync(Many);
        var connections = (SocketsHttpHandler)_fixture.Server.CreateHandler();
        connections.MaxConnectionsPerServer = 1;
        await using var store = new DocumentStore(Store.Urls[0], "db1") { MessageHandler = connections };
        store.Initialize();
        using var deadline = new CancellationTokenSource(TimeSpan.FromSeconds(60));
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        for (int i = 0; i < 3; i++)
        {
            await foreach (StreamResult<Order> result in session.Advanced.StreamAsync<Order>("orders/", token: deadline.Token))
            {
                Assert.Equal(0, result.Document.Number);
                break;
            }

            await foreach (Order order in session.Query<Order>().AsAsyncEnumerable(deadline.Token))
            {
                break;
            }

            Assert.NotNull(await session.LoadAsync<Order>($"orders/000000{i}", deadline.Token));
        }

        using IDocumentSession sync = store.OpenSession();
        Assert.Equal(0, sync.Advanced.Stream<Order>("orders/").First().Document.Number);
        Assert.NotNull(sync.Load<Order>("orders/0000001"));
    }

    [Fact]
    public async Task LoadIntoStream_CopiesWhatTheServerSends()
    {
        await FillAsync(3);
        using IAsyncDocumentSession session = Store.OpenAsyncSession();
        var output = new MemoryStream();
        await session.Advanced.LoadIntoStreamAsync(["orders/0000001", "orders/none"], output);
        using (JsonDocument json = JsonDocument.Parse(output.ToArray()))
        {
            JsonElement results = json.RootElement.GetProperty("Results");
            Assert.Equal(1, results[0].GetProperty("Number").GetInt32());
            Assert.Equal(JsonValueKind.Null, results[1].ValueKind);
        }

        output.SetLength(0);
        await session.Advanced.LoadStartingWithIntoStreamAsync("orders/", output, pageSize: 2);
        Assert.Equal(2, Count(output));
        using IDocumentSession sync = Store.OpenSession();
        output.SetLength(0);
        sync.Advanced.LoadIntoStream(["orders/none"], output);
        Assert.Equal(1, Count(output));
        output.SetLength(0);
        sync.Advanced.LoadStartingWithIntoStream("orders/", output, matches: "*2");
        Assert.Equal(1, Count(output));
        Assert.Equal((2, 2), (session.Advanced.NumberOfRequests, sync.Advanced.NumberOfRequests));
    }

    [Fact]
    public void Lines_OfAnyLengthInAnyPieces_AreThoseOfTheText()
    {
        int seed = Environment.TickCount;
        var random = new Random(seed);
        for (int round = 0; round < 50; round++)
        {
            string[] lines = [.. Enumerable.Range(0, random.Next(20)).Select(_ => $"\"{new string('x', random.Next(random.Next(8) == 0 ? 300_000 : 100))}\"")];
            string text = string.Join('\n', lines) + (random.Next(2) == 0 ? "\n" : "");
            using var stream = new PieceStream(Encoding.UTF8.GetBytes(text), random);
            string[] read = [.. JsonLines.Read(stream).Select(line => line.GetRawText())];
            Assert.True(lines.SequenceEqual(read), $"seed {seed}, round {round}");
        }
    }

    private static long AllocatedPerDocument(IDocumentSession session, int count)
    {
        long before = GC.GetAllocatedBytesForCurrentThread();
        int read = 0;
        foreach (StreamResult<Order> result in session.Advanced.Stream<Order>("orders/", pageSize: count))
        {
            read++;
        }

        Assert.Equal(count, read);
        return (GC.GetAllocatedBytesForCurrentThread() - before) / count;
    }

    private static int Count(MemoryStream output)
    {
        using JsonDocument json = JsonDocument.Parse(output.ToArray());
        return json.RootElement.GetProperty("Results").GetArrayLength();
    }

    private static async Task<List<T>> ListAsync<T>(IAsyncEnumerable<T> source)
    {
        List<T> all = [];
        await foreach (T one in source)
        {
            all.Add(one);
        }

        return all;
    }

    private async Task FillAsync(int count)
    {
        await using BulkInsertOperation bulk = Store.BulkInsert();
        for (int i = 0; i < count; i++)
        {
            await bulk.StoreAsync(new Order { Company = $"companies/{i % 10}", Number = i }, $"orders/{i:0000000}");
        }
    }

    /// <summary>Answers as a server does that looks for the index before it streams.</summary>
    private sealed class NotFoundHandler : HttpMessageHandler
    {
        protected override Task<HttpResponseMessage> SendAsync(HttpRequestMessage request, CancellationToken cancellationToken) =>
            Task.FromResult(Send(request, cancellationToken));

        protected override HttpResponseMessage Send(HttpRequestMessage request, CancellationToken cancellationToken) => new(System.Net.HttpStatusCode.NotFound)
        {
            Content = new StringContent("""{"Type":"Raven.Client.Exceptions.Documents.Indexes.IndexDoesNotExistException","Message":"no None"}"""),
        };
    }

    /// <summary>Gives its bytes in pieces of any size.</summary>
    private sealed class PieceStream(byte[] bytes, Random random) : MemoryStream(bytes)
    {
        public override int Read(Span<byte> buffer) => base.Read(buffer[..Math.Min(buffer.Length, random.Next(1, random.Next(1, 20_000) + 1))]);
    }
}
