using Jackdaw.Pal;

namespace Jackdaw.TestKit;

/// <summary>Another platform whose durable calls and changes of names a test may hold up or let fail. Unlike the simulated platform it takes no lock
/// around its hooks: a hook may wait for another thread of the storage.</summary>
public sealed class HookedPlatform(IPlatform inner) : IPlatform
{
    /// <summary>Called with the offset before each durable journal write; an exception is the write's.</summary>
    public Action<long>? BeforeJournalWrite { get; set; }

    /// <summary>Called with the name before pages of a data or header file are written; an exception is the write's.</summary>
    public Action<string>? BeforePageWrites { get; set; }

    /// <summary>Called before each sync of a data or header file; an exception is the sync's.</summary>
    public Action? BeforeSync { get; set; }

    /// <summary>Called with the name before a file is created, linked, renamed or deleted; an exception is the change's.</summary>
    public Action<NameChange, string>? BeforeNameChange { get; set; }

    /// <summary>Called with the name after the change; nothing has made it durable yet, except that of a rename.</summary>
    public Action<NameChange, string>? AfterNameChange { get; set; }

    /// <summary>Called before the names in folders are made durable.</summary>
    public Action? BeforeDirectorySync { get; set; }

    /// <summary>Called with the folder before its free space is asked for.</summary>
    public Action<string>? BeforeFreeSpace { get; set; }

    /// <summary>Called after the names in folders were made durable.</summary>
    public Action? AfterDirectorySync { get; set; }

    /// <summary>Called with the name before somebody asks whether it is there, what file it is of, or opens that file.</summary>
    public Action<string>? BeforeLook { get; set; }

    /// <summary>Called with offset and bytes of each range of one advice that it will be read.</summary>
    public Action<IReadOnlyList<(long Offset, long Bytes)>>? BeforeAdvice { get; set; }

    /// <inheritdoc/>
    public string Name => inner.Name;

    /// <inheritdoc/>
    public PageWriteMode WriteMode => inner.WriteMode;

    /// <inheritdoc/>
    public void CreateDirectory(string path) => inner.CreateDirectory(path);

    /// <inheritdoc/>
    public IReadOnlyList<string> ListDirectory(string path) => inner.ListDirectory(path);

    /// <inheritdoc/>
    public bool Exists(string path)
    {
        BeforeLook?.Invoke(path);
        return inner.Exists(path);
    }

    /// <inheritdoc/>
    public PalFile OpenFile(string path, FileOpening opening, FileUse use)
    {
        if (opening == FileOpening.Existing)
        {
            BeforeLook?.Invoke(path);
            return new HookedFile(this, inner.OpenFile(path, opening, use));
        }

        PalFile? file = null;
        Change(NameChange.Create, path, () => file = inner.OpenFile(path, opening, use));
        return new HookedFile(this, file!);
    }

    /// <inheritdoc/>
    public IDisposable Lock(string path, string ownerText) => inner.Lock(path, ownerText);

    /// <inheritdoc/>
    public void Link(string existingPath, string newPath) =>
        Change(NameChange.Link, newPath, () => inner.Link(existingPath, newPath));

    /// <inheritdoc/>
    public void RenameDurable(string fromPath, string toPath) =>
        Change(NameChange.Rename, toPath, () => inner.RenameDurable(fromPath, toPath));

    /// <inheritdoc/>
    public void Delete(string path) => Change(NameChange.Delete, path, () => inner.Delete(path));

    /// <inheritdoc/>
    public void DeleteDirectory(string path) => inner.DeleteDirectory(path);

    /// <inheritdoc/>
    public void SyncDirectories(ReadOnlySpan<string> paths)
    {
        BeforeDirectorySync?.Invoke();
        inner.SyncDirectories(paths);
        AfterDirectorySync?.Invoke();
    }

    /// <inheritdoc/>
    public FileIdentity GetIdentity(string path)
    {
        BeforeLook?.Invoke(path);
        return inner.GetIdentity(path);
    }

    /// <inheritdoc/>
    public FileStatus GetStatus(string path)
    {
        BeforeLook?.Invoke(path);
        return inner.GetStatus(path);
    }

    /// <inheritdoc/>
    public long GetFreeSpace(string path)
    {
        BeforeFreeSpace?.Invoke(path);
        return inner.GetFreeSpace(path);
    }

    private void Change(NameChange change, string path, Action run)
    {
        BeforeNameChange?.Invoke(change, path);
        run();
        AfterNameChange?.Invoke(change, path);
    }

    private sealed unsafe class HookedFile(HookedPlatform platform, PalFile file) : PalFile
    {
        public override string Path => file.Path;

        public override FileIdentity Identity => file.Identity;

        public override long GetLength() => file.GetLength();

        public override int GetLinkCount() => file.GetLinkCount();

        public override void Allocate(long length) => file.Allocate(length);

        public override void ZeroFill(long offset, long length) => file.ZeroFill(offset, length);

        public override void SetLength(long length) => file.SetLength(length);

        public override long Read(long offset, byte* destination, long length) => file.Read(offset, destination, length);

        public override void WriteJournal(ReadOnlySpan<PalVector> vectors, long offset)
        {
            platform.BeforeJournalWrite?.Invoke(offset);
            file.WriteJournal(vectors, offset);
        }

        public override PalWriteCounts WritePages(ReadOnlySpan<PalPageWrite> writes)
        {
            platform.BeforePageWrites?.Invoke(file.Path);
            return file.WritePages(writes);
        }

        public override void Sync(SyncKind kind)
        {
            platform.BeforeSync?.Invoke();
            file.Sync(kind);
        }

        public override void PunchHole(long offset, long length) => file.PunchHole(offset, length);

        public override void FillHole(long offset, long length) => file.FillHole(offset, length);

        public override PalMapping Map(long reserveBytes) => new HookedMapping(platform, file.Map(reserveBytes));

        protected override void Dispose(bool disposing) => file.Dispose();
    }

    private sealed unsafe class HookedMapping(HookedPlatform platform, PalMapping mapping) : PalMapping
    {
        public override byte* Address => mapping.Address;

        public override long ReservedBytes => mapping.ReservedBytes;

        public override void ReadAtRandom() => mapping.ReadAtRandom();

        public override void WillNeed(ReadOnlySpan<PalVector> ranges)
        {
            List<(long, long)> list = [];
            foreach (PalVector range in ranges)
            {
                list.Add((range.Base - Address, range.Length));
            }

            platform.BeforeAdvice?.Invoke(list);
            mapping.WillNeed(ranges);
        }

        protected override void Dispose(bool disposing) => mapping.Dispose();
    }
}
