using System.Globalization;
using System.Text.Json;
using System.Text.Json.Nodes;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Http.Handlers.Queries.Searching;

/// <summary>Groups of random documents against a plain evaluator, while documents are put, changed and deleted.</summary>
public sealed class GroupByModelTests
{
    private const int Documents = 150;

    private static readonly string[] s_queries =
    [
        "from Docs group by K select key() as a, count() as n, sum(V) as s",
        "from Docs group by K, Sub.C select K as a, Sub.C as b, count() as n, sum(V) as s",
        "from Docs group by Lines[].P select key() as a, count() as n, sum(Lines[].Q) as s",
        "from Docs group by Lines[].P, Lines[].Q, K select Lines[].P as a, Lines[].Q as b, K as c, count() as n, sum(V) as s",
        "from Docs group by array(Lines[].P) select key() as a, count() as n, sum(Lines[].Q) as s",
    ];

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public async Task Groups_AfterRandomChanges_AreThoseOfAPlainEvaluator(int seed)
    {
        var random = new Random(seed);
        var model = new Dictionary<string, JsonObject>();
        await using ServerFixture server = await ServerFixture.StartAsync();
        for (int round = 0; round < 8; round++)
        {
            await ChangeAsync(server, model, random, round == 0 ? Documents : 30);
            foreach (string query in s_queries)
            {
                Answer answer = await server.QueryAsync(query);
                Assert.True(answer.Status == 200, answer.Text);
                string[] found = [.. answer.Json.GetProperty("Results").EnumerateArray().Select(RowOf).Order(StringComparer.Ordinal)];
                string[] expected = [.. Evaluate(Array.IndexOf(s_queries, query), model.Values).Order(StringComparer.Ordinal)];
                string difference = $"missing {string.Join('\n', expected.Except(found))}\ntoo many {string.Join('\n', found.Except(expected))}";
                Assert.True(expected.SequenceEqual(found), $"seed {seed}, round {round}, {query}\n{difference}");
                Assert.Equal(expected.Length, answer.Json.GetProperty("TotalResults").GetInt32());
            }
        }
    }

    private static async Task ChangeAsync(ServerFixture server, Dictionary<string, JsonObject> model, Random random, int count)
    {
        var commands = new JsonArray();
        foreach (int number in Enumerable.Range(0, count).Select(_ => random.Next(Documents)).Distinct())
        {
            string id = $"docs/{number}";
            if (random.Next(5) == 0)
            {
                model.Remove(id);
                commands.Add(new JsonObject { ["Type"] = "DELETE", ["Id"] = id });
                continue;
            }

            JsonObject document = MakeDocument(random);
            model[id] = document;
            var sent = (JsonObject)document.DeepClone();
            sent["@metadata"] = new JsonObject { ["@collection"] = "Docs" };
            commands.Add(new JsonObject { ["Type"] = "PUT", ["Id"] = id, ["Document"] = sent });
        }

        Answer answer = await server.DbAsync("POST", "/bulk_docs", new JsonObject { ["Commands"] = commands }.ToJsonString());
        Assert.True(answer.Status == 201, answer.Text);
    }

    private static JsonObject MakeDocument(Random random)
    {
        var document = new JsonObject { ["V"] = random.Next(4) switch { 0 => null, 1 => "text", 2 => random.Next(100), _ => random.Next(100) / 4.0 } };
        string[] keys = ["null", "1", "1.0", "true", "\"a\"", "\"A\"", "\"\"", "{\"x\":1}", "[]", "[1,\"a\"]", "2.5"];
        if (random.Next(8) > 0)
        {
            document["K"] = JsonNode.Parse(keys[random.Next(keys.Length)]);
        }

        if (random.Next(3) > 0)
        {
            document["Sub"] = random.Next(4) == 0 ? null : new JsonObject { ["C"] = random.Next(3) };
        }

        if (random.Next(4) > 0)
        {
            document["Lines"] = new JsonArray([.. Enumerable.Range(0, random.Next(4)).Select(_ => Line(random))]);
        }

        return document;
    }

    private static JsonObject Line(Random random)
    {
        var line = new JsonObject { ["Q"] = random.Next(3) };
        if (random.Next(5) > 0)
        {
            line["P"] = random.Next(2) == 0 ? "p" : "q";
        }

        return line;
    }

    private static IEnumerable<string> Evaluate(int query, IEnumerable<JsonObject> documents)
    {
        var groups = new Dictionary<string, (int Count, decimal Sum)>();
        foreach (JsonObject document in documents)
        {
            foreach ((string key, decimal sum) in RowsOf(query, document))
            {
                (int count, decimal total) = groups.GetValueOrDefault(key);
                groups[key] = (count + 1, total + sum);
            }
        }

        return groups.Select(group => $"{group.Key}n={group.Value.Count};s={Text(group.Value.Sum)}");
    }

    private static IEnumerable<(string Key, decimal Sum)> RowsOf(int query, JsonObject document)
    {
        decimal value = Number(document["V"]);
        JsonNode?[] keys = document["K"] is JsonArray list ? [.. list] : [document["K"]];
        JsonNode?[] lines = document["Lines"] is JsonArray array ? [.. array] : [];
        bool hasLines = document.ContainsKey("Lines");
        return query switch
        {
            0 => keys.Select(key => ($"a={Text(key)};", value)),
            1 => keys.Select(key => ($"a={Text(key)};b={Text(document["Sub"]?["C"])};", value)),
            2 => hasLines ? lines.Select(line => ($"a={Text(line!["P"])};", Number(line["Q"]))) : [("a=null;", 0)],
            3 => (hasLines ? lines.Select(line => $"a={Text(line!["P"])};b={Text(line["Q"])};") : ["a=null;b=null;"])
                .SelectMany(line => keys.Select(key => ($"{line}c={Text(key)};", value))),
            _ => [(hasLines ? $"a=[{string.Join(',', lines.Where(line => line!.AsObject().ContainsKey("P")).Select(line => Text(line!["P"])))}];" : "a=null;",
                lines.Sum(line => Number(line!["Q"])))],
        };
    }

    private static string RowOf(JsonElement row) => string.Concat(row.EnumerateObject().Where(member => member.Name != "@metadata")
        .Select(member => $"{member.Name}={Text(JsonNode.Parse(member.Value.GetRawText()))};"))[..^1];

    private static decimal Number(JsonNode? node) => node is JsonValue value && value.GetValueKind() == JsonValueKind.Number
        ? decimal.Parse(value.ToJsonString(), CultureInfo.InvariantCulture) : 0;

    private static string Text(decimal number) => (number / 1.0000000000000000000000000000m).ToString(CultureInfo.InvariantCulture);

    private static string Text(JsonNode? node) => node switch
    {
        null => "null",
        JsonArray list => $"[{string.Join(',', list.Select(Text))}]",
        JsonValue when node.GetValueKind() == JsonValueKind.Number => Text(Number(node)),
        _ => node.ToJsonString(),
    };
}
