namespace Jackdaw.Pal.Tests;

public abstract unsafe partial class PlatformTests
{
    [Fact]
    public void WritePages_ReadBack_GivesTheBytes()
    {
        using PalFile file = Create("file");
        file.WriteAt(100, 5, 10_000);
        Assert.Equal(10_100, file.GetLength());
        Assert.Equal(new byte[100], file.ReadAt(0, 100));
        Assert.Equal(FileExtensions.Filled(5, 10_000), file.ReadAt(100, 20_000));
        Assert.Empty(file.ReadAt(10_100, 10));
        Assert.Empty(file.ReadAt(1 << 20, 10));
        file.Sync(SyncKind.Data);
        file.Sync(SyncKind.Full);
    }

    [Fact]
    public void File_AfterItWasClosed_RefusesEverything()
    {
        // Another opening keeps the contents: only this file is gone.
        using PalFile other = Create("file");
        PalFile file = Open("file");
        PalFile journal = Open("file", FileUse.Journal);
        file.Dispose();
        journal.Dispose();
        AssertClosed(() => file.GetLength());
        AssertClosed(() => file.GetLinkCount());
        AssertClosed(() => file.Allocate(Page));
        AssertClosed(() => file.ZeroFill(0, Page));
        AssertClosed(() => file.SetLength(Page));
        AssertClosed(() => file.ReadAt(0, Page));
        AssertClosed(() => file.WriteAt(0, 1, Page));
        AssertClosed(() => file.Sync(SyncKind.Data));
        AssertClosed(() => file.PunchHole(0, Page));
        AssertClosed(() => file.FillHole(0, Page));
        AssertClosed(() => file.Map(Page).Dispose());
        AssertClosed(() => journal.JournalAt(0, 1, Page));
        AssertClosed(() => journal.ZeroFill(0, Page));
        Assert.Equal(0, other.GetLength());
    }

    private static void AssertClosed(Action call) => Assert.Throws<ObjectDisposedException>(call);

    [Fact]
    public void WritePages_Neighbours_AreMergedIntoRuns()
    {
        using PalFile file = Create("file");
        using var a = new AlignedBuffer(Page, 1);
        using var b = new AlignedBuffer(2 * Page, 2);
        PalWriteCounts counts = file.WritePages([a.PageAt(0), b.PageAt(Page), a.PageAt(8 * Page), b.PageAt(9 * Page)]);
        Assert.Equal(2, counts.Runs);
        Assert.Equal(6 * Page, counts.Bytes);
        Assert.True(counts.Calls >= 2);
        Assert.Equal(FileExtensions.Filled(2, 2 * Page), file.ReadAt(Page, 2 * Page));
        Assert.Equal(new byte[5 * Page], file.ReadAt(3 * Page, 5 * Page));
        Assert.Equal(default, file.WritePages([]));
    }

    [Fact]
    public void WritePages_MoreNeighboursThanOneCallTakes_AreAllWritten()
    {
        using PalFile file = Create("file");
        using var buffer = new AlignedBuffer(Page, 3);
        PalPageWrite[] writes = [.. Enumerable.Range(0, 2500).Select(i => buffer.PageAt(i * (long)Page))];
        Assert.Equal(1, file.WritePages(writes).Runs);
        Assert.Equal(2500L * Page, file.GetLength());
        Assert.Equal(FileExtensions.Filled(3, 2 * Page), file.ReadAt(2498L * Page, 2 * Page));
    }

    [Fact]
    public void WritePages_UnsortedOverlappingOrEmpty_AreRefused()
    {
        using PalFile file = Create("file");
        using var buffer = new AlignedBuffer(2 * Page, 1);
        PalPageWrite empty = buffer.PageAt(0);
        empty.Length = 0;
        AssertFails(PalStatus.InvalidArgument, () => file.WritePages([buffer.PageAt(2 * Page), buffer.PageAt(0)]));
        AssertFails(PalStatus.InvalidArgument, () => file.WritePages([buffer.PageAt(0), buffer.PageAt(Page)]));
        AssertFails(PalStatus.InvalidArgument, () => file.WritePages([buffer.PageAt(-Page)]));
        AssertFails(PalStatus.InvalidArgument, () => file.WritePages([empty]));
        Assert.Equal(0, file.GetLength());
    }

    [Fact]
    public void WriteJournal_SeveralVectors_AreWrittenInOrder()
    {
        using PalFile journal = Create("journal", FileUse.Journal);
        journal.Allocate(16 * Page);
        journal.ZeroFill(0, 16 * Page);
        using var buffer = new AlignedBuffer(3 * Page);
        buffer.Span[..Page].Fill(1);
        buffer.Span[Page..].Fill(2);
        journal.WriteJournal([buffer.Vector(Page, 2 * Page), buffer.Vector(0, Page)], 4 * Page);
        using PalFile reader = Open("journal", FileUse.ReadOnly);
        Assert.Equal(FileExtensions.Filled(2, 2 * Page), reader.ReadAt(4 * Page, 2 * Page));
        Assert.Equal(FileExtensions.Filled(1, Page), reader.ReadAt(6 * Page, Page));
        Assert.Equal(FileExtensions.Filled(1, Page), journal.ReadAt(6 * Page, Page));
        Assert.Equal(16 * Page, reader.GetLength());
        Assert.Equal(new byte[Page], reader.ReadAt(7 * Page, Page));
    }

    [Fact]
    public void WriteJournal_Unaligned_IsRefused()
    {
        using PalFile journal = Create("journal", FileUse.Journal);
        using var buffer = new AlignedBuffer(2 * Page, 1);
        AssertFails(PalStatus.InvalidArgument, () => journal.WriteJournal([buffer.Vector(512, Page)], 0));
        AssertFails(PalStatus.InvalidArgument, () => journal.WriteJournal([buffer.Vector(0, 512)], 0));
        AssertFails(PalStatus.InvalidArgument, () => journal.WriteJournal([buffer.Vector(0, 0)], 0));
        AssertFails(PalStatus.InvalidArgument, () => journal.WriteJournal([buffer.Whole], 512));
        AssertFails(PalStatus.InvalidArgument, () => journal.WriteJournal([buffer.Whole], -Page));
        AssertFails(PalStatus.InvalidArgument, () => journal.WriteJournal([], 0));
        var many = new PalVector[PalLimits.VectorsMax + 1];
        many.AsSpan().Fill(buffer.Vector(0, Page));
        AssertFails(PalStatus.InvalidArgument, () => journal.WriteJournal(many, 0));
        AssertFails(PalStatus.InvalidArgument, () => journal.ReadAt(512, Page));
        AssertFails(PalStatus.InvalidArgument, () => journal.ReadAt(0, 512));
        Assert.Equal(0, journal.GetLength());
        journal.WriteJournal(many.AsSpan(1), 0);
        Assert.Equal(PalLimits.VectorsMax * (long)Page, journal.GetLength());
    }

    [Fact]
    public void Calls_OnTheWrongKindOfFile_AreRefused()
    {
        using PalFile data = Create("data");
        using PalFile journal = Create("journal", FileUse.Journal);
        using PalFile reader = Open("data", FileUse.ReadOnly);
        AssertFails(PalStatus.InvalidArgument, () => data.JournalAt(0, 1, Page));
        AssertFails(PalStatus.InvalidArgument, () => journal.WriteAt(0, 1, Page));
        AssertFails(PalStatus.InvalidArgument, () => journal.Map(Page));
        AssertFails(PalStatus.InvalidArgument, () => reader.WriteAt(0, 1, Page));
        AssertFails(PalStatus.InvalidArgument, () => reader.JournalAt(0, 1, Page));
        AssertFails(PalStatus.InvalidArgument, () => reader.Allocate(Page));
        AssertFails(PalStatus.InvalidArgument, () => reader.SetLength(Page));
        AssertFails(PalStatus.InvalidArgument, () => reader.ZeroFill(0, Page));
        AssertFails(PalStatus.InvalidArgument, () => reader.PunchHole(0, Page));
        AssertFails(PalStatus.InvalidArgument, () => reader.FillHole(0, Page));
        AssertFails(PalStatus.InvalidArgument, () => data.ReadAt(-1, 1));
    }

    [Fact]
    public void Allocate_GrowsWithZeros_AndNeverShrinks()
    {
        using PalFile file = Create("file");
        file.WriteAt(0, 8, Page);
        file.Allocate(100_000);
        Assert.Equal(100_000, file.GetLength());
        file.Allocate(10);
        Assert.Equal(100_000, file.GetLength());
        Assert.Equal(FileExtensions.Filled(8, Page), file.ReadAt(0, Page));
        Assert.Equal(new byte[100_000 - Page], file.ReadAt(Page, 100_000));
        AssertFails(PalStatus.InvalidArgument, () => file.Allocate(-1));
    }

    [Fact]
    public void SetLength_CutAndExtended_ReadsZerosWhereItWasCut()
    {
        using PalFile file = Create("file");
        file.WriteAt(0, 8, 3 * Page);
        file.SetLength(5000);
        file.SetLength(3 * Page);
        Assert.Equal(FileExtensions.Filled(8, 5000), file.ReadAt(0, 5000));
        Assert.Equal(new byte[(3 * Page) - 5000], file.ReadAt(5000, 3 * Page));
        AssertFails(PalStatus.InvalidArgument, () => file.SetLength(-1));
    }

    [Fact]
    public void ZeroFill_AndPunchHole_ReadZerosAndKeepTheLength()
    {
        using PalFile file = Create("file");
        file.WriteAt(0, 8, 10 * Page);
        file.ZeroFill(Page, 2 * Page);
        file.PunchHole(5 * Page, 2 * Page);
        file.PunchHole(9 * Page, 0);
        byte[] expected = FileExtensions.Filled(8, 10 * Page);
        expected.AsSpan(Page, 2 * Page).Clear();
        expected.AsSpan(5 * Page, 2 * Page).Clear();
        Assert.Equal(expected, file.ReadAt(0, 20 * Page));
        file.ZeroFill(10 * Page, Page);
        Assert.Equal(11 * Page, file.GetLength());
        AssertFails(PalStatus.InvalidArgument, () => file.ZeroFill(1, Page));
        AssertFails(PalStatus.InvalidArgument, () => file.ZeroFill(0, 1));
        AssertFails(PalStatus.InvalidArgument, () => file.PunchHole(512, Page));
        AssertFails(PalStatus.InvalidArgument, () => file.PunchHole(0, 512));
    }

    [Fact]
    public void FillHole_OverHolesAndContents_KeepsWhatTheRangeHolds()
    {
        using PalFile file = Create("file");
        file.WriteAt(0, 8, 10 * Page);
        file.PunchHole(2 * Page, 3 * Page);
        file.FillHole(Page, 8 * Page);
        file.FillHole(3 * Page, 0);
        byte[] expected = FileExtensions.Filled(8, 10 * Page);
        expected.AsSpan(2 * Page, 3 * Page).Clear();
        Assert.Equal(expected, file.ReadAt(0, 20 * Page));
        file.WriteAt(3 * Page, 7, Page);
        Assert.Equal(FileExtensions.Filled(7, Page), file.ReadAt(3 * Page, Page));
        AssertFails(PalStatus.InvalidArgument, () => file.FillHole(512, Page));
        AssertFails(PalStatus.InvalidArgument, () => file.FillHole(0, 512));
    }

    [Fact]
    public void ZeroFill_LargerThanTheBuffer_ClearsEverything()
    {
        using PalFile journal = Create("journal", FileUse.Journal);
        const int length = (5 << 20) + Page;
        journal.Allocate(length);
        journal.JournalAt(length - Page, 4, Page);
        journal.ZeroFill(0, length);
        Assert.Equal(length, journal.GetLength());
        Assert.Equal(new byte[Page], journal.ReadAt(length - Page, Page));
    }

    [Fact]
    public void Map_LongerThanTheFile_ShowsGrowthAndWrites()
    {
        using PalFile file = Create("file");
        file.WriteAt(0, 1, Page);
        using PalMapping mapping = file.Map(1L << 30);
        Assert.Equal(1L << 30, mapping.ReservedBytes);
        Assert.Equal(1, mapping.Address[Page - 1]);
        file.Allocate(64 * Page);
        Assert.Equal(0, mapping.Address[(64 * Page) - 1]);
        file.WriteAt(63 * Page, 2, Page);
        file.WriteAt(0, 3, Page);
        Assert.Equal(2, mapping.Address[(64 * Page) - 1]);
        Assert.Equal(3, mapping.Address[0]);
        file.PunchHole(63 * Page, Page);
        Assert.Equal(0, mapping.Address[(64 * Page) - 1]);
        AssertFails(PalStatus.InvalidArgument, () => file.Map(0));
    }

    [Fact]
    public void Advice_OfAnyRanges_ChangesNoByte()
    {
        using PalFile file = Create("file");
        file.WriteAt(0, 7, 64 * Page);
        using PalMapping mapping = file.Map(1L << 30);
        mapping.ReadAtRandom();
        mapping.WillNeed([]);
        mapping.WillNeed([.. Enumerable.Range(0, 200).Select(i => RangeOf(mapping, i % 64 * Page, Page))]);
        mapping.WillNeed([RangeOf(mapping, 100, Page), RangeOf(mapping, 60 * Page, 100 * Page)]);
        Assert.True(new ReadOnlySpan<byte>(mapping.Address, 64 * Page).IndexOfAnyExcept((byte)7) < 0);
    }

    [Fact]
    public void Map_AfterCloseAndDelete_StaysReadable()
    {
        PalFile file = Create("file");
        file.WriteAt(0, 6, 2 * Page);
        PalMapping mapping = file.Map(2 * Page);
        using PalMapping second = file.Map(Page);
        file.Dispose();
        file.Dispose();
        Platform.Delete(In("file"));
        Assert.Equal(6, mapping.Address[Page]);
        mapping.Dispose();
        mapping.Dispose();
        Assert.Equal(6, second.Address[0]);
    }

    [Fact]
    public void Map_ThroughAnotherOpening_SeesTheSameBytes()
    {
        using PalFile writer = Create("file");
        writer.Allocate(4 * Page);
        using PalFile reader = Open("file", FileUse.ReadOnly);
        using PalMapping mapping = reader.Map(4 * Page);
        writer.WriteAt(Page, 5, Page);
        Assert.Equal(5, mapping.Address[Page]);
        Assert.Equal(FileExtensions.Filled(5, Page), reader.ReadAt(Page, Page));
    }

    private static PalVector RangeOf(PalMapping mapping, long offset, long length) => new() { Base = mapping.Address + offset, Length = length };
}
