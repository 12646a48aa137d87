using System.Globalization;
using System.Text.Json;
using Jackdaw.Client;
using Jackdaw.Client.BulkInserts;
using Jackdaw.Client.Linq;
using Jackdaw.Client.Operations;
using Jackdaw.Client.Sessions;

namespace Jackdaw.Cities.Web;

/// <summary>Creates the database at the start, and fills it when it is empty.</summary>
internal sealed class FirstCities(IDocumentStore store, IConfiguration configuration) : IHostedService
{
    private static readonly TimeSpan s_indexing = TimeSpan.FromMinutes(5);

    private static readonly City[] s_some =
    [
        new() { Name = "Berlin", Country = "DE", Lat = 52.52437, Lng = 13.41053 },
        new() { Name = "Potsdam", Country = "DE", Lat = 52.39886, Lng = 13.06566 },
        new() { Name = "Bernau bei Berlin", Country = "DE", Lat = 52.67982, Lng = 13.58708 },
        new() { Name = "Bern", Country = "CH", Lat = 46.94809, Lng = 7.44744 },
        new() { Name = "Bergen", Country = "NO", Lat = 60.39299, Lng = 5.32415 },
        new() { Name = "Paris", Country = "FR", Lat = 48.85341, Lng = 2.3488 },
        new() { Name = "Versailles", Country = "FR", Lat = 48.80359, Lng = 2.13424 },
        new() { Name = "Lisboa", Country = "PT", Lat = 38.71667, Lng = -9.13333 },
        new() { Name = "London", Country = "GB", Lat = 51.50853, Lng = -0.12574 },
        new() { Name = "Kraków", Country = "PL", Lat = 50.06143, Lng = 19.93658 },
        new() { Name = "Nairobi", Country = "KE", Lat = -1.28333, Lng = 36.81667 },
        new() { Name = "東京", Country = "JP", Lat = 35.6895, Lng = 139.69171 },
    ];

    public async Task StartAsync(CancellationToken cancellationToken)
    {
        string database = store.Database!;
        IReadOnlyList<string> names = await store.Maintenance.Server.SendAsync(new GetDatabaseNamesOperation(), cancellationToken);
        if (!names.Contains(database, StringComparer.OrdinalIgnoreCase))
        {
            await store.Maintenance.Server.SendAsync(new CreateDatabaseOperation(database), cancellationToken);
        }

        DatabaseStatistics statistics = await store.Maintenance.SendAsync(new GetStatisticsOperation(), cancellationToken);
        if (statistics.CountOfDocuments == 0)
        {
            await FillAsync(cancellationToken);
        }

        // The server makes an index for each kind of search when it is first asked: before anybody waits for it.
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        await session.ByPrefix("").Take(1).Customize(query => query.WaitForNonStaleResults(s_indexing)).ToListAsync(cancellationToken);
        await session.Near(0, 0, 1).Take(1).Customize(query => query.WaitForNonStaleResults(s_indexing)).ToListAsync(cancellationToken);
    }

    public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    private async Task FillAsync(CancellationToken token)
    {
        await using BulkInsertOperation cities = store.BulkInsert();
        if (configuration["Cities:File"] is not { } file)
        {
            foreach (City city in s_some)
            {
                await cities.StoreAsync(city, token: token);
            }

            return;
        }

        await using FileStream stream = File.OpenRead(file);
        await foreach (JsonElement city in JsonSerializer.DeserializeAsyncEnumerable<JsonElement>(stream, cancellationToken: token))
        {
            await cities.StoreAsync(
                new City
                {
                    Name = city.GetProperty("name").GetString()!,
                    Country = city.GetProperty("country").GetString()!,
                    Lat = Degrees(city.GetProperty("lat")),
                    Lng = Degrees(city.GetProperty("lng")),
                },
                token: token);
        }
    }

    // Some lists have them as texts.
    private static double Degrees(JsonElement value) =>
        value.ValueKind == JsonValueKind.Number ? value.GetDouble() : double.Parse(value.GetString()!, CultureInfo.InvariantCulture);
}
