using Jackdaw.Pal.Native;

namespace Jackdaw.Pal.Tests;

/// <summary>The suite over the operating system, with what only it can show.</summary>
public sealed class NativePlatformTests : PlatformTests
{
    private const string OtherVolume = OtherVolumeFactAttribute.Path;

    public NativePlatformTests()
        : base(new NativePlatform())
    {
    }

    [OtherVolumeFact]
    public void Link_AcrossVolumes_IsCrossDevice()
    {
        Create("file").Dispose();
        string target = Path.Combine(OtherVolume, Path.GetFileName(Root));
        PalException exception = Assert.Throws<PalException>(() => Platform.Link(In("file"), target));
        Assert.Equal(PalStatus.CrossDevice, exception.Status);
        Assert.Equal(18, exception.OsError);
        exception = Assert.Throws<PalException>(() => Platform.RenameDurable(In("file"), target));
        Assert.Equal(PalStatus.CrossDevice, exception.Status);
    }

    [Fact]
    public void Lock_OfThisProcess_WritesTheOwnersText()
    {
        using IDisposable held = Platform.Lock(In("lock"), "pid 1, started at noon");
        using PalFile file = Open("lock", FileUse.ReadOnly);
        Assert.Equal("pid 1, started at noon"u8.ToArray(), file.ReadAt(0, 100));
    }

    [Fact]
    public void DeleteDirectory_WithALinkToAFolder_LeavesTheTargetAlone()
    {
        Platform.CreateDirectory(In("target"));
        Create("target/file").Dispose();
        Platform.CreateDirectory(In("victim"));
        Directory.CreateSymbolicLink(In("victim/link"), In("target"));
        Platform.DeleteDirectory(In("victim"));
        Assert.True(Platform.Exists(In("target/file")));
    }

    [OtherVolumeFact]
    public void OpenFile_JournalWhereUnbufferedIsRefused_FallsBackToDurable()
    {
        // tmpfs took no unbuffered files before Linux 6.6; either way the call works.
        string path = Path.Combine(OtherVolume, Path.GetFileName(Root));
        using PalFile journal = Platform.OpenFile(path, FileOpening.CreateNew, FileUse.Journal);
        try
        {
            journal.JournalAt(0, 3, 4096);
            Assert.Equal(4096, journal.GetLength());
        }
        finally
        {
            Platform.Delete(path);
        }
    }

    [Fact]
    public void OpenFile_AfterManyClosings_LeaksNoDescriptors()
    {
        int before = Directory.GetFiles("/proc/self/fd").Length;
        for (int i = 0; i < 2000; i++)
        {
            Platform.OpenFile(In("file"), FileOpening.OpenOrCreate, FileUse.Data).Dispose();
            Assert.Throws<PalException>(() => Create("file"));
            Assert.Throws<PalException>(() => Platform.OpenFile(Root, FileOpening.Existing, FileUse.ReadOnly));
        }

        // Other tests run beside this one and have files of their own.
        Assert.InRange(Directory.GetFiles("/proc/self/fd").Length, 0, before + 500);
    }
}
