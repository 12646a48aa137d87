using System.Globalization;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Http.Handlers.Queries.Searching;

/// <summary>Scores and order where vector.search stands beside other conditions: cosines add up, and other conditions count when they are boosted.</summary>
public sealed class VectorScoreTests : IAsyncLifetime
{
    private const int Documents = 24;
    private const double Rounding = 1e-4;

    private static readonly double[] s_v = [1, 0];
    private static readonly double[] s_w = [0, 1];

    private ServerFixture _server = null!;

    public async Task InitializeAsync()
    {
        _server = await ServerFixture.StartAsync();
        for (int i = 0; i < Documents; i++)
        {
            string notes = i % 4 == 0 ? "quick" : i % 4 == 1 ? "quick quick fox" : "lazy dog";
            await _server.PutAsync(
                $"Items/{i}", "Items", $$"""{"N":{{i}},"Name":"{{(i % 3 == 0 ? "a" : "b")}}","Notes":"{{notes}}","V":{{VectorOf(i)}},"F":{{1 + (i % 5)}}}""");
        }

        await _server.PutAsync("Items/none", "Items", """{"N":-1,"Name":"a","Notes":"quick"}""");
    }

    public async Task DisposeAsync() => await _server.DisposeAsync();

    public static TheoryData<string, double, double, string[]> Conditions => new()
    {
        // the condition, factors of the cosines with $v and $w, the other conditions that count
        { "vector.search(V, $v)", 1, 0, [] },
        { "Name = 'a' and vector.search(V, $v)", 1, 0, [] },
        { "search(Notes, 'quick') and vector.search(V, $v)", 1, 0, [] },
        { "boost(Name = 'a', 2) and vector.search(V, $v)", 1, 0, ["boost(Name = 'a', 2)"] },
        { "vector.search(V, $v) and boost(search(Notes, 'quick'), 3) and N > 1", 1, 0, ["boost(search(Notes, 'quick'), 3)"] },
        { "vector.search(V, $v) and (Name = 'a' or boost(search(Notes, 'quick'), 2))", 1, 0, ["boost(search(Notes, 'quick'), 2)"] },
        { "vector.search(V, $v) or Name = 'a'", 1, 0, [] },
        { "vector.search(V, $v) or boost(Name = 'a', 0.5)", 1, 0, ["boost(Name = 'a', 0.5)"] },
        { "boost(vector.search(V, $v), 2) and Name = 'a'", 2, 0, [] },
        { "boost(vector.search(V, $v) and Name = 'a', 2)", 2, 0, ["boost(Name = 'a', 2)"] },
        { "vector.search(V, $v) and not Name = 'a'", 1, 0, [] },
        { "vector.search(V, $v) and not vector.search(V, $w, 0.9)", 1, 0, [] },
        { "vector.search(V, $v) and vector.search(V, $w)", 1, 1, [] },
        { "boost(vector.search(V, $v), 3) or vector.search(V, $w)", 3, 1, [] },
        { "boost(vector.search(V, $v), 0.25) and boost(search(Notes, 'quick'), 1)", 0.25, 0, ["boost(search(Notes, 'quick'), 1)"] },
    };

    [Theory]
    [MemberData(nameof(Conditions))]
    public async Task Score_BesideOtherConditions_AddsCosinesAndWhatIsBoosted(string where, double ofV, double ofW, string[] counting)
    {
        var expected = new Dictionary<string, double>();
        foreach ((string id, double _) in await RowsAsync($"from Items where {where} order by id()"))
        {
            expected[id] = id == "Items/none" ? 0 : (ofV * Cosine(id, s_v)) + (ofW * Cosine(id, s_w));
        }

        foreach (string condition in counting)
        {
            foreach ((string id, double score) in await RowsAsync($"from Items where {condition}"))
            {
                Assert.True(score > 0);
                if (expected.TryGetValue(id, out double sum))
                {
                    expected[id] = sum + score;
                }
            }
        }

        AssertRows(expected, await RowsAsync($"from Items where {where}"), expected.Count);
        AssertRows(expected, await RowsAsync($"from Items where {where} limit 3"), 3);
    }

    [Theory]
    [InlineData("map('Items', i => boost({ Name: i.Name, V: createVector(i.V) }, i.F))")]
    [InlineData("from i in docs.Items select new { i.Name, V = CreateVector(i.V) }.Boost(i.F)")]
    public async Task Score_OfAnIndexThatBoostsEntries_IsTheCosineTimesTheBoost(string map)
    {
        await _server.PutIndexAsync("I", map);
        var expected = Enumerable.Range(0, Documents).Where(i => i % 3 != 0).ToDictionary(
            i => $"Items/{i}", i => Cosine($"Items/{i}", s_v) * (1 + (i % 5)));
        AssertRows(expected, await RowsAsync("from index 'I' where vector.search(V, $v) and Name = 'b'"), expected.Count);
        AssertRows(expected, await RowsAsync("from index 'I' where vector.search(V, $v) and Name = 'b' limit 3"), 3);
    }

    private static void AssertRows(Dictionary<string, double> expected, List<(string Id, double Score)> rows, int count)
    {
        Assert.Equal(Math.Min(count, expected.Count), rows.Count);
        double[] best = [.. expected.Values.OrderDescending()];
        for (int i = 0; i < rows.Count; i++)
        {
            Assert.True(Math.Abs(expected[rows[i].Id] - rows[i].Score) < Rounding, $"{rows[i]}, expected {expected[rows[i].Id]}");
            Assert.True(Math.Abs(best[i] - rows[i].Score) < Rounding, $"row {i} is {rows[i]}, the best has {best[i]}");
        }
    }

    private static double Cosine(string id, double[] query)
    {
        double angle = AngleOf(int.Parse(id["Items/".Length..], CultureInfo.InvariantCulture));
        return (Math.Cos(angle) * query[0]) + (Math.Sin(angle) * query[1]);
    }

    private static double AngleOf(int i) => (i * 7 % Documents) * Math.PI / Documents;

    private static string VectorOf(int i) => string.Create(CultureInfo.InvariantCulture, $"[{Math.Cos(AngleOf(i))},{Math.Sin(AngleOf(i))}]");

    private async Task<List<(string Id, double Score)>> RowsAsync(string query)
    {
        Answer answer = await _server.QueryAsync(query, more: new { QueryParameters = new { v = s_v, w = s_w } });
        Assert.True(answer.Status == 200, $"{query}: {answer.Text}");
        return [.. answer.Json.GetProperty("Results").EnumerateArray().Select(row => row.GetProperty("@metadata"))
            .Select(metadata => (metadata.GetProperty("@id").GetString()!, metadata.GetProperty("@index-score").GetDouble()))];
    }
}
