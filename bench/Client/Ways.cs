using System.Text.Json;
using Jackdaw.Client;
using Jackdaw.Client.Linq;
using Jackdaw.Client.Sessions;

namespace Jackdaw.ClientBench;

/// <summary>What a program does with the client, each as a function that does it once; and the same by a bare HttpClient, or by nothing but reading
/// JSON.</summary>
internal sealed class Ways
{
    private const int Documents = 100_000;
    private const int CachedDocuments = 1_000;
    private const int CachedQueries = 100;
    private const int Companies = 1_000;
    private const int PageSize = 10;
    private const int ManyAtOnce = 100;
    private const string Query = "from 'Orders' where Company = $p0 limit 10";

    private readonly DocumentStore _plain;
    private readonly DocumentStore _caching;
    private readonly HttpClient _http;
    private readonly byte[] _body = JsonSerializer.SerializeToUtf8Bytes(Order.Sample(1));
    private readonly JsonSerializerOptions _options = new();

    private readonly CannedServer _canned = new();
    private readonly DocumentStore _ownStore;
    private readonly HttpClient _ownHttp;

    private Ways(string url)
    {
        _ownStore = Stores.Open(url, conventions => conventions.MaxHttpCacheSize = 0, handler: _canned.MakeHandler());
        _ownHttp = new HttpClient(_canned.MakeHandler()) { BaseAddress = new Uri($"{url}/databases/{Stores.Database}/") };
        _plain = Stores.Open(url, conventions => conventions.MaxHttpCacheSize = 0);
        _caching = Stores.Open(url);
        _http = new HttpClient { BaseAddress = new Uri($"{url}/databases/{Stores.Database}/") };
    }

    /// <summary>The functions by their names. They get a number that chooses the document. They last as long as the process.</summary>
    public static async Task<Dictionary<string, Func<int, ValueTask>>> OpenAsync(string url)
    {
        var ways = new Ways(url);
        await Stores.FillAsync(ways._plain, Documents);
        await ways.LearnAsync();
        return new()
        {
            ["deserialize"] = ways.DeserializeAsync,
            ["hit"] = number => ways.LoadHitsAsync(number, isTracking: false),
            ["hit-tracked"] = number => ways.LoadHitsAsync(number, isTracking: true),
            ["query-hit"] = ways.QueryHitsAsync,
            ["session"] = ways.OpenAndCloseAsync,
            ["own-raw-load"] = _ => RawLoadAsync(ways._ownHttp, 1),
            ["own-load"] = _ => LoadAsync(ways._ownStore, 1),
            ["own-raw-query"] = _ => RawQueryAsync(ways._ownHttp, 1),
            ["own-query"] = async _ => Check(await QueryAsync(ways._ownStore, CompanyOf(1))),
            ["raw-load"] = number => RawLoadAsync(ways._http, number),
            ["load"] = number => LoadAsync(ways._plain, number),
            ["load-304"] = number => LoadAsync(ways._caching, number % CachedDocuments),
            ["raw-query"] = number => RawQueryAsync(ways._http, number),
            ["query"] = ways.QueryAsync,
            ["raw-query-one"] = ways.RawQueryOneAsync,
            ["query-one"] = ways.QueryOneAsync,
            ["save"] = ways.SaveAsync,
        };
    }

    /// <summary>How many operations a call is: those without a request are so short that a call does many.</summary>
    public static int OperationsOf(string way) => way is "deserialize" or "hit" or "hit-tracked" or "query-hit" or "session" ? ManyAtOnce : 1;

    private static string IdOf(int number) => $"orders/{number}";

    private static string CompanyOf(int number) => $"companies/{number % Companies}";

    private ValueTask DeserializeAsync(int number)
    {
        for (int i = 0; i < ManyAtOnce; i++)
        {
            Check(JsonSerializer.Deserialize<Order>(_body, _options));
        }

        return default;
    }

    private ValueTask OpenAndCloseAsync(int number)
    {
        for (int i = 0; i < ManyAtOnce; i++)
        {
            using IAsyncDocumentSession session = _plain.OpenAsyncSession();
        }

        return default;
    }

    private async ValueTask LoadHitsAsync(int number, bool isTracking)
    {
        using IDisposable scope = await _caching.AggressivelyCacheAsync();
        for (int i = 0; i < ManyAtOnce; i++)
        {
            using IAsyncDocumentSession session = _caching.OpenAsyncSession(new SessionOptions { NoTracking = !isTracking });
            Check(await session.LoadAsync<Order>(IdOf((number + i) % CachedDocuments)));
        }
    }

    private async ValueTask QueryHitsAsync(int number)
    {
        using IDisposable scope = await _caching.AggressivelyCacheAsync();
        for (int i = 0; i < ManyAtOnce; i++)
        {
            Check(await QueryAsync(_caching, CompanyOf((number + i) % CachedQueries)));
        }
    }

    private static async ValueTask LoadAsync(DocumentStore store, int number)
    {
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        Check(await session.LoadAsync<Order>(IdOf(number)));
    }

    private static async ValueTask RawLoadAsync(HttpClient http, int number)
    {
        byte[] body = await http.GetByteArrayAsync(new Uri("docs?id=" + Uri.EscapeDataString(IdOf(number)), UriKind.Relative));
        Check(JsonSerializer.Deserialize<Answer>(body)?.Results[0]);
    }

    private async ValueTask QueryAsync(int number) => Check(await QueryAsync(_plain, CompanyOf(number)));

    private static async Task<Order> QueryAsync(DocumentStore store, string company)
    {
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        List<Order> found = await session.Query<Order>().Where(order => order.Company == company).Take(PageSize).ToListAsync();
        return found[PageSize - 1];
    }

    private static ValueTask RawQueryAsync(HttpClient http, int number) => RawQueryAsync(
        http, Query, "p0", CompanyOf(number), PageSize);

    private async ValueTask QueryOneAsync(int number)
    {
        using IAsyncDocumentSession session = _plain.OpenAsyncSession();
        string id = IdOf(number);
        Check(await session.Query<Order>().Where(order => order.Id == id).FirstOrDefaultAsync());
    }

    private ValueTask RawQueryOneAsync(int number) => RawQueryAsync(_http, "from 'Orders' where id() = $p0 limit 1", "p0", IdOf(number), 1);

    private static async ValueTask RawQueryAsync(HttpClient http, string query, string name, string value, int count)
    {
        using HttpResponseMessage response = await PostQueryAsync(http, query, name, value);
        byte[] body = await response.EnsureSuccessStatusCode().Content.ReadAsByteArrayAsync();
        Check(JsonSerializer.Deserialize<Answer>(body)?.Results[count - 1]);
    }

    private static async Task<HttpResponseMessage> PostQueryAsync(HttpClient http, string query, string name, string value)
    {
        byte[] sent = JsonSerializer.SerializeToUtf8Bytes(
            new { Query = query, QueryParameters = new Dictionary<string, string> { [name] = value } });
        using var content = new ByteArrayContent(sent);
        content.Headers.ContentType = new("application/json");
        return await http.PostAsync(new Uri("queries", UriKind.Relative), content);
    }

    private async Task LearnAsync()
    {
        await _canned.LearnAsync("GET", await _http.GetAsync(new Uri($"docs?id={IdOf(1)}", UriKind.Relative)));
        await _canned.LearnAsync("POST", await PostQueryAsync(_http, Query, "p0", CompanyOf(1)));
    }

    private async ValueTask SaveAsync(int number)
    {
        using IAsyncDocumentSession session = _plain.OpenAsyncSession();
        await session.StoreAsync(Order.Sample(number), $"saved/{number % CachedDocuments}");
        await session.SaveChangesAsync();
    }

    private static void Check(Order? order)
    {
        if (order is not { Lines.Length: > 0 })
        {
            throw new InvalidOperationException("There is no such order.");
        }
    }

    private sealed record Answer(Order[] Results);
}
