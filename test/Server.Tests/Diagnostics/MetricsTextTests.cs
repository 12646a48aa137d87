using System.Text.RegularExpressions;

namespace Jackdaw.Server.Tests.Diagnostics;

/// <summary>The families of /metrics that are ours: dashboards and alerts hold their names. The unit is the suffix.</summary>
public sealed partial class MetricsTextTests
{
    private const string GoldenFile = "metrics.golden.txt";

    [Fact]
    public async Task Metrics_FamiliesTypesLabelsAndBuckets_AreThoseOfTheGoldenFile()
    {
        await using ServerFixture server = await ServerFixture.StartAsync();
        await server.PutAsync("users/1", """{"n":1}""");
        await server.SendAsync("GET", "/metrics"); // the routes above are there, whatever the order of their ends

        string[] families = Describe((await server.SendAsync("GET", "/metrics")).Text);

        string[] golden = await File.ReadAllLinesAsync(Path.Combine(AppContext.BaseDirectory, "Diagnostics", GoldenFile));
        Assert.Equal(string.Join('\n', golden), string.Join('\n', families));
    }

    /// <summary>A line for each family: name, type, names of labels, bounds of buckets.</summary>
    private static string[] Describe(string text)
    {
        var lines = new List<string>();
        foreach (string family in text.Split("# HELP ").Where(part => part.StartsWith("jackdaw_", StringComparison.Ordinal)))
        {
            string name = family[..family.IndexOf(' ', StringComparison.Ordinal)];
            string type = TypeLine().Match(family).Groups[1].Value;
            IEnumerable<string> labels = Label().Matches(family).Select(label => label.Groups[1].Value).Distinct().Order(StringComparer.Ordinal);
            IEnumerable<string> bounds = Bound().Matches(family).Select(bound => bound.Groups[1].Value).Distinct();
            lines.Add($"{name} {type} [{string.Join(',', labels)}] [{string.Join(' ', bounds)}]");
        }

        return [.. lines.Order(StringComparer.Ordinal)];
    }

    [GeneratedRegex(@"^# TYPE \S+ (\S+)$", RegexOptions.Multiline)]
    private static partial Regex TypeLine();

    [GeneratedRegex(@"[{,](\w+)=""")]
    private static partial Regex Label();

    [GeneratedRegex(@"\ble=""([^""]+)""")]
    private static partial Regex Bound();
}
