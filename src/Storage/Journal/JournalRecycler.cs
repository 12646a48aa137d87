using System.Diagnostics;
using Jackdaw.Pal;

namespace Jackdaw.Storage.Journal;

/// <summary>Spare files of a journal folder, without a number; each of their blocks has been written before. Thread
/// safe.</summary>
/// <param name="platform">Where the folder is.</param>
/// <param name="findFolder">Returns its current name.</param>
internal sealed class JournalRecycler(IPlatform platform, Func<string> findFolder)
{
    /// <summary>Retired bytes kept for reuse: a flush under full load frees half a gigabyte of files at once. Each
    /// deleted file must later be replaced by one that is filled with zeros, and both deleting and filling slow down
    /// concurrent commits. An idle storage keeps nothing.</summary>
    private const long PooledBytesMax = 6 * JournalPreallocator.FileBytesMax;

    /// <summary>Free bytes that the disk must have per pooled byte: on a nearly full disk nothing is kept.</summary>
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

    /// <summary>Removes the spare files that a crash left: to check that they are zero would cost more than to write
    /// new ones. Returns warnings about files that cannot be removed, which do no harm.</summary>
    public List<string> Drop()
    {
        List<string> warnings = [];
        string folder = findFolder();
        foreach (string name in platform.ListDirectory(folder).Where(name => name.StartsWith(Prefix, StringComparison.Ordinal)))
        {
            try
            {
                platform.Delete(folder + "/" + name);
            }
            catch (PalException e) when (!e.IsShortage)
            {
                warnings.Add($"A spare journal that is no longer needed could not be deleted ({e.Message}). The next opening tries again; check the disk.");
            }
        }

        lock (_lock)
        {
            _files.Clear();
        }

        return warnings;
    }

    /// <summary>A spare file with at least this number of bytes, open for writing. When there is none, one of that size in whole
    /// blocks is made and filled with zeros.</summary>
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
            return Take(bytes, out path, out blocks); // the file was deleted from outside
        }
    }

    /// <summary>Deletes a file that is not needed. If that fails, the next open deletes it; the storage
    /// continues.</summary>
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
            // If an earlier failure led here, that failure is reported.
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

    /// <summary>Deletes all files: an idle storage keeps nothing, and a full disk needs their room. False when there
    /// were none.</summary>
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

    /// <summary>Takes a journal that is no longer needed; false when it has to be deleted.</summary>
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
            return false; // it belongs to a branch on another volume
        }
        catch (PalException e) when (e.IsDiskFull && !platform.Exists(pooled))
        {
            return false; // no space or quota for the new name: deleting the file frees some
        }
        catch (PalException e) when (e.IsShortage && platform.Exists(pooled))
        {
            // The file has its new name, and the folder is synced before the file is renamed again. Its old name is not
            // needed.
        }

        Add(pooled, bytes);
        return true;
    }

    /// <summary>Updates names after the folder was renamed.</summary>
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
        Debug.Assert(bytes > 0 && bytes % JournalFormat.BlockSize == 0);
        lock (_lock)
        {
            Debug.Assert(!_files.Exists(file => file.Path == path));
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

    /// <summary>Allocates the blocks of a journal that existed before the start: a backup may have omitted its zeros,
    /// and an accepted entry must not find the disk full. Has no effect on a file whose blocks are allocated.</summary>
    private void FillHoles(PalFile file, long bytes)
    {
        try
        {
            file.FillHole(0, bytes);
        }
        catch (PalException e) when (e.Status == PalStatus.NotSupported)
        {
            // The volume cannot reserve blocks, so its holes cannot be detected either.
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

    /// <summary>Deletes smaller files in favour of a larger one: they would never be used, because journals
    /// grow.</summary>
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
