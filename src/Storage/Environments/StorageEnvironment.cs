using System.Diagnostics;
using Jackdaw.Pal;
using Jackdaw.Storage.Flushing;
using Jackdaw.Storage.FreeSpace;
using Jackdaw.Storage.Journal;
using Jackdaw.Storage.Paging;
using Jackdaw.Storage.Scratch;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Storage.Environments;

/// <summary>One open storage: data file, journals and scratch, with its threads. Thread safe; the owner disposes it.</summary>
/// <remarks>
/// Invariants:
/// 1. Nothing is published or acknowledged before its journal entry is durable. Order: durable, published, answered.
/// 2. Durable transactions are a contiguous run of ids.
/// 3. A page of the data file is overwritten only with a version that every active reader may see.
/// 4. A journal goes only after its pages were flushed and synced and the header was written durably.
/// 5. A failed journal write, sync or flush stops the storage until it is opened again.
/// States: open (serving) -> failed (every call throws <see cref="StoragePoisonedException"/>) -> disposed.
/// </remarks>
public sealed partial class StorageEnvironment : IDisposable
{
    /// <summary>How long a writer waits for a flush to make room in scratch before its transaction is refused.</summary>
    private static readonly TimeSpan s_scratchPatience = TimeSpan.FromSeconds(10);

    /// <summary>How long closing waits for read transactions to end: requests are short, long tasks look at their cancellation.</summary>
    private static readonly TimeSpan s_readerPatience = TimeSpan.FromSeconds(10);

    private readonly StorageOptions _options;
    private readonly IDisposable _folderLock;
    private readonly FreeSpaceMap _freeSpace;
    private readonly Lock _writerLock = new(); // held from BeginWrite to Submit or rollback
    private readonly Lock _publishLock = new(); // guards publications and _recent; innermost
    private readonly Queue<EnvironmentState> _recent = new();
    private readonly CommitLane _lane;
    private readonly Flusher _flusher;
    private readonly FlushSchedule _schedule;
    private EnvironmentState _current;
    private EnvironmentState _lastSubmitted;
    private PendingCommit? _lastPending;
    private ModifiedPages? _spareModified;
    private long _floor; // guarded by the table's lock
    private Exception? _failure;
    private volatile bool _isWriting;
    private bool _disposed;

    internal StorageEnvironment(IPlatform platform, StorageOptions options, OpenedStorage opened, StorageEnvironment? root)
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
        _current = _lastSubmitted = opened.Recovered;
        _recent.Enqueue(opened.Recovered);
        var owner = new EntryOwner(StorageId, opened.Recovered.TransactionId, opened.Recovered.EntryHash);
        _lane = root is null ? MakeLane(owner, opened.NextJournal) : MakeBranchLane(owner, opened.NextJournal, root.RootLane);
        Holes = new HoleMap(DataFile, options.HolePages);
        _freeSpace = new FreeSpaceMap(Holes, options.AppendOnly);
        _flusher = new Flusher(this, opened.Synced, new HolePuncher(this, Holes, opened.Recovered.TransactionId == opened.Synced.TransactionId));
        _schedule = new FlushSchedule(this, _flusher, options);
        Journals.FileClosed = _schedule.OnJournalClosed;
        DataFile.MakeRoom = Journals.TrimPool;
        LoadFreeSpace(opened.Recovered, opened.Synced);
    }

    /// <summary>Folder of the storage; another one after <see cref="MoveTo"/>.</summary>
    public string Path => Journals.StoragePath;

    /// <summary>Identity of the storage, made when it was created.</summary>
    public Guid StorageId => Headers.Current.StorageId;

    /// <summary>What recovery found worth telling; empty after a clean stop.</summary>
    public IReadOnlyList<string> Warnings { get; }

    /// <summary>The last published state.</summary>
    public EnvironmentState Current => Volatile.Read(ref _current);

    /// <summary>Why the storage stopped; null while it works.</summary>
    public Exception? Failure => Volatile.Read(ref _failure);

    /// <summary>Counters since the storage was opened.</summary>
    public StorageStatistics Statistics { get; } = new();

    /// <summary>The last flushes, oldest first.</summary>
    public RecentValues<FlushCosts> RecentFlushes => _flusher.Recent;

    /// <summary>Why the next journal could not be prepared ahead: a full disk, too few open files or memory. Null when all is well, and for
    /// branches. A write that needs the journal tries again.</summary>
    public Exception? JournalProblem => (_lane as RootLane)?.JournalProblem;

    /// <summary>Sizes and positions now.</summary>
    public StorageFigures Figures => new()
    {
        TransactionId = Current.TransactionId,
        FlushedTransaction = _flusher.FlushedTransaction,
        SyncedTransaction = _flusher.SyncedTransaction,
        DataBytes = DataFile.AllocatedBytes,
        JournalBytes = Journals.TotalBytes,
        JournalFiles = Journals.FileCount,
        JournalProblem = JournalProblem?.Message,
        ScratchBytes = Scratch.RentedBytes,
        ScratchMappedBytes = Scratch.MappedBytes,
        PinnedJournals = PinnedJournals,
        FlushDebt = _schedule.Debt,
        WritersPausedMs = _schedule.PausedMs,
        ActiveTransactions = ActiveTransactions,
        OldestReader = OldestReader.Find(this),
        WriteMode = Platform.WriteMode,
        Flushes = _flusher.Total,
    };

    /// <summary>Bytes of the data file and the journals.</summary>
    public long FileBytes => DataFile.AllocatedBytes + Journals.TotalBytes;

    /// <summary>Transactions that hold a snapshot at this moment, those of the storage's own threads included.</summary>
    public int ActiveTransactions => Readers.CountActive();

    /// <summary>True while a write transaction is open. Any thread; a hint.</summary>
    internal bool IsWriting => _isWriting;

    /// <summary>Flushes and syncs done on demand; the background does them by itself.</summary>
    internal Flusher Flusher => _flusher;

    internal IPlatform Platform { get; }

    internal HeaderFile Headers { get; }

    internal DataFile DataFile { get; }

    internal ScratchPool Scratch { get; }

    internal PageTable Table { get; }

    internal JournalFolder Journals { get; }

    internal ReaderSlots Readers { get; } = new();

    /// <summary>True when a folder has a storage, whole or damaged; false for one whose creation was cut off, or nothing.</summary>
    public static bool Exists(IPlatform platform, string path) =>
        platform.Exists(path + "/" + HeaderFile.FileName) ||
        platform.ListDirectory(path + "/" + JournalFormat.FolderName).Any(name => JournalFormat.TryParseFileName(name, out _)) ||
        StorageOpening.HasUsedData(platform, path);

    /// <summary>True when the storage in a folder needs no recovery; false also when that cannot be told.</summary>
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
            return false; // The opening says why, to somebody who can be told.
        }
    }

    /// <summary>Opens the storage in a folder, creating it when the folder has none, and recovers it.</summary>
    /// <exception cref="PalException"><see cref="PalStatus.Locked"/> when another process has it open.</exception>
    /// <exception cref="CorruptionException">Acknowledged data is damaged or missing; nothing was changed.</exception>
    public static StorageEnvironment Open(IPlatform platform, string path, StorageOptions? options = null) =>
        StorageOpening.Open(platform, path, options ?? new StorageOptions());

    /// <summary>Begins a snapshot of the last published state. Any thread, no lock.</summary>
    /// <param name="kind">What it is for; shows in <see cref="StorageFigures.OldestReader"/>.</param>
    public ReadTransaction BeginRead(ReaderKind kind = ReaderKind.Other)
    {
        ObjectDisposedException.ThrowIf(Volatile.Read(ref _disposed), this);
        ThrowIfFailed();
        EnvironmentState state = Readers.Enter(ref _current, kind, out int slot);
        if (Volatile.Read(ref _disposed))
        {
            // Closing waits for the slots: whoever enters one after it looked must not touch a page.
            Readers.Leave(slot);
            throw new ObjectDisposedException(Path);
        }

        ReadTransaction transaction = s_spareReader is { } spare && spare.Owner == this ? spare : new ReadTransaction(this);
        s_spareReader = null;
        transaction.Begin(state, slot);
        return transaction;
    }

    /// <summary>Begins the write transaction; waits while another one runs. The same thread must end it.</summary>
    /// <exception cref="StoragePoisonedException">The storage stopped after a failure.</exception>
    /// <exception cref="InvalidOperationException">This thread has one open: its lock lets the thread in again.</exception>
    public WriteTransaction BeginWrite()
    {
        _writerLock.Enter();
        try
        {
            if (_isWriting)
            {
                throw new InvalidOperationException($"A write transaction of '{Path}' begins while this thread has another one open.");
            }

            ObjectDisposedException.ThrowIf(_disposed, this);
            ThrowIfFailed();
            _schedule.Pace();
            WaitForScratch();
            Readers.Enter(ref _current, ReaderKind.Write, out int slot);
            ModifiedPages modified = Interlocked.Exchange(ref _spareModified, null) ?? new ModifiedPages();
            var transaction = new WriteTransaction(this, _lastSubmitted, _freeSpace, slot, modified);
            _isWriting = true;
            return transaction;
        }
        catch
        {
            _writerLock.Exit();
            throw;
        }
    }

    /// <summary>Sum of all flushes since the storage was opened.</summary>
    public FlushCosts FlushTotal => _flusher.Total;

    /// <summary>Prepares journal files of the largest regular size ahead, before a bulk load or a benchmark.</summary>
    public void FillJournalPool(int count) => Journals.FillPool(count, JournalSpace.FileBytesMax);

    /// <summary>Writes all that may be written to the data file, now.</summary>
    public bool Flush() => _flusher.Flush();

    /// <summary>Makes the flushed pages durable and retires journals, now.</summary>
    public bool Sync() => _flusher.Sync();

    /// <summary>Stops the threads, flushes, syncs and closes. After it no thread of the storage runs.</summary>
    public void Dispose()
    {
        lock (_writerLock)
        {
            if (_disposed)
            {
                return;
            }

            Volatile.Write(ref _disposed, true);
        }

        _schedule.Dispose();
        _lane.Dispose();
        TryCloseCleanly();
        CloseFiles();
    }

    /// <summary>Closes without flush or sync, as if the process had been killed: for an open that failed, for verification, which
    /// writes nothing, and for tests of recovery.</summary>
    public void Abandon()
    {
        Volatile.Write(ref _disposed, true);
        Fail(new OperationCanceledException("The storage was abandoned."));
        _schedule.Dispose();
        _lane.Dispose();
        CloseFiles();
    }

    private RootLane MakeLane(EntryOwner owner, long nextJournal)
    {
        var space = new JournalSpace(Journals, Headers, nextJournal, _options.Time, _options.JournalFileBytes, e => Fail(e));
        return new RootLane(this, owner, space, new JournalWriter(_options.Time, space), Headers.Current.Salt);
    }

    private void LoadFreeSpace(EnvironmentState recovered, EnvironmentState synced)
    {
        try
        {
            using ReadTransaction read = BeginRead();
            _freeSpace.Load(read, recovered.NextPage);
            lock (_writerLock)
            {
                if (recovered.TransactionId != synced.TransactionId)
                {
                    Holes.FillUsed(read, recovered.NextPage);
                }
            }
        }
        catch
        {
            // A damaged bitmap: nobody gets this object, so nobody else would end its threads and free the folder.
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
            // Nothing is lost: the journals have it, and the next open recovers. The cause is kept for the owner; the files are closed, whatever it is.
            Fail(e);
        }
    }

    private void CloseFiles()
    {
        _flusher.Close();
        Journals.Dispose();
        if (TryWaitForReaders())
        {
            DataFile.Dispose();
            Scratch.Dispose();
        }

        Headers.Dispose();
        _folderLock.Dispose();
    }

    /// <summary>Memory that a reader still looks at must not be unmapped: that would end the process. It is leaked instead.</summary>
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

    /// <summary>Most memory of changed pages in one transaction.</summary>
    internal long TransactionBytesMax => _options.ScratchBytesMax;

    private void WaitForScratch()
    {
        if (Scratch.RentedBytes <= _options.ScratchBytesMax)
        {
            return;
        }

        Debug.Assert(_writerLock.IsHeldByCurrentThread);
        _schedule.WaitForRoom(() => Scratch.RentedBytes <= _options.ScratchBytesMax, s_scratchPatience);
        ThrowIfFailed();
    }
}
