// A program that is compiled ahead of time: stores, loads, queries and saves documents.
//   dotnet publish samples/AotConsole -c Release && samples/AotConsole/bin/Release/net10.0/*/publish/Jackdaw.AotConsole http://127.0.0.1:8080 shop
using Jackdaw.AotConsole;
using Jackdaw.Client;
using Jackdaw.Client.Linq;
using Jackdaw.Client.Operations;
using Jackdaw.Client.Sessions;

if (args.Length != 2)
{
    Console.Error.WriteLine("Usage: Jackdaw.AotConsole URL DATABASE, as http://127.0.0.1:8080 shop");
    return 2;
}

await using var store = new DocumentStore(args[0], args[1]);
store.Conventions.TypeInfoResolver = ShopJson.Default;
store.Initialize();
if (!(await store.Maintenance.Server.SendAsync(new GetDatabaseNamesOperation())).Contains(args[1]))
{
    await store.Maintenance.Server.SendAsync(new CreateDatabaseOperation(args[1]));
}

string lampId;
using (IAsyncDocumentSession session = store.OpenAsyncSession())
{
    var since = new DateTime(2025, 2, 14, 0, 0, 0, DateTimeKind.Utc);
    var lamp = new Product { Name = "Lamp", Price = 19.90m, Stock = 3, AddedAt = since, Tags = ["light", "home"] };
    await session.StoreAsync(lamp);
    await session.StoreAsync(new Product { Name = "Table", Price = 120m, Sale = Sale.Ended, AddedAt = since, Tags = ["home"] });
    await session.SaveChangesAsync();
    lampId = lamp.Id!;
}

using (IAsyncDocumentSession session = store.OpenAsyncSession())
{
    Product lamp = await session.LoadAsync<Product>(lampId) ?? throw new InvalidOperationException("The lamp is not there.");
    lamp.Price += 5;
    await session.SaveChangesAsync();
}

using (IAsyncDocumentSession session = store.OpenAsyncSession())
{
    decimal limit = 100;
    List<Product> cheap = await session.Query<Product>().Where(product => product.Price < limit && product.Tags.Contains("home")).ToListAsync();
    List<PriceRow> rows = await session.Query<Product>().OrderByDescending(product => product.Price)
        .Select(product => new PriceRow(product.Name, product.Price)).ToListAsync();
    string[] names = ["Lamp", "Table"];
    int sold = await session.Query<Product>().CountAsync(product => names.Contains(product.Name) && product.AddedAt > DateTime.UnixEpoch
        && (product.Stock > 1 || product.Stock == null) && product.Sale == Sale.Open && product.Tags.Any(tag => tag == "light"));
    var groups = await session.Query<Product>().GroupBy(product => product.Sale)
        .Select(group => new SaleRow(group.Key, group.Count(), group.Sum(product => product.Price))).ToListAsync();
    Console.WriteLine($"on sale: {sold}; {string.Join(", ", groups.OrderBy(row => row.Sale))}");
    Console.WriteLine($"cheap: {string.Join(", ", cheap.Select(product => $"{product.Name} {product.Price}"))}");
    Console.WriteLine($"all: {string.Join(", ", rows.Select(row => $"{row.Name} {row.Price}"))}");
}

return 0;
