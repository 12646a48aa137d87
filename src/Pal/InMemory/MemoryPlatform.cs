using Jackdaw.Pal.Interop;

namespace Jackdaw.Pal.InMemory;

/// <summary>A volume in memory: names in a table, contents in memfd so that they can be mapped. For databases that live
/// in memory only, and for tests.</summary>
/// <remarks>Thread safe: one lock guards the names; file contents are the kernel's. Nothing outlives the process, so
/// durability calls return at once. Freed by deleting the names, or with the object.</remarks>
public sealed class MemoryPlatform : IPlatform
{
    /// <summary>The mode with the fewest calls: writes go to memory.</summary>
    internal const PageWriteMode PagesWritten = PageWriteMode.VectoredFileIo;

    private static long s_lastDevice;

    private readonly Lock _gate = new();
    private readonly NameTree _names = new(new MemoryDirectory(1));
    private readonly Dictionary<MemoryNode, string> _locks = [];
    private readonly ulong _device = (ulong)Interlocked.Increment(ref s_lastDevice);
    private ulong _lastId = 1;

    /// <inheritdoc/>
    public string Name => "memory";

    /// <inheritdoc/>
    public PageWriteMode WriteMode => PagesWritten;

    /// <inheritdoc/>
    public void CreateDirectory(string path)
    {
        PalContract.CheckPath(path, "create directory");
        lock (_gate)
        {
            _names.CreateDirectories(path, () => new MemoryDirectory(++_lastId));
        }
    }

    /// <inheritdoc/>
    public IReadOnlyList<string> ListDirectory(string path)
    {
        PalContract.CheckPath(path, "list directory");
        lock (_gate)
        {
            return _names.Find(path) is MemoryDirectory directory ? [.. directory.Entries.Keys] : [];
        }
    }

    /// <inheritdoc/>
    public bool Exists(string path)
    {
        PalContract.CheckPath(path, "stat");
        lock (_gate)
        {
            return _names.Find(path) != null;
        }
    }

    /// <inheritdoc/>
    public PalFile OpenFile(string path, FileOpening opening, FileUse use)
    {
        PalContract.CheckPath(path, "open");
        lock (_gate)
        {
            MemfdContent content = FindOrCreate(path, opening);
            var file = new MemoryFile(this, content, path, use);
            content.Openings++;
            return file;
        }
    }

    /// <inheritdoc/>
    public IDisposable Lock(string path, string ownerText)
    {
        PalContract.CheckPath(path, "lock");
        ArgumentNullException.ThrowIfNull(ownerText);
        MemfdContent content;
        lock (_gate)
        {
            // The lock belongs to the file and not to the name, so a rename keeps it.
            content = FindOrCreate(path, FileOpening.OpenOrCreate);
            if (!_locks.TryAdd(content, ownerText))
            {
                throw MemoryFailure.Locked(path, _locks[content]);
            }
        }

        return new MemoryLock(() =>
        {
            lock (_gate)
            {
                _locks.Remove(content);
            }
        });
    }

    /// <inheritdoc/>
    public void Link(string existingPath, string newPath)
    {
        PalContract.CheckPath(existingPath, "link");
        PalContract.CheckPath(newPath, "link");
        lock (_gate)
        {
            _names.Link(existingPath, newPath);
        }
    }

    /// <inheritdoc/>
    public void RenameDurable(string fromPath, string toPath)
    {
        PalContract.CheckPath(fromPath, "rename");
        PalContract.CheckPath(toPath, "rename");
        lock (_gate)
        {
            _names.Rename(fromPath, toPath);
        }
    }

    /// <inheritdoc/>
    public void Delete(string path)
    {
        PalContract.CheckPath(path, "delete");
        lock (_gate)
        {
            _names.Delete(path);
        }
    }

    /// <inheritdoc/>
    public void DeleteDirectory(string path)
    {
        PalContract.CheckPath(path, "remove directory");
        lock (_gate)
        {
            _names.DeleteTree(path);
        }
    }

    /// <inheritdoc/>
    public void SyncDirectories(ReadOnlySpan<string> paths)
    {
        foreach (string path in paths)
        {
            PalContract.CheckPath(path, "sync directory");
            lock (_gate)
            {
                if (_names.Find(path) is not MemoryDirectory)
                {
                    throw MemoryFailure.NotFound("sync directory", path);
                }
            }
        }
    }

    /// <inheritdoc/>
    public FileIdentity GetIdentity(string path)
    {
        PalContract.CheckPath(path, "stat");
        lock (_gate)
        {
            return IdentityOf(_names.Get(path, "stat"));
        }
    }

    /// <inheritdoc/>
    public FileStatus GetStatus(string path)
    {
        PalContract.CheckPath(path, "stat");
        lock (_gate)
        {
            MemoryNode node = _names.Get(path, "stat");
            if (node is not MemfdContent content)
            {
                return new FileStatus(IdentityOf(node), 0, 0, node.Links, node is MemoryDirectory);
            }

            PalFailure.ThrowIf(LibPal.pal_file_status(content.Descriptor, out NativeFileStatus found, out NativeError error), error, path);
            return new FileStatus(IdentityOf(node), found.Length, found.Allocated, node.Links, IsDirectory: false);
        }
    }

    /// <inheritdoc/>
    public long GetFreeSpace(string path)
    {
        PalContract.CheckPath(path, "free space");
        lock (_gate)
        {
            _names.Get(path, "free space");
        }

        GCMemoryInfo memory = GC.GetGCMemoryInfo();
        return Math.Max(0, memory.TotalAvailableMemoryBytes - memory.MemoryLoadBytes);
    }

    internal FileIdentity IdentityOf(MemoryNode node) => new(_device, node.Id);

    internal int LinksOf(MemoryNode node)
    {
        lock (_gate)
        {
            return node.Links;
        }
    }

    internal void Close(MemoryContent content)
    {
        lock (_gate)
        {
            content.Openings--;
            content.FreeIfUnused();
        }
    }

    private MemfdContent FindOrCreate(string path, FileOpening opening)
    {
        MemoryNode? found = _names.Find(path);
        if (found != null && opening == FileOpening.CreateNew)
        {
            throw MemoryFailure.Exists("open", path);
        }

        if (found == null && opening != FileOpening.Existing)
        {
            _names.GetParent(path, "open", out _);
            found = new MemfdContent(++_lastId, path);
            _names.Add(path, found, "open");
        }

        return found switch
        {
            null => throw MemoryFailure.NotFound("open", path),
            MemfdContent content => content,
            _ => throw MemoryFailure.IsDirectory("open", path),
        };
    }
}
