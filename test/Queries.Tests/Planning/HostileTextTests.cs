using Jackdaw.Server.Tests.Indexing.Definitions;
using Xunit.Abstractions;

namespace Jackdaw.Queries.Tests.Planning;

/// <summary>Texts of users, mutated at random and nested without end: each is taken, or refused with an exception that is documented, in
/// bounded time and memory; the process lives. What is read on the thread that asks.</summary>
public sealed class HostileTextTests(ITestOutputHelper output)
{
    [Theory]
    [InlineData("shape", "MULTIPOINT ((1 2), (3 1, 2 1, 2 2, 1 2), (3 4))")]
    public void Text_ThatWasOnceTakenWrongly_IsRefused(string kind, string text)
    {
        int taken = 0;
        Assert.Null(HostileTexts.Try(kind, text, ref taken));
        Assert.Equal(0, taken);
    }

    [Theory]
    [InlineData("query", 3000)]
    [InlineData("shape", 3000)]
    [InlineData("script", 500)]
    public void Text_MutatedAtRandom_IsTakenOrRefused(string kind, int texts) => HostileTexts.Run(output, kind, Environment.TickCount, texts);

    [Theory]
    [Trait("Tier", "Full")]
    [InlineData("query", 200_000)]
    [InlineData("shape", 200_000)]
    [InlineData("script", 30_000)]
    public void Text_MutatedAtRandomForLong_IsTakenOrRefused(string kind, int texts) => HostileTexts.Run(output, kind, Environment.TickCount, texts);

    public static TheoryData<string, string, string, string> Nested => new()
    {
        { "script", "map('Users', u => ", "(", "1" },
        { "script", "map('Users', u => ", "[", "1" },
        { "script", "map('Users', u => ", "x => ", "1" },
        { "script", "map('Users', u => u", ".x", ")" },
        { "script", "map('Users', u => 1", " + 1", ")" },
        { "script", "map('Users', u => ", "`${", "1" },
        { "script", "map('Users', u => ({ a: /", "(", "/ }))" },
        { "shape", "", "GEOMETRYCOLLECTION (", "POINT (1 2)" },
        { "shape", "POLYGON ", "(", "1 2" },
        { "shape", "", "BUFFER (", "POINT (1 2)" },
        { "shape", "LINESTRING (1 2", ", 1 2", ")" },
        { "query", "from Users where ", "(", "A = 1" },
        { "query", "from Users where ", "not ", "A = 1" },
        { "query", "from Users where A = 1", " or A = 1", "" },
        { "query", "from Users where ", "boost(", "A = 1" },
        { "query", "from Users where A", ".A", " = 1" },
        { "query", "from Users group by A", ".A", " select { x: count() }" },
        { "query", "from Users group by A select { x: ", "sum(", "A" },
        { "query", "from Users group by A select { x: sum(A", ".A", ") }" },
        { "query", "from Users as u select { x: ", "[", "1" },
    };

    [Theory]
    [MemberData(nameof(Nested))]
    public void Text_NestedOrRepeatedWithoutEnd_IsTakenOrRefused(string kind, string before, string repeated, string behind) =>
        HostileTexts.RunNested(kind, before, repeated, behind);
}
