using System.Text;
using System.Text.Json;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Http.Handlers.Previews;

/// <summary>Members of a collection, against a plain count over the same documents.</summary>
public sealed class FieldTests : IAsyncLifetime
{
    private ServerFixture _server = null!;

    public async Task InitializeAsync() => _server = await ServerFixture.StartAsync();

    public async Task DisposeAsync() => await _server.DisposeAsync();

    [Fact]
    public async Task Fields_OfRandomDocuments_AreThoseOfAPlainCount()
    {
        int seed = Environment.TickCount;
        var random = new Random(seed);
        var documents = new Dictionary<string, int>();
        var kinds = new Dictionary<string, int>();
        for (int i = 0; i < 100; i++)
        {
            string text = "{\"M\":" + Value(random, 0) + ",\"@metadata\":{\"@collection\":\"Users\"}}";
            await _server.PutAsync($"users/{i}", text);
            var own = new HashSet<string>();
            using JsonDocument parsed = JsonDocument.Parse(text);
            Count(parsed.RootElement.GetProperty("M"), "M", own, kinds);
            foreach (string path in own)
            {
                documents[path] = documents.GetValueOrDefault(path) + 1;
            }
        }

        await _server.PutAsync("others/1", "Others", """{"X":1}""");
        JsonElement answer = await GetAsync("collection=users");
        JsonElement[] fields = [.. answer.GetProperty("Fields").EnumerateArray()];
        Assert.True(answer.GetProperty("IsWholeCollection").GetBoolean());
        Assert.Equal(
            documents.OrderBy(one => one.Key, StringComparer.Ordinal),
            fields.ToDictionary(PathOf, field => field.GetProperty("Documents").GetInt32()).OrderBy(one => one.Key, StringComparer.Ordinal));
        IEnumerable<KeyValuePair<string, int>> found = fields.SelectMany(field => field.GetProperty("Kinds").EnumerateObject()
            .Select(kind => KeyValuePair.Create($"{PathOf(field)} {kind.Name}", kind.Value.GetInt32())));
        Assert.Equal(kinds.OrderBy(one => one.Key, StringComparer.Ordinal), found.OrderBy(one => one.Key, StringComparer.Ordinal));
    }

    [Fact]
    public async Task Sample_OfMany_IsBoundedAndSaysSo()
    {
        await _server.PutAllAsync("Users", Enumerable.Range(0, 30).Select(i => ($"users/{i}", new Dictionary<string, object> { ["N"] = i })));
        JsonElement answer = await GetAsync("collection=Users&sample=10");
        Assert.Equal((10, false), (answer.GetProperty("Sampled").GetInt32(), answer.GetProperty("IsWholeCollection").GetBoolean()));
        Assert.Equal(["29", "28", "27", "26", "25"], answer.GetProperty("Fields")[0].GetProperty("Examples").EnumerateArray().Select(one => one.GetString()));

        string members = string.Join(',', Enumerable.Range(0, 1500).Select(i => $"\"F{i}\":{i}"));
        await _server.PutAsync("wide/1", "Wide", $"{{{members}}}");
        JsonElement wide = await GetAsync("collection=Wide");
        Assert.Equal((1000, true), (wide.GetProperty("Fields").GetArrayLength(), wide.GetProperty("HasMoreFields").GetBoolean()));
        Assert.Equal(0, (await GetAsync("collection=Nobody")).GetProperty("Sampled").GetInt32());
        Assert.Equal(400, (await _server.DbAsync("GET", "/collections/fields?sample=1001")).Status);
    }

    [Fact]
    public async Task Document_DeeperThanIsLookedInto_IsReadOnce()
    {
        var text = new StringBuilder();
        for (int i = 0; i < 100; i++)
        {
            text.Append("{\"a\":");
        }

        await _server.PutAsync("deep/1", $"{text}1{new string('}', 100)}");
        Assert.Equal(8, (await GetAsync("")).GetProperty("Fields").GetArrayLength());
    }

    private static string PathOf(JsonElement field) => field.GetProperty("Path").GetString()!;

    private static string Value(Random random, int depth) => random.Next(depth > 3 ? 4 : 6) switch
    {
        0 => random.Next(100).ToString(System.Globalization.CultureInfo.InvariantCulture),
        1 => "\"text\"",
        2 => "null",
        3 => "true",
        4 => $"[{string.Join(',', Enumerable.Range(0, random.Next(4)).Select(_ => Value(random, depth + 1)))}]",
        _ => $"{{{string.Join(',', Enumerable.Range(0, random.Next(4)).Select(i => $"\"m{i}\":{Value(random, depth + 1)}"))}}}",
    };

    private static void Count(JsonElement value, string path, HashSet<string> own, Dictionary<string, int> kinds)
    {
        own.Add(path);
        string kind = value.ValueKind is JsonValueKind.True or JsonValueKind.False ? "Boolean" : value.ValueKind.ToString();
        kinds[$"{path} {kind}"] = kinds.GetValueOrDefault($"{path} {kind}") + 1;
        if (value.ValueKind == JsonValueKind.Object)
        {
            foreach (JsonProperty member in value.EnumerateObject())
            {
                Count(member.Value, $"{path}.{member.Name}", own, kinds);
            }
        }
        else if (value.ValueKind == JsonValueKind.Array)
        {
            foreach (JsonElement element in value.EnumerateArray())
            {
                Count(element, path + "[]", own, kinds);
            }
        }
    }

    private async Task<JsonElement> GetAsync(string query)
    {
        Answer answer = await _server.DbAsync("GET", $"/collections/fields?{query}");
        Assert.True(answer.Status == 200, answer.Text);
        return answer.Json;
    }
}
