using Jackdaw.Client.Caching;
using Jackdaw.Client.Conventions;
using Jackdaw.Client.Exceptions;
using Jackdaw.Client.Sessions;
using Jackdaw.Client.Tests.Harness;
using Jackdaw.TestKit;
using Xunit.Abstractions;

namespace Jackdaw.Client.Tests.Caching;

/// <summary>Stores that read through their caches while others write, connections are cut and the server restarts: nobody gets what is older than what
/// his store was told of, or another document, and at the end everybody sees everything.</summary>
public sealed class CacheUnderFailureTests(ITestOutputHelper output)
{
    private const int Documents = 400;
    private const int Stores = 8;
    private const int Writers = 2;

    /// <summary>One of so many reads at least is to be answered without a request: a store whose connection was cut reads on until it has been so.</summary>
    private const int ReadsPerHitMax = 20;

    private static readonly TimeSpan s_restartEvery = TimeSpan.FromSeconds(5);
    private static readonly TimeSpan s_settleMax = TimeSpan.FromSeconds(90);

    private readonly int _seed = Environment.TickCount;
    private readonly long[] _acknowledged = new long[Documents];
    private long _reads;
    private long _refused;
    private long _writes;
    private volatile bool _isOver;

    [Fact]
    public Task Reads_WhileAllFails_AreNeverOlderThanWhatWasTold() => RunAsync(readsPerStore: 5_000, restarts: 1);

    [Fact]
    [Trait("Tier", "Full")]
    public Task Reads_AMillion_AreNeverOlderThanWhatWasTold() => RunAsync(readsPerStore: 125_000, restarts: 10);

    private async Task RunAsync(int readsPerStore, int restarts)
    {
        output.WriteLine($"seed {_seed}");
        await using SocketServer server = await SocketServer.StartWithFilesAsync("db1");
        await using var writing = new DocumentStore(server.Url, "db1");
        writing.Initialize();
        await FillAsync(writing);
        Reader[] readers = [.. Enumerable.Range(0, Stores).Select(i => new Reader(server.Url, ModeOf(i)))];
        Task[] others =
        [
            .. Enumerable.Range(0, Writers).Select(i => Task.Run(() => WriteAsync(writing, i))),
            Task.Run(() => MarkAsync(writing, readers)),
            Task.Run(() => CutAsync(readers)),
            Task.Run(() => RestartAsync(server, restarts)),
        ];
        await Task.WhenAll(readers.Select((reader, i) => Task.Run(() => ReadAsync(reader, i, readsPerStore))));
        _isOver = true;
        await Task.WhenAll(others);
        foreach (Reader reader in readers)
        {
            await SettleAsync(reader);
        }

        output.WriteLine(
            $"{_reads} reads, {_refused} failed, {_writes} writes, {readers.Sum(reader => reader.Marks)} marks told, "
            + $"{readers.Sum(reader => reader.Served)} answered without a request");
        Assert.True(_writes > 0 && readers.Sum(reader => reader.Marks) > 0, "nothing was written, or told");
        Assert.True(readers.All(reader => reader.Served > readsPerStore / ReadsPerHitMax), "the caches were not used");
        foreach (Reader reader in readers)
        {
            await reader.DisposeAsync();
        }
    }

    private async Task FillAsync(DocumentStore store)
    {
        await using IAsyncDocumentSession session = store.OpenAsyncSession();
        for (int i = 0; i < Documents; i++)
        {
            await session.StoreAsync(new Item { Version = _acknowledged[i] = 1 }, IdOf(i));
        }

        await session.SaveChangesAsync();
    }

    // Each document has one writer, so versions rise.
    private async Task WriteAsync(DocumentStore store, int writer)
    {
        var random = new Random(_seed + writer);
        while (!_isOver)
        {
            int number = (random.Next(Documents / Writers) * Writers) + writer;
            try
            {
                await using IAsyncDocumentSession session = store.OpenAsyncSession(new SessionOptions { NoCaching = true });
                Item item = (await session.LoadAsync<Item>(IdOf(number)))!;
                item.Version++;
                await session.SaveChangesAsync();
                Volatile.Write(ref _acknowledged[number], item.Version);
                Interlocked.Increment(ref _writes);
            }
            catch (DocumentDatabaseException)
            {
                // The server restarts. Whether it was written is seen by the next load.
            }

            await Task.Delay(random.Next(3)); // the pace of a writer
        }
    }

    /// <summary>Writes marks: who is told of one was told of all that was acknowledged before it was sent.</summary>
    private async Task MarkAsync(DocumentStore store, Reader[] readers)
    {
        for (int mark = 1; !_isOver; mark++)
        {
            long[] before = [.. _acknowledged];
            Array.ForEach(readers, reader => reader.Expect($"marks/{mark}", before));
            try
            {
                await using IAsyncDocumentSession session = store.OpenAsyncSession();
                await session.StoreAsync(new Item(), $"marks/{mark}");
                await session.SaveChangesAsync();
            }
            catch (DocumentDatabaseException)
            {
            }

            await Task.Delay(10); // the pace of the marks
        }
    }

    private async Task CutAsync(Reader[] readers)
    {
        var random = new Random(_seed - 1);
        while (!_isOver)
        {
            readers[random.Next(readers.Length)].Connections.Cut();
            await Task.Delay(200 + random.Next(400)); // the pace of the cuts
        }
    }

    private async Task RestartAsync(SocketServer server, int restarts)
    {
        for (int i = 0; i < restarts && !_isOver; i++)
        {
            await server.RestartAsync();
            await Task.Delay(s_restartEvery); // the pace of the restarts
        }
    }

    private async Task ReadAsync(Reader reader, int store, int count)
    {
        var random = new Random(_seed + 100 + store);
        long[] seen = new long[Documents];
        using IDisposable scope = reader.Enter();
        for (int done = 0; done < count || (reader.Served <= count / ReadsPerHitMax && done < count * ReadsPerHitMax);)
        {
            int number = random.Next(Documents);
            long told = reader.FloorOf(number);
            try
            {
                await using IAsyncDocumentSession session = reader.Store.OpenAsyncSession();
                Item item = (await session.LoadAsync<Item>(IdOf(number)))!;
                Assert.Equal(IdOf(number), item.Id);
                Assert.True(item.Version >= seen[number], $"store {store}: {item.Id} went from {seen[number]} back to {item.Version}");
                Assert.True(item.Version >= told, $"store {store}: {item.Id} is {item.Version} after the store was told of {told}");
                seen[number] = item.Version;
                reader.Served += session.Advanced.NumberOfRequests == 0 ? 1 : 0;
                Interlocked.Increment(ref _reads);
                done++;
            }
            catch (DocumentDatabaseException)
            {
                Interlocked.Increment(ref _refused);
                await Task.Delay(5); // the server restarts: requests in a tight loop would keep it from that
            }
        }
    }

    /// <summary>With nobody writing, every answer of the cache becomes the stored document and stays so.</summary>
    private async Task SettleAsync(Reader reader)
    {
        using IDisposable scope = reader.Enter();
        await Eventually.ReadAsync(() => CountOldAsync(reader), old => old == 0, old => $"{old} documents stay old", s_settleMax);

        Assert.Equal(0, await CountOldAsync(reader));
    }

    private async Task<int> CountOldAsync(Reader reader)
    {
        int old = 0;
        for (int i = 0; i < Documents; i++)
        {
            await using IAsyncDocumentSession session = reader.Store.OpenAsyncSession();
            Item item = (await session.LoadAsync<Item>(IdOf(i)))!;
            old += item.Version < Volatile.Read(ref _acknowledged[i]) ? 1 : 0;
        }

        return old;
    }

    private static AggressiveCacheMode ModeOf(int store) => store % 4 == 3 ? AggressiveCacheMode.BackgroundRefresh : AggressiveCacheMode.TrackChanges;

    private static string IdOf(int number) => $"items/{number}";

    private sealed class Item
    {
        public string? Id { get; set; }

        public long Version { get; set; }
    }

    /// <summary>One store with what it was told so far.</summary>
    private sealed class Reader : IChangeNotices, IAsyncDisposable
    {
        private readonly Dictionary<string, long[]> _expected = new(StringComparer.OrdinalIgnoreCase);
        private readonly Lock _lock = new(); // guards what is expected
        private readonly AggressiveCacheMode _mode;
        private readonly IDisposable _subscription;
        private volatile long[] _floor = new long[Documents];

        public Reader(string address, AggressiveCacheMode mode)
        {
            _mode = mode;
            Store = new DocumentStore(address, "db1") { MessageHandler = Connections.Handler };
            Store.Initialize();
            _subscription = ((IRecordStore)Store).SubscribeToRecords(null, this);
        }

        public CuttableConnections Connections { get; } = new();

        public DocumentStore Store { get; }

        public int Served { get; set; }

        public int Marks { get; private set; }

        public IDisposable Enter() => Store.AggressivelyCacheFor(TimeSpan.FromHours(1), _mode);

        public void Expect(string mark, long[] before)
        {
            lock (_lock)
            {
                _expected[mark] = before;
            }
        }

        /// <summary>Not with refresh in the background, which gives what is old for a while.</summary>
        public long FloorOf(int number) => _mode == AggressiveCacheMode.TrackChanges ? _floor[number] : 0;

        public async ValueTask DisposeAsync()
        {
            _subscription.Dispose();
            await Store.DisposeAsync();
        }

        void IChangeNotices.OnDocumentsChanged(ReadOnlySpan<string> ids, ReadOnlySpan<string> collections)
        {
            foreach (string id in ids)
            {
                lock (_lock)
                {
                    if (_expected.Remove(id, out long[]? before))
                    {
                        _floor = [.. _floor.Zip(before, Math.Max)];
                        Marks++;
                    }
                }
            }
        }

        void IChangeNotices.OnIndexChanged(string name)
        {
        }

        void IChangeNotices.OnCompareExchangeChanged(string key)
        {
        }

        void IChangeNotices.OnAnythingChanged()
        {
        }

        void IChangeNotices.OnConnected()
        {
        }

        void IChangeNotices.OnLost()
        {
        }
    }
}
