using System.Collections.Concurrent;
using System.Diagnostics;
using System.Globalization;
using System.Net;
using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;
using Jackdaw.Indexing.Settings;
using Jackdaw.TestKit;
using Xunit.Abstractions;

namespace Jackdaw.Server.Tests.Http.Handlers.Queries.Models;

/// <summary>Random paths with odd names, positions, computed members and metadata: every clause gives what a plain evaluator gives.</summary>
/// <remarks>The paths of one database share its automatic indexes, so that an answer would show if two paths were one field.</remarks>
public sealed class PathModelTests(ITestOutputHelper output)
{
    private const int Documents = 40;
    private const int Paths = 50;

    /// <summary>Differences of one database that are described; more would hide the first ones.</summary>
    private const int ReportedMax = 5;

    [Fact]
    public Task Paths_SixHundredQueries_MeanTheSameInEveryClause() => RunAsync(databases: 2, queries: 300);

    // Each fifth of the hundred thousand can be run alone.
    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(4)]
    [InlineData(5)]
    [Trait("Tier", "Full")]
    public Task Paths_TwentyThousandQueries_MeanTheSameInEveryClause(int part) => RunAsync(databases: 20, queries: 1000, part);

    /// <summary>Independent databases, each with a seed, a server and documents of its own; as many at a time as there are processors.</summary>
    private async Task RunAsync(int databases, int queries, int part = 0)
    {
        int seed = Environment.TickCount + (part * databases);
        ConcurrentBag<string> differences = [];
        await Parallel.ForAsync(seed, seed + databases, async (each, _) =>
        {
            foreach (string difference in differences.IsEmpty ? await RunOneAsync(each, queries) : [])
            {
                differences.Add(difference);
            }
        });
        Assert.True(differences.IsEmpty, $"{differences.Count} differences:\n{string.Join("\n\n", differences)}");
    }

    private async Task<List<string>> RunOneAsync(int seed, int queries)
    {
        long began = Stopwatch.GetTimestamp();
        List<string> differences = [];
        await using var model = await PathModel.StartAsync(new Random(seed));
        for (int asked = 0; asked < queries && differences.Count < ReportedMax; asked++)
        {
            if (await model.CheckAsync() is { } difference)
            {
                differences.Add($"seed {seed}, query {asked}: {difference}");
            }
        }

        output.WriteLine($"seed {seed}: {model.Found} with rows, {Stopwatch.GetElapsedTime(began).TotalSeconds:F1} s");
        Assert.True(differences.Count > 0 || model.Found > queries / 3, $"seed {seed}: only {model.Found} of {queries} queries find anything");
        return differences;
    }

    /// <summary>One database with documents and paths.</summary>
    private sealed class PathModel(ServerFixture server, Random random) : IAsyncDisposable
    {
        private readonly RandomPaths _made = new(random);
        private readonly List<(string Id, JsonObject Body)> _documents = [];
        private readonly List<PlainPath> _paths = [];
        private readonly List<PlainPath> _defined = [];

        /// <summary>The number of queries that found something.</summary>
        public int Found { get; private set; }

        public static async Task<PathModel> StartAsync(Random random)
        {
            var setup = new ServerSetup { Indexing = new IndexingSettings { SupersededDeletedAfter = TimeSpan.Zero } };
            var model = new PathModel(await ServerFixture.StartAsync(setup), random);
            await model.FillAsync();
            return model;
        }

        public ValueTask DisposeAsync() => server.DisposeAsync();

        public async Task<string?> CheckAsync()
        {
            if (random.Next(40) == 0)
            {
                await WriteAsync(random.Next(Documents));
            }

            PlainPath path = _paths[random.Next(_paths.Count)];
            return random.Next(8) switch
            {
                0 or 1 => await CheckConditionAsync(path, "where"),
                2 => await CheckConditionAsync(path, "filter"),
                3 => await CheckSelectAsync(path),
                4 => await CheckGroupAsync(path),
                5 => await CheckOrderAsync(path),
                6 => await CheckFacetAsync(path),
                _ => await CheckDefinitionAsync(),
            };
        }

        private async Task FillAsync()
        {
            for (int i = 0; i < Documents; i++)
            {
                _documents.Add(("", []));
                await WriteAsync(i);
            }

            for (int i = 0; i < Paths; i++)
            {
                _paths.Add(_made.Path(_documents[random.Next(Documents)].Body));
            }

            await DefineAsync();
        }

        private async Task WriteAsync(int number)
        {
            JsonObject body = _made.Document();
            body["@metadata"] = new JsonObject { ["@collection"] = "Docs", ["@own"] = "5" };
            if (random.Next(3) == 0)
            {
                body["@metadata"]!["@expires"] = "2099-01-02T03:04:05.0000000Z";
            }

            string id = $"docs/{number}";
            Answer put = await server.DbAsync("PUT", $"/docs?id={id}", body.ToJsonString());
            Assert.True(put.Status == 201, put.Text);
            if (random.Next(4) == 0)
            {
                await CountAsync(id);
            }

            Answer stored = await server.DbAsync("GET", $"/docs?id={id}");
            _documents[number] = (id, JsonNode.Parse(stored.Text)!["Results"]![0]!.AsObject());
        }

        // The names of counters stand in the metadata of their document.
        private async Task CountAsync(string id)
        {
            Answer counter = await server.DbAsync("POST", "/counters",
                $$"""{"Documents":[{"DocumentId":"{{id}}","Operations":[{"Type":"Increment","CounterName":"likes","Delta":1}]}]}""");
            Assert.True(counter.Status == 200, counter.Text);
        }

        private async Task DefineAsync()
        {
            _defined.AddRange(_paths.Where(path => _documents.All(document => path.IsOneInDefinitions(document.Body))));
            var map = new StringBuilder("from d in docs.Docs select new { K = 1");
            for (int i = 0; i < _defined.Count; i++)
            {
                map.Append(CultureInfo.InvariantCulture, $", F{i} = d");
                foreach (PlainPart part in _defined[i].Parts)
                {
                    map.Append(part.Name is null ? $"[{part.Position}]" : $"[{JsonSerializer.Serialize(part.Name)}]");
                }
            }

            Answer put = await server.PutIndexAsync("Defined", map.Append(" }").ToString());
            Assert.True(put.Status == 201, put.Text);
        }

        private async Task<string?> CheckConditionAsync(PlainPath path, string clause)
        {
            string? alias = Alias(out string source);
            (string condition, Func<JsonObject, bool> isMet, JsonNode? value) = Condition(path, _made.Rql(path, alias));
            string query = $"{source} {clause} {condition}";
            return await CompareIdsAsync(query, value, isMet);
        }

        private (string Condition, Func<JsonObject, bool> IsMet, JsonNode? Value) Condition(PlainPath path, string rql)
        {
            JsonNode? value = _made.Value([.. _documents.SelectMany(document => path.Values(document.Body)).Where(one => one is null or JsonValue)]);
            JsonElement wanted = ToElement(value);
            bool Equal(JsonObject body) => path.Values(body).Any(one => PlainValues.AreEqual(ToElement(one), wanted, isExact: false));
            return random.Next(4) switch
            {
                0 => ($"exists({rql})", path.Exists, null),
                1 when value is not null && wanted.ValueKind is JsonValueKind.Number or JsonValueKind.String => ($"{rql} >= $v", body =>
                    path.Values(body).Any(one => PlainValues.IsBetween(ToElement(one), wanted, true, null, false, isExact: false)), value),
                2 when value is not null => ($"{rql} != $v", body => !Equal(body), value),
                _ => ($"{rql} = $v", Equal, value),
            };
        }

        private async Task<string?> CompareIdsAsync(string query, JsonNode? value, Func<JsonObject, bool> isMet)
        {
            string[] expected = [.. _documents.Where(document => isMet(document.Body)).Select(document => document.Id).Order(StringComparer.Ordinal)];
            (JsonArray? rows, string? problem) = await AskAsync(query, value, expected.Length > 0);
            string[] got = [.. (rows ?? []).Select(IdOf).Order(StringComparer.Ordinal)];
            return problem ?? (got.SequenceEqual(expected) ? null : Describe(query, value, string.Join(' ', got), string.Join(' ', expected),
                got.Except(expected).Concat(expected.Except(got)).FirstOrDefault()));
        }

        private async Task<string?> CheckSelectAsync(PlainPath path)
        {
            string query = $"from Docs as d select d{_made.Rql(path, "d")[1..]} as X";
            (JsonArray? rows, string? problem) = await AskAsync(query, null, isFound: true);
            foreach (JsonNode? row in rows ?? [])
            {
                JsonNode? expected = path.Selected(BodyOf(IdOf(row)));
                if (!JsonNode.DeepEquals(row!["X"], expected))
                {
                    return Describe(query, null, row["X"]?.ToJsonString(), expected?.ToJsonString(), IdOf(row));
                }
            }

            return problem;
        }

        private async Task<string?> CheckGroupAsync(PlainPath path)
        {
            string rql = _made.Rql(path, Alias(out string source));
            string query = $"{source} group by {rql} select key() as K, count() as N";
            string[] expected = [.. _documents.SelectMany(document => path.Keys(document.Body)).Select(Text).GroupBy(key => key)
                .Select(group => $"{group.Key} {group.Count()}").Order(StringComparer.Ordinal)];
            (JsonArray? rows, string? problem) = await AskAsync(query, null, expected.Length > 0);
            string[] got = [.. (rows ?? []).Select(row => $"{Text(row!["K"])} {row["N"]}").Order(StringComparer.Ordinal)];
            return problem ?? (got.SequenceEqual(expected) ? null : Describe(query, null, Others(got, expected), Others(expected, got), null));
        }

        // Only documents with one text each have an order that the plainest rule gives.
        private async Task<string?> CheckOrderAsync(PlainPath path)
        {
            bool isDescending = random.Next(2) == 0;
            string rql = _made.Rql(path, Alias(out string source));
            string query = $"{source} order by {rql}{(isDescending ? " desc" : "")}";
            (JsonArray? rows, string? problem) = await AskAsync(query, null, isFound: true);
            List<string> texts = [];
            foreach (JsonNode? row in rows ?? [])
            {
                List<JsonNode?> values = path.Values(BodyOf(IdOf(row)));
                if (values is [JsonValue one] && one.GetValueKind() == JsonValueKind.String)
                {
                    texts.Add(PlainValues.TextOf(ToElement(one), isExact: false)!);
                }
            }

            string[] expected = [.. texts.Order(Comparer<string>.Create(PlainValues.CompareTexts))];
            Array.Reverse(expected, 0, isDescending ? expected.Length : 0);
            return problem ?? (rows!.Count != Documents ? $"{query}\n  {rows.Count} rows"
                : texts.SequenceEqual(expected) ? null
                : Describe(query, null, string.Join(' ', texts), string.Join(' ', expected), null));
        }

        private async Task<string?> CheckFacetAsync(PlainPath path)
        {
            string rql = _made.Rql(path, Alias(out string source));
            string query = $"{source} select facet({rql})";
            (JsonArray? rows, string? problem) = await AskAsync(query, null, isFound: true);
            if (problem is not null)
            {
                return problem;
            }

            IEnumerable<string> terms = _documents.SelectMany(document => path.Values(document.Body).Where(one => one is JsonValue)
                .Select(one => PlainValues.TextOf(ToElement(one), isExact: false)!).Distinct());
            string[] expected = [.. terms.GroupBy(term => term.Length == 0 ? "EMPTY_STRING" : term)
                .Select(group => $"{group.Key} {group.Count()}").Order(StringComparer.Ordinal)];
            string[] got = [.. rows![0]!["Values"]!.AsArray().Where(one => (string?)one!["Range"] != "NULL_VALUE")
                .Select(one => $"{one!["Range"]} {one["Count"]}").Order(StringComparer.Ordinal)];
            return got.SequenceEqual(expected) ? null : Describe(query, null, Others(got, expected), Others(expected, got), null);
        }

        private async Task<string?> CheckDefinitionAsync()
        {
            if (_defined.Count == 0)
            {
                return null;
            }

            int field = random.Next(_defined.Count);
            JsonNode? value = _made.Value([.. _documents.SelectMany(document => _defined[field].Values(document.Body)).Where(one => one is JsonValue)]);
            bool isOne = _documents.All(document => _defined[field].IsOneInDefinitions(document.Body)); // Documents have changed since.
            bool IsMet(JsonObject body) =>
                _defined[field].Values(body).Any(one => PlainValues.AreEqual(ToElement(one), ToElement(value), isExact: false));
            string query = $"from index 'Defined' where F{field} = $v /* {string.Join(" . ", _defined[field].Parts)} */";
            return value is null || !isOne ? null : await CompareIdsAsync(query, value, IsMet);
        }

        private async Task<(JsonArray? Rows, string? Problem)> AskAsync(string query, JsonNode? value, bool isFound)
        {
            var request = new JsonObject
            {
                ["Query"] = query,
                ["QueryParameters"] = new JsonObject { ["v"] = value?.DeepClone() },
                ["WaitForNonStaleResults"] = true,
                ["WaitForNonStaleResultsTimeout"] = "00:01:00",
            };
            Answer answer = await server.DbAsync("POST", "/queries", request.ToJsonString());
            Found += isFound ? 1 : 0;
            return answer.Status == (int)HttpStatusCode.OK
                ? (JsonNode.Parse(answer.Text)!["Results"]!.AsArray(), null)
                : (null, $"{query}\n  refused: {answer.Text}");
        }

        private string? Alias(out string source)
        {
            bool hasAlias = random.Next(2) == 0;
            source = hasAlias ? "from Docs as d" : "from Docs";
            return hasAlias ? "d" : null;
        }

        private JsonObject BodyOf(string id) => _documents.First(document => document.Id == id).Body;

        private string Describe(string query, JsonNode? value, string? got, string? expected, string? id) =>
            $"{query} with {value?.ToJsonString()}\n  gives     {got}\n  should be {expected}\n  such as {id} {(id is null ? "" : BodyOf(id).ToJsonString())}";

        private static string Others(string[] these, string[] those) => string.Join("\n", these.Except(those).Take(ReportedMax));

        private static string IdOf(JsonNode? row) => (string)row!["@metadata"]!["@id"]!;

        private static JsonElement ToElement(JsonNode? node) => JsonSerializer.SerializeToElement(node);

        // Numbers by their values.
        private static string Text(JsonNode? node) => node switch
        {
            null => "null",
            JsonArray list => $"[{string.Join(',', list.Select(Text))}]",
            JsonObject owner => string.Join(',', owner.OrderBy(member => member.Key, StringComparer.Ordinal).Select(member =>
                $"{JsonSerializer.Serialize(member.Key)}:{Text(member.Value)}")) is var members ? $"{{{members}}}" : "",
            JsonValue when node.GetValueKind() == JsonValueKind.Number => (decimal.Parse(node.ToJsonString(), NumberStyles.Float,
                CultureInfo.InvariantCulture) / 1.0000000000000000000000000000m).ToString(CultureInfo.InvariantCulture),
            _ => node.ToJsonString(),
        };
    }
}
