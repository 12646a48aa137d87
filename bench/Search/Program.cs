// search-bench FOLDER [ORDERS [engines [QUERY]|building [ROUNDS]]]: the index engine in process. Prints "name metric value unit".
// build: orders to a durable index in a branch storage, and the same entries through Lucene's own writer to mapped files, by turns;
// engines: our own engine beside that of Lucene, by turns: processor time of building and of queries, bytes, allocations;
// QUERY is a part of the names of the queries that run;
// building: what building an index of our own engine costs, beside Lucene by turns: time, bytes that are written, allocations, segments;
// grow: every order updated ten times; terms: managed memory of an open index as words grow tenfold.
using Jackdaw.Bench.Search;

if (args is [_, _, "engines", ..])
{
    EnginesBench.Run(args[0], int.Parse(args[1], System.Globalization.CultureInfo.InvariantCulture), args.Length > 3 ? args[3] : "");
    return 0;
}

if (args is [_, _, "building", ..])
{
    BuildingBench.Run(
        args[0], int.Parse(args[1], System.Globalization.CultureInfo.InvariantCulture),
        args.Length > 3 ? int.Parse(args[3], System.Globalization.CultureInfo.InvariantCulture) : 3);
    return 0;
}

if (args.Length is not (1 or 2))
{
    Console.Error.WriteLine("usage: search-bench FOLDER [ORDERS [engines [QUERY]|building [ROUNDS]]]");
    return 2;
}

int count = args.Length > 1 ? int.Parse(args[1], System.Globalization.CultureInfo.InvariantCulture) : 100_000;
TermsBench.Run(args[0], count);
for (int round = 1; round <= 3; round++)
{
    BuildBench.Run(args[0], count, round);
}

for (int round = 1; round <= 3; round++)
{
    GrowBench.Run(args[0], count / 4, round);
}

return 0;
