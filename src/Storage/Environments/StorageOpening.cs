using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Security.Cryptography;
using Jackdaw.Pal;
using Jackdaw.Storage.FreeSpace;
using Jackdaw.Storage.Headers;
using Jackdaw.Storage.Journal;
using Jackdaw.Storage.Journal.Recovery;
using Jackdaw.Storage.Paging;
using Jackdaw.Storage.Resources;
using Jackdaw.Storage.Scratch;
using Jackdaw.Storage.Sharing;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Storage.Environments;

/// <summary>Opens a storage's folder: lock, create if new, header, data file, recovery. Opening thread.</summary>
internal sealed unsafe class StorageOpening : IDisposable
{
    private const string NewHeaderName = "headers.new";

    /// <summary>Bytes of a new data file.</summary>
    private const int FirstDataBytes = 1024 * 1024;

    private readonly IPlatform _platform;
    private readonly string _path;
    private readonly StorageOptions _options;
    private readonly List<IDisposable> _opened = [];
    private readonly List<string> _warnings = [];

    private readonly IBranchRoot? _root;

    private StorageOpening(IPlatform platform, string path, StorageOptions options, IBranchRoot? root)
    {
        _root = root;
        _platform = platform;
        _path = path;
        _options = options;
    }

    /// <summary>Opens or creates; with a root, as its branch.</summary>
    public static StorageEnvironment Open(IPlatform platform, string path, StorageOptions options, IBranchRoot? root = null)
    {
        using var opening = new StorageOpening(platform, path, options, root);
        OpenedStorage opened = opening.Run();
        opening._opened.Clear();
        return new StorageEnvironment(platform, options, opened, root);
    }

    /// <summary>True for a data file with more than its first pages: it belongs to a storage, no matter what happened to the other files.</summary>
    public static bool HasUsedData(IPlatform platform, string storagePath)
    {
        string path = storagePath + "/" + DataFile.FileName;
        if (!platform.Exists(path))
        {
            return false;
        }

        using PalFile file = platform.OpenFile(path, FileOpening.Existing, FileUse.Data);
        using var buffer = new AlignedBuffer(FirstDataBytes);
        byte* bytes = buffer.Ensure(FirstDataBytes);
        int read = (int)file.Read(0, bytes, FirstDataBytes);
        int first = Math.Min(read, FreeSpaceMap.FirstIndex * Page.Size);
        return file.GetLength() > FirstDataBytes || new ReadOnlySpan<byte>(bytes + first, read - first).ContainsAnyExcept((byte)0);
    }

    /// <summary>Closes everything that was opened before a failure.</summary>
    public void Dispose()
    {
        for (int i = _opened.Count - 1; i >= 0; i--)
        {
            _opened[i].Dispose();
        }
    }

    private OpenedStorage Run()
    {
        _platform.CreateDirectory(_path);
        _platform.CreateDirectory(_path + "/" + JournalFormat.FolderName);
        IDisposable folderLock = Keep(FolderLock.Take(_platform, _path));
        CompactionSwap.FinishOrCleanUp(_platform, _path);
        if (!_platform.Exists(_path + "/" + HeaderFile.FileName))
        {
            Create();
        }

        HeaderFile headers = Keep(HeaderFile.Open(OpenFile(HeaderFile.FileName), _path, _options.Time));
        if (headers.Warning is { } warning)
        {
            _warnings.Add(warning);
        }

        StorageHeader header = headers.Current;
        if (_root is not null)
        {
            Keep(_root.Claim(header.StorageId, _path));
        }

        PalFile file = OpenData(header);
        StorageShare share = Keep(MakeShare(file));
        var scratch = Keep(new ScratchPool(ScratchPreparer.Ask, share.Memory));
        var table = new PageTable(scratch);
        var journals = Keep(new JournalFolder(_platform, _path, header.StorageId, _root?.Journals));
        var dataFile = Keep(new DataFile(file, () => journals.StoragePath, header.Salt, journals.TrimPool)
        {
            OpenAgain = () => _platform.OpenFile(journals.StoragePath + "/" + DataFile.FileName, FileOpening.Existing, FileUse.Data),
        });
        _warnings.AddRange(journals.DropPool());
        using var recovery = new JournalRecovery(_platform, journals, header, _path, scratch, file)
        {
            Progress = _options.RecoveryProgress,
            Known = _root?.RecoveredIndex,
            Index = _root is null ? new JournalIndex() : null,
        };
        recovery.Run();
        dataFile.EnsurePages(recovery.NextPage);
        Invariant.Check(dataFile.AllocatedBytes >= recovery.NextPage.Offset, "recovered pages have no place in the data file");
        EnvironmentState recovered = Adopt(recovery, table, dataFile);
        Debug.Assert(recovered.TransactionId >= header.SyncedTransaction);
        _warnings.AddRange(recovery.Warnings);
        var repair = new LinkRepair(_platform, _path, _options.Time) { IsReplaced = folder => CompactionSwap.IsDecided(_platform, folder) };
        _warnings.AddRange(repair.Run(recovery.Links));
        return new OpenedStorage(
            folderLock, headers, dataFile, scratch, table, journals, recovered, SyncedState(header), recovery.NewestNumber + 1, recovery.Index, _warnings,
            share);
    }

    private StorageShare MakeShare(PalFile dataFile) => new(
        _options.Resources ?? _root?.Resources ?? new ProcessResources(),
        StorageVolumes.Find(dataFile, _platform, _path + "/" + JournalFormat.FolderName));

    private static EnvironmentState Adopt(JournalRecovery recovery, PageTable table, DataFile dataFile)
    {
        long id = recovery.LastTransaction;
        lock (table.ChangeLock)
        {
            recovery.HandOver(dataFile, (number, pages, address) => table.Add(number, pages, (byte*)address, id, id, 0));
            return new EnvironmentState(StateSequence.FirstOf(id), id, table.Capture(id), recovery.Root, recovery.NextPage, null)
            {
                EntryHash = recovery.LastEntryHash,
            };
        }
    }

    private static EnvironmentState SyncedState(in StorageHeader header) =>
        new(StateSequence.FirstOf(header.SyncedTransaction), header.SyncedTransaction, default, header.Root, header.NextPage, null)
        {
            EntryHash = header.SyncedEntryHash,
        };

    private void Create()
    {
        List<string> journals = [.. _platform.ListDirectory(_path + "/" + JournalFormat.FolderName)
            .Where(name => JournalFormat.TryParseFileName(name, out _))];
        if (journals.Count > 0)
        {
            throw new CorruptionException(
                $"'{_path}' has journals ({journals[0]}) but no file '{HeaderFile.FileName}'. Restore that file or the folder from a backup; " +
                "if the folder is no longer needed, remove all of it.");
        }

        // Without headers and journals nothing was ever acknowledged here: a creation that a crash interrupted starts
        // over.
        if (HasUsedData(_platform, _path))
        {
            throw new CorruptionException(
                $"'{_path}' has a data file in use but neither '{HeaderFile.FileName}' nor journals. Restore them or the folder from a backup; " +
                "if the folder is no longer needed, remove all of it.");
        }

        DeleteIfExists(DataFile.FileName);
        DeleteIfExists(NewHeaderName);
        ulong salt = BitConverter.ToUInt64(RandomNumberGenerator.GetBytes(sizeof(ulong))) | 1;
        var storageId = Guid.NewGuid();
        CreateDataFile(storageId, salt);
        using (PalFile file = _platform.OpenFile(_path + "/" + NewHeaderName, FileOpening.CreateNew, FileUse.Data))
        {
            file.Allocate(2 * HeaderFile.CopyBytes);
            HeaderFile.Create(file, FirstHeader(storageId, salt), _options.Time);
            file.Sync(SyncKind.Full);
        }

        // The name "headers" appears last: a folder without it is not a storage yet.
        _platform.SyncDirectories([_path]);
        _platform.RenameDurable(_path + "/" + NewHeaderName, _path + "/" + HeaderFile.FileName);
    }

    private StorageHeader FirstHeader(Guid storageId, ulong salt) => new()
    {
        StorageId = storageId,
        Salt = salt,
        NextPage = new PageNumber(FreeSpaceMap.FirstIndex),
        CreatedTicks = _options.Time.GetUtcNow().UtcTicks,
    };

    private void CreateDataFile(Guid storageId, ulong salt)
    {
        using PalFile file = _platform.OpenFile(_path + "/" + DataFile.FileName, FileOpening.CreateNew, FileUse.Data);
        using var buffer = new AlignedBuffer(FreeSpaceMap.FirstIndex * Page.Size);
        byte* pages = buffer.Ensure(FreeSpaceMap.FirstIndex * Page.Size);
        Unsafe.Write(pages, new DataFileHeader(storageId));
        var bitmap = new Page(pages + (FreeSpaceMap.BitmapIndex * Page.Size));
        bitmap.Header.PageNumber = FreeSpaceMap.BitmapOf(0);
        bitmap.Header.Type = PageType.FreeSpace;
        bitmap.Header.Lower = PageHeader.SizeOf;
        bitmap.Header.Upper = Page.Size;
        bitmap.Header.Checksum = PageChecksum.Compute(bitmap.Address, bitmap.Number, 1, salt);
        file.Allocate(FirstDataBytes);
        var write = new PalPageWrite { Base = pages, Length = FreeSpaceMap.FirstIndex * Page.Size };
        file.WritePages(new ReadOnlySpan<PalPageWrite>(in write));
        file.Sync(SyncKind.Full);
    }

    private PalFile OpenData(in StorageHeader header)
    {
        string path = _path + "/" + DataFile.FileName;
        if (!_platform.Exists(path))
        {
            throw new CorruptionException($"The data file '{path}' is missing. Restore it, or the whole folder, from a backup.");
        }

        PalFile file = OpenFile(DataFile.FileName);
        DataFileHeader dataHeader = default;
        file.Read(0, (byte*)&dataHeader, DataFileHeader.SizeOf);
        if (!dataHeader.IsFor(header.StorageId))
        {
            throw new CorruptionException($"'{path}' is not the data file of this storage (its first page is damaged or of another storage).");
        }

        if (file.GetLength() < header.NextPage.Offset)
        {
            throw new CorruptionException(
                $"The data file '{path}' has {file.GetLength()} bytes but {header.NextPage.Offset} are in use: it was truncated. Restore it from a backup.");
        }

        return file;
    }

    private void DeleteIfExists(string name)
    {
        if (_platform.Exists(_path + "/" + name))
        {
            _platform.Delete(_path + "/" + name);
        }
    }

    private PalFile OpenFile(string name) => Keep(_platform.OpenFile(_path + "/" + name, FileOpening.Existing, FileUse.Data));

    private T Keep<T>(T disposable)
        where T : IDisposable
    {
        _opened.Add(disposable);
        return disposable;
    }
}

/// <summary>The objects that the opening passes to the environment, which owns them from then on.</summary>
internal sealed record OpenedStorage(
    IDisposable FolderLock,
    HeaderFile Headers,
    DataFile DataFile,
    ScratchPool Scratch,
    PageTable Table,
    JournalFolder Journals,
    EnvironmentState Recovered,
    EnvironmentState Synced,
    long NextJournal,
    JournalIndex? Index,
    IReadOnlyList<string> Warnings,
    StorageShare Share);
