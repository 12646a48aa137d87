using System.Globalization;
using System.Text;

namespace Jackdaw.DocumentsBench;

/// <summary>Draws throughput and latency of each second as two charts of one SVG picture.</summary>
/// <param name="seconds">Writes per second, and p99 in milliseconds.</param>
internal sealed class SecondsPlot(List<(double PerSecond, double P99)> seconds)
{
    private const int Width = 1000;
    private const int Height = 260;
    private const int Left = 80;
    private const int Gap = 60;

    public string Draw()
    {
        var svg = new StringBuilder();
        svg.AppendLine(CultureInfo.InvariantCulture,
            $"<svg xmlns='http://www.w3.org/2000/svg' width='{Width + Left + 30}' height='{(2 * Height) + (3 * Gap)}' " +
            $"font-family='sans-serif' font-size='13'>");
        svg.AppendLine("<rect width='100%' height='100%' fill='white'/>");
        Chart(svg, Gap, "durable puts per second", "#1f5fa8", seconds.ConvertAll(second => second.PerSecond));
        Chart(svg, Height + (2 * Gap), "p99 of each second, milliseconds", "#b5442e", seconds.ConvertAll(second => second.P99));
        svg.AppendLine("</svg>");
        return svg.ToString();
    }

    private static void Chart(StringBuilder svg, int top, string title, string color, List<double> values)
    {
        double max = values.Max() * 1.05;
        svg.AppendLine(CultureInfo.InvariantCulture, $"<text x='{Left}' y='{top - 12}' font-size='16'>{title}</text>");
        for (int i = 0; i <= 4; i++)
        {
            double y = top + Height - (Height * i / 4.0);
            svg.AppendLine(CultureInfo.InvariantCulture, $"<line x1='{Left}' x2='{Left + Width}' y1='{y:0}' y2='{y:0}' stroke='#ddd'/>");
            svg.AppendLine(CultureInfo.InvariantCulture, $"<text x='{Left - 8}' y='{y + 4:0}' text-anchor='end'>{Label(max * i / 4)}</text>");
        }

        for (int minute = 0; minute <= values.Count / 60; minute++)
        {
            double x = Left + (Width * minute * 60.0 / values.Count);
            svg.AppendLine(CultureInfo.InvariantCulture, $"<text x='{x:0}' y='{top + Height + 18}' text-anchor='middle'>{minute} min</text>");
        }

        svg.Append(CultureInfo.InvariantCulture, $"<polyline fill='none' stroke='{color}' points='");
        for (int i = 0; i < values.Count; i++)
        {
            double x = Left + ((double)Width * i / Math.Max(1, values.Count - 1));
            svg.Append(CultureInfo.InvariantCulture, $"{x:0.0},{top + Height - (Height * values[i] / max):0.0} ");
        }

        svg.AppendLine("'/>");
    }

    private static string Label(double value) => value.ToString(value < 100 ? "0.0" : "N0", CultureInfo.InvariantCulture);
}
