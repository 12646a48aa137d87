using System.Text.RegularExpressions;
using Jackdaw.Indexing.Definitions.Model;
using Jackdaw.Indexing.Definitions.Running;
using Jackdaw.Search.Queries;

namespace Jackdaw.Indexing.Tests.Definitions.Running;

/// <summary>Sorters that users write, within their limits.</summary>
public sealed partial class CompiledSorterTests
{
    [Fact]
    public async Task Comparisons_OfOneQuery_ShareOneTime()
    {
        using CompiledSorter sorter = await CompileAsync("Slow", "int n = 0; for (int i = 0; i < 200000; i++) n += i % 3; return n - n;");
        IComparer<SortValue> comparer = sorter.ForQuery(durationMs: 100);
        int comparisons = 0;
        InvalidSearchException stopped = Assert.Throws<InvalidSearchException>(() =>
        {
            while (comparisons < 1_000_000) // each of them is far below the limits of one
            {
                comparer.Compare(SortValue.OfNumber(1), SortValue.OfNumber(2));
                comparisons++;
            }
        });
        Assert.Contains("'Slow' was stopped: its comparisons take more than 0.1 seconds for one query", stopped.Message, StringComparison.Ordinal);
        Assert.True(comparisons > 1, $"{comparisons} comparisons");
        Assert.Equal(0, sorter.ForQuery().Compare(SortValue.Null, SortValue.Null)); // another query has its own time
    }

    [Fact]
    public async Task TimeBetweenComparisons_IsNotTheirs()
    {
        using CompiledSorter sorter = await CompileAsync("Quick", "return 0;");
        IComparer<SortValue> comparer = sorter.ForQuery(durationMs: 50);
        for (int i = 0; i < 3; i++)
        {
            Assert.Equal(0, comparer.Compare(SortValue.Null, SortValue.Null));
            long until = Environment.TickCount64 + 60;
            SpinWait.SpinUntil(() => Environment.TickCount64 > until); // the time of others is what is tested
        }
    }

    [Fact]
    public async Task Comparison_ThatNeverEndsForOneValue_IsStoppedByItsSteps()
    {
        using CompiledSorter sorter = await CompileAsync("Endless", "while (a.Text == \"b\") { } return 0;");
        InvalidSearchException stopped = Assert.Throws<InvalidSearchException>(() => sorter.ForQuery().Compare(SortValue.OfText("b"), SortValue.Null));
        Assert.Matches("'Endless' was stopped: it takes more than [0-9]+ steps for one comparison", stopped.Message);
    }

    [Fact]
    public async Task Example_OfTheGuide_ComparesAsItSays()
    {
        string example = Example().Match(File.ReadAllText(DocumentedDefinitionTests.GuidePath())).Groups[1].Value;
        using CompiledSorter sorter = await CompiledSorter.CompileAsync(new UserCode("ByLength", example), default);
        string[] sorted = [.. new[] { "pear", "fig", "banana" }.Order(Comparer<string>.Create((a, b) =>
            sorter.ForQuery().Compare(SortValue.OfText(a), SortValue.OfText(b))))];
        Assert.Equal(["fig", "pear", "banana"], sorted);
    }

    private static Task<CompiledSorter> CompileAsync(string name, string body) => CompiledSorter.CompileAsync(
        new UserCode(name, $"public class {name} : IComparer<SortValue> {{ public int Compare(SortValue a, SortValue b) {{ {body} }} }}"), default);

    [GeneratedRegex("```csharp sorter\n(.*?)```", RegexOptions.Singleline)]
    private static partial Regex Example();
}
