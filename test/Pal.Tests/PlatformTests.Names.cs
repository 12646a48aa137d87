namespace Jackdaw.Pal.Tests;

public abstract unsafe partial class PlatformTests
{
    [Fact]
    public void CreateDirectory_WithMissingParents_MakesThemAll()
    {
        Platform.CreateDirectory(In("a/b/c"));
        Platform.CreateDirectory(In("a/b/c"));
        Platform.CreateDirectory(In("a/b/c/"));
        Assert.True(Platform.Exists(In("a/b/c")));
        Assert.Equal(["b"], Platform.ListDirectory(In("a")));
    }

    [Fact]
    public void CreateDirectory_OverAFile_Fails()
    {
        Create("file").Dispose();
        AssertFails(PalStatus.AlreadyExists, () => Platform.CreateDirectory(In("file")));
    }

    [Fact]
    public void ListDirectory_ManyNames_IsCompleteAndSortedOrdinally()
    {
        string[] names = [.. Enumerable.Range(0, 700).Select(i => $"{(i % 2 == 0 ? 'B' : 'a')}-{i:D4}-ünïcode")];
        foreach (string name in names)
        {
            Create(name).Dispose();
        }

        Assert.Equal(names.Order(StringComparer.Ordinal), Platform.ListDirectory(Root));
    }

    [Fact]
    public void ListDirectory_MissingFolder_IsEmpty()
    {
        Assert.Empty(Platform.ListDirectory(In("missing")));
        Platform.CreateDirectory(In("empty"));
        Assert.Empty(Platform.ListDirectory(In("empty")));
    }

    [Fact]
    public void Exists_FileFolderAndNothing_TellsThemApart()
    {
        Create("file").Dispose();
        Assert.True(Platform.Exists(In("file")));
        Assert.True(Platform.Exists(Root));
        Assert.False(Platform.Exists(In("other")));
        Assert.False(Platform.Exists(In("file/below")));
    }

    [Fact]
    public void OpenFile_EachOpening_KeepsItsRule()
    {
        AssertFails(PalStatus.NotFound, () => Open("file"));
        AssertFails(PalStatus.NotFound, () => Create("missing/file"));
        Create("file").Dispose();
        AssertFails(PalStatus.AlreadyExists, () => Create("file"));
        using PalFile file = Platform.OpenFile(In("file"), FileOpening.OpenOrCreate, FileUse.Data);
        using PalFile other = Platform.OpenFile(In("other"), FileOpening.OpenOrCreate, FileUse.Journal);
        Assert.Equal(In("file"), file.Path);
        Assert.Equal(0, other.GetLength());
        AssertFails(PalStatus.InvalidArgument, () => Platform.OpenFile(Root, FileOpening.Existing, FileUse.ReadOnly));
        AssertFails(PalStatus.InvalidArgument, () => Platform.OpenFile(Root, FileOpening.Existing, FileUse.Data));
    }

    [Fact]
    public void Paths_WithNulEmptyOrBrokenUnicode_AreRefused()
    {
        foreach (string path in new[] { "", In("a\0b"), In("\ud800") })
        {
            AssertFails(PalStatus.InvalidArgument,
                () => Platform.OpenFile(path, FileOpening.OpenOrCreate, FileUse.Data));
            AssertFails(PalStatus.InvalidArgument, () => Platform.CreateDirectory(path));
            AssertFails(PalStatus.InvalidArgument, () => Platform.Exists(path));
            AssertFails(PalStatus.InvalidArgument, () => Platform.ListDirectory(path));
            AssertFails(PalStatus.InvalidArgument, () => Platform.Delete(path));
            AssertFails(PalStatus.InvalidArgument, () => Platform.DeleteDirectory(path));
            AssertFails(PalStatus.InvalidArgument, () => Platform.Link(Root, path));
            AssertFails(PalStatus.InvalidArgument, () => Platform.RenameDurable(path, Root));
            AssertFails(PalStatus.InvalidArgument, () => Platform.Lock(path, "me"));
            AssertFails(PalStatus.InvalidArgument, () => Platform.SyncDirectories([path]));
            AssertFails(PalStatus.InvalidArgument, () => Platform.GetIdentity(path));
            AssertFails(PalStatus.InvalidArgument, () => Platform.GetFreeSpace(path));
        }
    }

    [Fact]
    public void Lock_HeldElsewhere_FailsWithTheOwnersText()
    {
        IDisposable first = Platform.Lock(In("lock"), "pid 42");
        PalException exception = Assert.Throws<PalException>(() => Platform.Lock(In("lock"), "pid 43"));
        Assert.Equal(PalStatus.Locked, exception.Status);
        Assert.Contains("pid 42", exception.Message, StringComparison.Ordinal);
        first.Dispose();
        first.Dispose();
        using IDisposable second = Platform.Lock(In("lock"), "pid 44");
        AssertFails(PalStatus.Locked, () => Platform.Lock(In("lock"), "pid 45"));
        AssertFails(PalStatus.NotFound, () => Platform.Lock(In("missing/lock"), "me"));
    }

    [Fact]
    public void Lock_FolderRenamed_GoesWithTheFile()
    {
        Platform.CreateDirectory(In("old"));
        using IDisposable first = Platform.Lock(In("old/lock"), "pid 42");
        Platform.RenameDurable(In("old"), In("new"));
        AssertFails(PalStatus.Locked, () => Platform.Lock(In("new/lock"), "pid 43"));
        Platform.CreateDirectory(In("old"));
        Platform.Lock(In("old/lock"), "pid 44").Dispose();
    }

    [Fact]
    public void Lock_FileDeleted_IsOnAFileThatNobodyFinds()
    {
        using IDisposable first = Platform.Lock(In("lock"), "pid 42");
        Platform.Delete(In("lock"));
        using IDisposable second = Platform.Lock(In("lock"), "pid 43");
        AssertFails(PalStatus.Locked, () => Platform.Lock(In("lock"), "pid 44"));
    }

    [Fact]
    public void Link_SecondName_IsTheSameFile()
    {
        using PalFile file = Create("first");
        file.WriteAt(0, 7, Page);
        Platform.Link(In("first"), In("second"));
        Assert.Equal(2, file.GetLinkCount());
        Assert.Equal(file.Identity, Platform.GetIdentity(In("second")));
        Platform.Delete(In("first"));
        Assert.Equal(1, file.GetLinkCount());
        using PalFile second = Open("second");
        Assert.Equal(FileExtensions.Filled(7, Page), second.ReadAt(0, Page));
        Assert.Equal(file.Identity, second.Identity);
    }

    [Fact]
    public void GetStatus_FileFolderAndHole_AreDescribed()
    {
        using PalFile file = Create("first");
        file.WriteAt(0, 7, Page);
        FileStatus full = Platform.GetStatus(In("first"));
        Assert.Equal((file.Identity, Page, 1, false), (full.Identity, full.Length, full.Links, full.IsDirectory));
        Assert.InRange(full.AllocatedBytes, 1, 1 << 20);
        Platform.Link(In("first"), In("second"));
        Assert.Equal(2, Platform.GetStatus(In("second")).Links);
        file.SetLength(1L << 30);
        FileStatus sparse = Platform.GetStatus(In("second"));
        Assert.Equal(1L << 30, sparse.Length);
        Assert.InRange(sparse.AllocatedBytes, 1, 1 << 20);
        Assert.True(Platform.GetStatus(Root).IsDirectory);
        AssertFails(PalStatus.NotFound, () => Platform.GetStatus(In("missing")));
    }

    [Fact]
    public void Link_MissingSourceOrTakenTarget_Fails()
    {
        AssertFails(PalStatus.NotFound, () => Platform.Link(In("missing"), In("new")));
        Create("first").Dispose();
        Create("second").Dispose();
        AssertFails(PalStatus.AlreadyExists, () => Platform.Link(In("first"), In("second")));
        AssertFails(PalStatus.NotFound, () => Platform.Link(In("first"), In("missing/new")));
        AssertFails(PalStatus.NotSupported, () => Platform.Link(Root, In("folder")));
    }

    [Fact]
    public void RenameDurable_OverAFile_ReplacesIt()
    {
        Create("new").Dispose();
        FileIdentity identity = Platform.GetIdentity(In("new"));
        using PalFile replaced = Create("old");
        Platform.RenameDurable(In("new"), In("old"));
        Assert.Equal(identity, Platform.GetIdentity(In("old")));
        Assert.Equal(["old"], Platform.ListDirectory(Root));
        Assert.Equal(0, replaced.GetLinkCount());
        Assert.NotEqual(identity, replaced.Identity);
    }

    [Fact]
    public void RenameDurable_OfAFolder_MovesWhatIsInside()
    {
        Platform.CreateDirectory(In("a/inner"));
        Platform.CreateDirectory(In("b"));
        Create("a/inner/file").Dispose();
        Platform.RenameDurable(In("a/inner"), In("b/moved"));
        Assert.True(Platform.Exists(In("b/moved/file")));
        Assert.Empty(Platform.ListDirectory(In("a")));
    }

    [Fact]
    public void RenameDurable_AgainstTheRules_Fails()
    {
        Platform.CreateDirectory(In("folder/child"));
        Create("file").Dispose();
        AssertFails(PalStatus.NotFound, () => Platform.RenameDurable(In("missing"), In("x")));
        AssertFails(PalStatus.NotFound, () => Platform.RenameDurable(In("file"), In("missing/x")));
        AssertFails(PalStatus.InvalidArgument, () => Platform.RenameDurable(In("file"), In("folder")));
        AssertFails(PalStatus.NotFound, () => Platform.RenameDurable(In("folder"), In("file")));
        AssertFails(PalStatus.InvalidArgument, () => Platform.RenameDurable(In("folder"), In("folder/child/x")));
        Platform.CreateDirectory(In("other"));
        AssertFails(PalStatus.AlreadyExists, () => Platform.RenameDurable(In("other"), In("folder")));
    }

    [Fact]
    public void RenameDurable_BetweenTwoNamesOfOneFile_KeepsBoth()
    {
        Create("first").Dispose();
        Platform.Link(In("first"), In("second"));
        Platform.RenameDurable(In("first"), In("second"));
        Assert.Equal(["first", "second"], Platform.ListDirectory(Root));
    }

    [Fact]
    public void Delete_WhileOpen_KeepsTheContents()
    {
        using PalFile file = Create("file");
        file.WriteAt(0, 9, Page);
        Platform.Delete(In("file"));
        Assert.False(Platform.Exists(In("file")));
        Assert.Equal(0, file.GetLinkCount());
        Assert.Equal(FileExtensions.Filled(9, Page), file.ReadAt(0, Page));
        file.Sync(SyncKind.Full);
    }

    [Fact]
    public void Delete_FolderOrMissingName_Fails()
    {
        AssertFails(PalStatus.NotFound, () => Platform.Delete(In("missing")));
        Platform.CreateDirectory(In("folder"));
        AssertFails(PalStatus.InvalidArgument, () => Platform.Delete(In("folder")));
    }

    [Fact]
    public void DeleteDirectory_WithContents_RemovesEverything()
    {
        Platform.CreateDirectory(In("a/b"));
        Create("a/b/file").Dispose();
        Create("a/file").Dispose();
        Platform.DeleteDirectory(In("a"));
        Assert.False(Platform.Exists(In("a")));
        AssertFails(PalStatus.NotFound, () => Platform.DeleteDirectory(In("a")));
        Create("file").Dispose();
        AssertFails(PalStatus.NotFound, () => Platform.DeleteDirectory(In("file")));
    }

    [Fact]
    public void SyncDirectories_MissingFolder_NamesIt()
    {
        Platform.CreateDirectory(In("a"));
        Platform.SyncDirectories([Root, In("a")]);
        Platform.SyncDirectories([]);
        PalException exception = Assert.Throws<PalException>(() => Platform.SyncDirectories([Root, In("b")]));
        Assert.Equal(PalStatus.NotFound, exception.Status);
        Assert.Equal(In("b"), exception.Path);
    }

    [Fact]
    public void GetIdentity_DifferentFiles_Differ()
    {
        Create("a").Dispose();
        Create("b").Dispose();
        Assert.NotEqual(Platform.GetIdentity(In("a")), Platform.GetIdentity(In("b")));
        Assert.Equal(Platform.GetIdentity(In("a")), Platform.GetIdentity(In("a")));
        AssertFails(PalStatus.NotFound, () => Platform.GetIdentity(In("c")));
    }

    [Fact]
    public void GetFreeSpace_OfTheFolder_IsPositive()
    {
        Assert.True(Platform.GetFreeSpace(Root) > 0);
        AssertFails(PalStatus.NotFound, () => Platform.GetFreeSpace(In("missing")));
    }
}
