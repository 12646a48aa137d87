using System.Globalization;

namespace Jackdaw.Bench.Search;

internal static class Figures
{
    public static void Print(string name, string metric, double value, string unit) =>
        Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"{name} {metric} {value:G4} {unit}"));
}
