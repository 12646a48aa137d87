using System.Globalization;

namespace Jackdaw.Bench.Writes;

/// <summary>A table of medians for one row.</summary>
internal static class FlushReport
{
    public static void Print(FlushRow row, Dictionary<string, List<FlushCost>> costs)
    {
        string kind = row.IsRandom ? "random" : "sequential";
        Print($"\n{row.Pages} {kind} pages ({row.Pages * (double)FlushFile.PageBytes / 1048576:0.##} MB)\n");
        Print($"| way | write ms | sync ms | total ms | least..most | x unsorted | x sorted | calls | device writes |");
        Print($"|---|---:|---:|---:|---:|---:|---:|---:|---:|");
        foreach (string way in FlushComparison.Ways)
        {
            List<FlushCost> rounds = costs[way];
            double[] totals = [.. rounds.Select(cost => cost.TotalMs)];
            double writes = Median(rounds.Select(cost => cost.WriteMs));
            double syncs = Median(rounds.Select(cost => cost.SyncMs));
            double calls = Median(rounds.Select(cost => (double)cost.Calls));
            double deviceWrites = Median(rounds.Select(cost => (double)cost.DeviceWrites));
            string spread = string.Create(CultureInfo.InvariantCulture, $"{totals.Min():0.0}..{totals.Max():0.0}");
            string ratios = string.Create(
                CultureInfo.InvariantCulture, $"{Ratio(costs, way, 0):0.00} | {Ratio(costs, way, 1):0.00}");
            Print($"| {way} | {writes:0.0} | {syncs:0.0} | {Median(totals):0.0} | {spread} | {ratios} | {calls:0} | {deviceWrites:0} |");
        }
    }

    private static void Print(FormattableString line) => Console.WriteLine(line.ToString(CultureInfo.InvariantCulture));

    /// <summary>The median of the rounds' own ratios: what the machine did in a round is in both sides.</summary>
    private static double Ratio(Dictionary<string, List<FlushCost>> costs, string way, int control) =>
        Median(costs[way].Zip(costs[FlushComparison.Ways[control]], (cost, of) => cost.TotalMs / of.TotalMs));

    private static double Median(IEnumerable<double> values)
    {
        double[] sorted = [.. values.Order()];
        int middle = sorted.Length / 2;
        return sorted.Length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
