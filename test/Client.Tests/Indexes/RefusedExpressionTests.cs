using Jackdaw.Client.Exceptions;
using Jackdaw.Client.Indexes;

namespace Jackdaw.Client.Tests.Indexes;

/// <summary>What the server cannot compute is refused before it is sent, with the place and a rewrite.</summary>
public sealed class RefusedExpressionTests
{
    [Fact]
    public void Clock_Anywhere_IsRefused()
    {
        IndexHarness.Refused<Sample>(x => x.At < DateTime.UtcNow, "DateTime.UtcNow", "Compare with the time in the query");
        IndexHarness.Refused<Sample>(x => DateTime.Now.AddDays(-1) > x.At, "DateTime.Now", "@refresh");
        IndexHarness.Refused<Sample>(x => x.A + Random.Shared.Next(), "Random", "Compare with");
        IndexHarness.Refused<Sample>(x => x.S + Guid.NewGuid(), "NewGuid", "Compare with");
        IndexHarness.Refused<Sample>(x => x.A + Environment.TickCount, "TickCount", "Compare with");
    }

    [Fact]
    public void Method_OfTheProgram_IsRefusedWithItsName()
    {
        IndexHarness.Refused<Sample>(x => Twice(x.A), "Twice", "AdditionalSources");
        IndexHarness.Refused<Sample>(x => x.Tags.BinarySearch("a"), "BinarySearch", "operator of LINQ");
        IndexHarness.Refused<Sample>(x => x.S.LastIndexOf('a', 3), "LastIndexOf", "AdditionalSources");
        IndexHarness.Refused<Sample>(x => x.Numbers.TakeWhile(n => n > 1), "TakeWhile", "another operator");
    }

    [Fact]
    public void Type_OfTheProgram_IsRefused()
    {
        IndexHarness.Refused<Sample>(x => x.Parts.OfType<Part>(), "OfType", "Where");
        IndexHarness.Refused<Sample>(x => (object)x.Main! is Part, "Is", "Store what distinguishes them");
        IndexHarness.Refused<Sample>(x => new Uri(x.S), "Uri", "Set properties");
    }

    [Fact]
    public void Enum_AsANumber_IsRefusedWhereDocumentsHoldTexts()
    {
        IndexHarness.Refused<Sample>(x => x.Color > Color.Red, "Color", "SaveEnumsAsIntegers");
        IndexHarness.Refused<Sample>(x => (int)x.Color + 1, "Color", "SaveEnumsAsIntegers");
        IndexHarness.Refused<Sample>(x => x.Color.ToString("D"), "Color", "property itself");
    }

    [Fact]
    public void Culture_OfTheProgram_IsRefused() => IndexHarness.Refused<Sample>(
        x => x.P.ToString(new System.Globalization.CultureInfo("de-DE")), "ToString", "InvariantCulture");

    /// <summary>A sequence may be computed when it is read, and fail then.</summary>
    [Fact]
    public void Sequence_ThatThrows_IsRefused()
    {
        IEnumerable<string> names = new object[] { 'a' }.Cast<string>();
        IndexHarness.Refused<Sample>(x => names.Contains(x.S), "names", "");
    }

    [Fact]
    public void Property_ThatIsNotInDocuments_IsRefused() => IndexHarness.Refused<Sample>(x => x.Hidden, "Sample.Hidden", "JsonIgnore");

    [Fact]
    public void Offset_OfATime_IsRefused() => IndexHarness.Refused<Sample>(x => x.Seen.Hour, "Hour", "UtcDateTime");

    [Fact]
    public void Lambdas_NestedTooDeep_AreRefused() => IndexHarness.Refused<Part>(
        p => p.Parts.Select(a => a.Parts.Select(b => b.Parts.Select(c => c.Parts.Select(d => d.Parts.Select(
            e => e.Parts.Select(f => f.Parts.Select(g => g.Parts.Select(h => h.Name)))))))), "h", "AdditionalSources");

    [Fact]
    public void Problems_OfAllParts_AreToldAtOnce()
    {
        var refusal = Assert.Throws<IndexTranslationException>(() => new Wrong().CreateIndexDefinition());
        Assert.Equal("Wrong", refusal.IndexName);
        Assert.Equal(
            ["DateTime.UtcNow", "Twice", "Count()", "x => x.Name.ToLower()"],
            refusal.Problems.Select(problem => problem.Fragment switch
            {
                var text when text.Contains("Twice", StringComparison.Ordinal) => "Twice",
                var text when text.Contains(".Count()", StringComparison.Ordinal) => "Count()",
                var text => text,
            }));
        Assert.All(refusal.Problems, problem =>
            Assert.Contains($"Index 'Wrong': '{problem.Fragment}' cannot be used in the definition: {problem.Reason} {problem.Hint}",
            refusal.Message, StringComparison.Ordinal));
    }

    [Fact]
    public void Shape_ThatTheServerDoesNotTake_IsRefused()
    {
        RefusedMap(new TestIndex<Sample, Pair>(all => all.OrderBy(x => x.A).Select(x => new { x.A })), "OrderBy", "Order and limit results in the query.");
        RefusedMap(new TestIndex<Sample, Pair>(all => all.Select(x => x.A)), "x.A", "select new");
        RefusedMap(new TestIndex<Sample, Pair>(all => all), "all", "select new");
        RefusedMap(new TestIndex<Sample, Pair>(all => all.Select(x => new { N = all.Count() })), "all", "LoadDocument");
        RefusedMap(new TestIndex<Sample, Pair>(all => all.Select(x => new Pair(x.S, 1)), all => all.Select(r => new Pair(r.Name, r.Count))), "Select",
            "group r by");
        RefusedMap(new TestIndex<Sample, Pair>(null!), "Map", "Set Map");
    }

    private static int Twice(int number) => 2 * number;

    private static void RefusedMap(IAbstractIndexCreationTask task, string fragment, string hint)
    {
        var refusal = Assert.Throws<IndexTranslationException>(() => task.CreateIndexDefinition());
        Assert.Contains(refusal.Problems, problem =>
            problem.Fragment.Contains(fragment, StringComparison.Ordinal) && problem.Hint.Contains(hint, StringComparison.Ordinal));
    }

    [SkipIndexCreation]
    private sealed class Wrong : AbstractIndexCreationTask<Sample, Pair>
    {
        public Wrong()
        {
            Map = samples => from x in samples where x.At < DateTime.UtcNow select new Pair(x.S, Twice(x.A));
            Reduce = results => from r in results group r by r.Name into g select new Pair(g.Key, g.Count());
            Index(x => x.Name.ToLower(), FieldIndexing.Search);
        }
    }
}
