using System.Text.Json;
using Jackdaw.Indexing.Building;
using Jackdaw.Indexing.Definitions.Model;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Http.Handlers.Indexes;

/// <summary>Values that are not what a field of an automatic index is for: vectors that are none, shapes that are none. Only the value is missing.</summary>
public sealed class UnfitValueTests : IAsyncLifetime
{
    private const string Near = "from Items where vector.search(V, [1,2])";
    private const string Around = "from Items where spatial.within(spatial.wkt(Place), spatial.circle(100, 1, 1))";

    private ServerFixture _server = null!;

    public async Task InitializeAsync()
    {
        _server = await ServerFixture.StartAsync();
        await _server.PutAsync("Items/1", "Items", """{"Name":"x","V":[1,2],"Place":"POINT(1 1)"}""");
    }

    public async Task DisposeAsync() => await _server.DisposeAsync();

    [Theory]
    [InlineData("V", "\"food=\"", "base64 of up to 4,096 numbers, not 'food='")]
    [InlineData("V", "{\"x\":1}", "an object without '@vector'")]
    [InlineData("V", "[1,2,3]", "the vector has 3 dimensions, but the vectors of the field have 2")]
    [InlineData("V", "[[1,2],[1]]", "the vector has 1 dimension, but")]
    [InlineData("V", "\"AADAfwAAAAA=\"", "number 1 of the vector is NaN")]
    [InlineData("V", "[0,0]", "all numbers of the vector are 0")]
    [InlineData("V", "[1e39,0]", "finite numbers of 32 bits")]
    [InlineData("V", "true", "not 'true'")]
    [InlineData("V", "7", "not '7'")]
    [InlineData("V", "[[]]", "1 to 4,096 dimensions")]
    [InlineData("Place", "\"POINT(1 1\"", "POINT(1 1")]
    [InlineData("Place", "\"home\"", "home")]
    [InlineData("Place", "[\"POINT(1 1)\",\"home\"]", "home")]
    public async Task AutomaticIndex_OfAnUnfitValue_HasTheDocumentWithoutIt(string field, string value, string message)
    {
        await _server.PutAsync("Items/2", "Items", $$"""{"Name":"x","{{field}}":{{value}}}""");
        string search = field == "V" ? Near : Around;
        bool isPartly = value.Contains("POINT(1 1)", StringComparison.Ordinal);
        Assert.Equal(isPartly ? "Items/1,Items/2" : "Items/1", await _server.IdsAsync($"{search} and Name = 'x'"));
        Assert.Equal("Items/1,Items/2", await _server.IdsAsync("from Items where Name = 'x'"));
        IndexFailure failure = Assert.Single(_server.Indexes.All.SelectMany(index => index.Failures.List()));
        Assert.Equal(("Items/2", "Map"), (failure.DocumentId, failure.Action));
        Assert.StartsWith($"Field '{(field == "V" ? "vector.search(V)" : "spatial.wkt(Place)")}': ", failure.Message, StringComparison.Ordinal);
        Assert.Contains(message, failure.Message, StringComparison.Ordinal);
        await _server.PutAsync("Items/2", "Items", """{"Name":"x","V":[2,1],"Place":"POINT(1 1.1)"}""");
        Assert.Equal("Items/1,Items/2", await _server.IdsAsync($"{search} and Name = 'x'"));
    }

    [Fact]
    public async Task AutomaticIndex_WithManyUnfitValues_IsNotStopped()
    {
        Assert.Equal("Items/1", await _server.IdsAsync($"{Near} and Name = 'x'"));
        for (int i = 0; i < 150; i++)
        {
            await _server.PutAsync($"Bad/{i}", "Items", """{"Name":"bad","V":"none"}""");
        }

        Assert.Equal(150, (await _server.QueryAsync("from Items where Name = 'bad'")).Json.GetProperty("TotalResults").GetInt32());
        Assert.Equal("Items/1", await _server.IdsAsync(Near));
        Assert.All(_server.Indexes.All, index => Assert.Equal(IndexState.Normal, index.Record.State));
        JsonElement stats = (await _server.DbAsync("GET", "/indexes/stats")).Json.GetProperty("Results")[0];
        Assert.Equal(0, stats.GetProperty("MapErrors").GetInt32());
        Assert.True(stats.GetProperty("ErrorsCount").GetInt32() > 0, stats.GetRawText());
    }

    [Theory]
    [InlineData(null)]
    [InlineData("from i in docs.Items select new { i.Name, V = CreateVector(i.V) }")]
    [InlineData("map('Items', i => ({ Name: i.Name, V: createVector(i.V) }))")]
    public async Task Vectors_OfAnotherModel_AreTakenWhenTheOthersAreGone(string? map)
    {
        if (map is not null)
        {
            await _server.PutIndexAsync("I", map);
        }

        string from = map is null ? "from Items" : "from index 'I'";
        await _server.PutAsync("Items/2", "Items", """{"Name":"y","V":[2,1]}""");
        Assert.Equal("Items/1,Items/2", await _server.IdsAsync($"{from} where vector.search(V, [1,2])"));
        await _server.DeleteAsync("Items/1");
        await _server.PutAsync("Items/2", "Items", """{"Name":"y","V":[1,2,3]}"""); // the last one is replaced
        await _server.PutAsync("Items/3", "Items", """{"Name":"z","V":[3,2,1]}""");
        Assert.Equal("Items/2,Items/3", await _server.IdsAsync($"{from} where vector.search(V, [1,2,3])"));
        (await _server.QueryAsync($"{from} where vector.search(V, [1,2])")).AssertProblem(400, "InvalidQueryException", "has 2 dimensions, but");
        await _server.DeleteAsync("Items/2");
        await _server.DeleteAsync("Items/3");
        Assert.Equal("", await _server.IdsAsync($"{from} where vector.search(V, [1,2,3,4])"));
        await _server.PutAsync("Items/4", "Items", """{"Name":"y","V":[1,2,3,4]}""");
        Assert.Equal("Items/4", await _server.IdsAsync($"{from} where vector.search(V, [1,2,3,4])"));
        Assert.Empty(_server.Indexes.All.SelectMany(index => index.Failures.List()));
    }

    [Theory]
    [InlineData("from i in docs.Items from p in i.Parts select new { i.Name, V = CreateVector(p) }")]
    [InlineData("map('Items', i => i.Parts.map(p => ({ Name: i.Name, V: createVector(p) })))")]
    public async Task Document_WithMoreVectorsThanItMayHaveInSeveralEntries_IsRefused(string map)
    {
        foreach ((string id, int entries, int each) in ((string, int, int)[])[("fits", 4, 250), ("more", 4, 251), ("many", 501, 2), ("again", 1, 1000)])
        {
            string part = $"[{string.Join(',', Enumerable.Repeat("[1,2]", each))}]";
            await _server.PutAsync($"Items/{id}", "Items", $$"""{"Name":"x","Parts":[{{string.Join(',', Enumerable.Repeat(part, entries))}}]}""");
        }

        await _server.PutIndexAsync("I", map);
        Answer found = await _server.QueryAsync("from index 'I' where vector.search(V, [1,2]) order by id()");
        Assert.Equal(["Items/again", "Items/fits"], found.Json.GetProperty("Results").EnumerateArray()
            .Select(row => row.GetProperty("@metadata").GetProperty("@id").GetString()!).Order(StringComparer.Ordinal));
        IReadOnlyList<IndexFailure> failures = _server.Indexes.Find("I")!.Failures.List();
        Assert.Equal(["Items/many", "Items/more"], failures.Select(failure => failure.DocumentId).Order(StringComparer.Ordinal));
        Assert.All(failures, failure => Assert.Equal(
            "Field 'V': a document may have 1,000 vectors in a field, and this one has more.", failure.Message));
    }
}
