using System.Text.Json;
using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Http.Handlers.Queries.Searching;

/// <summary>What vector.search refuses, with the place in the query and what to do.</summary>
public sealed class VectorRefusalTests : IAsyncLifetime
{
    private ServerFixture _server = null!;

    public async Task InitializeAsync()
    {
        _server = await ServerFixture.StartAsync();
        await _server.PutAsync("Items/1", "Items", """{"V":[1,2,3],"Small":[1,2,3],"Bits":[1,2],"Name":"x"}""");
    }

    public async Task DisposeAsync() => await _server.DisposeAsync();

    [Theory]
    [InlineData("[]", "1:35: the vector to search for is expected here")]
    [InlineData("[[]]", "the vector to search for is expected here")]
    [InlineData("[0,0,0]", "All numbers of the vector are 0")]
    [InlineData("[1,2]", "has 2 dimensions, but those of field 'vector.search(V)' have 3")]
    [InlineData("[[1,2,3],[1]]", "has 1 dimensions, but those of field 'vector.search(V)' have 3")]
    [InlineData("[1,null,3]", "not a list whose value 2 is null.")]
    [InlineData("[1,\"2\",3]", "not a list whose value 2 is \"2\".")]
    [InlineData("[[[1,2,3]]]", "not a list that is nested deeper.")]
    [InlineData("[[1,2,3],4]", "not 4.")]
    [InlineData("[[1,2,3],[]]", "not [].")]
    [InlineData("[1e39,2,3]", "numbers of 32 bits reach from -3.4e38 to 3.4e38")]
    [InlineData("7", "or a list of up to 1,000 of these, not 7.")]
    [InlineData("null", "the vector to search for is expected here")]
    [InlineData("true", "the vector to search for is expected here")]
    [InlineData("{\"vector\":[1,2,3]}", "the vector to search for is expected here")]
    [InlineData("{\"@vector\":\"x\"}", "not 'x'")]
    [InlineData("{\"@vector\":[[1,2,3]]}", "not a list that is nested deeper.")]
    [InlineData("{\"@vector\":{\"@vector\":[1,2,3]}}", "not {\"@vector\":{\"@vector\":[1,2,3]}}.")]
    [InlineData("\"italian food\"", "not 'italian food'")]
    [InlineData("\"AAAA\"", "has 4 bytes for each; this one has 3 bytes")]
    [InlineData("\"AADAfwAAgD8AAIA/\"", "numbers of 32 bits reach")] // NaN, 1, 1
    [InlineData("\"AACAfwAAgD8AAIA/\"", "numbers of 32 bits reach")] // infinite, 1, 1
    public async Task Query_OfNoVector_IsRefusedWithItsPlace(string value, string message)
    {
        await _server.QueryAsync("from Items where vector.search(V, [1,2,3])");
        using var parameter = JsonDocument.Parse(value);
        Answer answer = await _server.QueryAsync("from Items where vector.search(V, $p)", more: new { QueryParameters = new { p = parameter.RootElement } });
        AssertRefused(answer, message);
    }

    [Theory]
    [InlineData("vector.search(V, [1,2,3], 1.01)", "the minimum similarity is a number from -1 to 1")]
    [InlineData("vector.search(V, [1,2,3], -2)", "the minimum similarity is a number from -1 to 1")]
    [InlineData("vector.search(V, [1,2,3], '0.5')", "the minimum similarity is a number from -1 to 1")]
    [InlineData("vector.search(V, [1,2,3], true)", "the minimum similarity is a number from -1 to 1")]
    [InlineData("vector.search(V, [1,2,3], null, 0)", "the number of candidates is a whole number from 1 to 65,536")]
    [InlineData("vector.search(V, [1,2,3], null, -1)", "the number of candidates is a whole number")]
    [InlineData("vector.search(V, [1,2,3], null, 2.5)", "the number of candidates is a whole number")]
    [InlineData("vector.search(V, [1,2,3], null, 65537)", "the number of candidates is a whole number")]
    [InlineData("vector.search(V)", "takes 2 to 4 arguments, not 1")]
    [InlineData("vector.search(V, [1,2,3], 0, 1, 2)", "takes 2 to 4 arguments, not 5")]
    [InlineData("vector.search(V, $missing)", "the parameter '$missing' was not sent")]
    [InlineData("vector.search(V, Name)", "a value or a parameter is expected here")]
    [InlineData("vector.search(V, [1, 'x', 3])", "not a list of numbers and other values")]
    [InlineData("vector.search(V, [[1, 2, 3], 4])", "not '4'")]
    [InlineData("vector.search(V, [[[1, 2, 3]]])", "not a list that is nested deeper")]
    [InlineData("vector.search(V, [1, Name])", "a list has numbers, texts and lists")]
    [InlineData("vector.search(V, [1, 2", "',' or ']'")]
    [InlineData("vector.search(id(), [1,2,3])", "a field of vectors is the path of an embedding")]
    [InlineData("vector.search(1, [1,2,3])", "a field of vectors is the path of an embedding")]
    [InlineData("vector.search(spatial.wkt(V), [1,2,3])", "a field of vectors is the path of an embedding")]
    [InlineData("vector.search(embedding.i8(Small), [1,2,300])", "whole numbers from -128 to 127")]
    [InlineData("vector.search(embedding.i8(Small), [1,2,0.5])", "whole numbers from -128 to 127")]
    [InlineData("vector.search(embedding.i1(Bits), [-1,2])", "bytes from 0 to 255")]
    [InlineData("vector.search(V, embedding.forDoc(7))", "takes the id of a document")]
    [InlineData("vector.search(V, embedding.forDoc('none'))", "there is no document 'none'")]
    [InlineData("search(Name, [1])", "a field, a value or a method")]
    public async Task Query_WrittenWrongly_IsRefusedWithItsPlace(string where, string message) =>
        AssertRefused(await _server.QueryAsync($"from Items where {where}"), message);

    [Theory]
    [InlineData("embedding.text(Name)")]
    [InlineData("embedding.text_i8(Name)")]
    [InlineData("embedding.text_i1(Name)")]
    [InlineData("embedding.text(Name, ai.task('t'))")]
    [InlineData("ai.task('t')")]
    public async Task Query_ThatNeedsAModel_SaysThatThereIsNone(string field)
    {
        foreach (string form in (string[])["vector.search({0}, 'food')", "exact(vector.search({0}, $p, 0.7, 20))"])
        {
            Answer answer = await _server.QueryAsync($"from Items where {form.Replace("{0}", field, StringComparison.Ordinal)}");
            answer.AssertProblem(501, "NotSupportedException", "needs an embedding model, which this server does not have");
        }
    }

    [Theory]
    [InlineData("from Items filter vector.search(V, [1,2,3])")]
    [InlineData("from Items where Name = 'x' filter vector.search(V, [1,2,3])")]
    [InlineData("from Items select vector.search(V, [1,2,3])")]
    [InlineData("from Items group by Name where vector.search(V, [1,2,3]) select key()")]
    public async Task Query_InAnotherPlace_IsRefused(string query)
    {
        Answer answer = await _server.QueryAsync(query);
        Assert.True(answer.Status is 400 or 501, answer.Text);
        Assert.Contains("vector", answer.Json.GetProperty("Message").GetString(), StringComparison.OrdinalIgnoreCase);
    }

    private static void AssertRefused(Answer answer, string message)
    {
        Assert.True(answer.Status == 400, answer.Text);
        Assert.Contains(message, answer.Json.GetProperty("Message").GetString(), StringComparison.Ordinal);
    }
}
