using Jackdaw.Storage.FreeSpace;
using Jackdaw.Storage.Paging;

namespace Jackdaw.Storage.Tests.FreeSpace;

/// <summary>Pages that were freed by transactions that may not be synced yet, against a list of who freed each page last.</summary>
public sealed class UnsettledPagesTests
{
    private const int Pages = 3 * FreeSpaceMap.SectionPages;

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(4)]
    public void Pages_FreedAtRandom_AreRememberedUntilTheyAreSynced_AndNotMuchLonger(int seed)
    {
        var random = new Random(seed);
        var pages = new UnsettledPages();
        Dictionary<long, long> freedBy = [];
        long newest = 1, synced = 1;
        for (int step = 0; step < 3000; step++)
        {
            switch (random.Next(10))
            {
                case < 6:
                    bool isRolledBack = random.Next(4) == 0; // then the pages are in use again
                    Free(pages, random, freedBy, isRolledBack ? 0 : newest + 1);
                    newest += isRolledBack ? 0 : 1;
                    break;
                case < 8:
                    synced = random.NextInt64(synced, newest + 1);
                    break;
                default:
                    pages.Settle(synced, newest);
                    break;
            }

            CheckSome(pages, random, freedBy, synced, seed, step);
        }

        // As soon as all is synced, nothing is left; a page freed later is remembered again.
        pages.Settle(newest, newest);
        Assert.All(freedBy.Keys, page => Assert.False(pages.ContainsAny(new PageNumber(page), 1)));
        pages.Add(new PageNumber(5), 1);
        Assert.True(pages.ContainsAny(new PageNumber(3), 3));
        Assert.False(pages.ContainsAny(new PageNumber(6), 1));
    }

    /// <summary>Under load no sync is up to the newest transaction: what it covers is forgotten at the second one all the same.</summary>
    [Fact]
    public void Pages_OfAStorageThatIsNeverIdle_AreForgottenAfterTwoSyncs()
    {
        var pages = new UnsettledPages();
        for (long transaction = 1; transaction < 100; transaction++)
        {
            pages.Settle(Math.Max(0, transaction - 6) / 5 * 5, transaction - 1);
            pages.Add(new PageNumber(10 + transaction), 1);
            for (long earlier = 1; earlier < transaction - 20; earlier++)
            {
                Assert.False(pages.ContainsAny(new PageNumber(10 + earlier), 1), $"of {earlier} in {transaction}");
            }
        }
    }

    [Fact]
    public void RemoveFrom_TakesTheRememberedPagesOfBothGenerations()
    {
        var pages = new UnsettledPages();
        pages.Add(new PageNumber(100), 3);
        pages.Settle(0, 1);
        pages.Add(new PageNumber(63), 2);
        pages.Add(new PageNumber(FreeSpaceMap.SectionPages + 7), 1);
        ulong[] bits = new ulong[FreeSpaceMap.Words];
        Array.Fill(bits, ulong.MaxValue);
        pages.RemoveFrom(0, bits);
        Assert.Equal((1UL << 63, 1UL, 7UL << 36), (~bits[0], ~bits[1] & 1, ~bits[1] & (7UL << 36)));
        Assert.Equal(2, bits.Count(word => word != ulong.MaxValue));
        Array.Fill(bits, ulong.MaxValue);
        pages.RemoveFrom(1, bits);
        Assert.Equal(1UL << 7, ~bits[0]);
        Array.Fill(bits, ulong.MaxValue);
        pages.RemoveFrom(2, bits);
        Assert.DoesNotContain(bits, word => word != ulong.MaxValue);
    }

    private static void Free(UnsettledPages pages, Random random, Dictionary<long, long> freedBy, long transaction)
    {
        int count = random.Next(1, random.Next(2, 200));
        long first = random.NextInt64(FreeSpaceMap.FirstIndex, Pages - count);
        if (first / FreeSpaceMap.SectionPages != (first + count - 1) / FreeSpaceMap.SectionPages)
        {
            return;
        }

        pages.Add(new PageNumber(first), count);
        for (long page = first; page < first + count; page++)
        {
            freedBy[page] = transaction;
        }
    }

    private static void CheckSome(UnsettledPages pages, Random random, Dictionary<long, long> freedBy, long synced, int seed, int step)
    {
        for (int i = 0; i < 20 && freedBy.Count > 0; i++)
        {
            (long page, long transaction) = freedBy.ElementAt(random.Next(Math.Min(freedBy.Count, 3000)));
            bool isRemembered = pages.ContainsAny(new PageNumber(page), 1);
            Assert.True(isRemembered || transaction <= synced, $"seed {seed}, step {step}: page {page} of {transaction}, synced {synced}");
        }
    }
}
