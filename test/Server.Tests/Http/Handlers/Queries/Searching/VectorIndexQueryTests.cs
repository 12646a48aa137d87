using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Http.Handlers.Queries.Searching;

/// <summary>vector.search in indexes that users define.</summary>
public sealed class VectorIndexQueryTests : IAsyncLifetime
{
    private const int Documents = 20;

    private ServerFixture _server = null!;

    public async Task InitializeAsync()
    {
        _server = await ServerFixture.StartAsync();
        for (int i = 0; i < Documents; i++)
        {
            int j = Documents - i;
            string parts = $"[[{j},{i}],[{j},{i + 1}]]";
            await _server.PutAsync($"Items/{i}", "Items", $$"""{"N":{{i}},"V":[{{j}},{{i}}],"Small":[{{j}},{{i}}],"Parts":{{parts}}}""");
        }

        await _server.PutAsync("Items/none", "Items", """{"N":-1,"V":null}""");
        await _server.PutIndexAsync("Plain", "from i in docs.Items select new { i.N, V = CreateVector(i.V) }");
        await _server.PutIndexAsync("Script", "map('Items', i => ({ N: i.N, V: createVector(i.V) }))");
        await _server.PutIndexAsync("Small", "from i in docs.Items select new { i.N, V = CreateVector(i.Small) }",
            more: new { Fields = new { V = new { Vector = new { SourceEmbeddingType = "Int8", DestinationEmbeddingType = "Int8" } } } });
        await _server.PutIndexAsync("Fanout", "from i in docs.Items from p in i.Parts select new { i.N, V = CreateVector(p) }");
    }

    public async Task DisposeAsync() => await _server.DisposeAsync();

    [Theory]
    [InlineData("Plain")]
    [InlineData("Script")]
    [InlineData("Small")]
    [InlineData("Fanout")]
    public async Task Query_OfAnIndex_FindsTheNearestDocumentsEachOnce(string index)
    {
        Assert.Equal(Enumerable.Range(0, Documents), await NumbersAsync($"from index '{index}' where vector.search(V, [1, 0])"));
        Assert.Equal("3,4", string.Join(',', await NumbersAsync($"from index '{index}' where vector.search(V, [1, 0]) and N > 2 limit 2")));
        Assert.Equal("0,1,2", string.Join(',', await NumbersAsync($"from index '{index}' where exact(vector.search(V, [[1, 0]], null, 50)) limit 3")));
        Assert.Equal(7, (await NumbersAsync($"from index '{index}' where vector.search(V, embedding.forDoc('Items/7')) limit 1"))[0]);
    }

    [Theory]
    [InlineData("Plain", "vector.search(embedding.f32(V), [1, 0])", null)]
    [InlineData("Small", "vector.search(embedding.i8(V), [1, 0])", null)]
    [InlineData("Small", "vector.search(embedding.f32(V), [1, 0])", "index 'Small' has vectors of Int8 that it keeps as Int8")]
    [InlineData("Plain", "vector.search(embedding.f32_i8(V), [1, 0])", "index 'Plain' has vectors of Single that it keeps as Single")]
    [InlineData("Small", "vector.search(V, [1, 0.5])", "whole numbers from -128 to 127")]
    [InlineData("Plain", "vector.search(V, [1, 0, 0])", "A vector of the query has 3 dimensions, but the vectors of the field 'V' have 2")]
    [InlineData("Plain", "vector.search(N, [1, 0])", "the field 'N' of index 'Plain' has no vectors")]
    [InlineData("Plain", "vector.search(W, [1, 0])", "has no field 'W'")]
    [InlineData("Plain", "vector.search(V, 'italian food')", "not 'italian food'")]
    [InlineData("Plain", "vector.search(V, embedding.forDoc('Items/none'))", "the document 'Items/none' has no vector in the field 'V' of index 'Plain'")]
    [InlineData("Plain", "vector.search(V, embedding.forDoc('other'))", "the document 'other' has no vector in the field 'V' of index 'Plain'")]
    public async Task Query_ThatContradictsTheIndex_IsRefused(string index, string where, string? message)
    {
        Answer answer = await _server.QueryAsync($"from index '{index}' where {where}");
        if (message is null)
        {
            Assert.True(answer.Status == 200, answer.Text);
            return;
        }

        answer.AssertProblem(400, "InvalidQueryException", message);
    }

    [Fact]
    public async Task MoreLikeThis_OfVectors_IsRefused() =>
        (await _server.QueryAsync("from index 'Plain' where moreLikeThis(vector.search(V, [1, 0]))"))
            .AssertProblem(400, "InvalidQueryException", "'moreLikeThis' takes a condition that names a document");

    private async Task<int[]> NumbersAsync(string query)
    {
        Answer answer = await _server.QueryAsync(query);
        Assert.True(answer.Status == 200, $"{query}: {answer.Text}");
        return [.. answer.Json.GetProperty("Results").EnumerateArray().Select(row => row.GetProperty("N").GetInt32())];
    }
}
