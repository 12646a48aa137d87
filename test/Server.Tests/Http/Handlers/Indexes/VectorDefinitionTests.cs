using System.Text.Json;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Http.Handlers.Indexes;

/// <summary>Fields of vectors in index definitions, from their texts to queries over HTTP.</summary>
public sealed class VectorDefinitionTests : IAsyncLifetime
{
    // 1 and 0 as floats of 32 bits, little-endian.
    private const string OneZero = "AACAPwAAAAA=";

    private ServerFixture _server = null!;

    public async Task InitializeAsync() => _server = await ServerFixture.StartAsync();

    public async Task DisposeAsync() => await _server.DisposeAsync();

    public static TheoryData<string, string, bool> Forms
    {
        get
        {
            string[] values =
            [
                "[1,0]", "[[0,-1],[1,0]]", $"\"{OneZero}\"", $"[\"{OneZero}\"]", """{"@vector":[1,0]}""", """[{"@vector":[1,0]},{"@vector":[0,-1]}]""",
                "[3e38,1]", "[1e-30,0]",
            ];
            string[] maps =
            [
                "from d in docs.Docs select new { V = CreateVector(d.V) }", "docs.Docs.Select(d => new { V = CreateVector(d.V) })",
                "map('Docs', d => ({ V: createVector(d.V) }))", "from d in docs.Docs select new { d.V }", "map('Docs', d => ({ V: d.V }))",
                "from d in docs.Docs select new { _ = CreateField(\"V\", CreateVector(d.V)) }",
                "map('Docs', d => ({ _: createField('V', createVector(d.V)) }))",
            ];
            var forms = new TheoryData<string, string, bool>();
            for (int map = 0; map < maps.Length; map++)
            {
                for (int value = map % 2; value < values.Length; value += map < 3 ? 1 : 2)
                {
                    forms.Add(maps[map], values[value], maps[map].Contains("reateVector", StringComparison.Ordinal));
                }
            }

            return forms;
        }
    }

    [Theory]
    [MemberData(nameof(Forms))]
    public async Task Query_OfAVectorInAnyForm_FindsTheNearest(string map, string value, bool isMarked)
    {
        await _server.PutAsync("d/1", "Docs", $$"""{"V":{{value}}}""");
        await _server.PutAsync("d/2", "Docs", """{"V":[-1,0.1]}""");
        await _server.PutAsync("d/3", "Docs", """{"V":null}""");
        await _server.PutAsync("d/4", "Docs", "{}");
        await PutAsync(map, isMarked ? null : new { V = new { Vector = new { } } });
        Assert.Equal("d/1,d/2", await NearestAsync("[1,0]"));
        Assert.Equal("d/1", await NearestAsync("[1,0]", ", 0.9"));
        Assert.Equal("d/3", await _server.IdsAsync("from index 'I' where V = null"));
        Assert.Empty(_server.Indexes.Find("I")!.Failures.List());
    }

    [Theory]
    [InlineData("Int8", null, "[127,0]", "[0,127]", "[1,0]")]
    [InlineData("Int8", "Binary", "[127,-1]", "[-3,127]", "[1,-1]")]
    [InlineData("Binary", null, "[255]", "[15]", "[254]")]
    [InlineData("Single", "Int8", "[0.5,0.1]", "[0.1,0.5]", "[0.4,0.0]")]
    [InlineData("Single", "Binary", "[0.5,-0.1]", "[-0.1,0.5]", "[0.4,-2]")]
    public async Task Query_OfEachEmbeddingType_FindsTheNearest(string source, string? destination, string near, string far, string query)
    {
        await _server.PutAsync("d/1", "Docs", $$"""{"V":{{near}}}""");
        await _server.PutAsync("d/2", "Docs", $$"""{"V":{{far}}}""");
        await PutAsync("from d in docs.Docs select new { d.V }",
            new { V = new { Vector = new { SourceEmbeddingType = source, DestinationEmbeddingType = destination } } });
        Assert.Equal("d/1,d/2", await NearestAsync(query));
    }

    // What VectorQuantizer.toInt8 of npm client 7.2.6 makes of (6.6, 7.7), (-6.6, 7.7) and (1, 0): two bytes, and four of a scale.
    [Theory]
    [InlineData(null)]
    [InlineData("""{"SourceEmbeddingType":"Int8","DestinationEmbeddingType":"Int8"}""")]
    [InlineData("""{"SourceEmbeddingType":"Int8","DestinationEmbeddingType":"Int8","Dimensions":2}""")]
    public async Task Query_OfBytesWithAScale_ScoresTheBytesWithoutIt(string? options)
    {
        await _server.PutAsync("d/1", "Docs", """{"V":[109,127,102,102,-10,64]}""");
        await _server.PutAsync("d/2", "Docs", $$"""{"V":"{{Convert.ToBase64String([unchecked((byte)-109), 127, 102, 102, unchecked((byte)-10), 64])}}"}""");
        if (options is not null)
        {
            using var vector = JsonDocument.Parse(options);
            await PutAsync("from d in docs.Docs select new { d.V }", new { V = new { Vector = vector.RootElement } });
        }

        string where = options is null ? "from Docs where vector.search(embedding.i8(V)" : "from index 'I' where vector.search(V";
        Answer answer = await _server.QueryAsync($"{where}, [127,0,0,0,-128,63])");
        Assert.Equal([0.65128, -0.65128], answer.Json.GetProperty("Results").EnumerateArray()
            .Select(row => Math.Round(row.GetProperty("@metadata").GetProperty("@index-score").GetDouble(), 5)));
    }

    [Fact]
    public async Task Query_OfAReduceWithVectors_FindsItsGroups()
    {
        await _server.PutAsync("d/1", "Docs", """{"G":"a","V":[1,0]}""");
        await _server.PutAsync("d/2", "Docs", """{"G":"b","V":[0,1]}""");
        await PutAsync(
            "from d in docs.Docs select new { d.G, V = CreateVector(d.V) }", null,
            "from r in results group r by r.G into g select new { G = g.Key, V = g.First().V }");
        JsonElement rows = (await _server.QueryAsync("from index 'I' where vector.search(V, [0,1], 0.5)")).Json.GetProperty("Results");
        Assert.Equal(["b"], rows.EnumerateArray().Select(row => row.GetProperty("G").GetString()));
    }

    [Theory]
    [InlineData("[1,2,3]", "the vector has 3 dimensions, but the vectors of the field have 2")]
    [InlineData("[[1,2],[1]]", "the vector has 1 dimension, but")]
    [InlineData("[0,0]", "all numbers of the vector are 0")]
    [InlineData("[1,\"x\"]", "a list whose value 2 is 'x'")]
    [InlineData("[1,null]", "a list whose value 2 is 'null'")]
    [InlineData("[[1,2],3]", "a list of vectors and numbers")]
    [InlineData("[[]]", "1 to 4,096 dimensions, and this one has 0")]
    [InlineData("\"\"", "1 to 4,096 dimensions, and this one has 0")]
    [InlineData("\"AACAPw==x\"", "base64 of up to 4,096 numbers, not 'AACAPw==x'")]
    [InlineData("\"AACAPwA=\"", "4 bytes for each number of 32 bits, and this one has 5 bytes")]
    [InlineData("\"AADAfwAAAAA=\"", "number 1 of the vector is NaN")]
    [InlineData("[1e300,1]", "finite numbers of 32 bits, which reach")]
    [InlineData("true", "not 'true'")]
    [InlineData("{\"x\":1}", "an object without '@vector'")]
    [InlineData("[[[[[[[[[[[[1,2]]]]]]]]]]]]", "a list that is nested deeper")]
    [InlineData("5", "not '5'")]
    public async Task Map_OfAValueThatIsNoVector_IsAnErrorThatNamesDocumentAndField(string value, string message)
    {
        foreach (string map in (string[])["from d in docs.Docs select new { V = CreateVector(d.V) }", "map('Docs', d => ({ V: createVector(d.V) }))"])
        {
            await _server.PutAsync("d/1", "Docs", """{"V":[1,2]}""");
            await _server.DeleteAsync("d/2");
            await PutAsync(map, null);
            Assert.Equal("d/1", await _server.IdsAsync("from index 'I'"));
            await _server.PutAsync("d/2", "Docs", $$"""{"V":{{value}}}""");
            Assert.Equal("d/1", await NearestAsync("[1,2]"));
            var failure = Assert.Single(_server.Indexes.Find("I")!.Failures.List());
            Assert.Equal("d/2", failure.DocumentId);
            Assert.Contains("'V': ", failure.Message, StringComparison.Ordinal);
            Assert.Contains(message, failure.Message, StringComparison.Ordinal);
            Assert.Equal(204, (await _server.DbAsync("DELETE", "/indexes?name=I")).Status);
        }
    }

    [Theory]
    [InlineData(4096, 1, null)]
    [InlineData(4097, 1, "1 to 4,096 dimensions, and this one has 4,097")]
    [InlineData(100_000, 1, "1 to 4,096 dimensions, and this one has 100,000")]
    [InlineData(2, 1000, null)]
    [InlineData(2, 1001, "a list may have 1,000 vectors, and this one has more")]
    public async Task Map_AtTheLimits_TakesOrRefuses(int dimensions, int vectors, string? message)
    {
        string one = $"[{string.Join(',', Enumerable.Repeat("1", dimensions))}]";
        await _server.PutAsync("d/1", "Docs", $$"""{"V":[{{string.Join(',', Enumerable.Repeat(one, vectors))}}]}""");
        await PutAsync("from d in docs.Docs select new { V = CreateVector(d.V) }", null);
        Assert.Equal(message is null ? "d/1" : "", await _server.IdsAsync("from index 'I'"));
        Assert.Equal(
            message is not null,
            _server.Indexes.Find("I")!.Failures.List().Any(failure => failure.Message.Contains(message!, StringComparison.Ordinal)));
    }

    [Theory]
    [InlineData("""{"Dimensions":0}""", "Dimensions must be a whole number from 1 to 4,096, not 0")]
    [InlineData("""{"Dimensions":4097}""", "Dimensions must be")]
    [InlineData("""{"Dimensions":"3"}""", "Dimensions must be")]
    [InlineData("""{"Dimensions":2.5}""", "Dimensions must be")]
    [InlineData("""{"Dimensions":12,"SourceEmbeddingType":"Binary"}""", "Dimensions counts bits")]
    [InlineData("""{"SourceEmbeddingType":"Text"}""", "no embedding model")]
    [InlineData("""{"SourceEmbeddingType":"Float16"}""", "must be Single, Int8 or Binary, not 'Float16'")]
    [InlineData("""{"SourceEmbeddingType":"Int8","DestinationEmbeddingType":"Single"}""", "cannot be kept as Single")]
    [InlineData("""{"SourceEmbeddingType":"Binary","DestinationEmbeddingType":"Int8"}""", "cannot be kept as Int8")]
    [InlineData("""{"NumberOfEdges":1}""", "NumberOfEdges must be a whole number from 2 to 256")]
    [InlineData("""{"NumberOfCandidatesForIndexing":0}""", "NumberOfCandidatesForIndexing must be")]
    [InlineData("""{"TargetRecall":0.5}""", "TargetRecall must be a number above 0.5 and below 1")]
    [InlineData("""{"TargetRecall":1}""", "TargetRecall must be")]
    [InlineData("""{"Recall":0.9}""", "Vector has no member 'Recall'")]
    [InlineData("7", "Vector must be an object")]
    public async Task Options_ThatAreWrong_AreRefused(string vector, string message)
    {
        Answer put = await TryPutAsync("from d in docs.Docs select new { d.V }", new { V = new { Vector = JsonDocument.Parse(vector).RootElement } });
        Assert.Equal(400, put.Status);
        Assert.Contains("Field 'V': ", put.Text, StringComparison.Ordinal);
        Assert.Contains(message, put.Text, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Options_AreEchoed_AndOthersMakeANewIndex()
    {
        await _server.PutAsync("d/1", "Docs", """{"V":[1,2]}""");
        const string map = "from d in docs.Docs select new { d.V }";
        var vector = new
        {
            Dimensions = 2,
            SourceEmbeddingType = "Single",
            DestinationEmbeddingType = "Int8",
            NumberOfEdges = 8,
            NumberOfCandidatesForIndexing = 50,
            TargetRecall = 0.9,
        };
        await PutAsync(map, new { V = new { Vector = vector } });
        JsonElement echoed = (await _server.DbAsync("GET", "/indexes?name=I")).Json.GetProperty("Results")[0]
            .GetProperty("Fields").GetProperty("V").GetProperty("Vector");
        Assert.Equal(
            """{"Dimensions":2,"SourceEmbeddingType":"Single","DestinationEmbeddingType":"Int8","NumberOfCandidatesForIndexing":50,"""
            + "\"NumberOfEdges\":8,\"TargetRecall\":0.9}",
            echoed.GetRawText());
        Assert.Equal("d/1", await NearestAsync("[1,2]"));
        string folder = _server.Indexes.Find("I")!.Record.Folder;
        await PutAsync(map, new { V = new { Vector = vector } });
        Assert.Equal(folder, _server.Indexes.Find("I")!.Record.Folder);
        await PutAsync(map, new { V = new { Vector = vector with { TargetRecall = 0.8 } } });
        await _server.SettledAsync();
        Assert.NotEqual(folder, _server.Indexes.Find("I")!.Record.Folder);
    }

    [Theory]
    [InlineData("V", "Single", "Single")]
    [InlineData("embedding.f32_i8(V)", "Single", "Int8")]
    [InlineData("embedding.f32_i1(V)", "Single", "Binary")]
    [InlineData("embedding.i8(V)", "Int8", "Int8")]
    [InlineData("embedding.i1(V)", "Binary", "Binary")]
    public async Task Definition_OfAnAutomaticIndex_SaysWhatItsVectorsAre(string field, string source, string destination)
    {
        await _server.PutAsync("d/1", "Docs", """{"V":[1,2]}""");
        await _server.IdsAsync($"from Docs where vector.search({field}, [1,2]) and Name = null");
        JsonElement fields = (await _server.DbAsync("GET", "/indexes")).Json.GetProperty("Results")[0].GetProperty("Fields");
        Assert.Equal(
            $$"""{"Dimensions":null,"SourceEmbeddingType":"{{source}}","DestinationEmbeddingType":"{{destination}}","""
            + "\"NumberOfCandidatesForIndexing\":null,\"NumberOfEdges\":null}",
            fields.GetProperty($"vector.search({field})").GetProperty("Vector").GetRawText());
        Assert.Equal(JsonValueKind.Null, fields.GetProperty("Name").GetProperty("Vector").ValueKind);
        JsonElement record = (await _server.DbAsync("GET", "/admin/record")).Json.GetProperty("AutoIndexes").EnumerateObject().First().Value;
        JsonElement made = record.GetProperty("MapFields").GetProperty($"vector.search({field})").GetProperty("Vector");
        Assert.Equal("V", made.GetProperty("SourceFieldName").GetString());
    }

    [Fact]
    public async Task Statistics_NameTheFieldsOfVectors()
    {
        await _server.PutAsync("d/1", "Docs", """{"V":[[1,2,3],[3,2,1]]}""");
        await PutAsync("from d in docs.Docs select new { V = CreateVector(d.V) }", null);
        await _server.SettledAsync();
        JsonElement field = Assert.Single((await _server.DbAsync("GET", "/indexes/stats?name=I")).Json.GetProperty("Results")[0]
            .GetProperty("VectorFields").EnumerateArray());
        Assert.Equal("V", field.GetProperty("Name").GetString());
        Assert.Equal(3, field.GetProperty("Dimensions").GetInt32());
        Assert.Equal(2, field.GetProperty("Vectors").GetInt32());
        Assert.Equal("exact: all vectors are compared", field.GetProperty("Recall").GetString());
    }

    [Theory]
    [InlineData("DefaultMinimumSimilarity", "0.5", "d/1", true)]
    [InlineData("DefaultMinimumSimilarity", "2", "", false)]
    [InlineData("NumberOfEdges", "4", "d/1,d/2", true)]
    [InlineData("NumberOfEdges", "1", "", false)]
    [InlineData("NumberOfCandidatesForIndexing", "20", "d/1,d/2", true)]
    [InlineData("NumberOfCandidatesForQuerying", "20", "d/1,d/2", true)]
    [InlineData("NumberOfCandidatesForQuerying", "x", "", false)]
    public async Task Settings_OfVectors_AreUsedOrRefused(string key, string value, string ids, bool isTaken)
    {
        await _server.PutAsync("d/1", "Docs", """{"V":[1,0]}""");
        await _server.PutAsync("d/2", "Docs", """{"V":[0,1]}""");
        Answer put = await _server.PutIndexAsync("I", "from d in docs.Docs select new { V = CreateVector(d.V) }", null,
            new { Configuration = new Dictionary<string, string> { ["Indexing.Corax.VectorSearch." + key] = value } });
        Assert.Equal(isTaken, put.Status == 201);
        if (isTaken)
        {
            Assert.Equal(ids, await NearestAsync("[1,0]"));
        }
        else
        {
            Assert.Contains(key, put.Text, StringComparison.Ordinal);
        }
    }

    private Task<string> NearestAsync(string vector, string more = "") => _server.IdsAsync($"from index 'I' where vector.search(V, {vector}{more})");

    private async Task PutAsync(string map, object? fields, string? reduce = null)
    {
        Answer put = await TryPutAsync(map, fields, reduce);
        Assert.True(put.Status == 201, put.Text);
    }

    private Task<Answer> TryPutAsync(string map, object? fields, string? reduce = null) => _server.PutIndexAsync("I", map, reduce, new { Fields = fields });
}
