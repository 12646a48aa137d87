using Jackdaw.Storage.FreeSpace;
using Jackdaw.Storage.Paging;

namespace Jackdaw.Storage.Tests.FreeSpace;

public sealed class FreeSpaceMapTests : IDisposable
{
    private const int Sections = 3;
    private readonly BitmapPages _pages = new();
    private readonly FreeSpaceMap _map = new();
    private readonly PageNumber _next = new((long)Sections * FreeSpaceMap.SectionPages);

    public FreeSpaceMapTests()
    {
        for (int section = 0; section < Sections; section++)
        {
            _pages.Add(FreeSpaceMap.BitmapOf(section));
            _map.AddSection();
        }
    }

    public void Dispose() => _pages.Dispose();

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public void TakeAndGive_Random_AgreeWithABitArray(int seed)
    {
        var random = new Random(seed);
        bool[] free = new bool[_next.Value];
        List<(long First, int Count)> used = [(2, 3000), (FreeSpaceMap.SectionPages + 2, FreeSpaceMap.RunPagesMax)];
        for (int step = 0; step < 4000; step++)
        {
            if (used.Count > 0 && random.Next(100) < (step / 700 % 2 == 0 ? 60 : 40))
            {
                GivePart(used, free, random);
            }
            else
            {
                int count = random.Next(10) switch { < 6 => 1, < 9 => random.Next(2, 70), _ => random.Next(70, 900) };
                Take(count, new PageNumber(random.NextInt64(_next.Value)), used, free);
            }
        }

        CheckRuns(free);
        var reloaded = new FreeSpaceMap();
        reloaded.Load(_pages, _next);
        Assert.Equal(free.LongCount(isFree => isFree), reloaded.FreePages);
        Assert.Equal(Sections, reloaded.SectionCount);
    }

    [Fact]
    public void TryTake_OnePage_PrefersTheNextFreeOneBehindTheHint()
    {
        _map.Give(_pages, new PageNumber(100), 1);
        _map.Give(_pages, new PageNumber(500), 3);
        Assert.Equal(500, _map.TryTake(_pages, 1, new PageNumber(400)).Value);
        Assert.Equal(501, _map.TryTake(_pages, 1, new PageNumber(501)).Value);
        Assert.Equal(100, _map.TryTake(_pages, 1, new PageNumber(503)).Value);
        Assert.Equal(502, _map.TryTake(_pages, 1, default).Value);
        Assert.True(_map.TryTake(_pages, 1, default).IsNone);
    }

    [Fact]
    public void TryTake_SmallRun_TakesTheTightestHoleAndALargeOneTheFirst()
    {
        _map.Give(_pages, new PageNumber(100), 200);
        _map.Give(_pages, new PageNumber(1000), 6);
        _map.Give(_pages, new PageNumber(2000), 5);
        Assert.Equal(2000, _map.TryTake(_pages, 5, default).Value);
        Assert.Equal(1000, _map.TryTake(_pages, 5, default).Value);
        Assert.Equal(100, _map.TryTake(_pages, 5, default).Value);
        _map.Give(_pages, new PageNumber(3000), 100);
        Assert.Equal(105, _map.TryTake(_pages, 100, default).Value);
    }

    [Fact]
    public void TryTake_WholeSection_FitsOnlyAnEmptyOneAndNeverCrossesABorder()
    {
        long second = FreeSpaceMap.SectionPages;
        _map.Give(_pages, new PageNumber(second - 10), 10);
        _map.Give(_pages, new PageNumber(second + FreeSpaceMap.FirstIndex), 10);
        Assert.True(_map.TryTake(_pages, 11, default).IsNone);
        _map.Give(_pages, new PageNumber(second + 12), FreeSpaceMap.RunPagesMax - 10);
        PageNumber whole = _map.TryTake(_pages, FreeSpaceMap.RunPagesMax, default);
        Assert.Equal(second + FreeSpaceMap.FirstIndex, whole.Value);
        Assert.Equal(10, _map.FreePages);
        _map.Give(_pages, whole, FreeSpaceMap.RunPagesMax);
        Assert.Equal(FreeSpaceMap.RunPagesMax + 10, _map.FreePages);
    }

    [Fact]
    public void Give_PageThatIsFree_IsFound()
    {
        _map.Give(_pages, new PageNumber(100), 4);
        Assert.Throws<InvalidOperationException>(() => _map.Give(_pages, new PageNumber(103), 1));
        Assert.Throws<InvalidOperationException>(() => _map.Give(_pages, new PageNumber(98), 3));
    }

    [Theory]
    [InlineData(0, true)]
    [InlineData(1, true)]
    [InlineData(2, false)]
    [InlineData(FreeSpaceMap.SectionPages - 1, false)]
    [InlineData(FreeSpaceMap.SectionPages, true)]
    [InlineData(FreeSpaceMap.SectionPages + 1, true)]
    [InlineData(FreeSpaceMap.SectionPages + 2, false)]
    public void IsReserved_HeaderAndBitmapOfEachSection(long page, bool expected) =>
        Assert.Equal(expected, FreeSpaceMap.IsReserved(new PageNumber(page)));

    private void Take(int count, PageNumber near, List<(long First, int Count)> used, bool[] free)
    {
        PageNumber first = _map.TryTake(_pages, count, near);
        if (first.IsNone)
        {
            Assert.False(HasHole(free, count), $"a hole of {count} was not found");
            return;
        }

        for (long page = first.Value; page < first.Value + count; page++)
        {
            Assert.True(free[page], $"page {page} was taken though it is not free");
            free[page] = false;
        }

        used.Add((first.Value, count));
    }

    private void GivePart(List<(long First, int Count)> used, bool[] free, Random random)
    {
        int index = random.Next(used.Count);
        (long first, int count) = used[index];
        int given = random.Next(1, Math.Min(count, 600) + 1);
        _map.Give(_pages, new PageNumber(first), given);
        free.AsSpan((int)first, given).Fill(true);
        used.RemoveAt(index);
        if (given < count)
        {
            used.Add((first + given, count - given));
        }
    }

    private void CheckRuns(bool[] free)
    {
        bool[] found = new bool[free.Length];
        FreeSpaceMap.ForEachFreeRun(_pages, _next, (first, count) => found.AsSpan((int)first.Value, count).Fill(true));
        Assert.True(free.AsSpan().SequenceEqual(found));
        Assert.Equal(free.LongCount(isFree => isFree), _map.FreePages);
    }

    private static bool HasHole(bool[] free, int count)
    {
        int run = 0;
        for (int page = 0; page < free.Length; page++)
        {
            run = free[page] ? run + 1 : 0;
            if (run == count)
            {
                return true;
            }
        }

        return false;
    }
}
