using System.Globalization;

namespace Jackdaw.Bench.Writes;

/// <summary>A table of medians for one row.</summary>
internal static class FlushReport
{
    public static void Print(FlushRow row, Dictionary<string, List<FlushCost>> costs)
    {
        string megabytes = (row.Pages * (long)FlushFile.PageBytes / 1048576.0).ToString("0.#", CultureInfo.InvariantCulture);
        Console.WriteLine($"\n{row.Pages} {(row.IsRandom ? "random" : "sequential")} pages ({megabytes} MB)\n");
        Console.WriteLine("| way | write ms | sync ms | total ms | least..most | x unsorted | x sorted | calls | device writes |");
        Console.WriteLine("|---|---:|---:|---:|---:|---:|---:|---:|---:|");
        foreach (string way in FlushComparison.Ways)
        {
            List<FlushCost> rounds = costs[way];
            double[] totals = [.. rounds.Select(cost => cost.TotalMs)];
            Console.WriteLine(string.Create(
                CultureInfo.InvariantCulture,
                $"| {way} | {Median(rounds.Select(cost => cost.WriteMs)):0.0} | {Median(rounds.Select(cost => cost.SyncMs)):0.0} | "
                + $"{Median(totals):0.0} | {totals.Min():0.0}..{totals.Max():0.0} | {Ratio(costs, way, 0):0.00} | {Ratio(costs, way, 1):0.00} | "
                + $"{Median(rounds.Select(cost => (double)cost.Calls)):0} | {Median(rounds.Select(cost => (double)cost.DeviceWrites)):0} |"));
        }
    }

    /// <summary>The median of the rounds' own ratios: what the machine did in a round is in both of its sides.</summary>
    private static double Ratio(Dictionary<string, List<FlushCost>> costs, string way, int control) =>
        Median(costs[way].Zip(costs[FlushComparison.Ways[control]], (cost, of) => cost.TotalMs / of.TotalMs));

    private static double Median(IEnumerable<double> values)
    {
        double[] sorted = [.. values.Order()];
        int middle = sorted.Length / 2;
        return sorted.Length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
