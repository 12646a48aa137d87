using System.Net;
using System.Net.Http.Json;
using Jackdaw.Cities.Web;
using Jackdaw.Client.Tests.Harness;
using Jackdaw.TestKit;
using Microsoft.AspNetCore.Builder;

namespace Jackdaw.Client.Tests.Samples;

/// <summary>The web sample against a real server.</summary>
public sealed class CitiesWebTests : IAsyncLifetime
{
    private readonly HttpClient _client = new();
    private SocketServer _server = null!;
    private WebApplication _app = null!;

    public async Task InitializeAsync()
    {
        _server = await SocketServer.StartAsync();
        _app = CitiesApp.Build([$"--Jackdaw:Urls:0={_server.Url}", "--Jackdaw:Database=cities", "--urls=http://127.0.0.1:0"]);
        await _app.StartAsync();
        _client.BaseAddress = new Uri(_app.Urls.Single());
    }

    public async Task DisposeAsync()
    {
        _client.Dispose();
        await _app.DisposeAsync();
        await _server.DisposeAsync();
    }

    [Fact]
    public async Task Search_ByPrefixAndNearAPlace_FindsCities()
    {
        Assert.Equal(["Berlin", "Bern", "Bernau bei Berlin"], await NamesAsync("api/cities?prefix=ber&skip=1"));
        Assert.Equal(["Berlin", "Bernau bei Berlin", "Potsdam"], await NamesAsync("api/cities/near?lat=52.52&lng=13.41&km=50"));
        Assert.Empty(await NamesAsync("api/cities?prefix=xyz"));
    }

    [Fact]
    public async Task Edit_OfAnOldVersion_IsRefusedAndNothingIsLost()
    {
        City city = (await _client.GetFromJsonAsync<City[]>("api/cities?prefix=lis"))!.Single();
        string address = $"api/city?id={Uri.EscapeDataString(city.Id!)}";
        CityPage page = (await _client.GetFromJsonAsync<CityPage>(address))!;
        using HttpResponseMessage saved = await _client.PutAsJsonAsync(address, new CityChange("Lisbon", "seven hills", page.Version!));
        Assert.Equal(HttpStatusCode.OK, saved.StatusCode);
        using HttpResponseMessage late = await _client.PutAsJsonAsync(address, new CityChange("Lissabon", "", page.Version!));
        Assert.Equal(HttpStatusCode.Conflict, late.StatusCode);
        CityPage stored = (await _client.GetFromJsonAsync<CityPage>(address))!;
        Assert.Equal(("Lisbon", "seven hills"), (stored.City.Name, stored.City.Note));
        Assert.Equal(["Lisbon"], await NamesAsync("api/cities?prefix=lis")); // also through the cache
    }

    [Fact]
    public async Task Requests_OfNothing_AreRefusedPlainly()
    {
        Assert.Equal(HttpStatusCode.NotFound, (await _client.GetAsync(new Uri("api/city?id=cities/none", UriKind.Relative))).StatusCode);
        Assert.Equal(HttpStatusCode.BadRequest, (await _client.PutAsJsonAsync("api/city?id=cities/none", new CityChange(" ", "", ""))).StatusCode);
        Assert.Contains("<title>Cities</title>", await _client.GetStringAsync(new Uri("/", UriKind.Relative)), StringComparison.Ordinal);
        Assert.Equal("Healthy", await _client.GetStringAsync(new Uri("health", UriKind.Relative)));
    }

    [Fact]
    public async Task Read_OfWhatHasNotChanged_NeedsNoRequest()
    {
        City city = (await _client.GetFromJsonAsync<City[]>("api/cities?prefix=lis"))!.Single();
        string address = $"api/city?id={Uri.EscapeDataString(city.Id!)}";
        await Eventually.IsTrueAsync(async () =>
        {
            // Until the notices of the server have begun to arrive, and the last one of the first documents has.
            Traffic before = await TrafficAsync();
            Assert.NotNull(await _client.GetFromJsonAsync<CityPage>(address));
            Traffic after = await TrafficAsync();
            Assert.Equal(before.Requests + before.FromCache + 1, after.Requests + after.FromCache);
            return after == before with { FromCache = before.FromCache + 1 };
        });
    }

    private async Task<Traffic> TrafficAsync() => (await _client.GetFromJsonAsync<Traffic>("api/traffic"))!;

    private async Task<string[]> NamesAsync(string address) =>
        [.. (await _client.GetFromJsonAsync<City[]>(address))!.Select(city => city.Name)];
}
