using Jackdaw.Client;
using Jackdaw.Client.Exceptions;
using Jackdaw.Client.Operations;
using Jackdaw.ClientBench;

// usage: ClientBench URL CELL [REPETITIONS]; a cell prints one line per repetition: cell metric value unit
//    or: ClientBench URL against CLIENT_DLL_OF_BEFORE [ROUNDS] [WAYS]
string url = args[0];
string cell = args[1];
int repetitions = args.Length > 2 && cell != "against" ? int.Parse(args[2], System.Globalization.CultureInfo.InvariantCulture) : 3;

await using (DocumentStore store = Stores.Open(url))
{
    try
    {
        await store.Maintenance.Server.SendAsync(new CreateDatabaseOperation(Stores.Database));
    }
    catch (DocumentDatabaseException)
    {
        // It is there from the cell before.
    }
}

if (cell == "against")
{
    int rounds = args.Length > 3 ? int.Parse(args[3], System.Globalization.CultureInfo.InvariantCulture) : 40;
    await AgainstBench.RunAsync(url, args[2], args.ElementAtOrDefault(4), rounds);
    return;
}

Func<string, Task> run = cell switch
{
    "load" => LoadBench.RunAsync,
    "hits" => HitBench.RunAsync,
    "bulk" => BulkBench.RunAsync,
    "threads" => ThreadsBench.RunAsync,
    "refresh" => RefreshBench.RunAsync,
    "requests" => RequestsBench.RunAsync,
    _ => throw new ArgumentException($"There is no cell '{cell}': load, hits, bulk, threads, refresh, requests."),
};
for (int i = 0; i < repetitions; i++)
{
    await run(url);
}
