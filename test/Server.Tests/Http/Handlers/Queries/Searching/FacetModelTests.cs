using System.Globalization;
using System.Text.Json;
using Jackdaw.TestKit;
using Xunit.Abstractions;

namespace Jackdaw.Server.Tests.Http.Handlers.Queries.Searching;

/// <summary>Random facets beside a plain loop over the documents.</summary>
public sealed class FacetModelTests(ITestOutputHelper log) : IAsyncLifetime
{
    private const int Facets = 150;

    private static readonly string?[] s_brands = ["Zeta", "acme", "ACME", "", null, "Nikon", "b 1"];
    private static readonly string[] s_orders = ["ValueAsc", "ValueDesc", "CountAsc", "CountDesc"];
    private static readonly string[] s_functions = ["sum", "min", "max", "avg"];

    private readonly List<(string? Brand, int? Price, int Stock)> _cameras = [];
    private readonly int _seed = Environment.TickCount;
    private ServerFixture _server = null!;

    public async Task InitializeAsync()
    {
        log.WriteLine($"seed {_seed}");
        var random = new Random(_seed);
        _server = await ServerFixture.StartAsync();
        for (int i = 0; i < 60; i++)
        {
            (string? brand, int? price, int stock) = (
                s_brands[random.Next(s_brands.Length)], random.Next(5) == 0 ? null : random.Next(100), random.Next(10));
            _cameras.Add((brand, price, stock));
            await _server.PutAsync($"c/{i}", "Cameras", JsonSerializer.Serialize(new { Brand = brand, Price = price, Stock = stock }));
        }
    }

    public async Task DisposeAsync() => await _server.DisposeAsync();

    [Fact]
    public async Task Post_RandomFacets_CountAsAPlainLoop()
    {
        var random = new Random(_seed + 1);
        for (int i = 0; i < Facets; i++)
        {
            int from = random.Next(8);
            int[] bounds = [.. Enumerable.Range(0, random.Next(3)).Select(_ => random.Next(100)).Distinct()];
            string[] numbers = [.. s_functions.Where(_ => random.Next(2) == 0).Select(name => $"{name}({(random.Next(2) == 0 ? "Price" : "Stock")})")];
            string order = s_orders[random.Next(s_orders.Length)];
            (int start, int size, bool withRest) = (random.Next(3), random.Next(1, 6), random.Next(2) == 0);
            string options =
                $$"""'{"termSortMode":"{{order}}","start":{{start}},"pageSize":{{size}},"includeRemainingTerms":{{(withRest ? "true" : "false")}}}'""";
            string[] ranges = [.. bounds.Select(bound => $"Price < {bound}")];
            string[] parts = ranges.Length > 0 ? [.. ranges, .. numbers] : ["Brand", .. numbers, options];
            string query = $"from Cameras where Stock >= {from} select facet({string.Join(", ", parts)})";
            Answer answer = await _server.QueryAsync(query);
            Assert.True(answer.Status == 200, $"seed {_seed}: {query}\n{answer.Text}");
            List<(string? Brand, int? Price, int Stock)> all = [.. _cameras.Where(camera => camera.Stock >= from)];
            string expected = ranges.Length > 0
                ? Describe(bounds.Select((bound, at) => (ranges[at], all.Where(camera => camera.Price < bound).ToList())), numbers, [], false)
                : DescribeTerms(all, numbers, order, start, size, withRest);
            string actual = Describe(answer.Json.GetProperty("Results")[0], numbers);
            Assert.True(expected == actual, $"seed {_seed}: {query}\nexpected {expected}\nactual   {actual}");
        }
    }

    private static string DescribeTerms(
        List<(string? Brand, int? Price, int Stock)> all, string[] numbers, string order, int start, int size, bool withRest)
    {
        List<(string Term, List<(string? Brand, int? Price, int Stock)> Cameras)> terms = [];
        foreach ((string? brand, int? price, int stock) in all)
        {
            string term = brand is null ? "NULL_VALUE" : brand.Length == 0 ? "EMPTY_STRING" : brand.ToLowerInvariant();
            int at = terms.FindIndex(one => one.Term == term);
            if (at < 0)
            {
                at = terms.Count;
                terms.Add((term, []));
            }

            terms[at].Cameras.Add((brand, price, stock));
        }

        terms.Sort((a, b) => string.CompareOrdinal(a.Term, b.Term));
        IEnumerable<(string Term, List<(string? Brand, int? Price, int Stock)> Cameras)> sorted = order switch
        {
            "ValueDesc" => terms.AsEnumerable().Reverse(),
            "CountAsc" => terms.OrderBy(term => term.Cameras.Count),
            "CountDesc" => terms.OrderByDescending(term => term.Cameras.Count),
            _ => terms,
        };
        terms = [.. sorted];
        return Describe(terms.Skip(start).Take(size), numbers, [.. terms.Skip(start + size)], withRest);
    }

    private static string Describe(
        IEnumerable<(string Range, List<(string? Brand, int? Price, int Stock)> Cameras)> buckets, string[] numbers,
        List<(string Range, List<(string? Brand, int? Price, int Stock)> Cameras)> rest, bool withRest) =>
        string.Join("; ", buckets.Select(bucket => $"{bucket.Range} {bucket.Cameras.Count}"
            + string.Concat(numbers.Select(number => $" {number}={Compute(number, bucket.Cameras)}"))))
        + $" rest {rest.Count} {rest.Sum(one => one.Cameras.Count)} {(withRest ? string.Join(',', rest.Select(one => one.Range)) : "")}";

    private static string Compute(string number, List<(string? Brand, int? Price, int Stock)> cameras)
    {
        double[] values = [.. cameras.Select(camera => number.EndsWith("(Price)", StringComparison.Ordinal) ? camera.Price : camera.Stock)
            .Where(value => value is not null).Select(value => (double)value!)];
        return values.Length == 0 ? "" : ToText(number[..3] switch
        {
            "sum" => values.Sum(),
            "min" => values.Min(),
            "max" => values.Max(),
            _ => values.Average(),
        });
    }

    // Values of one range lie in one element for each field.
    private static string Describe(JsonElement facet, string[] numbers)
    {
        List<string> buckets = [];
        string? last = null;
        foreach (JsonElement value in facet.GetProperty("Values").EnumerateArray())
        {
            string range = value.GetProperty("Range").GetString()!;
            if (range == last && buckets.Count > 0 && numbers.Select(FieldOf).Distinct().Count() > 1
                && value.GetProperty("Name").GetString() != FieldOf(numbers[0]))
            {
                continue; // the second field of the same range
            }

            last = range;
            buckets.Add($"{range} {value.GetProperty("Count").GetInt64()}"
                + string.Concat(numbers.Select(number => $" {number}={Find(facet, range, number)}")));
        }

        string[] terms = [.. facet.GetProperty("RemainingTerms").EnumerateArray().Select(term => term.GetString()!)];
        return string.Join("; ", buckets) + $" rest {facet.GetProperty("RemainingTermsCount").GetInt64()} "
            + $"{facet.GetProperty("RemainingHits").GetInt64()} {string.Join(',', terms)}";
    }

    private static string FieldOf(string number) => number[4..^1];

    private static string Find(JsonElement facet, string range, string number)
    {
        string function = number[..3] == "avg" ? "Average" : char.ToUpperInvariant(number[0]) + number[1..3];
        JsonElement element = facet.GetProperty("Values").EnumerateArray()
            .First(value => value.GetProperty("Range").GetString() == range && value.GetProperty("Name").GetString() == FieldOf(number));
        return element.GetProperty(function) is { ValueKind: JsonValueKind.Number } found ? ToText(found.GetDouble()) : "";
    }

    private static string ToText(double value) => Math.Round(value, 6).ToString(CultureInfo.InvariantCulture);
}
