using System.Globalization;
using System.Net;
using System.Text;
using System.Text.Json;
using Jackdaw.Queries.Searching;

namespace Jackdaw.Queries.Rows;

/// <summary>The steps of a run as a tree: JSON for programs, and a page with a drawing for people.</summary>
internal static class TraceAnswers
{
    private const int BoxHeight = 64;
    private const int Gap = 18;
    private const int Level = 34;

    /// <summary>The most characters of a detail in a box; the title of the box has all of them.</summary>
    private const int DetailMax = 40;

    // The widths of letters differ by font; the boxes cut off wider texts.
    private const int LetterWidth = 7;
    private const int Padding = 10;
    private const int LettersMin = 12;

    /// <summary>Writes the tree as JSON. Times are in microseconds; numbers that are not known are left out.</summary>
    public static void WriteJson(Utf8JsonWriter json, TraceSummary summary, TraceStep root)
    {
        json.WriteStartObject();
        json.WriteString("Query"u8, summary.Query);
        json.WriteString("IndexName"u8, summary.IndexName);
        json.WriteBoolean("IsStale"u8, summary.IsStale);
        json.WriteNumber("TotalResults"u8, summary.Total);
        json.WritePropertyName("Plan"u8);
        WriteStep(json, root);
        json.WriteEndObject();
    }

    /// <summary>A page that needs no scripts and no other files.</summary>
    public static string ToHtml(TraceSummary summary, TraceStep root)
    {
        var drawing = new StringBuilder();
        Draw(drawing, root, 0, 0, Math.Max(1, root.Time.Ticks), out _);
        int width = Width(root);
        int height = (Depth(root) * (BoxHeight + Level)) - Level;
        string results = summary.Total == 1 ? "result" : "results";
        string facts = string.Create(CultureInfo.InvariantCulture,
            $"{Encode(summary.IndexName)}{(summary.IsStale ? " (stale)" : "")}, {summary.Total:N0} {results}, {Duration(root.Time)}");
        return $$"""
            <!doctype html>
            <html lang="en"><head><meta charset="utf-8"><title>Plan of a query</title><style>
            body{font:14px system-ui,sans-serif;margin:24px;color:#1d2733;background:#fff}
            pre{white-space:pre-wrap;background:#f3f5f8;padding:12px;border-radius:6px}
            body>svg{max-width:max(100%,50rem);height:auto}svg text{font:12px system-ui,sans-serif;fill:#1d2733}svg .name{font-weight:600;font-size:13px}
            svg rect{stroke:#8796a8;rx:6}svg path{stroke:#8796a8;fill:none}
            </style></head><body><h1>Plan of a query</h1><pre>{{Encode(summary.Query)}}</pre><p>{{facts}}</p>
            <svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="Tree of steps" width="{{width}}" viewBox="0 0 {{width}} {{height}}">{{drawing}}</svg>
            <p>Each box is a step with the rows it gave, its time, and the bytes and pages it read,
            those of the steps below it included; the darker, the larger its share of the time.</p>
            </body></html>

            """;
    }

    private static void WriteStep(Utf8JsonWriter json, TraceStep step)
    {
        json.WriteStartObject();
        json.WriteString("Operator"u8, step.Operator);
        if (step.Detail.Length > 0)
        {
            json.WriteString("Detail"u8, step.Detail);
        }

        json.WriteNumber("DurationInUs"u8, Math.Round(step.Time.TotalMicroseconds, 1));
        foreach ((string name, long number) in Numbers(step))
        {
            json.WriteNumber(name, number);
        }

        json.WriteStartArray("Steps"u8);
        foreach (TraceStep below in step.Steps)
        {
            WriteStep(json, below);
        }

        json.WriteEndArray();
        json.WriteEndObject();
    }

    private static IEnumerable<(string Name, long Number)> Numbers(TraceStep step) =>
        new (string, long)[]
        {
            ("RowsIn", step.RowsIn), ("RowsOut", step.RowsOut), ("Terms", step.Terms), ("Bytes", step.Bytes), ("Pages", step.Pages),
        }.Where(number => number.Item2 >= 0);

    // Draws a step above the middle of the steps below it.
    private static void Draw(StringBuilder svg, TraceStep step, int left, int level, long totalTicks, out int middle)
    {
        int top = level * (BoxHeight + Level);
        int own = BoxWidth(step);
        int width = Width(step);
        int next = left + ((width - WidthBelow(step)) / 2);
        List<int> below = [];
        foreach (TraceStep child in step.Steps)
        {
            Draw(svg, child, next, level + 1, totalTicks, out int at);
            next += Width(child) + Gap;
            below.Add(at);
        }

        middle = below.Count > 0 ? (below[0] + below[^1]) / 2 : left + (width / 2);
        middle = Math.Clamp(middle, left + (own / 2), left + width - (own / 2));
        foreach (int at in below)
        {
            svg.Append(CultureInfo.InvariantCulture,
                $"<path d=\"M{middle} {top + BoxHeight}V{top + BoxHeight + (Level / 2)}H{at}V{top + BoxHeight + Level}\"/>");
        }

        DrawBox(svg, step, middle - (own / 2), top, Math.Min(1, (double)step.Time.Ticks / totalTicks));
    }

    /// <summary>The width of a step with all steps below it.</summary>
    private static int Width(TraceStep step) => Math.Max(BoxWidth(step), WidthBelow(step));

    private static int WidthBelow(TraceStep step) => step.Steps.Sum(Width) + (Math.Max(0, step.Steps.Count - 1) * Gap);

    // The width is even, so that the middle is a whole number.
    private static int BoxWidth(TraceStep step)
    {
        int letters = Math.Max(LettersMin, Math.Max(step.Operator.Length, Math.Max(Shortened(step.Detail).Length, NumbersText(step).Length)));
        return ((letters * LetterWidth) + (2 * Padding)) / 2 * 2;
    }

    private static void DrawBox(StringBuilder svg, TraceStep step, int x, int y, double share)
    {
        int light = 97 - (int)(share * 22);
        int width = BoxWidth(step);
        string numbers = NumbersText(step);
        svg.Append(CultureInfo.InvariantCulture, $"""
            <svg x="{x}" y="{y}" width="{width}" height="{BoxHeight}"><title>{Encode(step.Operator)} {Encode(step.Detail)}: {numbers}</title>
            <rect x="1" y="1" width="{width - 2}" height="{BoxHeight - 2}" fill="hsl(38 90% {light}%)"/>
            <text class="name" x="{Padding}" y="19">{Encode(step.Operator)}</text>
            <text x="{Padding}" y="36">{Encode(Shortened(step.Detail))}</text>
            <text x="{Padding}" y="{(step.Detail.Length > 0 ? 54 : 36)}">{numbers}</text></svg>

            """);
    }

    private static string Shortened(string detail) => detail.Length > DetailMax ? detail[..(DetailMax - 1)] + "…" : detail;

    private static string NumbersText(TraceStep step) => string.Join(", ", Numbers(step).Select(number =>
        string.Create(CultureInfo.InvariantCulture, $"{number.Number:N0} {Words(number.Name, number.Number)}")).Prepend(Duration(step.Time)));

    private static string Words(string name, long number) => name switch
    {
        "RowsIn" => "in",
        "RowsOut" => "out",
        "Terms" => number == 1 ? "term" : "terms",
        "Pages" => number == 1 ? "page" : "pages",
        _ => number == 1 ? "byte" : "bytes",
    };

    private static string Duration(TimeSpan time) => time.TotalMilliseconds >= 1
        ? string.Create(CultureInfo.InvariantCulture, $"{time.TotalMilliseconds:F1} ms")
        : string.Create(CultureInfo.InvariantCulture, $"{time.TotalMicroseconds:F0} µs");

    private static int Depth(TraceStep step) => 1 + (step.Steps.Count == 0 ? 0 : step.Steps.Max(Depth));

    private static string Encode(string text) => WebUtility.HtmlEncode(text);
}

/// <summary>The facts above the tree.</summary>
internal sealed record TraceSummary(string Query, string IndexName, bool IsStale, long Total);
