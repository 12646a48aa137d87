using System.Diagnostics;
using System.Globalization;
using Jackdaw.Simulation.Harness;
using Jackdaw.Storage.Headers;
using Jackdaw.Storage.Journal;
using Jackdaw.Storage.Paging;
using Jackdaw.TestKit;

namespace Jackdaw.Simulation.Damage;

/// <content>Flipped bits in headers, zeroed blocks, cut journals.</content>
public sealed partial class DamageTests
{
    private const int CutStepQuick = JournalFormat.BlockSize;
    private const int CutStepFull = 512;
    private const int TailBytesQuick = 8 * 1024;
    private const int TailStepQuick = 61;

    /// <summary>Bits from one flip to the next in the quick tier: coprime to 8, so that all bits of a byte come up.</summary>
    private const int BitStrideQuick = 29;

    [Fact]
    public void HeaderBit_Flipped_HasThePromisedResult() => FlipHeaders(BitStrideQuick);

    [Fact]
    [Trait("Tier", "Full")]
    public void EachHeaderBit_Flipped_HasThePromisedResult() => FlipHeaders(1);

    [Fact]
    public void Block_Zeroed_HasThePromisedResult() => ZeroBlocks(3);

    [Fact]
    [Trait("Tier", "Full")]
    public void EachBlock_Zeroed_HasThePromisedResult() => ZeroBlocks(1);

    [Fact]
    public void Journal_CutAnywhere_IsRefusedUnlessNothingOfItIsNeeded() => CutJournal(CutStepQuick, TailStepQuick);

    [Fact]
    [Trait("Tier", "Full")]
    public void Journal_CutAtEachSectorAndByte_IsRefusedUnlessNothingOfItIsNeeded() => CutJournal(CutStepFull, 1);

    private void FlipHeaders(int stride)
    {
        long started = Stopwatch.GetTimestamp();
        StorageImage killed = Image(ImageKind.Killed);
        StorageImage idle = Image(ImageKind.KilledIdle);
        List<JournalEntryPlace> entries = [.. killed.Entries.Where(entry => !entry.IsFooter)];
        JournalEntryPlace middle = entries[^2];
        FlipRange(killed, "middle entry", middle.Path, middle.Offset, JournalEntryHeader.SizeOf, stride, Verdict.Refused);
        FlipRange(killed, "last entry", entries[^1].Path, entries[^1].Offset, JournalEntryHeader.SizeOf, stride, Verdict.Shorter);
        JournalEntryPlace last = idle.Entries.Last(entry => !entry.IsFooter);
        FlipRange(idle, "last entry before a footer", last.Path, last.Offset, JournalEntryHeader.SizeOf, stride, Verdict.Refused);
        FlipRange(idle, "footer", idle.Entries[^1].Path, idle.Entries[^1].Offset, JournalEntryHeader.SizeOf, stride, Verdict.Whole);
        JournalEntryPlace? synced = killed.Entries.LastOrDefault(entry => entry.Transaction <= killed.Synced);
        if (synced is not null)
        {
            FlipRange(killed, "synced entry", synced.Path, synced.Offset, JournalEntryHeader.SizeOf, stride, Verdict.Whole);
        }

        FlipRange(killed, "journal header", killed.LastJournal, 0, JournalFileHeader.SizeOf, stride, Verdict.Refused);
        foreach (StorageImage image in new[] { killed, idle, Image(ImageKind.Closed) })
        {
            FlipRange(image, "header 0", SmallStorage.HeaderPath, 0, StorageHeader.SizeOf, stride, Verdict.Whole);
            FlipRange(image, "header 1", SmallStorage.HeaderPath, HeaderFile.CopyBytes, StorageHeader.SizeOf, stride, Verdict.Whole);
        }

        FlipRange(killed, "data header", SmallStorage.DataPath, 0, DataFileHeader.SizeOf, stride, Verdict.Refused, Verdict.Whole);
        FlipRange(Image(ImageKind.Closed), "bitmap page header", SmallStorage.DataPath, Page.Size, PageHeader.SizeOf, stride, Verdict.Refused);
        FlipRange(killed, "page header", SmallStorage.DataPath, 2 * Page.Size, PageHeader.SizeOf, stride,
            Verdict.Whole, Verdict.Refused, Verdict.PageError);
        FlipRange(Image(ImageKind.Closed), "page header", SmallStorage.DataPath, 2 * Page.Size, PageHeader.SizeOf, stride,
            Verdict.Whole, Verdict.Refused, Verdict.PageError);
        Report("flipped header bits", started);
    }

    private void FlipRange(
        StorageImage image, string name, string path, long offset, int bytes, int stride, params Verdict[] allowed)
    {
        for (long bit = 0; bit < bytes * 8L; bit += stride)
        {
            long at = (offset * 8) + bit;
            Examination found = Expect(image, $"{name}, bit {bit}", copy => copy.FlipBit(path, at), allowed);
            RequireNamed(found, path, at / 8);
        }
    }

    /// <summary>A damaged page is told by its number, or by that of the run that it is in.</summary>
    private static void RequireNamed(Examination found, string path, long offset)
    {
        if (path != SmallStorage.DataPath || found.Pages.Count == 0)
        {
            return;
        }

        long page = offset / Page.Size;
        bool isNamed = found.Pages.Any(told => told <= page && page - told < 8) && found.Message.Contains(SmallStorage.Path, StringComparison.Ordinal);
        if (!isNamed && !found.Message.StartsWith("page ", StringComparison.Ordinal))
        {
            throw new SimulationViolationException($"page {page} is damaged, but told was: {found}");
        }
    }

    private void ZeroBlocks(int stride)
    {
        long started = Stopwatch.GetTimestamp();
        byte[] zeros = new byte[JournalFormat.BlockSize];
        foreach (ImageKind kind in Enum.GetValues<ImageKind>())
        {
            StorageImage image = Image(kind);
            List<string> paths = [.. image.Journals, SmallStorage.HeaderPath, SmallStorage.DataPath];
            foreach (string path in paths)
            {
                long bytes = path == SmallStorage.DataPath ? image.UsedDataBytes : image.Platform.ReadAll(path).Length;
                for (long offset = 0; offset < bytes; offset += stride * JournalFormat.BlockSize)
                {
                    long at = offset;
                    Expect(image, $"{kind}: {path} zero at {at}", copy => copy.Write(path, at, zeros), PromisedFor(image, kind, path, at));
                }
            }
        }

        Report("zeroed blocks", started);
    }

    private static Verdict[] PromisedFor(StorageImage image, ImageKind kind, string path, long offset)
    {
        if (path == SmallStorage.DataPath)
        {
            return [Verdict.Whole, Verdict.Refused, Verdict.PageError];
        }

        if (path == SmallStorage.HeaderPath || kind == ImageKind.Closed)
        {
            return [Verdict.Whole];
        }

        JournalEntryPlace? hit = image.Entries.Find(entry => entry.Path == path && offset >= entry.Offset && offset < entry.Offset + entry.Bytes);
        bool isNeeded = hit is not null && !hit.IsFooter && hit.Transaction > image.Synced;
        bool isLast = hit is not null && hit.Transaction == image.Last;
        return offset == 0 ? [Verdict.Refused, Verdict.Whole]
            : !isNeeded ? [Verdict.Whole]
            : isLast && kind == ImageKind.Killed ? [Verdict.Shorter]
            : [Verdict.Refused];
    }

    private void CutJournal(int step, int tailStep)
    {
        long started = Stopwatch.GetTimestamp();
        StorageImage killed = Image(ImageKind.Killed);
        StorageImage closed = Image(ImageKind.Closed);
        long bytes = killed.Platform.ReadAll(killed.LastJournal).Length;
        long end = killed.Entries[^1].Offset + killed.Entries[^1].Bytes;
        IEnumerable<long> lengths = Enumerable.Range(0, (int)(bytes / step)).Select(i => (long)i * step)
            .Concat(Enumerable.Range(0, TailBytesQuick / tailStep).Select(i => end - TailBytesQuick + ((long)i * tailStep)));
        foreach (long length in lengths)
        {
            string name = string.Create(CultureInfo.InvariantCulture, $"cut to {length} of {bytes}");
            Expect(killed, name, copy => copy.Cut(killed.LastJournal, length), Verdict.Refused);
            Expect(closed, name, copy => copy.Cut(closed.LastJournal, Math.Min(length, bytes)), Verdict.Whole);
        }

        Report("cut journals", started);
    }
}
