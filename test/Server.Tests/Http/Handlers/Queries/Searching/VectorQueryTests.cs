using System.Globalization;
using System.Text.Json;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Http.Handlers.Queries.Searching;

/// <summary>vector.search over HTTP, against a comparison of all documents.</summary>
public sealed class VectorQueryTests : IAsyncLifetime
{
    private const int Documents = 60;
    private const int Seed = 7;
    private const double Rounding = 1e-5;

    private readonly VectorDocuments _model = new(Seed);
    private ServerFixture _server = null!;

    public async Task InitializeAsync()
    {
        _server = await ServerFixture.StartAsync();
        for (int i = 0; i < Documents; i++)
        {
            await _server.PutAsync($"Items/{i}", "Items", _model.Add($"Items/{i}"));
        }
    }

    public async Task DisposeAsync() => await _server.DisposeAsync();

    [Theory]
    [InlineData("V", "V")]
    [InlineData("embedding.f32(V)", "V")]
    [InlineData("EMBEDDING.F32(V)", "V")]
    [InlineData("'V'", "V")]
    [InlineData("Many", "Many")]
    [InlineData("Base64", "V")]
    [InlineData("Wrapped", "V")]
    [InlineData("Inner.V", "V")]
    [InlineData("Parts[].V", "Many")]
    [InlineData("embedding.i8(Small)", "Small")]
    [InlineData("embedding.i1(Bits)", "Signs")]
    public async Task Query_OfEachFormOfField_FindsTheNearest(string field, string name)
    {
        foreach (string value in (string[])["$q", "$list", "$wrapped", "$base64"])
        {
            await AssertNearestAsync($"from Items where vector.search({field}, {value})", name, one => true);
            await AssertNearestAsync($"from Items where Vector.SEARCH({field}, {value}) limit 10", name, one => true, 0, 10);
        }
    }

    [Theory]
    [InlineData("vector.search(V, $q) and Group = 'a'", true)]
    [InlineData("Group = 'a' and vector.search(V, $q, null, 3)", true)]
    [InlineData("(Rank < 30 and (vector.search(V, $q))) and Group = 'a'", true)]
    [InlineData("exact(vector.search(V, $q)) and Group = 'a'", true)]
    [InlineData("vector.search(V, $q) and not Group = 'a'", true)]
    [InlineData("boost(vector.search(V, $q), 1) and Group = 'a'", true)]
    [InlineData("(vector.search(V, $q, 0.2) or Group = 'a')", false)]
    [InlineData("not vector.search(V, $q, 0.2)", false)]
    [InlineData("Group = 'a' and not vector.search(V, $q, 0.2)", false)]
    [InlineData("intersect(vector.search(V, $q, 0), Group = 'a')", false)]
    public async Task Query_WithOtherConditions_FindsWhatAComparisonOfAllFinds(string where, bool isByCosine)
    {
        double[] query = _model.Query("V");
        bool Matches(VectorDocument one)
        {
            double cosine = one.Cosine("V", query) ?? double.NaN;
            bool isA = one.Group == "a";
            return where switch
            {
                ['(', 'v', ..] => cosine >= 0.2 || isA,
                ['(', ..] => one.Rank < 30 && isA,
                ['n', ..] => !(cosine >= 0.2),
                ['i', ..] => cosine >= 0 && isA,
                _ => where.Contains("and not vector", StringComparison.Ordinal) ? isA && !(cosine >= 0.2)
                    : where.Contains("not Group", StringComparison.Ordinal) ? !isA : isA,
            };
        }

        if (isByCosine)
        {
            await AssertNearestAsync($"from Items where {where}", "V", Matches);
            await AssertNearestAsync($"from Items where {where} limit 2, 3", "V", Matches, 2, 3);
            return;
        }

        string[] expected = [.. _model.All.Where(Matches).Select(one => one.Id).Order(StringComparer.Ordinal)];
        Assert.NotEmpty(expected);
        foreach (string rest in (string[])["", " order by Rank as long", " order by score()", " order by id()"])
        {
            Answer answer = await AskAsync($"from Items where {where}{rest}");
            Assert.Equal(expected, IdsOf(answer).Order(StringComparer.Ordinal));
            Assert.Equal(expected.Length, answer.Json.GetProperty("TotalResults").GetInt32());
        }
    }

    [Theory]
    [InlineData(-1)]
    [InlineData(0)]
    [InlineData(0.3)]
    [InlineData(0.9999)]
    public async Task Query_WithAMinimum_FindsTheSimilarOnes(double minimum)
    {
        string text = minimum.ToString(CultureInfo.InvariantCulture);
        double[] query = _model.Query("V");
        foreach (string form in (string[])["V, $q, {0}", "V, $q, {0}, 5", "V, $q, {0}, null"])
        {
            string condition = $"vector.search({string.Format(CultureInfo.InvariantCulture, form, text)})";
            await AssertNearestAsync($"from Items where {condition}", "V", one => one.Cosine("V", query) >= minimum - Rounding);
            await AssertNearestAsync($"from Items where {condition} limit 1, 4", "V", one => one.Cosine("V", query) >= minimum - Rounding, 1, 4);
        }
    }

    [Fact]
    public async Task Query_OfTwoVectors_ScoresTheNearerOne()
    {
        double[][] queries = [_model.Query("V"), [.. _model.Query("V").Select(number => -number)]];
        Answer answer = await AskAsync("from Items where vector.search(V, $two) limit 20");
        string[] expected = [.. _model.All.Where(one => one.Has("V"))
            .OrderByDescending(one => queries.Max(query => one.Cosine("V", query))).Take(20).Select(one => one.Id)];
        Assert.Equal(expected, IdsOf(answer));
    }

    [Theory]
    [InlineData("embedding.f32_i8(V)", 0.02)]
    [InlineData("embedding.f32_i1(V)", 0)]
    public async Task Query_OfAKeptForm_ComparesWhatIsKept(string field, double tolerance)
    {
        double[] query = _model.Query("V");
        bool isBinary = field.Contains("i1", StringComparison.Ordinal);
        Answer answer = await AskAsync($"from Items where vector.search({field}, $q)");
        Assert.Equal(_model.All.Count(one => one.Has("V")), IdsOf(answer).Length);
        foreach (JsonElement row in answer.Json.GetProperty("Results").EnumerateArray())
        {
            VectorDocument document = _model[IdOf(row)];
            double cosine = isBinary ? document.SignCosine("V", query) : document.Cosine("V", query)!.Value;
            Assert.InRange(ScoreOf(row), cosine - tolerance - Rounding, cosine + tolerance + Rounding);
        }
    }

    [Fact]
    public async Task Query_OfADocument_FindsThatDocumentFirst()
    {
        string id = _model.All.First(one => one.Has("V")).Id;
        Answer answer = await AskAsync("from Items where vector.search(V, embedding.forDoc($id)) limit 3", new { id });
        Assert.Equal(id, IdsOf(answer)[0]);
        Assert.InRange(ScoreOf(answer.Json.GetProperty("Results")[0]), 1 - Rounding, 1);
        Answer changed = await _server.QueryAsync("from Items where vector.search(V, embedding.forDoc('none'))");
        changed.AssertProblem(400, "InvalidQueryException", "there is no document 'none'");
        string without = _model.All.First(one => !one.Has("V")).Id;
        (await _server.QueryAsync($"from Items where vector.search(V, embedding.forDoc('{without}'))"))
            .AssertProblem(400, "InvalidQueryException", $"the document '{without}' has no vector at 'V'");
    }

    [Fact]
    public async Task Query_AfterUpdatesAndDeletes_FindsWhatIsThere()
    {
        var random = new Random(Seed + 1);
        for (int turn = 0; turn < 3; turn++)
        {
            foreach (string id in _model.All.Select(one => one.Id).Where(_ => random.Next(3) == 0).ToArray())
            {
                if (random.Next(2) == 0)
                {
                    _model.Remove(id);
                    Assert.Equal(204, (await _server.DbAsync("DELETE", $"/docs?id={id}")).Status);
                }
                else
                {
                    await _server.PutAsync(id, "Items", _model.Add(id));
                }
            }

            await AssertNearestAsync("from Items where vector.search(V, $q)", "V", one => true);
            await AssertNearestAsync("from Items where vector.search(Many, $q) limit 7", "Many", one => true, 0, 7);
        }
    }

    [Fact]
    public async Task Query_PageByPage_HasEachRowOnce()
    {
        await AssertNearestAsync("from Items where vector.search(V, $q)", "V", one => true);
        List<string> ids = [];
        for (int skip = 0; skip < Documents; skip += 7)
        {
            ids.AddRange(IdsOf(await AskAsync($"from Items where vector.search(V, $q) limit {skip}, 7")));
        }

        Assert.Equal(IdsOf(await AskAsync("from Items where vector.search(V, $q)")), ids);
    }

    private async Task AssertNearestAsync(string query, string field, Func<VectorDocument, bool> matches, int skip = 0, int take = int.MaxValue)
    {
        double[] vector = _model.Query(field);
        (string Id, double Cosine)[] all = [.. _model.All.Where(one => one.Has(field) && matches(one))
            .Select(one => (one.Id, one.Cosine(field, vector)!.Value)).OrderByDescending(one => one.Item2)];
        Answer answer = await AskAsync(query, field: field);
        JsonElement[] rows = [.. answer.Json.GetProperty("Results").EnumerateArray()];
        string told = $"seed {Seed}, {query}";
        Assert.True(all.Length == answer.Json.GetProperty("TotalResults").GetInt32(), $"{told}: {all.Length}, {answer.Text[^200..]}");
        Assert.True(Math.Min(Math.Max(0, all.Length - skip), take) == rows.Length, told);
        var cosines = all.ToDictionary(one => one.Id, one => one.Cosine);
        for (int i = 0; i < rows.Length; i++)
        {
            Assert.True(Math.Abs(cosines[IdOf(rows[i])] - ScoreOf(rows[i])) < Rounding, $"{told}: {rows[i]}");
            Assert.True(Math.Abs(all[skip + i].Cosine - ScoreOf(rows[i])) < Rounding, $"{told}: row {i} is {rows[i]}");
        }
    }

    private async Task<Answer> AskAsync(string query, object? more = null, string field = "V")
    {
        Dictionary<string, object> parameters = _model.Parameters(field);
        foreach (System.Reflection.PropertyInfo one in more?.GetType().GetProperties() ?? [])
        {
            parameters[one.Name] = one.GetValue(more)!;
        }

        Answer answer = await _server.QueryAsync(query, more: new { QueryParameters = parameters });
        Assert.True(answer.Status == 200, $"{query}: {answer.Text}");
        return answer;
    }

    private static string[] IdsOf(Answer answer) => [.. answer.Json.GetProperty("Results").EnumerateArray().Select(IdOf)];

    private static string IdOf(JsonElement row) => row.GetProperty("@metadata").GetProperty("@id").GetString()!;

    private static double ScoreOf(JsonElement row) => row.GetProperty("@metadata").GetProperty("@index-score").GetDouble();
}
