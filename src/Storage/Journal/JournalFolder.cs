using System.Diagnostics;
using Jackdaw.Pal;

namespace Jackdaw.Storage.Journal;

/// <summary>The journal files of a storage: prepares them ahead of use, retires and recycles them. Thread safe.</summary>
/// <remarks>
/// A file that was written before takes durable writes twice as fast as one that is only allocated, because nothing but the
/// data has to reach the disk: so new files are filled with zeros, and retired ones are used again.
/// Invariant: a number appears in the folder only after the file's header record is durable, and a number is recorded in
/// the storage's header as "newest" only after the name is durable. A recorded file that is missing is therefore damage.
/// </remarks>
internal sealed class JournalFolder : IDisposable
{
    private readonly IPlatform _platform;
    private readonly Guid _storageId;
    private readonly ReaderWriterLockSlim _moving = new(LockRecursionPolicy.SupportsRecursion); // read: names are used; written: the folder moves
    private readonly Lock _lock = new(); // guards the lists below
    private readonly List<JournalFile> _files = [];
    private readonly JournalPool _pool;
    private readonly JournalPool _recycler;
    private string _storagePath; // guarded by _moving
    private long _newest;

    /// <param name="platform">Where the folder is.</param>
    /// <param name="storagePath">Folder of the storage.</param>
    /// <param name="storageId">Its identity.</param>
    /// <param name="root">For a branch, the folder whose files it shares: it gets back the files that nobody else has a name for.</param>
    public JournalFolder(IPlatform platform, string storagePath, Guid storageId, JournalFolder? root = null)
    {
        _platform = platform;
        _pool = new JournalPool(platform, () => Path);
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
            using Staying staying = Stay();
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

    /// <summary>Keeps the folder where it is until the result is disposed: whoever uses names of it begins with this.</summary>
    public Staying Stay() => new(_moving);

    /// <summary>Moves the folder of the storage to another name while nobody uses names in it.</summary>
    /// <param name="storagePath">Its new name.</param>
    /// <param name="rename">Does it; true when the folder has its new name now.</param>
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

    /// <summary>Removes what a crash left in the pool.</summary>
    public void DropPool() => _pool.Drop();

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

    /// <summary>Called when a file of the folder takes no more entries.</summary>
    public Action? FileClosed { get; set; }

    /// <summary>Takes a file into the row: one that recovery read, one that was prepared, or a name for one of the root.</summary>
    public void Add(JournalFile file)
    {
        file.Closed = FileClosed;
        lock (_lock)
        {
            Debug.Assert(!_files.Exists(known => known.Number == file.Number), "each file has a number of its own");
            _files.Add(file);
            _newest = Math.Max(_newest, file.Number);
        }
    }

    /// <summary>Takes a name that recovery read into use again: a branch may go on in a file that it has recovered from, and needs it as
    /// before. False when there is none, or it is on its way out, or is a name of another file.</summary>
    /// <param name="name">Takes the place of the known one.</param>
    /// <param name="shared">The file that it should be a name of.</param>
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
            name.Closed = FileClosed;
            _files[index] = name;
            return true;
        }
    }

    /// <summary>Number of the first file that recovery needs when everything up to a transaction is synced: the first that has more,
    /// or that may get more. Without one, the number of the next file.</summary>
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

    /// <summary>Files that are full and hold transactions behind one: they cannot go while pages of these must not be flushed.</summary>
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

    /// <summary>Makes a file ready for writing: durable under its number, every block written before. Blocks for the zero fill
    /// when the pool has no file of that size.</summary>
    public JournalFile Prepare(long number, long bytes)
    {
        using Staying staying = Stay();
        PalFile file = _pool.Take(bytes, out string path, out long blocks);
        try
        {
            var incarnation = Guid.NewGuid();
            JournalFile.WriteHeader(file, number, incarnation, _storageId, blocks);
            _platform.RenameDurable(path, PathOf(number));
            var journal = new JournalFile(number, PathOf(number), file, incarnation, blocks);
            Add(journal);
            return journal;
        }
        catch (Exception e)
        {
            file.Dispose();
            _pool.TryDelete(path);
            if (e is PalException { IsShortage: true })
            {
                // Its folder could not be opened to be synced. No header names the number yet: it is as free as before.
                _pool.TryDelete(PathOf(number));
            }

            throw;
        }
    }

    /// <summary>True when a file of the number is in the folder, durable or not.</summary>
    public bool Has(long number)
    {
        using Staying staying = Stay();
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

    /// <summary>Takes the closed files out of the row whose transactions are all in the synced data file. Called inside the write that makes
    /// both copies of the storage's header say so: when one copy is damaged, recovery begins where the other one says, and a name that comes
    /// into use again (<see cref="TryReopen"/>) is not found any more, or moves that place back first.</summary>
    /// <param name="syncedTransaction">Last transaction that the durable header names.</param>
    /// <param name="syncedJournal">Number of the file that holds it, where the next recovery begins.</param>
    public List<JournalFile> TakeRetirable(long syncedTransaction, long syncedJournal)
    {
        lock (_lock)
        {
            List<JournalFile> taken = _files.FindAll(file => IsRetirable(file, syncedTransaction, syncedJournal));
            _files.RemoveAll(taken.Contains);
            return taken;
        }
    }

    /// <summary>Retires files that were taken out of the row; what the system is too short of open files for goes back into it.</summary>
    public void Retire(List<JournalFile> taken)
    {
        using Staying staying = Stay();
        taken.ForEach(file => file.Path = PathOf(file.Number)); // the folder may have moved in between
        for (int i = 0; i < taken.Count; i++)
        {
            try
            {
                Recycle(taken[i]);
            }
            catch (PalException e) when (e.IsShortage)
            {
                lock (_lock)
                {
                    _files.AddRange(taken.Skip(i));
                }

                return;
            }
        }
    }

    /// <summary>Deletes the pooled files: an idle storage keeps nothing, and a full disk needs their room. False when there
    /// were none.</summary>
    public bool TrimPool()
    {
        using Staying staying = Stay();
        return _pool.Trim();
    }

    /// <summary>Fills the pool with files of a size, for bulk loads and benchmarks.</summary>
    public void FillPool(int count, long bytes)
    {
        using Staying staying = Stay();
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
        lock (_lock)
        {
            _files.ForEach(file => file.Path = PathOf(file.Number));
        }

        _pool.OnMoved();
    }

    private static bool IsNeeded(JournalFile file, long syncedTransaction) => !file.IsClosed || file.LastTransaction > syncedTransaction;

    private static bool IsRetirable(JournalFile file, long syncedTransaction, long syncedJournal) =>
        file.Number < syncedJournal && !IsNeeded(file, syncedTransaction);

    /// <summary>Gives a file that nobody needs to the pool of the storage that writes journals, or deletes it.</summary>
    private void Recycle(JournalFile file)
    {
        if (IsShared(file) || !_recycler.TryAdopt(file.Path, file.Bytes))
        {
            _platform.Delete(file.Path);
        }
    }

    /// <summary>A file with another name still belongs to another storage: it must not be rewritten in place.</summary>
    private bool IsShared(JournalFile file)
    {
        using PalFile opened = _platform.OpenFile(file.Path, FileOpening.Existing, FileUse.ReadOnly);
        return opened.GetLinkCount() != 1;
    }
}

/// <summary>A use of names in a journal folder, which does not move meanwhile.</summary>
internal readonly ref struct Staying
{
    private readonly ReaderWriterLockSlim _moving;

    public Staying(ReaderWriterLockSlim moving)
    {
        moving.EnterReadLock();
        _moving = moving;
    }

    /// <summary>Ends the use.</summary>
    public void Dispose() => _moving.ExitReadLock();
}
