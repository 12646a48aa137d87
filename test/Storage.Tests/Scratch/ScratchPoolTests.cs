using Jackdaw.Storage.Paging;
using Jackdaw.Storage.Scratch;
using Jackdaw.TestKit;

namespace Jackdaw.Storage.Tests.Scratch;

public sealed unsafe class ScratchPoolTests
{
    private const long SlabBytes = 2 * 1024 * 1024;

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public void RentReturn_Random_RunsNeverOverlapAndAreAllReturned(int seed)
    {
        var random = new Random(seed);
        using var pool = new ScratchPool();
        List<(nint Address, int Pages, long Stamp)> rented = [];
        long expected = 0;
        for (int step = 0; step < 8000; step++)
        {
            if (random.Next(100) < (step / 2000 % 2 == 0 ? 60 : 35))
            {
                int pages = random.Next(10) switch { < 6 => 1, < 9 => random.Next(1, 20), _ => random.Next(1, 300) };
                byte* address = pool.Rent(pages);
                Assert.Equal(0, (nint)address % 4096);
                Stamp(address, pages, step);
                rented.Add(((nint)address, pages, step));
                expected += RoundedBytes(pages);
            }
            else if (rented.Count > 0)
            {
                int index = random.Next(rented.Count);
                expected -= Return(pool, rented, index);
            }

            Assert.Equal(expected, pool.RentedBytes);
            Assert.True(pool.MappedBytes >= expected);
        }

        while (rented.Count > 0)
        {
            Return(pool, rented, rented.Count - 1);
        }

        Assert.Equal(0, pool.RentedBytes);
        pool.Trim();
        Assert.Equal(0, pool.MappedBytes);
    }

    [Fact]
    public void Prepare_LargePool_NextRentsMapNothing_AndTrimGivesItBack()
    {
        using var pool = new ScratchPool();
        int runsPerSlab = (int)(SlabBytes / Page.Size);
        Rent(pool, 8 * runsPerSlab);
        pool.Prepare();
        long prepared = pool.MappedBytes;
        Assert.True(prepared > 8 * SlabBytes);
        pool.Prepare();
        Assert.Equal(prepared, pool.MappedBytes);

        Rent(pool, (int)(prepared / Page.Size) - (8 * runsPerSlab));
        Assert.Equal(prepared, pool.MappedBytes);

        pool.Prepare();
        Assert.True(pool.MappedBytes > prepared);
        pool.Trim();
        Assert.Equal(prepared, pool.MappedBytes);
        Assert.Equal(prepared, pool.RentedBytes);
    }

    [Fact]
    public void Prepare_SmallPool_MapsNothing()
    {
        using var pool = new ScratchPool();
        pool.Prepare();
        Assert.Equal(0, pool.MappedBytes);
        Rent(pool, 1);
        pool.Prepare();
        Assert.Equal(SlabBytes, pool.MappedBytes);
    }

    [Fact]
    public void Rent_LargePool_AsksForPreparedMemoryOnceUntilItWasPrepared()
    {
        int asked = 0;
        using var pool = new ScratchPool(_ => asked++);
        int runsPerSlab = (int)(SlabBytes / Page.Size);
        Rent(pool, 7 * runsPerSlab);
        Assert.Equal(0, asked);
        Rent(pool, 2 * runsPerSlab);
        Assert.Equal(1, asked);
        pool.Prepare();
        Rent(pool, runsPerSlab);
        Assert.Equal(2, asked);
    }

    [Fact]
    public void Ask_LargePool_IsPreparedOnAnotherThread()
    {
        using var pool = new ScratchPool();
        Rent(pool, 8 * (int)(SlabBytes / Page.Size));
        long before = pool.MappedBytes;
        ScratchPreparer.Ask(pool);
        Eventually.IsTrue(() => pool.MappedBytes > before);
    }

    [Fact]
    public void Dispose_WhileMemoryIsPrepared_LeavesNone()
    {
        for (int round = 0; round < 20; round++)
        {
            var pool = new ScratchPool();
            Rent(pool, 8 * (int)(SlabBytes / Page.Size));
            long before = pool.MappedBytes;
            var preparing = new Thread(pool.Prepare);
            preparing.Start();
            Eventually.IsTrue(() => pool.MappedBytes > before);
            pool.Dispose(); // while the next of four slabs is on its way
            preparing.Join();
            Assert.Equal(0, pool.MappedBytes);
        }
    }

    [Fact]
    public void Prepare_AfterDispose_MapsNothing()
    {
        var pool = new ScratchPool();
        Rent(pool, 9 * (int)(SlabBytes / Page.Size));
        pool.Dispose();
        long before = pool.MappedBytes;
        pool.Prepare();
        Assert.Equal(before, pool.MappedBytes);
    }

    [Theory]
    [InlineData(1, 1)]
    [InlineData(3, 4)]
    [InlineData(64, 64)]
    [InlineData(65, 128)]
    [InlineData(32769, 65536)]
    public void Rent_IsRoundedUpToAPowerOfTwo(int pages, int rounded)
    {
        using var pool = new ScratchPool();
        byte* address = pool.Rent(pages);
        Assert.Equal((long)rounded * Page.Size, pool.RentedBytes);
        address[((long)pages * Page.Size) - 1] = 1;
        pool.Return(address, pages);
        Assert.Equal(0, pool.RentedBytes);
    }

    [Fact]
    public void Trim_SlabWithOneRunInUse_KeepsIt()
    {
        using var pool = new ScratchPool();
        List<nint> runs = [.. Enumerable.Range(0, 1000).Select(_ => (nint)pool.Rent(1))];
        *(long*)runs[500] = 42;
        foreach (nint run in runs.Where((_, i) => i != 500))
        {
            pool.Return((byte*)run, 1);
        }

        pool.Trim();
        Assert.Equal(SlabBytes, pool.MappedBytes);
        Assert.Equal(42, *(long*)runs[500]);
    }

    [Fact]
    public void TrimUnused_KeepsWhatWasNeededSinceTheLastCall()
    {
        using var pool = new ScratchPool();
        RentAndReturn(pool, slabs: 10);
        pool.TrimUnused();
        Assert.Equal(10 * SlabBytes, pool.MappedBytes);

        RentAndReturn(pool, slabs: 4);
        pool.TrimUnused();
        Assert.Equal(4 * SlabBytes, pool.MappedBytes);

        pool.TrimUnused();
        Assert.Equal(0, pool.MappedBytes);
    }

    [Fact]
    public void Return_OfWhatWasNotRented_IsFound()
    {
        using var pool = new ScratchPool();
        byte* run = pool.Rent(1);
        Assert.Throws<InvalidOperationException>(() => pool.Return(run, 2));
        Assert.Throws<InvalidOperationException>(() => pool.Return((byte*)0x1000, 1));
        Assert.Throws<InvalidOperationException>(() => pool.Return((byte*)0x1000, 100));
    }

    private static void RentAndReturn(ScratchPool pool, int slabs)
    {
        List<nint> runs = [.. Enumerable.Range(0, slabs * (int)(SlabBytes / Page.Size)).Select(_ => (nint)pool.Rent(1))];
        runs.ForEach(run => pool.Return((byte*)run, 1));
    }

    private static long Return(ScratchPool pool, List<(nint Address, int Pages, long Stamp)> rented, int index)
    {
        (nint address, int pages, long stamp) = rented[index];
        for (int page = 0; page < pages; page++)
        {
            Assert.Equal(stamp, *(long*)(address + (page * Page.Size)));
        }

        rented[index] = rented[^1];
        rented.RemoveAt(rented.Count - 1);
        pool.Return((byte*)address, pages);
        return RoundedBytes(pages);
    }

    private static void Stamp(byte* address, int pages, long stamp)
    {
        for (int page = 0; page < pages; page++)
        {
            *(long*)(address + (page * Page.Size)) = stamp;
        }
    }

    private static long RoundedBytes(int pages) =>
        (long)System.Numerics.BitOperations.RoundUpToPowerOf2((uint)pages) * Page.Size;

    private static void Rent(ScratchPool pool, int runs)
    {
        for (int i = 0; i < runs; i++)
        {
            *pool.Rent(1) = 1;
        }
    }
}
