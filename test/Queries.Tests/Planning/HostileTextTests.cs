using Jackdaw.Queries.Language;
using Jackdaw.Queries.Planning;
using Jackdaw.Queries.Planning.Projections;
using Jackdaw.Scripting;
using Jackdaw.Scripting.Projections;
using Jackdaw.TestKit;
using Xunit.Abstractions;

namespace Jackdaw.Queries.Tests.Planning;

/// <summary>Texts of users, mutated at random and nested without end: each is taken, or refused with an exception that is documented, in
/// bounded time and memory; the process lives. What is read on the thread that asks.</summary>
public sealed class HostileTextTests(ITestOutputHelper output)
{
    private static readonly string[] s_queries =
    [
        "from Orders as o group by o.Company, o.Year where count() > 2 order by sum(o.Freight) desc select { C: key(), S: sum(x => x.A.B), N: count() }",
        "declare function f(x) { return { a: x } } from Users as u where search(u.Name, 'a*', and) and not exact(u.Age between 1 and $p) select f(u)",
        "from Places where spatial.within(spatial.point(Lat, Lng), spatial.wkt('POINT (1 2)')) "
            + "order by spatial.distance(spatial.point(Lat, Lng), spatial.point(1, 2))",
    ];

    [Theory]
    [InlineData(3000)]
    public void Text_MutatedAtRandom_IsTakenOrRefused(int texts) => Queries().Run(output.WriteLine, Environment.TickCount, texts);

    [Theory]
    [Trait("Tier", "Full")]
    [InlineData(200_000)]
    public void Text_MutatedAtRandomForLong_IsTakenOrRefused(int texts) => Queries().Run(output.WriteLine, Environment.TickCount, texts);

    public static TheoryData<string, string, string> Nested => new()
    {
        { "from Users where ", "(", "A = 1" },
        { "from Users where ", "not ", "A = 1" },
        { "from Users where A = 1", " or A = 1", "" },
        { "from Users where ", "boost(", "A = 1" },
        { "from Users where A", ".A", " = 1" },
        { "from Users group by A", ".A", " select { x: count() }" },
        { "from Users group by A select { x: ", "sum(", "A" },
        { "from Users group by A select { x: sum(A", ".A", ") }" },
        { "from Users as u select { x: ", "[", "1" },
    };

    [Theory]
    [MemberData(nameof(Nested))]
    public void Text_NestedOrRepeatedWithoutEnd_IsTakenOrRefused(string before, string repeated, string behind) =>
        Queries().RunNested(before, repeated, behind);

    private static HostileTexts Queries() => new(
        "query", s_queries, Take, refused => refused is InvalidQueryException or QueryNotSupportedException or JavaScriptParseException);

    private static void Take(string text)
    {
        QuerySyntax query = QueryParser.Parse(text);
        if (GroupedScript.Of(query) is { } grouped && query.GroupBy.Count > 0)
        {
            _ = new ScriptProjection([new ScriptFragment(grouped.DeclarationsFor("row"), "x")], grouped.Select, ["row"], []);
        }

        NeededIndex.Of(query);
    }
}
