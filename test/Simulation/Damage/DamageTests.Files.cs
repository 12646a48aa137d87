using System.Diagnostics;
using System.Runtime.InteropServices;
using Jackdaw.Pal.Simulation;
using Jackdaw.Simulation.Harness;
using Jackdaw.Storage.Headers;
using Jackdaw.Storage.Journal;
using Jackdaw.Storage.Paging;
using Jackdaw.TestKit;

namespace Jackdaw.Simulation.Damage;

/// <content>Missing, swapped, older and newer files.</content>
public sealed partial class DamageTests
{
    [Fact]
    public void File_Missing_IsToldUnlessNothingOfItIsNeeded()
    {
        StorageImage killed = Image(ImageKind.Killed);
        StorageImage closed = Image(ImageKind.Closed);
        foreach (string path in killed.Journals)
        {
            bool isNeeded = killed.Entries.Any(entry => entry.Path == path && entry.Transaction > killed.Synced);
            Expect(killed, $"{path} missing", copy => copy.Delete(path), isNeeded ? [Verdict.Refused] : [Verdict.Whole, Verdict.Refused]);
        }

        foreach (string path in closed.Journals)
        {
            Expect(closed, $"{path} missing", copy => copy.Delete(path), Verdict.Whole);
        }

        foreach (StorageImage image in new[] { killed, closed })
        {
            Expect(image, "data missing", copy => copy.Delete(SmallStorage.DataPath), Verdict.Refused);
            Expect(image, "data cut", copy => copy.Cut(SmallStorage.DataPath, 3 * Page.Size), Verdict.Refused);
            Expect(image, "headers missing", copy => copy.Delete(SmallStorage.HeaderPath), Verdict.Refused);
        }

        Report("missing files", Stopwatch.GetTimestamp());
    }

    [Fact]
    public void Journal_OfSyncedTransactionsMissing_IsTolerated()
    {
        // The journals of before the last sync go with it, so one that only holds synced transactions is one more file.
        StorageImage image = Image(ImageKind.Closed);
        Assert.All(image.Entries, entry => Assert.True(entry.Transaction <= image.Synced));
        Expect(image, "all journals missing", copy => image.Journals.ForEach(copy.Delete), Verdict.Whole);
    }

    [Fact]
    public void Journals_Swapped_AreRefused()
    {
        StorageImage image = Image(ImageKind.Killed);
        List<string> needed = [.. image.Entries.Where(entry => entry.Transaction > image.Synced).Select(entry => entry.Path).Distinct()];
        Assert.True(needed.Count > 1, "the image has one journal only");
        for (int i = 1; i < needed.Count; i++)
        {
            int second = i;
            Expect(image, $"journals {i - 1} and {i} swapped", copy => copy.Swap(needed[second - 1], needed[second]), Verdict.Refused);
        }
    }

    [Fact]
    public void Block_CopiedOverAnother_IsNotTakenForAnEntry()
    {
        StorageImage image = Image(ImageKind.Killed);
        List<JournalEntryPlace> entries = [.. image.Entries.Where(entry => entry.Transaction > image.Synced && !entry.IsFooter)];
        for (int i = 1; i < entries.Count; i++)
        {
            (JournalEntryPlace from, JournalEntryPlace to) = (entries[i - 1], entries[i]);
            byte[] block = image.Platform.Read(from.Path, from.Offset, JournalFormat.BlockSize);
            Verdict expected = to == entries[^1] ? Verdict.Shorter : Verdict.Refused;
            Expect(image, $"{from} copied over {to}", copy => copy.Write(to.Path, to.Offset, block), expected);
        }
    }

    [Fact]
    public void Header_OfAnOlderRevision_NeverLosesSilently()
    {
        foreach (ImageKind kind in Enum.GetValues<ImageKind>())
        {
            StorageImage image = Image(kind);
            Expect(image, $"{kind}: older headers", copy => copy.Write(SmallStorage.HeaderPath, 0, image.OlderHeaders), Verdict.Whole, Verdict.Refused);
        }
    }

    [Fact]
    public void Header_WithOneCopyBad_IsHealed()
    {
        byte[] zeros = new byte[HeaderFile.CopyBytes];
        foreach (ImageKind kind in Enum.GetValues<ImageKind>())
        {
            StorageImage image = Image(kind);
            Expect(image, $"{kind}: first copy", copy => copy.Write(SmallStorage.HeaderPath, 0, zeros), Verdict.Whole);
            Expect(image, $"{kind}: second copy", copy => copy.Write(SmallStorage.HeaderPath, HeaderFile.CopyBytes, zeros), Verdict.Whole);
            Expect(image, $"{kind}: first copy, the second after a reopen", copy =>
            {
                copy.Write(SmallStorage.HeaderPath, 0, zeros);
                Examination.Run(copy, image.Allowed);
                copy.Write(SmallStorage.HeaderPath, HeaderFile.CopyBytes, zeros);
            }, Verdict.Whole);
            Expect(image, $"{kind}: both copies", copy => copy.Write(SmallStorage.HeaderPath, 0, [.. zeros, .. zeros]), Verdict.Refused);
        }
    }

    [Fact]
    public void File_OfANewerFormat_IsRefusedAsSuch()
    {
        StorageImage image = Image(ImageKind.Killed);
        foreach (int copyIndex in new[] { 0, 1 })
        {
            Expect(image, "header", copy => Change<StorageHeader>(copy, SmallStorage.HeaderPath, copyIndex * HeaderFile.CopyBytes, (ref StorageHeader header) =>
            {
                header.Version++;
                header.Revision += 2;
                header.Seal();
            }), Verdict.NewerFormat);
        }

        Expect(image, "journal", copy => Change<JournalFileHeader>(copy, image.LastJournal, 0, (ref JournalFileHeader header) =>
        {
            header.Version++;
            header.Seal();
        }), Verdict.NewerFormat);
        JournalEntryPlace last = image.Entries[^1];
        Expect(image, "entry", copy => Change<JournalEntryHeader>(copy, last.Path, last.Offset, (ref JournalEntryHeader header) =>
        {
            header.Version++;
            header.Seal();
        }), Verdict.NewerFormat);
    }

    /// <summary>Sealed again, so that only the values themselves can tell; an answer takes neither their time nor their memory.</summary>
    [Fact]
    public void Header_WithImpossibleNumbers_IsRefused()
    {
        StorageImage image = Image(ImageKind.Killed);
        Expect(image, "newest journal", copy => ChangeNewest(copy, (ref StorageHeader header) => header.NewestJournal = 1L << 60), Verdict.Refused);
        Expect(image, "next page", copy => ChangeNewest(copy, (ref StorageHeader header) => header.NextPage = new PageNumber(1L << 45)), Verdict.Refused);
    }

    private static void ChangeNewest(SimulatedPlatform platform, Changer<StorageHeader> change)
    {
        foreach (int copy in new[] { 0, 1 })
        {
            Change(platform, SmallStorage.HeaderPath, copy * HeaderFile.CopyBytes, (ref StorageHeader header) =>
            {
                change(ref header);
                header.Seal();
            });
        }
    }

    private delegate void Changer<T>(ref T value);

    private static void Change<T>(SimulatedPlatform platform, string path, long offset, Changer<T> change)
        where T : unmanaged
    {
        T value = MemoryMarshal.Read<T>(platform.Read(path, offset, Marshal.SizeOf<T>()));
        change(ref value);
        platform.Write(path, offset, MemoryMarshal.AsBytes(new ReadOnlySpan<T>(in value)));
    }
}
