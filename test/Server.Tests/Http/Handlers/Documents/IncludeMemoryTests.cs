using Jackdaw.TestKit;

namespace Jackdaw.Server.Tests.Http.Handlers.Documents;

/// <summary>What includes cost in memory depends on the documents they bring, not on how often these are named.</summary>
[Collection(AloneCollection.Name)]
public sealed class IncludeMemoryTests
{
    private const int References = 20_000;
    private const long AllocatedBytesMax = 64L << 20;

    private static readonly string s_many =
        $$"""{"x":[{{string.Join(',', Enumerable.Repeat("\"one\"", References))}}],"n":[{{string.Join(',', Enumerable.Repeat("1", References))}}]}""";

    public static TheoryData<string, string> Queries => new()
    {
        { "one", string.Concat(Enumerable.Repeat("&include=x", 100)) }, // The same path again and again.
        { "one", string.Concat(Enumerable.Repeat("&id=many", 100)) + "&include=x" }, // The same document again and again.
        { "", $"&include=n({new string('p', 20_000)})" }, // Each reference as long as the path, and no id.
    };

    [Theory]
    [MemberData(nameof(Queries))]
    public async Task Get_OfVeryManyReferences_HoldsWhatTheyBring(string included, string query)
    {
        await using ServerFixture server = await ServerFixture.StartAsync();
        await server.PutAsync("many", s_many);
        await server.PutAsync("one", "{}");
        await server.DbAsync("GET", "/docs?id=many&metadataOnly=true&include=x");

        long before = GC.GetTotalAllocatedBytes(precise: true);
        Answer answer = await server.DbAsync("GET", "/docs?id=many&metadataOnly=true" + query);
        long allocated = GC.GetTotalAllocatedBytes(precise: true) - before;

        Assert.Equal(200, answer.Status);
        Assert.Equal(included, string.Join(',', answer.Json.GetProperty("Includes").EnumerateObject().Select(member => member.Name)));
        Assert.True(allocated < AllocatedBytesMax, $"{allocated >> 20} MB");
    }
}
