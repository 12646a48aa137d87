using System.Diagnostics;
using Jackdaw.Pal;

namespace Jackdaw.Storage.Journal;

/// <summary>The journal files of a storage: prepares them ahead of use, retires and recycles them. Thread
/// safe.</summary>
/// <remarks>
/// A file that was written before takes durable writes twice as fast as one that is only allocated, because nothing but
/// the data has to reach the disk: so new files are filled with zeros, and retired ones are reused. Invariant: a number
/// appears in the folder only after the file's header record is durable, and a number is recorded in the storage's
/// header as "newest" only after the name is durable. A recorded file that is missing is therefore damage.
/// </remarks>
internal sealed class JournalFolder : IDisposable
{
    private readonly IPlatform _platform;
    private readonly Guid _storageId;
    // Read lock: names are in use; write lock: the folder moves.
    private readonly ReaderWriterLockSlim _moving = new(LockRecursionPolicy.SupportsRecursion);
    private readonly Lock _lock = new(); // guards the lists below
    private readonly List<JournalFile> _files = [];
    private readonly JournalRecycler _pool;
    private readonly JournalRecycler _recycler;
    private string _storagePath; // guarded by _moving
    private long _newest;
    private long _failedDeletions;
    private Exception? _deletionProblem;

    /// <param name="platform">Where the folder is.</param>
    /// <param name="storagePath">Folder of the storage.</param>
    /// <param name="storageId">Its identity.</param>
    /// <param name="root">For a branch, the folder whose files it shares: it gets back the files that no other storage
    /// has a link to.</param>
    public JournalFolder(IPlatform platform, string storagePath, Guid storageId, JournalFolder? root = null)
    {
        _platform = platform;
        _pool = new JournalRecycler(platform, () => Path);
        _recycler = root?._pool ?? _pool;
        _storagePath = storagePath;
        _storageId = storageId;
    }

    /// <summary>The folder.</summary>
    public string Path => StoragePath + "/" + JournalFormat.FolderName;

    /// <summary>Folder of the storage.</summary>
    public string StoragePath => Volatile.Read(ref _storagePath);

    /// <summary>Files named by a number, retired ones excluded.</summary>
    public int FileCount
    {
        get
        {
            lock (_lock)
            {
                return _files.Count;
            }
        }
    }

    /// <summary>Free bytes of the disk.</summary>
    public long FreeSpace
    {
        get
        {
            using FolderPin staying = Stay();
            return _platform.GetFreeSpace(Path);
        }
    }

    /// <summary>Bytes of all files, the pool included.</summary>
    public long TotalBytes
    {
        get
        {
            lock (_lock)
            {
                return _files.Sum(file => file.Bytes) + _pool.TotalBytes;
            }
        }
    }

    /// <summary>Failed deletions of journals that are no longer needed, since the storage was opened.</summary>
    public long FailedDeletions => Volatile.Read(ref _failedDeletions);

    /// <summary>Why such a journal still exists; null when none does. Its deletion is tried again with the next
    /// ones.</summary>
    public Exception? DeletionProblem => Volatile.Read(ref _deletionProblem);

    /// <summary>Keeps the folder where it is until the result is disposed; required before names in it are
    /// used.</summary>
    public FolderPin Stay() => new(_moving);

    /// <summary>Moves the folder of the storage to another name while no names in it are used.</summary>
    /// <param name="storagePath">Its new name.</param>
    /// <param name="rename">Renames the folder; true when it has its new name.</param>
    public void MoveTo(string storagePath, Func<bool> rename)
    {
        _moving.EnterWriteLock();
        try
        {
            if (rename())
            {
                Volatile.Write(ref _storagePath, storagePath);
                OnMoved();
            }
        }
        finally
        {
            _moving.ExitWriteLock();
        }
    }

    /// <summary>Removes files that a crash left in the pool. Returns warnings for the operator.</summary>
    public List<string> DropPool() => _pool.Drop();

    /// <summary>Numbers of the journals in the folder, ascending.</summary>
    public List<long> ListNumbers()
    {
        List<long> numbers = [];
        foreach (string name in _platform.ListDirectory(Path))
        {
            if (JournalFormat.TryParseFileName(name, out long number))
            {
                numbers.Add(number);
            }
        }

        numbers.Sort();
        return numbers;
    }

    /// <summary>Full name of a journal.</summary>
    public string PathOf(long number) => Path + "/" + JournalFormat.FileName(number);

    /// <summary>Adds a file to the list: one that recovery read, one that was prepared, or a link to one of the
    /// root.</summary>
    public void Add(JournalFile file)
    {
        lock (_lock)
        {
            Debug.Assert(!_files.Exists(known => known.Number == file.Number), "each file has a number of its own");
            _files.Add(file);
            _newest = Math.Max(_newest, file.Number);
        }
    }

    /// <summary>Reuses a link that recovery read, because a branch may continue in a file that it has recovered from
    /// and still needs. False when there is none, it is being removed, or it refers to another file.</summary>
    /// <param name="name">Replaces the known link.</param>
    /// <param name="shared">The file that it should refer to.</param>
    public bool TryReopen(JournalFile name, FileIdentity shared)
    {
        lock (_lock)
        {
            int index = _files.FindIndex(known => known.Number == name.Number);
            if (index < 0 || !_platform.Exists(name.Path) || _platform.GetIdentity(name.Path) != shared)
            {
                return false;
            }

            name.LastTransaction = _files[index].LastTransaction;
            _files[index] = name;
            return true;
        }
    }

    /// <summary>Number of the first file that recovery needs when everything up to a transaction is synced: the first
    /// that has later transactions, or may get some. Without one, the number of the next file.</summary>
    public long FindFirstNeeded(long syncedTransaction, long newestJournal)
    {
        lock (_lock)
        {
            long first = Math.Max(_newest, newestJournal) + 1;
            foreach (JournalFile file in _files)
            {
                first = IsNeeded(file, syncedTransaction) ? Math.Min(first, file.Number) : first;
            }

            return first;
        }
    }

    /// <summary>Full files that hold transactions after the given one. They cannot be retired while the pages of these
    /// transactions must not be flushed.</summary>
    public (int Files, long Bytes) ClosedBehind(long transaction)
    {
        lock (_lock)
        {
            List<JournalFile> behind = _files.FindAll(file => file.IsClosed && file.LastTransaction > transaction);
            return (behind.Count, behind.Sum(file => file.Bytes));
        }
    }

    /// <summary>True when a file holds nothing but synced transactions.</summary>
    public bool HasUnneeded(long syncedTransaction)
    {
        lock (_lock)
        {
            return _files.Exists(file => !IsNeeded(file, syncedTransaction));
        }
    }

    /// <summary>Makes a file ready for writing: durable under its number, with every block already written. Blocks the
    /// caller for the zero fill when the pool has no file of that size.</summary>
    /// <param name="number">Number of the file.</param>
    /// <param name="bytes">Least size.</param>
    /// <param name="onClosed">Called when no more entries will be written to it.</param>
    public JournalFile Prepare(long number, long bytes, Action onClosed)
    {
        using FolderPin staying = Stay();
        PalFile file = _pool.Take(bytes, out string path, out long blocks);
        try
        {
            var incarnation = Guid.NewGuid();
            JournalFile.WriteHeader(file, number, incarnation, _storageId, blocks);
            _platform.RenameDurable(path, PathOf(number));
            var journal = new JournalFile(number, PathOf(number), file, incarnation, blocks, onClosed);
            Add(journal);
            return journal;
        }
        catch (Exception e)
        {
            file.Dispose();
            _pool.TryDelete(path);
            if (e is PalException { IsShortage: true })
            {
                // The folder could not be opened to be synced. No header names the number yet, so it can still be used.
                _pool.TryDelete(PathOf(number));
            }

            throw;
        }
    }

    /// <summary>True when a file of the number is in the folder, durable or not.</summary>
    public bool Has(long number)
    {
        using FolderPin staying = Stay();
        return _platform.Exists(PathOf(number));
    }

    /// <summary>True when there is a file that <see cref="TakeRetirable"/> would take.</summary>
    public bool CanRetire(long syncedTransaction, long syncedJournal)
    {
        lock (_lock)
        {
            return _files.Exists(file => IsRetirable(file, syncedTransaction, syncedJournal));
        }
    }

    /// <summary>Removes from the list the closed files whose transactions are all in the synced data file. Called
    /// during the write after which both copies of the storage's header name the later start of recovery, so that one
    /// damaged copy does no harm. A link that should be reused (<see cref="TryReopen"/>) is then either no longer found,
    /// or the header is first changed to begin recovery at it.</summary>
    /// <param name="syncedTransaction">Last transaction that the durable header names.</param>
    /// <param name="syncedJournal">Number of the file that holds it, where the next recovery begins.</param>
    public List<JournalFile> TakeRetirable(long syncedTransaction, long syncedJournal)
    {
        lock (_lock)
        {
            List<JournalFile> taken = _files.FindAll(file => IsRetirable(file, syncedTransaction, syncedJournal));
            Invariant.Check(taken.TrueForAll(file => file.IsClosed && file.LastTransaction <= syncedTransaction), "a journal is retired that is still needed");
            _files.RemoveAll(taken.Contains);
            return taken;
        }
    }

    /// <summary>Retires files that were removed from the list. A file that cannot be retired for lack of file
    /// descriptors, or cannot be deleted, is put back, and the next call tries again. It is not needed, so the storage need not be stopped.</summary>
    public void Retire(List<JournalFile> taken)
    {
        using FolderPin staying = Stay();
        Debug.Assert(taken.TrueForAll(file => !_files.Contains(file)), "a retired file was taken from the list before");
        taken.ForEach(file => file.Path = PathOf(file.Number)); // the folder may have moved in between
        List<JournalFile> kept = [];
        Exception? problem = null;
        for (int i = 0; i < taken.Count; i++)
        {
            try
            {
                Recycle(taken[i]);
            }
            catch (PalException e) when (e.IsShortage)
            {
                kept.AddRange(taken.Skip(i));
                break;
            }
            catch (JournalDeletionException e)
            {
                kept.Add(taken[i]);
                problem = e;
                Interlocked.Increment(ref _failedDeletions);
            }
        }

        Volatile.Write(ref _deletionProblem, problem);
        lock (_lock)
        {
            _files.AddRange(kept);
        }
    }

    /// <summary>Deletes the pooled files: an idle storage keeps nothing, and a full disk needs their room. False when
    /// there were none.</summary>
    public bool TrimPool()
    {
        using FolderPin staying = Stay();
        return _pool.Trim();
    }

    /// <summary>Fills the pool with files of a size, for bulk loads and benchmarks.</summary>
    public void FillPool(int count, long bytes)
    {
        using FolderPin staying = Stay();
        _pool.Fill(count, bytes);
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        lock (_lock)
        {
            _files.ForEach(file => file.Dispose());
            _files.Clear();
        }

        _moving.Dispose();
    }

    private void OnMoved()
    {
        Debug.Assert(_moving.IsWriteLockHeld);
        lock (_lock)
        {
            _files.ForEach(file => file.Path = PathOf(file.Number));
        }

        _pool.OnMoved();
    }

    private static bool IsNeeded(JournalFile file, long syncedTransaction) => !file.IsClosed || file.LastTransaction > syncedTransaction;

    private static bool IsRetirable(JournalFile file, long syncedTransaction, long syncedJournal) =>
        file.Number < syncedJournal && !IsNeeded(file, syncedTransaction);

    /// <summary>Gives a file that is no longer needed to the pool of the storage that writes journals, or deletes
    /// it.</summary>
    private void Recycle(JournalFile file)
    {
        Debug.Assert(_moving.IsReadLockHeld);
        Debug.Assert(file.IsClosed);
        if (IsShared(file) || !_recycler.TryAdopt(file.Path, file.Bytes))
        {
            Delete(file);
        }
    }

    private void Delete(JournalFile file)
    {
        try
        {
            _platform.Delete(file.Path);
        }
        catch (PalException e) when (!e.IsShortage)
        {
            throw new JournalDeletionException(e);
        }
    }

    /// <summary>A file with another link still belongs to another storage and must not be rewritten in place.</summary>
    private bool IsShared(JournalFile file)
    {
        using PalFile opened = _platform.OpenFile(file.Path, FileOpening.Existing, FileUse.ReadOnly);
        return opened.GetLinkCount() != 1;
    }
}

/// <summary>Keeps a journal folder from being moved while names in it are used.</summary>
internal readonly ref struct FolderPin
{
    private readonly ReaderWriterLockSlim _moving;

    public FolderPin(ReaderWriterLockSlim moving)
    {
        moving.EnterReadLock();
        _moving = moving;
    }

    /// <summary>Allows the folder to be moved again.</summary>
    public void Dispose() => _moving.ExitReadLock();
}

/// <summary>A journal that is no longer needed could not be deleted.</summary>
internal sealed class JournalDeletionException(PalException cause) : Exception(cause.Message, cause);
