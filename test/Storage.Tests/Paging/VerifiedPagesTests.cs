using Jackdaw.Storage.Paging;

namespace Jackdaw.Storage.Tests.Paging;

public sealed class VerifiedPagesTests
{
    private const long ChunkPages = 128 * 1024;
    private readonly VerifiedPages _pages = new();

    [Theory]
    [InlineData(1)]
    [InlineData(63)]
    [InlineData(64)]
    [InlineData(65)]
    [InlineData(ChunkPages - 1)]
    [InlineData(ChunkPages)]
    [InlineData((8 * ChunkPages) - 1)]
    [InlineData(8 * ChunkPages)]
    [InlineData(1000 * ChunkPages)]
    public void Add_OnePage_ContainsOnlyIt(long page)
    {
        Assert.False(_pages.Contains(new PageNumber(page)));
        _pages.Add(new PageNumber(page));
        Assert.True(_pages.Contains(new PageNumber(page)));
        Assert.False(_pages.Contains(new PageNumber(page - 1)));
        Assert.False(_pages.Contains(new PageNumber(page + 1)));
        Assert.False(_pages.Contains(new PageNumber(page + 64)));
        Assert.False(_pages.Contains(new PageNumber(page + ChunkPages)));
    }

    [Fact]
    public void CountInBlock_OfPagesAroundOne_CountsItsBlockOnly()
    {
        foreach (long page in (long[])[63, 64, 70, 127, 128, 70])
        {
            _pages.Add(new PageNumber(page));
        }

        Assert.Equal(1, _pages.CountInBlock(new PageNumber(1)));
        Assert.Equal(3, _pages.CountInBlock(new PageNumber(100)));
        Assert.Equal(0, _pages.CountInBlock(new PageNumber(ChunkPages)));
    }

    [Fact]
    public async Task Add_FromSeveralThreadsWhileItGrows_LosesNothing()
    {
        const int perThread = 40_000;
        await Task.WhenAll(Enumerable.Range(0, 4).Select(thread => Task.Run(() =>
        {
            for (int i = 0; i < perThread; i++)
            {
                _pages.Add(PageOf(thread, i));
            }
        })));
        for (int thread = 0; thread < 4; thread++)
        {
            for (int i = 0; i < perThread; i++)
            {
                Assert.True(_pages.Contains(PageOf(thread, i)));
            }
        }
    }

    // Neighbours of different threads share words; the steps reach new chunks again and again.
    private static PageNumber PageOf(int thread, int i) => new(1 + thread + (i * 4L) + (i / 100 * 20_000L));
}
