using System.Diagnostics;
using Jackdaw.Pal;
using Jackdaw.Storage.Committing;
using Jackdaw.Storage.Flushing;
using Jackdaw.Storage.FreeSpace;
using Jackdaw.Storage.Headers;
using Jackdaw.Storage.Journal;
using Jackdaw.Storage.Paging;
using Jackdaw.Storage.Resources;
using Jackdaw.Storage.Scratch;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Storage.Environments;

/// <summary>One open storage: data file, journals and scratch, with its threads. Thread safe; the owner disposes
/// it.</summary>
/// <remarks>
/// Invariants, and where each is checked:
/// 1. Nothing is published or acknowledged before its journal entry is durable. Order: durable, published, answered
///    (JournalCommitter.WriteAndPublish, BranchCommitter.OnWritten, CommandBatch).
/// 2. Durable transactions are a contiguous run of ids (EntryOwner.OnWritten, PublishedStates.Publish).
/// 3. A page of the data file is overwritten only with a version that every active reader may see (Flusher.Collect), or with a direct run where
/// it is free in every state from the synced one on (FreeSpaceMap.TryTakeSettled).
/// 4. A journal is retired only after its pages were flushed and synced and the header was written durably
///    (Flusher.Retire, JournalFolder.TakeRetirable).
/// 5. A failed journal write, sync or flush stops the storage until it is opened again (FaultTests).
/// States: open (serving) -> failed (every call throws <see cref="StoragePoisonedException"/>) -> disposed.
/// </remarks>
public sealed partial class StorageEnvironment : ICommittingStorage, IFlushedStorage, IBranchRoot, IDisposable
{
    /// <summary>How long a writer waits for a flush to make room in scratch before its transaction is
    /// refused.</summary>
    private static readonly TimeSpan s_scratchPatience = TimeSpan.FromSeconds(10);

    /// <summary>How long closing waits for read transactions to end: requests are short, and long tasks check for
    /// cancellation.</summary>
    private static readonly TimeSpan s_readerPatience = TimeSpan.FromSeconds(10);

    private readonly StorageOptions _options;
    private readonly IDisposable _folderLock;
    private readonly FreeSpaceMap _freeSpace;
    private readonly StorageHealth _health;
    private readonly PublishedStates _states;
    private readonly SingleWriter _writer;
    private readonly Committer _committer;
    private readonly Flusher _flusher;
    private readonly FlushSchedule _schedule;
    private readonly HoleMap _holes;
    private readonly StorageShare _share;
    private bool _disposed;

    internal StorageEnvironment(IPlatform platform, StorageOptions options, OpenedStorage opened, IBranchRoot? root)
    {
        Platform = platform;
        _options = options;
        _folderLock = opened.FolderLock;
        Headers = opened.Headers;
        DataFile = opened.DataFile;
        Scratch = opened.Scratch;
        Table = opened.Table;
        Journals = opened.Journals;
        Warnings = opened.Warnings;
        RecoveredIndex = opened.Index;
        _share = opened.Share;
        _health = new StorageHealth(() => Journals.StoragePath);
        _states = new PublishedStates(Table, opened.Recovered);
        var owner = new EntryOwner(StorageId, opened.Recovered.TransactionId, opened.Recovered.EntryHash);
        _committer = root is null ? MakeCommitter(owner, opened.NextJournal) : MakeBranchCommitter(owner, opened.NextJournal, root.Committer);
        _holes = new HoleMap(DataFile, options.HolePages);
        _freeSpace = new FreeSpaceMap(_holes, options.AppendOnly);
        _writer = new SingleWriter(_health, _states, Table, Scratch, DataFile, _freeSpace, _committer, options.ScratchBytesMax, _share.Memory,
            hasRoom => _schedule!.WaitForRoom(hasRoom, s_scratchPatience), () => _flusher!.SyncedTransaction);
        _flusher = new Flusher(this, opened.Synced, new HolePuncher(this, _holes, _freeSpace, opened.Recovered.TransactionId == opened.Synced.TransactionId));
        _schedule = new FlushSchedule(this, _flusher, options);
        LoadFreeSpace(opened.Recovered, opened.Synced);
    }

    /// <summary>Folder of the storage; another one after <see cref="MoveTo"/>.</summary>
    public string Path => Journals.StoragePath;

    /// <summary>Identity of the storage, made when it was created.</summary>
    public Guid StorageId => Headers.Current.StorageId;

    /// <summary>Messages of recovery for the operator; empty after a clean stop.</summary>
    public IReadOnlyList<string> Warnings { get; }

    /// <summary>The last published state.</summary>
    public EnvironmentState Current => _states.Current;

    /// <summary>Why the storage stopped; null while it works.</summary>
    public Exception? Failure => _health.Failure;

    /// <summary>Counters since the storage was opened.</summary>
    public StorageStatistics Statistics { get; } = new();

    /// <summary>The last flushes, oldest first.</summary>
    public RecentValues<FlushCosts> RecentFlushes => _flusher.Recent;

    /// <summary>Why the next journal could not be prepared ahead: a full disk, too few open files or memory. Null when
    /// all is well, and for branches. A write that needs the journal tries again.</summary>
    public Exception? JournalProblem => (_committer as JournalCommitter)?.JournalProblem;

    /// <summary>The current sizes and positions.</summary>
    public StorageFigures Figures => new()
    {
        TransactionId = Current.TransactionId,
        FlushedTransaction = _flusher.FlushedTransaction,
        SyncedTransaction = _flusher.SyncedTransaction,
        DataBytes = DataFile.AllocatedBytes,
        JournalBytes = Journals.TotalBytes,
        JournalFiles = Journals.FileCount,
        JournalProblem = JournalProblem?.Message,
        JournalDeletionProblem = Journals.DeletionProblem?.Message,
        FailedJournalDeletions = Journals.FailedDeletions,
        ScratchBytes = Scratch.RentedBytes,
        ScratchMappedBytes = Scratch.MappedBytes,
        PinnedJournals = PinnedJournals,
        FlushDebt = _schedule.Debt,
        WritersPausedMs = _schedule.PausedMs,
        ActiveTransactions = ActiveTransactions,
        OldestReader = OldestReader.Find(Readers, Table, Journals),
        WriteMode = Platform.WriteMode,
        Flushes = _flusher.Total,
    };

    /// <summary>Bytes of the data file and the journals.</summary>
    public long FileBytes => DataFile.AllocatedBytes + Journals.TotalBytes;

    /// <summary>Transactions that hold a snapshot at this moment, including those of the storage's own threads.</summary>
    public int ActiveTransactions => Readers.CountActive();

    /// <summary>The oldest transaction whose state a reader sees, or one that begins now would see. A page that a later transaction freed can still be read
    /// by someone; what only earlier transactions named cannot.</summary>
    public long FindOldestRead()
    {
        long published = _states.Current.TransactionId; // read before the slots: see ReaderSlots
        return Math.Min(published, StateSequence.TransactionOf(Readers.FindOldest()));
    }

    /// <summary>True while a write transaction is open. Any thread; a hint.</summary>
    internal bool IsWriting => _writer.IsWriting;

    /// <summary>Flushes and syncs done on demand; the flush thread also does them on its own.</summary>
    internal Flusher Flusher => _flusher;

    /// <inheritdoc cref="ICommittingStorage.Health"/>
    internal StorageHealth Health => _health;

    /// <summary>The platform of its files.</summary>
    public IPlatform Platform { get; }

    internal HeaderFile Headers { get; }

    internal DataFile DataFile { get; }

    internal ScratchPool Scratch { get; }

    internal PageTable Table { get; }

    internal JournalFolder Journals { get; }

    internal ReaderSlots Readers => _states.Readers;

    /// <summary>The resources that it shares with other storages of the process.</summary>
    internal ProcessResources Resources => _share.Process;

    /// <summary>True when a folder holds a storage, whole or damaged; false when it holds none, or one whose creation
    /// was interrupted.</summary>
    public static bool Exists(IPlatform platform, string path) =>
        platform.Exists(path + "/" + HeaderFile.FileName) ||
        platform.ListDirectory(path + "/" + JournalFormat.FolderName).Any(name => JournalFormat.TryParseFileName(name, out _)) ||
        StorageOpening.HasUsedData(platform, path);

    /// <summary>True when the storage in a folder needs no recovery; false also when that is unknown.</summary>
    public static bool WasClosedInOrder(IPlatform platform, string path)
    {
        try
        {
            string name = path + "/" + HeaderFile.FileName;
            if (!platform.Exists(name))
            {
                return false;
            }

            using PalFile file = platform.OpenFile(name, FileOpening.Existing, FileUse.ReadOnly);
            using var headers = HeaderFile.Open(file, path, TimeProvider.System);
            return headers.Warning is null && (headers.Current.Flags & StorageHeader.ClosedCleanly) != 0;
        }
        catch (Exception e) when (e is PalException or CorruptionException or NotSupportedException)
        {
            return false; // Opening the storage reports the reason to a caller.
        }
    }

    /// <summary>Opens the storage in a folder, creating it when the folder has none, and recovers it.</summary>
    /// <exception cref="PalException"><see cref="PalStatus.Locked"/> when another process has it open.</exception>
    /// <exception cref="CorruptionException">Acknowledged data is damaged or missing; nothing was changed.</exception>
    public static StorageEnvironment Open(IPlatform platform, string path, StorageOptions? options = null) =>
        StorageOpening.Open(platform, path, options ?? new StorageOptions());

    /// <summary>Begins a snapshot of the last published state. Any thread, no lock.</summary>
    /// <param name="kind">The kind of reader, which is shown in <see cref="StorageFigures.OldestReader"/>.</param>
    public ReadTransaction BeginRead(ReaderKind kind = ReaderKind.Other)
    {
        ObjectDisposedException.ThrowIf(Volatile.Read(ref _disposed), this);
        _health.ThrowIfFailed();
        EnvironmentState state = _states.Enter(kind, out int slot);
        if (Volatile.Read(ref _disposed))
        {
            // Closing waits for the reader slots. A reader that takes a slot after closing has checked them must not
            // touch a page.
            Readers.Leave(slot);
            throw new ObjectDisposedException(Path);
        }

        return ReadTransaction.Begin(Readers, DataFile, state, slot);
    }

    /// <summary>Begins the write transaction; waits while another one runs. The same thread must end it.</summary>
    /// <exception cref="StoragePoisonedException">The storage stopped after a failure.</exception>
    /// <exception cref="InvalidOperationException">This thread already has one open; the lock is reentrant and would
    /// not block it.</exception>
    public WriteTransaction BeginWrite()
    {
        _writer.Lock.Enter();
        try
        {
            if (_writer.IsWriting)
            {
                throw new InvalidOperationException($"A write transaction of '{Path}' begins while this thread has another one open.");
            }

            ObjectDisposedException.ThrowIf(_disposed, this);
            _health.ThrowIfFailed();
            _schedule.Pace();
            WaitForScratch();
            return _writer.Begin();
        }
        catch
        {
            _writer.Lock.Exit();
            throw;
        }
    }

    /// <summary>Sum of all flushes since the storage was opened.</summary>
    public FlushCosts FlushTotal => _flusher.Total;

    /// <summary>Prepares journal files of the largest regular size ahead, before a bulk load or a benchmark.</summary>
    public void FillJournalPool(int count) => Journals.FillPool(count, JournalPreallocator.FileBytesMax);

    /// <summary>Writes every page that may be written to the data file now.</summary>
    public bool Flush() => _flusher.Flush();

    /// <summary>Makes the flushed pages durable and retires journals, now.</summary>
    public bool Sync() => _flusher.Sync();

    /// <summary>Bytes of the data file that were given back to the file system since the storage was opened, and not
    /// reused. Any thread.</summary>
    public long HoleBytes => _holes.PunchedUnits * _holes.UnitPages * Page.Size;

    /// <summary>Why free space is no longer given back to the file system: the volume does not support it, or it
    /// failed. Null while it is given back.</summary>
    public Exception? HoleProblem => _flusher.HoleProblem;

    /// <summary>Allocates space at the end of the data file at once, before a bulk load. Waits for a running write
    /// transaction.</summary>
    /// <param name="bytes">Roughly what will be written; 0 or more. Beyond that the file grows in steps as
    /// usual.</param>
    /// <exception cref="DiskFullException">The disk does not have that much space; nothing changed.</exception>
    public void AllocateAhead(long bytes)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(bytes);
        lock (_writer.Lock)
        {
            ObjectDisposedException.ThrowIf(_disposed, this);
            _health.ThrowIfFailed();
            DataFile.AllocateAhead(_writer.NextPage + ((bytes + Page.Size - 1) / Page.Size));
        }
    }

    /// <summary>Gives the space of free pages back to the file system, now; the flush thread also does it on its own.
    /// Only pages that are free in the last synced state are given back: see <see cref="Flush"/> and
    /// <see cref="Sync"/>.</summary>
    /// <returns>False when nothing was done because a write transaction was running.</returns>
    public bool PunchHoles()
    {
        PunchResult result;
        do
        {
            result = _flusher.PunchSome();
        }
        while (result == PunchResult.More);
        return result == PunchResult.Done;
    }

    /// <summary>Stops the background work, flushes, syncs and closes. Afterwards no thread works for the
    /// storage.</summary>
    public void Dispose()
    {
        lock (_writer.Lock)
        {
            if (_disposed)
            {
                return;
            }

            Volatile.Write(ref _disposed, true);
        }

        _schedule.Dispose();
        _committer.Dispose();
        TryCloseCleanly();
        CloseFiles();
    }

    /// <summary>Closes without flush or sync, as if the process had been killed: for an open that failed, for
    /// verification, which writes nothing, and for tests of recovery.</summary>
    public void Abandon()
    {
        Volatile.Write(ref _disposed, true);
        _health.Fail(new OperationCanceledException("The storage was abandoned."));
        _schedule.Dispose();
        _committer.Dispose();
        CloseFiles();
    }

    /// <inheritdoc cref="IFlushedStorage.TrimMemory"/>
    internal bool TrimMemory()
    {
        bool isReclaimed = _states.ReclaimScratch();
        Scratch.Trim();
        Journals.TrimPool();
        RecoveredIndex = null;
        _flusher.TrimMemory();
        return _writer.TryTrimMemory() && isReclaimed;
    }

    private void LoadFreeSpace(EnvironmentState recovered, EnvironmentState synced)
    {
        try
        {
            using ReadTransaction read = BeginRead();
            _freeSpace.Load(read, recovered.NextPage);
            lock (_writer.Lock)
            {
                if (recovered.TransactionId != synced.TransactionId)
                {
                    _freeSpace.Unsettle(read, recovered.NextPage);
                    _holes.FillUsed(read, recovered.NextPage);
                }
            }
        }
        catch
        {
            // A damaged bitmap: the caller does not get this object, so its threads and the lock of the folder must be
            // released here.
            Abandon();
            throw;
        }
    }

    private void TryCloseCleanly()
    {
        if (Failure is not null)
        {
            return;
        }

        try
        {
            _flusher.Flush();
            _flusher.Sync(closing: true);
            Journals.TrimPool();
        }
        catch (Exception e)
        {
            // No data is lost: the journals hold it, and the next open recovers it. The cause is kept for the owner,
            // and the files are closed in any case.
            _health.Fail(e);
        }
    }

    private void CloseFiles()
    {
        Debug.Assert(Volatile.Read(ref _disposed), "no further reader begins");
        _flusher.Close();
        Journals.Dispose();
        if (TryWaitForReaders())
        {
            DataFile.Dispose();
            Scratch.Dispose();
        }

        _share.Dispose();
        Headers.Dispose();
        _folderLock.Dispose();
    }

    /// <summary>Memory that a reader still uses must not be unmapped, which would end the process. It is leaked
    /// instead.</summary>
    private bool TryWaitForReaders()
    {
        using var pause = new ManualResetEventSlim();
        long started = Stopwatch.GetTimestamp();
        while (Readers.CountActive() > 0)
        {
            if (Stopwatch.GetElapsedTime(started) > s_readerPatience)
            {
                Debug.Fail("A read transaction outlives its storage.");
                return false;
            }

            pause.Wait(1);
        }

        return true;
    }

    private bool HasRoom()
    {
        long rentedBytes = Scratch.RentedBytes;
        return rentedBytes <= _options.ScratchBytesMax && _share.Memory.HasRoomFor(rentedBytes);
    }

    private void WaitForScratch()
    {
        if (HasRoom())
        {
            return;
        }

        Debug.Assert(_writer.Lock.IsHeldByCurrentThread);
        _schedule.WaitForRoom(HasRoom, s_scratchPatience);
        _health.ThrowIfFailed();
    }
}
