using System.Collections.Concurrent;
using System.Diagnostics;
using System.Globalization;
using System.Net.Http.Json;
using Jackdaw.Cities.Web;
using Jackdaw.Client.Sessions;
using Jackdaw.Client.Tests.Caching;
using Jackdaw.Client.Tests.Harness;
using Microsoft.AspNetCore.Builder;
using Microsoft.Extensions.DependencyInjection;

namespace Jackdaw.Client.Tests.Samples;

/// <summary>Readers ask the web sample for cities over HTTP, while another program writes once for each hundred reads.</summary>
/// <remarks>
/// The note of a city is the number of the write that changed it last, its version. A change <em>has been told</em> when the notice of it has reached
/// the store of the sample: the probe listens on the connection of the store's cache, right behind the cache. A read that begins after that must find
/// the version that was told, or a later one. It is not given the time of a round trip to the server: the cache knows already.
/// <para>Writes come in pairs to one city, the second one right after the first has been told: just then readers ask the server for it, and may get what
/// the second one replaces. Reads and writes hold each other back, so that the load is the same on a slow machine: a pair of writes waits until two
/// hundred reads have ended, and at most two hundred more begin before it has been told. So there are always reads beside writes.</para>
/// </remarks>
internal sealed class CitiesLoad : IAsyncDisposable
{
    private const int ReadsPerWrite = 100;
    private const int Pair = 2;

    private readonly int _seed;
    private readonly int _readsMax;
    private readonly WebApplication _app;
    private readonly DocumentStore _writer;
    private readonly NoticeProbe _probe;
    private readonly HttpClient _http = new();
    private readonly CancellationTokenSource _stop = new();
    private readonly SemaphoreSlim _mayRead = new(2 * Pair * ReadsPerWrite);
    private readonly SemaphoreSlim _mayWrite = new(0);
    private readonly ConcurrentQueue<string> _stale = new();
    private readonly int[] _told;
    private int _changed;
    private int _begun;
    private int _ended;

    private CitiesLoad(WebApplication app, DocumentStore writer, int seed, int cities, int reads)
    {
        (_app, _writer, _seed, _told, _readsMax) = (app, writer, seed, new int[cities], reads);
        _probe = new NoticeProbe((DocumentStore)app.Services.GetRequiredService<IDocumentStore>());
        _http.BaseAddress = new Uri(app.Urls.Single());
    }

    /// <summary>Reads that did not find what had been told before they began.</summary>
    public IReadOnlyCollection<string> Stale => _stale;

    public TimeSpan Duration { get; private set; }

    /// <summary>Starts the sample, with a database of its own.</summary>
    public static async Task<CitiesLoad> StartAsync(SocketServer server, bool isCached, int seed, int cities, int reads)
    {
        string database = isCached ? "cached" : "plain";
        WebApplication app = CitiesApp.Build(
            [$"--Jackdaw:Urls:0={server.Url}", $"--Jackdaw:Database={database}", "--urls=http://127.0.0.1:0", $"--Cities:AggressiveCache={isCached}",
            "--Logging:LogLevel:Default=Warning"]);
        await app.StartAsync();
        (await app.Services.GetRequiredService<IDocumentStore>().AggressivelyCacheAsync()).Dispose(); // the connection of the notices is there
        var writer = new DocumentStore(server.Url, database);
        writer.Initialize();
        var load = new CitiesLoad(app, writer, seed, cities, reads);
        await load._probe.AfterAsync(IdOf(cities - 1), () => load.WriteAsync(Enumerable.Range(0, cities), 0));
        return load;
    }

    /// <summary>Runs all reads and writes to their end.</summary>
    public async Task RunAsync(int readers)
    {
        var clock = Stopwatch.StartNew();
        IEnumerable<Task> reading = Enumerable.Range(1, readers).Select(i => StoppingAsync(() => ReadAllAsync(_seed + i)));
        await Task.WhenAll([StoppingAsync(WriteAllAsync), .. reading]);
        Duration = clock.Elapsed;
    }

    /// <summary>Finds each city as it was written last.</summary>
    public async Task CheckAsync()
    {
        for (int city = 0; city < _told.Length; city++)
        {
            Assert.Equal(_told[city], await ReadAsync(city));
        }
    }

    public async ValueTask DisposeAsync()
    {
        _http.Dispose();
        _probe.Dispose();
        await _writer.DisposeAsync();
        await _app.DisposeAsync();
        _stop.Dispose();
    }

    private static string IdOf(int city) => string.Create(CultureInfo.InvariantCulture, $"cities/load-{city}");

    private async Task ReadAllAsync(int seed)
    {
        var random = new Random(seed);
        while (Interlocked.Increment(ref _begun) <= _readsMax)
        {
            await _mayRead.WaitAsync(_stop.Token);

            // Some look at what changed last: others may be reading it just then.
            int city = random.Next(4) == 0 ? Volatile.Read(ref _changed) : random.Next(_told.Length);
            int told = Volatile.Read(ref _told[city]);
            int version = await ReadAsync(city);
            if (version < told)
            {
                _stale.Enqueue($"{IdOf(city)}: {version} was read, {told} had been told before");
            }

            if (Interlocked.Increment(ref _ended) % (Pair * ReadsPerWrite) == 0)
            {
                _mayWrite.Release(Pair);
            }
        }
    }

    private async Task WriteAllAsync()
    {
        var random = new Random(_seed);
        int city = 0;
        for (int version = 1; version <= _readsMax / ReadsPerWrite; version++)
        {
            await _mayWrite.WaitAsync(_stop.Token);
            city = version % Pair == 1 ? random.Next(_told.Length) : city;
            await _probe.AfterAsync(IdOf(city), () => WriteAsync([city], version));
            Volatile.Write(ref _told[city], version);
            Volatile.Write(ref _changed, city);
            _mayRead.Release(ReadsPerWrite);
        }
    }

    private async Task<int> ReadAsync(int city)
    {
        CityPage page = (await _http.GetFromJsonAsync<CityPage>($"api/city?id={Uri.EscapeDataString(IdOf(city))}", _stop.Token))!;
        return int.Parse(page.City.Note, CultureInfo.InvariantCulture);
    }

    private async Task WriteAsync(IEnumerable<int> cities, int version)
    {
        await using IAsyncDocumentSession session = _writer.OpenAsyncSession();
        foreach (int city in cities)
        {
            await session.StoreAsync(new City { Name = $"Load {city}", Note = version.ToString(CultureInfo.InvariantCulture) }, IdOf(city));
        }

        await session.SaveChangesAsync();
    }

    /// <summary>Whoever fails stops all others, which would wait for it.</summary>
    private async Task StoppingAsync(Func<Task> work)
    {
        try
        {
            await work();
        }
        catch
        {
            await _stop.CancelAsync();
            throw;
        }
    }
}
