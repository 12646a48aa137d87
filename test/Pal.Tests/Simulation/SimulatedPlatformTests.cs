using Jackdaw.Pal.Simulation;

namespace Jackdaw.Pal.Tests.Simulation;

/// <summary>The suite over the simulated volume, with what only it can show: limits and the log.</summary>
public sealed class SimulatedPlatformTests : PlatformTests
{
    private const int Page = 4096;

    public SimulatedPlatformTests()
        : base(new SimulatedPlatform(seed: 1))
    {
    }

    private SimulatedPlatform Simulated => (SimulatedPlatform)Platform;

    [Fact]
    public void Allocate_MoreThanTheVolumeHas_IsNoSpaceAndChangesNothing()
    {
        Simulated.CapacityBytes = 10 * Page;
        using PalFile file = Create("file");
        file.Allocate(8 * Page);
        PalException exception = Assert.Throws<PalException>(() => file.Allocate(11 * Page));
        Assert.True(exception.IsDiskFull);
        Assert.Equal(8 * Page, file.GetLength());
        Assert.Equal(2 * Page, Platform.GetFreeSpace(Root));
        file.WriteAt(0, 1, 8 * Page);
        Assert.Throws<PalException>(() => file.WriteAt(8 * Page, 1, 3 * Page));
        file.PunchHole(0, 4 * Page);
        file.WriteAt(8 * Page, 1, 3 * Page);
        Assert.Equal(7 * Page, Simulated.UsedBytes);
    }

    [Fact]
    public void Delete_OfTheLastReference_GivesTheSpaceBack()
    {
        PalFile file = Create("file");
        file.WriteAt(0, 1, 4 * Page);
        Platform.Delete(In("file"));
        Assert.Equal(4 * Page, Simulated.UsedBytes);
        file.Dispose();
        Assert.Equal(0, Simulated.UsedBytes);
    }

    [Fact]
    public void WriteJournal_OnAFullVolume_IsNoSpace()
    {
        Simulated.CapacityBytes = 2 * Page;
        using PalFile journal = Create("journal", FileUse.Journal);
        journal.JournalAt(0, 1, 2 * Page);
        journal.JournalAt(0, 2, 2 * Page);
        Assert.Equal(PalStatus.NoSpace, Assert.Throws<PalException>(() => journal.JournalAt(2 * Page, 1, Page)).Status);
    }

    [Fact]
    public void Operations_OfACommit_AreLoggedInOrder()
    {
        Simulated.RecordsOperations = true;
        using (PalFile journal = Platform.OpenFile("/j", FileOpening.CreateNew, FileUse.Journal))
        {
            journal.Allocate(4 * Page);
            Platform.SyncDirectories(["/"]);
            journal.JournalAt(Page, 1, 2 * Page);
            Platform.Link("/j", "/k");
            Platform.RenameDurable("/k", "/l");
            journal.Sync(SyncKind.Data);
        }

        Platform.Delete("/j");
        string[] expected =
        [
            "Open /j", "Allocate /j 16384", "SyncDirectory /", "WriteJournal /j 4096+8192", "Link /j -> /k",
            "Rename /k -> /l", "RenameSync /l", "Sync /j", "Close /j", "Delete /j",
        ];
        Assert.Equal(expected, Simulated.Operations.Select(operation => operation.ToString()));
        Assert.Equal(Simulated.Operations[^1].Sequence, Simulated.OperationCount);
        Simulated.RecordsOperations = false;
    }

    [Fact]
    public void Callbacks_AroundACall_SeeItBeforeAndAfter()
    {
        var seen = new List<string>();
        using PalFile file = Create("file");
        Simulated.BeforeOperation = operation => seen.Add($"before {operation.Kind} {Simulated.UsedBytes}");
        Simulated.AfterOperation = operation => seen.Add($"after {operation.Kind} {Simulated.UsedBytes}");
        file.WriteAt(0, 1, Page);
        Simulated.BeforeOperation = null;
        Simulated.AfterOperation = null;
        Assert.Equal(["before WritePages 0", "after WritePages 4096"], seen);
    }

    [Fact]
    public async Task Calls_FromManyThreads_KeepTheVolumeWhole()
    {
        Task[] tasks = [.. Enumerable.Range(0, 4).Select(thread => Task.Run(() =>
        {
            for (int i = 0; i < 100; i++)
            {
                using PalFile file = Create($"{thread}-{i}");
                file.WriteAt(0, (byte)thread, 2 * Page);
                Simulated.Crash(i);
                Platform.Link(In($"{thread}-{i}"), In($"{thread}-{i}-link"));
                Platform.Delete(In($"{thread}-{i}"));
            }
        }))];
        await Task.WhenAll(tasks);
        Assert.Equal(400, Platform.ListDirectory(Root).Count);
        Assert.Equal(400L * 2 * Page, Simulated.UsedBytes);
    }
}
