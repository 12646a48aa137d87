using Jackdaw.Indexing.Tests.Mapping;
using Xunit.Abstractions;

namespace Jackdaw.Indexing.Tests.Definitions.Compilation;

/// <summary>As <see cref="HostileTextTests"/>, for what is compiled. The compiler works on a thread of its own, so that the memory of the
/// whole process is measured: nothing else runs beside it.</summary>
[Collection(AloneCollection.Name)]
public sealed class HostileCompilationTests(ITestOutputHelper output)
{
    [Theory]
    [InlineData("definition", 100)]
    [InlineData("analyzer", 20)]
    public void Text_MutatedAtRandom_IsTakenOrRefused(string kind, int texts) =>
        HostileKinds.Of(kind).Run(output.WriteLine, Environment.TickCount, texts);

    [Theory]
    [Trait("Tier", "Full")]
    [InlineData("definition", 3000)]
    [InlineData("analyzer", 1000)]
    public void Text_MutatedAtRandomForLong_IsTakenOrRefused(string kind, int texts) =>
        HostileKinds.Of(kind).Run(output.WriteLine, Environment.TickCount, texts);

    public static TheoryData<string, string, string, string> Nested => new()
    {
        { "definition", "from o in docs.Orders select new { A = ", "(", "1" },
        { "definition", "from o in docs.Orders select new { A = ", "o.L.Select(x => ", "1" },
        { "definition", "from o in docs.Orders select new { A = ", "new { B = ", "1" },
        { "definition", "from o in docs.Orders select new { A = ", "-", "1" },
        { "definition", "from o in docs.Orders select new { A = o", ".X", "" },
        { "definition", "from o in docs.Orders select new { A = 1", " + 1", "" },
        { "definition", "from o in docs.Orders select new { A = o", "?.X", "" },
        { "definition", "from o in docs.Orders select new { A = ", "$\"{", "" },
        { "definition", "from o in docs.Orders select new { A = ", "List<", "" },
        { "definition", "from o in docs.Orders ", "from p in o.L ", "select new { o.A }" },
        { "analyzer", "public class A { int x = ", "(", "1" },
        { "analyzer", "public class A { ", "class A { ", "" },
        { "analyzer", "public class A { void F() { ", "if (true) { ", "" },
        { "analyzer", "namespace A", ".B", " { }" },
    };

    [Theory]
    [MemberData(nameof(Nested))]
    public void Text_NestedOrRepeatedWithoutEnd_IsTakenOrRefused(string kind, string before, string repeated, string behind) =>
        HostileKinds.Of(kind).RunNested(before, repeated, behind);
}
