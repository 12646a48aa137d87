using Jackdaw.Pal;

namespace Jackdaw.Storage.Journal;

/// <summary>Spare files of a journal folder, without a number: each block of them was written before. Thread safe.</summary>
/// <param name="platform">Where the folder is.</param>
/// <param name="findFolder">Its name, as of now.</param>
internal sealed class JournalPool(IPlatform platform, Func<string> findFolder)
{
    /// <summary>Retired bytes kept for reuse: a flush under full load frees half a gigabyte of files at once, and what is deleted
    /// then has to be filled with zeros again, both at the cost of the commits beside it. An idle storage keeps nothing.</summary>
    private const long PooledBytesMax = 6 * JournalSpace.FileBytesMax;

    /// <summary>Free bytes of the disk for each pooled one: on a disk that is nearly full nothing is kept.</summary>
    private const int FreeSpacePerPool = 4;

    private const string Prefix = "pool-";

    private readonly Lock _lock = new(); // guards _files
    private readonly List<(string Path, long Bytes)> _files = [];

    /// <summary>Bytes of all files.</summary>
    public long TotalBytes
    {
        get
        {
            lock (_lock)
            {
                return _files.Sum(file => file.Bytes);
            }
        }
    }

    /// <summary>Removes what a crash left: its zeros cost more to check than to write again.</summary>
    public void Drop()
    {
        string folder = findFolder();
        foreach (string name in platform.ListDirectory(folder).Where(name => name.StartsWith(Prefix, StringComparison.Ordinal)))
        {
            platform.Delete(folder + "/" + name);
        }

        lock (_lock)
        {
            _files.Clear();
        }
    }

    /// <summary>A file of at least so many bytes, open for writing; one of that size, in whole blocks, is filled with zeros when there is
    /// none.</summary>
    /// <param name="bytes">Wanted.</param>
    /// <param name="path">Its name.</param>
    /// <param name="blocks">Its size.</param>
    public PalFile Take(long bytes, out string path, out long blocks)
    {
        if (!TryTake(bytes, out (string Path, long Bytes) taken))
        {
            blocks = JournalFormat.BlocksFor(bytes);
            return CreateZeroed(blocks * JournalFormat.BlockSize, out path);
        }

        (path, blocks) = (taken.Path, taken.Bytes / JournalFormat.BlockSize);
        try
        {
            PalFile file = platform.OpenFile(path, FileOpening.Existing, FileUse.Journal);
            FillHoles(file, taken.Bytes);
            return file;
        }
        catch (PalException e) when (e.IsShortage)
        {
            Add(path, taken.Bytes);
            throw;
        }
        catch (PalException e) when (e.Status == PalStatus.NotFound)
        {
            return Take(bytes, out path, out blocks); // somebody deleted it
        }
    }

    /// <summary>Gives the space of a file back that nobody needs; the next open does it otherwise. No reason to stop the storage.</summary>
    public void TryDelete(string path)
    {
        try
        {
            if (platform.Exists(path))
            {
                platform.Delete(path);
            }
        }
        catch (PalException)
        {
            // Where a failure led here, that is the one to tell.
        }
    }

    /// <summary>Adds files of a size, for bulk loads and benchmarks.</summary>
    public void Fill(int count, long bytes)
    {
        for (int i = 0; i < count; i++)
        {
            CreateZeroed(bytes, out string path).Dispose();
            Add(path, bytes);
        }
    }

    /// <summary>Deletes all files: an idle storage keeps nothing, and a full disk needs their room. False when there were none.</summary>
    public bool Trim()
    {
        List<(string Path, long Bytes)> dropped;
        lock (_lock)
        {
            dropped = [.. _files];
            _files.Clear();
        }

        dropped.ForEach(file => TryDelete(file.Path));
        return dropped.Count > 0;
    }

    /// <summary>Takes a journal that nobody needs; false when it has to be deleted.</summary>
    public bool TryAdopt(string path, long bytes)
    {
        if (!TryMakeRoom(bytes))
        {
            return false;
        }

        string pooled = MakePath();
        try
        {
            platform.RenameDurable(path, pooled);
        }
        catch (PalException e) when (e.Status == PalStatus.CrossDevice)
        {
            return false; // of a branch on another volume
        }
        catch (PalException e) when (e.IsDiskFull && !platform.Exists(pooled))
        {
            return false; // a name may need room in its folder, or of a quota that free space does not tell; without the file there is more
        }
        catch (PalException e) when (e.IsShortage && platform.Exists(pooled))
        {
            // It has its new name, and the folder is synced before it gets the next one. Nobody needs what is under the old one.
        }

        Add(pooled, bytes);
        return true;
    }

    /// <summary>The folder has another name now.</summary>
    public void OnMoved()
    {
        string folder = findFolder();
        lock (_lock)
        {
            List<(string Path, long Bytes)> moved = _files.ConvertAll(file => (folder + "/" + Path.GetFileName(file.Path), file.Bytes));
            _files.Clear();
            _files.AddRange(moved);
        }
    }

    private string MakePath() => $"{findFolder()}/{Prefix}{Guid.NewGuid():N}";

    private void Add(string path, long bytes)
    {
        lock (_lock)
        {
            _files.Add((path, bytes));
        }
    }

    private bool TryTake(long bytes, out (string Path, long Bytes) taken)
    {
        lock (_lock)
        {
            int index = _files.FindIndex(file => file.Bytes >= bytes);
            taken = index < 0 ? default : _files[index];
            if (index >= 0)
            {
                _files.RemoveAt(index);
            }

            return index >= 0;
        }
    }

    /// <summary>A journal of before the start may have come from a backup that left its zeros out: an entry that was accepted must not find
    /// the disk full. Of no effect on a file that has its blocks.</summary>
    private void FillHoles(PalFile file, long bytes)
    {
        try
        {
            file.FillHole(0, bytes);
        }
        catch (PalException e) when (e.Status == PalStatus.NotSupported)
        {
            // A volume that cannot reserve blocks: its holes cannot be told from the rest either.
        }
        catch
        {
            file.Dispose();
            TryDelete(file.Path);
            throw;
        }
    }

    private PalFile CreateZeroed(long bytes, out string path)
    {
        path = MakePath();
        PalFile file = platform.OpenFile(path, FileOpening.CreateNew, FileUse.Journal);
        try
        {
            file.Allocate(bytes);
            file.ZeroFill(0, bytes);
            return file;
        }
        catch
        {
            file.Dispose();
            TryDelete(path);
            throw;
        }
    }

    /// <summary>Lets smaller files go for a larger one: they would lie here for ever, because journals grow.</summary>
    private bool TryMakeRoom(long bytes)
    {
        long bytesMax = Math.Min(PooledBytesMax, platform.GetFreeSpace(findFolder()) / FreeSpacePerPool);
        List<(string Path, long Bytes)> dropped = [];
        lock (_lock)
        {
            long total = _files.Sum(file => file.Bytes) + bytes;
            foreach ((string Path, long Bytes) file in _files.Where(file => file.Bytes < bytes).OrderBy(file => file.Bytes))
            {
                if (total <= bytesMax)
                {
                    break;
                }

                total -= file.Bytes;
                dropped.Add(file);
            }

            if (total > bytesMax)
            {
                return false;
            }

            _files.RemoveAll(dropped.Contains);
        }

        dropped.ForEach(file => TryDelete(file.Path));
        return true;
    }
}
