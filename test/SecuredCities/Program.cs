// The .NET client over https, for the end-to-end test (test/EndToEnd/security.js): a program with a certificate, as users write it.
// usage: Jackdaw.SecuredCities URL DATABASE CERTIFICATE-FILE AUTHORITIES-FILE [CITIES-FILE]
// With a file it creates the database and stores all cities. Always: it watches, changes one city, and asks for those of a country.
using System.Text.Json;
using Jackdaw.Client;
using Jackdaw.Client.BulkInserts;
using Jackdaw.Client.Linq;
using Jackdaw.Client.Operations.Certificates;
using Jackdaw.Client.Sessions;
using Jackdaw.SecuredCities;

await using DocumentStore store = new DocumentStore(args[0], args[1])
{
    CertificateFile = args[2],
    TrustedAuthoritiesFile = args[3],
}.Initialize();
ListedCertificate own = await store.Maintenance.Server.SendAsync(new GetOwnCertificateOperation());
int stored = 0;
if (args.Length > 4)
{
    await store.EnsureDatabaseExistsAsync();
    await using FileStream file = File.OpenRead(args[4]);
    await using BulkInsertOperation bulk = store.BulkInsert();
    await foreach (City? city in JsonSerializer.DeserializeAsyncEnumerable<City>(file, JsonSerializerOptions.Web))
    {
        await bulk.StoreAsync(city!, $"cities/{++stored}");
    }
}

using var noticed = new SemaphoreSlim(0);
using IDisposable watch = store.Changes().ForDocument("cities/1").Subscribe(_ => noticed.Release());
await store.Changes().ForDocument("cities/1").EnsureSubscribedNow();
using IAsyncDocumentSession session = store.OpenAsyncSession();
City first = (await session.LoadAsync<City>("cities/1"))!;
first.Note = $"seen by {own.Name}";
await session.SaveChangesAsync();
bool wasNoticed = await noticed.WaitAsync(TimeSpan.FromSeconds(30));
int swiss = await session.Query<City>().Customize(query => query.WaitForNonStaleResults()).CountAsync(city => city.Country == "CH");
Console.WriteLine(JsonSerializer.Serialize(new { stored, own.Name, wasNoticed, swiss }));
