using System.Globalization;
using Jackdaw.Bench.Writes;

const string usage =
    "usage: writes-bench <folder> <file MB> <rounds> <cache> <row>...\n"
    + "  cache: large (filled by large writes), small (filled page by page) or none (dropped before each flush)\n"
    + "  row: random:<pages> or sequential:<pages>, of 8 KB each, for example random:8192";
if (args.Length < 5
    || !long.TryParse(args[1], CultureInfo.InvariantCulture, out long fileMegabytes)
    || !int.TryParse(args[2], CultureInfo.InvariantCulture, out int rounds)
    || !Enum.TryParse(args[3], ignoreCase: true, out CacheState cache))
{
    Console.Error.WriteLine(usage);
    return 1;
}

FlushRow[] rows = [.. args[4..].Select(FlushRow.Parse)];
using var file = new FlushFile(args[0], fileMegabytes << 20, cache, rows.Max(row => row.Pages));
Console.WriteLine($"file {fileMegabytes} MB, {rounds} rounds, cache {cache}, device {file.Device}");
foreach (FlushRow row in rows)
{
    FlushReport.Print(row, FlushComparison.Run(file, row, rounds));
}

return 0;
