using Jackdaw.Pal.Interop;
using Jackdaw.Pal.Measurement;
using Jackdaw.Pal.Native;

namespace Jackdaw.Pal.Tests;

/// <summary>What page writes promise, in one mode on real files: one suite, a class for each mode.</summary>
public abstract unsafe class PageWriteModeTests : IDisposable
{
    private const int Page = 8192;

    private const long BatchBytes = 36L * (64 << 20);

    private readonly PageWriteMode _mode;
    private readonly NativePlatform _platform;
    private readonly string _root = Path.Combine(Path.GetTempPath(), $"jackdaw-modes-{Guid.NewGuid():N}");

    protected PageWriteModeTests(PageWriteMode mode)
    {
        _mode = mode;
        _platform = new NativePlatform(mode);
        _platform.CreateDirectory(_root);
    }

    public void Dispose()
    {
        _platform.DeleteDirectory(_root);
        GC.SuppressFinalize(this);
    }

    [Fact]
    public void Platform_OfTheMode_UsesIt()
    {
        bool hasRing = LibPal.pal_ring_open(out nint ring, out _) == 0;
        if (hasRing)
        {
            LibPal.pal_ring_close(ring);
        }

        PageWriteMode expected = _mode == PageWriteMode.IoRing && !hasRing ? PageWriteMode.VectoredFileIo : _mode;
        Assert.Equal(expected, _platform.WriteMode);
        Assert.Equal(expected, PageWriteModes.Probe(_root, _mode).WriteMode);
        Assert.Empty(_platform.ListDirectory(_root));
    }

    [Fact]
    public void Batch_OfAnyShape_IsWhatTheFileHoldsAfterwards()
    {
        int seed = Environment.TickCount;
        var random = new Random(seed);
        using PalFile file = Create();
        file.Allocate(4096 * Page);
        byte[] expected = new byte[4096 * Page];
        using var memory = new AlignedBuffer(512 * Page);
        for (int round = 0; round < 10; round++)
        {
            random.NextBytes(memory.Span);
            PalPageWrite[] writes = [.. RandomWrites(random, memory, expected)];
            PalWriteCounts counts = file.WritePages(writes);
            long bytes = writes.Sum(write => write.Length);
            Assert.True(counts.Bytes == bytes && counts.Runs == CountRuns(writes), $"seed {seed}");
        }

        file.Sync(SyncKind.Data);
        Assert.True(expected.AsSpan().SequenceEqual(file.ReadAt(0, expected.Length)), $"seed {seed}");
    }

    [Fact]
    public void Batch_OfScatteredPages_IsWrittenWhole_AndCounted()
    {
        const int count = 3000;
        using PalFile file = Create();
        using var memory = new AlignedBuffer(Page, 7);
        PalPageWrite[] writes = [.. Enumerable.Range(0, count).Select(i => memory.PageAt(2L * i * Page))];
        PalWriteCounts counts = file.WritePages(writes);

        Assert.Equal((count, count * Page), (counts.Runs, counts.Bytes));
        Assert.True(counts.Calls > 0);
        Assert.Equal(((2L * count) - 1) * Page, file.GetLength());
        for (int i = 0; i < count; i += 17)
        {
            Assert.Equal(FileExtensions.Filled(7, Page), file.ReadAt(2L * i * Page, Page));
        }

        Assert.Equal(new byte[Page], file.ReadAt(Page, Page));
    }

    [Fact]
    public void Batch_NotAtPageBoundaries_TouchesNothingElse()
    {
        using PalFile file = Create();
        file.WriteAt(0, 1, 3 * Page);
        using var memory = new AlignedBuffer(1000, 2);
        file.WritePages([memory.PageAt(5001), memory.PageAt(6001), memory.PageAt((3 * Page) - 500)]);

        Assert.Equal((3 * Page) + 500, file.GetLength());
        Assert.Equal(FileExtensions.Filled(1, 5001), file.ReadAt(0, 5001));
        Assert.Equal(FileExtensions.Filled(2, 2000), file.ReadAt(5001, 2000));
        Assert.Equal(FileExtensions.Filled(1, (3 * Page) - 500 - 7001), file.ReadAt(7001, (3 * Page) - 500 - 7001));
        Assert.Equal(FileExtensions.Filled(2, 1000), file.ReadAt((3 * Page) - 500, 1000));
    }

    [Fact]
    public void Batch_IsSeenThroughAMapping()
    {
        using PalFile file = Create();
        file.Allocate(16 * Page);
        using PalMapping mapping = file.Map(1 << 20);
        file.WriteAt(Page, 1, Page);
        Assert.Equal(1, mapping.Address[Page]);
        file.WriteAt(Page, 2, Page);
        Assert.Equal(2, mapping.Address[Page]);
    }

    [Fact]
    public void Batch_ThatIsNoBatch_IsRefused()
    {
        using PalFile file = Create();
        using var memory = new AlignedBuffer(Page, 1);
        Assert.Equal(default, file.WritePages([]));
        PalPageWrite[] unsorted = [memory.PageAt(Page), memory.PageAt(0)];
        PalException exception = Assert.Throws<PalException>(() => file.WritePages(unsorted));
        Assert.Equal(PalStatus.InvalidArgument, exception.Status);
        Assert.Equal(0, file.GetLength());
    }

    [Fact]
    public void Batch_OnADescriptorThatTakesNoWrites_FailsWithFacts()
    {
        File.WriteAllBytes(Path.Combine(_root, "file"), new byte[8 * Page]);
        using var memory = new AlignedBuffer(Page, 1);
        Assert.Equal(0, LibPal.pal_file_open(
            Path.Combine(_root, "file"), FileOpening.Existing, FileUse.ReadOnly, out int opened, out _, out _));
        using var descriptor = new FileDescriptor(opened);
        PalPageWrite* writes = stackalloc PalPageWrite[] { memory.PageAt(2 * Page), memory.PageAt(4 * Page) };

        int status = LibPal.pal_pages_write(
            descriptor, _mode, WriteRing.Shared, writes, 2, out _, out NativeError error);

        Assert.Equal(status, error.Code);
        PalStatus expected = _mode == PageWriteMode.Mmap ? PalStatus.AccessDenied : PalStatus.InvalidArgument;
        Assert.Equal(expected, (PalStatus)status);
        Assert.Equal((2L * Page, 0), (error.Offset, Math.Max(error.Item, 0)));
    }

    [Fact]
    public void Batch_BehindTheLargestFile_IsAnErrorAndNotTheEndOfTheProcess()
    {
        using PalFile file = Create();
        using var memory = new AlignedBuffer(Page, 1);
        PalPageWrite[] far = [memory.PageAt(0), memory.PageAt(1L << 60)];
        PalException exception = Assert.Throws<PalException>(() => file.WritePages(far));
        Assert.Contains(exception.Status, new[] { PalStatus.NoSpace, PalStatus.IoError, PalStatus.InvalidArgument });
    }

    [Fact]
    public void Batches_OfManyThreads_AreAllWritten()
    {
        const int threads = 8, rounds = 50;
        using PalFile file = Create();
        file.Allocate(threads * 64L * Page);
        Parallel.For(0, threads, new ParallelOptions { MaxDegreeOfParallelism = threads }, thread =>
        {
            using var memory = new AlignedBuffer(Page);
            for (int round = 1; round <= rounds; round++)
            {
                memory.Span.Fill((byte)(thread + round));
                long first = thread * 64L;
                file.WritePages([.. Enumerable.Range(0, 32).Select(i => memory.PageAt((first + (2 * i)) * Page))]);
            }
        });

        for (int thread = 0; thread < threads; thread++)
        {
            byte[] last = FileExtensions.Filled((byte)(thread + rounds), Page);
            Assert.Equal(last, file.ReadAt(((thread * 64L) + 62) * Page, Page));
        }
    }

    [FreeSpaceFact(2L * BatchBytes)]
    [Trait("Tier", "Full")]
    public void Batch_OfMoreThanTwoGigabytes_IsWritten()
    {
        // One run of 2.25 GB: more than the kernel takes in one call. Its pages share a few megabytes of memory.
        const int chunk = 64 << 20, chunks = (int)(BatchBytes / chunk);
        using PalFile file = Create();
        using var memory = new AlignedBuffer(chunk);
        new Random(1).NextBytes(memory.Span);
        PalPageWrite[] writes = [.. Enumerable.Range(0, chunks).Select(i => memory.PageAt((long)i * chunk))];
        PalWriteCounts counts = file.WritePages(writes);

        Assert.Equal((1, (long)chunk * chunks), (counts.Runs, counts.Bytes));
        Assert.Equal((long)chunk * chunks, file.GetLength());
        foreach (int i in (int[])[0, 31, 32, chunks - 1])
        {
            Assert.True(memory.Span.SequenceEqual(file.ReadAt((long)i * chunk, chunk)), $"chunk {i}");
        }
    }

    private static IEnumerable<PalPageWrite> RandomWrites(Random random, AlignedBuffer memory, byte[] expected)
    {
        var writes = new List<PalPageWrite>();
        int used = 0;
        for (int page = random.Next(8); page < 4096 && used < 512;)
        {
            int pages = Math.Min(random.Next(1, 9), Math.Min(512 - used, 4096 - page));
            byte* address = memory.Address + (used * Page);
            writes.Add(new PalPageWrite { Base = address, Offset = (long)page * Page, Length = (long)pages * Page });
            memory.Span.Slice(used * Page, pages * Page).CopyTo(expected.AsSpan(page * Page));
            used += pages;
            page += pages + (random.Next(2) * random.Next(40));
        }

        return writes;
    }

    private static long CountRuns(PalPageWrite[] writes)
    {
        long runs = 1;
        for (int i = 1; i < writes.Length; i++)
        {
            runs += writes[i].Offset == writes[i - 1].Offset + writes[i - 1].Length ? 0 : 1;
        }

        return runs;
    }

    private PalFile Create() => _platform.OpenFile(Path.Combine(_root, "file"), FileOpening.CreateNew, FileUse.Data);
}

/// <summary>One call for each page.</summary>
public sealed class FileIoTests() : PageWriteModeTests(PageWriteMode.FileIo);

/// <summary>One call for neighbours.</summary>
public sealed class VectoredFileIoTests() : PageWriteModeTests(PageWriteMode.VectoredFileIo);

/// <summary>The submission ring.</summary>
public sealed class IoRingTests() : PageWriteModeTests(PageWriteMode.IoRing);

/// <summary>A writable mapping.</summary>
public sealed class MmapTests() : PageWriteModeTests(PageWriteMode.Mmap);
