using Jackdaw.Pal.InMemory;
using Jackdaw.Pal.Interop;

namespace Jackdaw.Pal.Simulation;

/// <summary>A volume in memory that can show what a power cut would leave of it, and that fails where a test asks for it.</summary>
/// <remarks>
/// 1. A file has a durable image and an ordered list of changes since its last sync; a folder likewise for its names.
/// 2. <see cref="Crash(int)"/> makes a new volume from the durable part and a seeded choice of the rest.
/// 3. Each call is announced (<see cref="BeforeOperation"/>), may be hit by a <see cref="SimulatedFault"/>, takes
/// effect, and is reported (<see cref="AfterOperation"/>). A journal write is in flight while it is announced. Thread
/// safe: one lock, held during callbacks too, so that a callback sees one instant. A callback must not wait for another
/// thread that uses the platform. The same calls with the same seed behave the same.
/// </remarks>
public sealed partial class SimulatedPlatform : IPlatform
{
    // All simulated volumes are "the same device", so that a crashed copy has the identities of its original.
    private const ulong Device = 0x51;

    private readonly SimulatedNames _names;
    private readonly VolumeSpace _space;
    private readonly Dictionary<MemoryNode, string> _locks = [];
    private ulong _lastId;
    private long _lastChange;

    /// <summary>An empty volume with the folder "/".</summary>
    /// <param name="seed">Decides what failed writes leave behind.</param>
    public SimulatedPlatform(int seed = 0)
        : this(new SimulatedDirectory(1), new VolumeSpace(), 1, seed)
    {
    }

    private SimulatedPlatform(SimulatedDirectory root, VolumeSpace space, ulong lastId, int seed)
    {
        _names = new SimulatedNames(root, NextChange);
        _space = space;
        _lastId = lastId;
        Bits = new SeededBits(seed);
    }

    /// <inheritdoc/>
    public string Name => "simulated";

    /// <inheritdoc/>
    public PageWriteMode WriteMode => PageWriteMode.VectoredFileIo;

    /// <summary>Size of the volume in bytes; 1 TB unless set. Calls that need more than the rest fail with
    /// <see cref="PalStatus.NoSpace"/>.</summary>
    public long CapacityBytes
    {
        get => Locked(() => _space.CapacityBytes);
        set => Locked(() => _space.CapacityBytes = value);
    }

    /// <summary>Bytes in allocated blocks of all files.</summary>
    public long UsedBytes => Locked(() => _space.UsedBytes);

    /// <summary>Changes of files and folders that a power cut may undo now: zero means a crash test would prove
    /// nothing.</summary>
    public int UnsyncedChangeCount =>
        Locked(() => _names.Pending.Count + _names.FindContents().Sum(content => content.Pending.Count));

    /// <summary>A new, independent volume in a state that a power cut at this instant could leave.</summary>
    /// <param name="seed">Decides which; the same seed at the same instant gives the same state.</param>
    public SimulatedPlatform Crash(int seed) => Crash(CrashOptions.FromSeed(seed));

    /// <inheritdoc cref="Crash(int)"/>
    /// <param name="options">What the state may look like.</param>
    public SimulatedPlatform Crash(CrashOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        lock (Gate)
        {
            var space = new VolumeSpace { CapacityBytes = _space.CapacityBytes };
            SimulatedDirectory root = new CrashState(_names, space, options).Build();
            return new SimulatedPlatform(root, space, _lastId, options.Seed);
        }
    }

    /// <inheritdoc/>
    public void CreateDirectory(string path)
    {
        PalContract.CheckPath(path, "create directory");
        lock (Gate)
        {
            List<string> missing = FindMissing(path);
            Run(PalOperationKind.CreateDirectory, "create directory", path, () =>
                _names.CreateDirectories(path, () => new SimulatedDirectory(++_lastId)));
            try
            {
                RunBarrier(PalOperationKind.CreateDirectorySync, "sync directory", path, () =>
                    SyncNamesOf(missing.Count > 0 ? missing : [Path.TrimEndingDirectorySeparator(Path.GetFullPath(path))]));
            }
            catch (PalException)
            {
                // They are removed so that the next attempt makes them again, with durable names.
                missing.ForEach(_names.DeleteTree);
                throw;
            }
        }
    }

    /// <inheritdoc/>
    public IReadOnlyList<string> ListDirectory(string path)
    {
        PalContract.CheckPath(path, "list directory");
        lock (Gate)
        {
            return Run(PalOperationKind.ListDirectory, "list directory", path, () =>
                _names.Find(path) is MemoryDirectory directory ? directory.Entries.Keys.ToArray() : []);
        }
    }

    /// <inheritdoc/>
    public bool Exists(string path)
    {
        PalContract.CheckPath(path, "stat");
        lock (Gate)
        {
            return Run(PalOperationKind.Stat, "stat", path, () => _names.Find(path) != null);
        }
    }

    /// <inheritdoc/>
    public PalFile OpenFile(string path, FileOpening opening, FileUse use)
    {
        PalContract.CheckPath(path, "open");
        lock (Gate)
        {
            return Run(PalOperationKind.Open, "open", path, () =>
            {
                SimulatedContent content = FindOrCreate(path, opening, "open");
                content.Openings++;
                _openFiles++;
                return new SimulatedFile(this, content, path, use);
            });
        }
    }

    /// <inheritdoc/>
    public IDisposable Lock(string path, string ownerText)
    {
        PalContract.CheckPath(path, "lock");
        ArgumentNullException.ThrowIfNull(ownerText);
        lock (Gate)
        {
            return Run(PalOperationKind.Lock, "lock", path, () =>
            {
                // The lock belongs to the file and not to the name, so a rename keeps it.
                SimulatedContent content = FindOrCreate(path, FileOpening.OpenOrCreate, "lock");
                return _locks.TryAdd(content, ownerText)
                    ? new MemoryLock(() => Locked(() => _locks.Remove(content)))
                    : throw MemoryFailure.Locked(path, _locks[content]);
            });
        }
    }

    /// <inheritdoc/>
    public void Link(string existingPath, string newPath)
    {
        PalContract.CheckPath(existingPath, "link");
        PalContract.CheckPath(newPath, "link");
        lock (Gate)
        {
            Run(PalOperationKind.Link, "link", existingPath, () => _names.Link(existingPath, newPath), newPath);
        }
    }

    /// <inheritdoc/>
    public void RenameDurable(string fromPath, string toPath)
    {
        PalContract.CheckPath(fromPath, "rename");
        PalContract.CheckPath(toPath, "rename");
        lock (Gate)
        {
            Run(PalOperationKind.Rename, "rename", fromPath, () => _names.Rename(fromPath, toPath), toPath);
            MemoryDirectory target = _names.GetParent(toPath, "rename", out _);
            MemoryDirectory source = _names.GetParent(fromPath, "rename", out _);
            RunBarrier(PalOperationKind.RenameSync, "sync directory", toPath, () => _names.Sync(target));
            if (!ReferenceEquals(source, target))
            {
                RunBarrier(PalOperationKind.RenameSync, "sync directory", fromPath, () => _names.Sync(source));
            }
        }
    }

    /// <inheritdoc/>
    public void Delete(string path)
    {
        PalContract.CheckPath(path, "delete");
        lock (Gate)
        {
            Run(PalOperationKind.Delete, "delete", path, () => _names.Delete(path));
        }
    }

    /// <inheritdoc/>
    public void DeleteDirectory(string path)
    {
        PalContract.CheckPath(path, "remove directory");
        lock (Gate)
        {
            Run(PalOperationKind.DeleteDirectory, "remove directory", path, () => _names.DeleteTree(path));
        }
    }

    /// <inheritdoc/>
    public void SyncDirectories(ReadOnlySpan<string> paths)
    {
        foreach (string path in paths)
        {
            PalContract.CheckPath(path, "sync directory");
        }

        lock (Gate)
        {
            foreach (string path in paths)
            {
                RunBarrier(PalOperationKind.SyncDirectory, "sync directory", path, () => _names.Sync(
                    _names.Find(path) as MemoryDirectory ?? throw MemoryFailure.NotFound("sync directory", path)));
            }
        }
    }

    /// <inheritdoc/>
    public FileIdentity GetIdentity(string path)
    {
        PalContract.CheckPath(path, "stat");
        lock (Gate)
        {
            return Run(PalOperationKind.Stat, "stat", path, () => IdentityOf(_names.Get(path, "stat")));
        }
    }

    /// <inheritdoc/>
    public FileStatus GetStatus(string path)
    {
        PalContract.CheckPath(path, "stat");
        lock (Gate)
        {
            return Run(PalOperationKind.Stat, "stat", path, () => StatusOf(_names.Get(path, "stat")));
        }
    }

    private static FileStatus StatusOf(MemoryNode node) => node is SimulatedContent { Current: var contents }
        ? new FileStatus(IdentityOf(node), contents.Length, contents.AllocatedBlocks * BlockMap.BlockBytes, node.Links, IsDirectory: false)
        : new FileStatus(IdentityOf(node), 0, 0, node.Links, node is MemoryDirectory);

    /// <inheritdoc/>
    public long GetFreeSpace(string path)
    {
        PalContract.CheckPath(path, "free space");
        lock (Gate)
        {
            return Run(PalOperationKind.FreeSpace, "free space", path, () =>
            {
                _names.Get(path, "free space");
                return _space.FreeBytes;
            });
        }
    }

    internal static FileIdentity IdentityOf(MemoryNode node) => new(Device, node.Id);

    internal long NextChange() => ++_lastChange;

    /// <summary>Refuses a change that needs more blocks than the volume has. Under the lock.</summary>
    internal void RequireSpace(long blocks, string operation, string path, long offset, long length)
    {
        if (blocks * BlockMap.BlockBytes > _space.FreeBytes)
        {
            throw MemoryFailure.NoSpace(operation, path, offset, length);
        }
    }

    /// <summary>The missing folders, the innermost first.</summary>
    private List<string> FindMissing(string path)
    {
        var missing = new List<string>();
        string folder = Path.TrimEndingDirectorySeparator(Path.GetFullPath(path));
        while (_names.Find(folder) == null)
        {
            missing.Add(folder);
            folder = Path.GetDirectoryName(folder)!;
        }

        return missing;
    }

    private void SyncNamesOf(List<string> folders)
    {
        foreach (string folder in folders)
        {
            if (Path.GetDirectoryName(folder) is { } parent)
            {
                _names.Sync((MemoryDirectory)_names.Get(parent, "sync directory"));
            }
        }
    }

    private SimulatedContent FindOrCreate(string path, FileOpening opening, string operation)
    {
        MemoryNode? found = _names.Find(path);
        if (found != null && opening == FileOpening.CreateNew)
        {
            throw MemoryFailure.Exists(operation, path);
        }

        if (found == null && opening != FileOpening.Existing)
        {
            _names.GetParent(path, operation, out _);
            found = new SimulatedContent(++_lastId, _space, new BlockMap());
            _names.Add(path, found, operation);
        }

        return found switch
        {
            null => throw MemoryFailure.NotFound(operation, path),
            SimulatedContent content => content,
            _ => throw MemoryFailure.IsDirectory(operation, path),
        };
    }
}
