using System.Text;
using Jackdaw.Queries.Comparison;
using Jackdaw.Queries.Searching;
using Xunit.Abstractions;

namespace Jackdaw.Queries.Tests.Comparison;

/// <summary>How rows of two engines differ, against sorted lists.</summary>
public sealed class RowDifferenceTests(ITestOutputHelper output)
{
    [Fact]
    public void Difference_OfRandomRows_IsThatOfSortedLists()
    {
        int seed = Environment.TickCount;
        output.WriteLine($"seed {seed}");
        var random = new Random(seed);
        for (int round = 0; round < 500; round++)
        {
            string[] first = [.. Enumerable.Range(0, random.Next(60)).Select(_ => $"row{random.Next(40)}")];
            string[] second = random.Next(4) == 0
                ? [.. first.OrderBy(_ => random.Next())]
                : [.. Enumerable.Range(0, random.Next(60)).Select(_ => $"row{random.Next(40)}")];
            bool hasOrder = random.Next(2) == 0;
            var difference = RowDifference.Of("A", Of(first), "B", Of(second), hasOrder);
            AssertLost(first, second, difference.OnlyFirst);
            AssertLost(second, first, difference.OnlySecond);
            bool areSame = first.Order().SequenceEqual(second.Order());
            Assert.Equal(hasOrder && areSame ? first.SequenceEqual(second) : null, difference.IsOrderEqual);
        }
    }

    [Fact]
    public void Rows_BeyondTheBound_AreLeftOutAndSaid()
    {
        var rows = new FoundRows();
        rows.Add(PageOf([.. Enumerable.Range(0, FoundRows.RowsMax).Select(i => $"{i}")]), Answer);
        Assert.False(rows.IsCut);
        rows.Add(PageOf(["one more"]), Answer);
        Assert.Equal((true, FoundRows.RowsMax), (rows.IsCut, rows.Rows.Count));
    }

    private static void AssertLost(string[] found, string[] others, LostRows lost)
    {
        List<string> left = [.. found];
        foreach (string other in others)
        {
            left.Remove(other);
        }

        Assert.Equal(left.Count, lost.Count);
        Assert.Equal(Math.Min(left.Count, LostRows.NamedMax), lost.Rows.Count);
        Assert.All(lost.Rows.CountBy(row => row), row => Assert.True(row.Value <= left.Count(other => other == row.Key), row.Key));
    }

    private static IndexAnswer Answer => new("T", false, null) { Version = 1 };

    private static FoundRows Of(string[] keys)
    {
        var rows = new FoundRows();
        rows.Add(PageOf(keys), Answer);
        return rows;
    }

    private static HitPage PageOf(string[] keys) => HitPage.Empty with { Keys = [.. keys.Select(Encoding.UTF8.GetBytes)] };
}
