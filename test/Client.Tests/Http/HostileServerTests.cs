using System.Net;
using System.Text;
using System.Text.Json;
using Jackdaw.Client.BulkInserts;
using Jackdaw.Client.Exceptions;
using Jackdaw.Client.Linq;
using Jackdaw.Client.Operations;
using Jackdaw.Client.Sessions;
using Jackdaw.Client.Tests.Harness;
using Jackdaw.Client.Tests.Sessions;
using Xunit.Abstractions;

namespace Jackdaw.Client.Tests.Http;

/// <summary>Whatever a server answers, a call ends soon, with a result or with an error of the client.</summary>
public sealed class HostileServerTests(ITestOutputHelper output) : IAsyncLifetime
{
    private static readonly TimeSpan s_limit = TimeSpan.FromSeconds(60);

    private readonly int _seed = Environment.TickCount;
    private StoreFixture _fixture = null!;
    private AlteredAnswers _answers = null!;
    private DocumentStore _store = null!;

    public async Task InitializeAsync()
    {
        output.WriteLine($"seed {_seed}");
        _fixture = await StoreFixture.StartAsync();
        using (IAsyncDocumentSession session = _fixture.Store.OpenAsyncSession())
        {
            await session.StoreAsync(new Order { Company = "companies/1" }, "orders/1");
            await session.StoreAsync(new Order { Company = "companies/2" }, "orders/2");
            session.CountersFor("orders/1").Increment("likes");
            await session.SaveChangesAsync();
        }

        _answers = new AlteredAnswers(_fixture.Server.CreateHandler());
        _store = new DocumentStore(_fixture.Server.Url, "db1") { MessageHandler = _answers };
        _store.Conventions.RequestTimeout = TimeSpan.FromSeconds(2);
        _store.Conventions.MaxHttpCacheSize = 0;
        _store.Initialize();
    }

    public async Task DisposeAsync()
    {
        _answers.Alter = null;
        await _store.DisposeAsync();
        await _fixture.DisposeAsync();
    }

    [Theory]
    [InlineData("")]
    [InlineData("null")]
    [InlineData("garbage")]
    [InlineData("[]")]
    [InlineData("{}")]
    [InlineData("7")]
    [InlineData("{\"Results\":null}")]
    [InlineData("{\"Results\":5}")]
    [InlineData("{\"Results\":[]}")]
    [InlineData("{\"Results\":[5]}")]
    [InlineData("{\"Results\":[{}]}")]
    [InlineData("{\"Results\":[{\"@metadata\":5}]}")]
    [InlineData("{\"Results\":[{\"@metadata\":{\"@id\":5}}],\"Includes\":7}")]
    [InlineData("{\"Results\":[{\"@metadata\":{\"@id\":\"orders/1\",\"@change-vector\":{}}}],\"Includes\":{\"a\":5}}")]
    [InlineData("{\"Results\":[null,null,null]}")]
    [InlineData("{\"Results\":[{\"Status")]
    public async Task Answers_OfWrongShape_AreErrorsOfTheClient(string body)
    {
        _answers.Alter = _ => new StringContent(body);
        foreach ((string name, Func<Task> call) in Calls())
        {
            await EndsWellAsync(name, call);
        }
    }

    [Fact]
    public async Task Answers_ThatAreNoUtf8_OrVeryDeep_AreErrorsOfTheClient()
    {
        foreach (byte[] body in new[] { [0xFF, 0xFE, 0x00], Encoding.UTF8.GetBytes(new string('[', 100_000)), [0x22, 0xC3, 0x28, 0x22] })
        {
            _answers.Alter = _ => new ByteArrayContent(body);
            foreach ((string name, Func<Task> call) in Calls())
            {
                await EndsWellAsync(name, call);
            }
        }
    }

    [Fact]
    public async Task Answers_Mutated_AreResultsOrErrorsOfTheClient()
    {
        var random = new Random(_seed);
        int errors = 0;
        for (int i = 0; i < 60; i++)
        {
            _answers.Alter = body => new ByteArrayContent(AlteredAnswers.Mutate(body, random));
            foreach ((string name, Func<Task> call) in Calls())
            {
                errors += await EndsWellAsync($"round {i}, {name}", call) ? 0 : 1;
            }
        }

        output.WriteLine($"{errors} errors");
        Assert.True(errors > 100, "hardly any answer was altered");
    }

    [Theory]
    [InlineData(200)]
    [InlineData(500)]
    public async Task Answers_ThatDrip_EndWithTheTimeout(int status)
    {
        _answers.Status = (HttpStatusCode)status;
        _answers.Alter = _ => new StreamContent(new DrippingStream(TimeSpan.FromMilliseconds(100)));
        using IAsyncDocumentSession session = _store.OpenAsyncSession();
        var late = await Assert.ThrowsAsync<RequestTimeoutException>(() => session.LoadAsync<Order>("orders/1").WaitAsync(s_limit));
        Assert.Contains("no answer came within", late.Message, StringComparison.Ordinal);
        using IDocumentSession blocking = _store.OpenSession();
        Assert.Throws<RequestTimeoutException>(() => blocking.Load<Order>("orders/1"));
    }

    [Fact]
    public async Task Answers_OfManyGigabytes_AreRefusedByTheirLength()
    {
        _answers.Alter = _ =>
        {
            var endless = new StreamContent(new DrippingStream(TimeSpan.Zero));
            endless.Headers.ContentLength = 1L << 40;
            return endless;
        };
        using IAsyncDocumentSession session = _store.OpenAsyncSession();
        await Assert.ThrowsAsync<BadResponseException>(() => session.LoadAsync<Order>("orders/1").WaitAsync(s_limit));
    }

    private IEnumerable<(string Name, Func<Task> Call)> Calls()
    {
        yield return ("load", () => WithAsync(session => session.LoadAsync<Order>("orders/1")));
        yield return ("load of many", () => WithAsync(session => session.LoadAsync<Order>(["orders/1", "orders/2", "orders/3"])));
        yield return ("load with includes", () => WithAsync(session => session.Include<Order>(order => order.Company).LoadAsync<Order>("orders/1")));
        yield return ("load by prefix", () => WithAsync(session => session.Advanced.LoadStartingWithAsync<Order>("orders/")));
        yield return ("query", () => WithAsync(session => session.Query<Order>().ToListAsync()));
        yield return ("count", () => WithAsync(session => session.Query<Order>().CountAsync()));
        yield return ("raw query", () => WithAsync(session => session.Advanced.RawQuery<Order>("from Orders").ToListAsync()));
        yield return ("stream", () => WithAsync(async session =>
        {
            await foreach (Order order in session.Query<Order>().AsAsyncEnumerable())
            {
                Assert.NotNull(order);
            }
        }));
        yield return ("exists", () => WithAsync(session => session.Advanced.ExistsAsync("orders/1")));
        yield return ("counters", () => WithAsync(session => session.CountersFor("orders/1").GetAllAsync()));
        yield return ("save", () => WithAsync(async session =>
        {
            await session.StoreAsync(new Order(), "orders/2");
            session.Delete("orders/9");
            await session.SaveChangesAsync();
        }));
        yield return ("new id", () => WithAsync(session => session.StoreAsync(new Order { Company = Guid.NewGuid().ToString() })));
        yield return ("statistics", () => _store.Maintenance.SendAsync(new GetStatisticsOperation()));
        yield return ("collections", () => _store.Maintenance.SendAsync(new GetCollectionStatisticsOperation()));
        yield return ("databases", () => _store.Maintenance.Server.SendAsync(new GetDatabaseNamesOperation(0, 10)));
        yield return ("bulk insert", BulkInsertAsync);
    }

    private async Task BulkInsertAsync()
    {
        await using BulkInsertOperation bulk = _store.BulkInsert();
        await bulk.StoreAsync(new Order(), "orders/4");
    }

    private async Task WithAsync(Func<IAsyncDocumentSession, Task> call)
    {
        using IAsyncDocumentSession session = _store.OpenAsyncSession();
        await call(session);
    }

    /// <returns>Whether it succeeded.</returns>
    private async Task<bool> EndsWellAsync(string name, Func<Task> call)
    {
        try
        {
            await call().WaitAsync(s_limit);
            return true;
        }
        catch (Exception error) when (error is DocumentDatabaseException or JsonException { Path: not null })
        {
            return false;
        }
        catch (Exception error)
        {
            throw new InvalidOperationException($"seed {_seed}: {name} ended with {error.GetType().Name}", error);
        }
    }

    /// <summary>A body that has no end.</summary>
    private sealed class DrippingStream(TimeSpan pause) : Stream
    {
        public override bool CanRead => true;

        public override bool CanSeek => false;

        public override bool CanWrite => false;

        public override long Length => throw new NotSupportedException();

        public override long Position
        {
            get => throw new NotSupportedException();
            set => throw new NotSupportedException();
        }

        public override int Read(byte[] buffer, int offset, int count)
        {
            Thread.Sleep(pause);
            buffer[offset] = (byte)' ';
            return 1;
        }

        public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
        {
            await Task.Delay(pause, cancellationToken);
            buffer.Span[0] = (byte)' ';
            return 1;
        }

        public override void Flush()
        {
        }

        public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

        public override void SetLength(long value) => throw new NotSupportedException();

        public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();
    }
}
