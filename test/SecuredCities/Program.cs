// The .NET client over https, for the end-to-end test (test/EndToEnd/security.js): a program with a certificate, as users write it.
// usage: Jackdaw.SecuredCities URL DATABASE CERTIFICATE-FILE AUTHORITIES-FILE load CITIES-FILE PART PARTS    stores each city whose number belongs to the part
//        Jackdaw.SecuredCities URL DATABASE CERTIFICATE-FILE AUTHORITIES-FILE use ID NAME                    watches and changes a city, and asks for its name
using System.Globalization;
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
object result = args[4] == "load"
    ? await LoadAsync(args[5], int.Parse(args[6], CultureInfo.InvariantCulture), int.Parse(args[7], CultureInfo.InvariantCulture))
    : await UseAsync(args[5], args[6]);
Console.WriteLine(JsonSerializer.Serialize(result));

async Task<object> LoadAsync(string path, int part, int parts)
{
    int number = 0;
    await using FileStream file = File.OpenRead(path);
    await using BulkInsertOperation bulk = store.BulkInsert();
    await foreach (City? city in JsonSerializer.DeserializeAsyncEnumerable<City>(file))
    {
        if (number++ % parts == part)
        {
            await bulk.StoreAsync(city!, $"cities/{number}");
        }
    }

    return new { stored = bulk.Count };
}

async Task<object> UseAsync(string id, string name)
{
    using var noticed = new SemaphoreSlim(0);
    using IDisposable watch = store.Changes().ForDocument(id).Subscribe(_ => noticed.Release());
    await store.Changes().ForDocument(id).EnsureSubscribedNow();
    ListedCertificate own = await store.Maintenance.Server.SendAsync(new GetOwnCertificateOperation());
    using IAsyncDocumentSession session = store.OpenAsyncSession();
    City city = (await session.LoadAsync<City>(id))!;
    city.Note = "seen over https";
    await session.SaveChangesAsync();
    bool wasNoticed = await noticed.WaitAsync(TimeSpan.FromSeconds(30));
    List<City> found = await session.Query<City>().Customize(query => query.WaitForNonStaleResults()).Where(one => one.Name == name).ToListAsync();
    return new { certificate = own.Name, wasNoticed, found = found.Count(one => one.Name == name) };
}
