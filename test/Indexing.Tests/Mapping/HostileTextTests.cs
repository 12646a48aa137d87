using Jackdaw.TestKit;
using Xunit.Abstractions;

namespace Jackdaw.Indexing.Tests.Mapping;

/// <summary>Texts of users, mutated at random and nested without end: each is taken, or refused with an exception that is documented, in
/// bounded time and memory; the process lives. What is read on the thread that asks.</summary>
public sealed class HostileTextTests(ITestOutputHelper output)
{
    [Theory]
    [InlineData("shape", "MULTIPOINT ((1 2), (3 1, 2 1, 2 2, 1 2), (3 4))")]
    public void Text_ThatWasOnceTakenWrongly_IsRefused(string kind, string text)
    {
        HostileTexts texts = HostileKinds.Of(kind);
        Assert.Null(texts.Try(text));
        Assert.Equal(0, texts.Taken);
    }

    [Theory]
    [InlineData("shape", 3000)]
    [InlineData("script", 500)]
    public void Text_MutatedAtRandom_IsTakenOrRefused(string kind, int texts) =>
        HostileKinds.Of(kind).Run(output.WriteLine, Environment.TickCount, texts);

    [Theory]
    [Trait("Tier", "Full")]
    [InlineData("shape", 200_000)]
    [InlineData("script", 30_000)]
    public void Text_MutatedAtRandomForLong_IsTakenOrRefused(string kind, int texts) =>
        HostileKinds.Of(kind).Run(output.WriteLine, Environment.TickCount, texts);

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
    };

    [Theory]
    [MemberData(nameof(Nested))]
    public void Text_NestedOrRepeatedWithoutEnd_IsTakenOrRefused(string kind, string before, string repeated, string behind) =>
        HostileKinds.Of(kind).RunNested(before, repeated, behind);
}
