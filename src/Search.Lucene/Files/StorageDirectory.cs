using System.Collections.Concurrent;
using System.Diagnostics;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Transactions;
using Lucene.Net.Store;

namespace Jackdaw.Search.Lucene.Files;

/// <summary>The files of a Lucene index as values in a storage.</summary>
/// <remarks>
/// 1. Files are written and deleted in the transaction that <see cref="Begin"/> was given, by the thread of that transaction, which may do it for another
/// thread. Any thread reads.
/// 2. Everything that a transaction writes becomes durable with it, or disappears with it. Lucene's own syncs, locks and checksums do nothing here.
/// 3. The chunks of a file never change, and are not freed while an input of it is open.
/// </remarks>
internal sealed class StorageDirectory : BaseDirectory
{
    /// <summary>A hint for readers that cannot list files; it is rewritten with each commit, and never needed here.</summary>
    private const string GenerationHint = "segments.gen";

    /// <summary>The most chunks that one transaction frees: 512 MB of files, which takes some ms.</summary>
    private const long FreedChunksMax = 4096;

    private readonly StorageEnvironment _storage;
    private readonly ConcurrentDictionary<string, StoredFile> _files = new(StringComparer.Ordinal);
    private readonly List<StoredFile> _toFree = []; // only the writer's thread uses it and the fields below
    private readonly HashSet<StoredFile> _unfinished = []; // files that have chunks and no name
    private WriteTransaction? _write;
    private long _lastId;

    public StorageDirectory(StorageEnvironment storage)
    {
        _storage = storage;
        SetLockFactory(NoLockFactory.GetNoLockFactory());
        Load();
    }

    /// <summary>The number of deleted files whose chunks still exist.</summary>
    public int FilesToFree => _toFree.Count;

    /// <summary>Whether the next transaction will free such files.</summary>
    public bool HasFilesToFree => _toFree.Any(file => !file.IsOpen);

    public int FileCount => _files.Count;

    /// <summary>Whether a transaction is open.</summary>
    public bool IsWriting => _write is not null;

    /// <summary>The open transaction.</summary>
    public WriteTransaction Writing => Write;

    /// <summary>From now on, files are written in this transaction.</summary>
    public void Begin(WriteTransaction write)
    {
        Debug.Assert(_write is null, "one transaction at a time");
        _write = write;
        HasFreed = HasFilesToFree;
        FreeUnread();
    }

    /// <summary>Whether files that were deleted before have been freed in the transaction that began last.</summary>
    public bool HasFreed { get; private set; }

    /// <summary>Is called when the transaction ends without a change.</summary>
    public void EndUnchanged()
    {
        Debug.Assert(!HasFreed && _unfinished.Count == 0, "nothing was written");
        _write = null;
    }

    /// <summary>Notes that unfinished files have to be freed, in case no later transaction finishes them.</summary>
    public void NoteUnfinished()
    {
        foreach (StoredFile file in _unfinished)
        {
            FileTrees.NoteUnfinished(Write.Trees, file);
        }
    }

    /// <summary>Is called when the transaction was committed.</summary>
    public void Committed() => _write = null;

    /// <summary>Is called when the transaction was rolled back. The files are those of the last commit again.</summary>
    public void RolledBack()
    {
        _write = null;
        _unfinished.Clear();
        Load();
    }

    public override string[] ListAll() => [.. _files.Keys];

    [Obsolete("As in the base class.")]
    public override bool FileExists(string name) => _files.ContainsKey(name);

    public override long FileLength(string name) => Find(name).Length;

    public override void Sync(ICollection<string> names)
    {
        // The commit of the transaction makes the files durable.
    }

    public override string GetLockID() => _storage.Path;

    public override IndexOutput CreateOutput(string name, IOContext context)
    {
        FileWork.Current?.NoteOutput(name, context);
        return new StorageOutput(name == GenerationHint ? null : this, new StoredFile(name, ++_lastId));
    }

    public override IndexInput OpenInput(string name, IOContext context) => new StorageInput(Find(name));

    public override void DeleteFile(string name)
    {
        if (!_files.TryRemove(name, out StoredFile? file))
        {
            throw new FileNotFoundException($"There is no file '{name}' in the index.", name);
        }

        Change(0, () => FileTrees.RemoveName(Write.Trees, file));
        if (file.Inline is null)
        {
            _toFree.Add(file);
        }
    }

    /// <summary>Writes a chunk of a file that is not finished.</summary>
    internal void AddChunk(StoredFile file, byte[] bytes, int count)
    {
        _unfinished.Add(file);
        Change(count, () => FileTrees.AddChunk(Write.Trees, file, bytes.AsSpan(0, count)));
        FileWork.Current?.MayPause();
    }

    /// <summary>Gives a name to a file that has all its bytes.</summary>
    internal void Finish(StoredFile file)
    {
        _unfinished.Remove(file);
        Change(file.Inline?.Length ?? 0, () => FileTrees.PutName(Write.Trees, file));
        _files[file.Name] = file;
    }

    protected override void Dispose(bool disposing) => IsOpen = false;

    private WriteTransaction Write => _write
        ?? throw new InvalidOperationException("A file of the index was written without a transaction of its storage.");

    private static void Change(int bytes, Action change)
    {
        if (FileWork.Current is { } work)
        {
            work.Write(bytes, change);
        }
        else
        {
            change();
        }
    }

    private StoredFile Find(string name) => _files.TryGetValue(name, out StoredFile? file)
        ? file
        : throw new FileNotFoundException($"There is no file '{name}' in the index.", name);

    // Known files keep their objects, which count the open inputs.
    private void Load()
    {
        var known = _files.Values.Concat(_toFree).ToDictionary(file => file.Id);
        using ReadTransaction read = _storage.BeginRead();
        _files.Clear();
        foreach (StoredFile file in FileTrees.ReadFiles(read))
        {
            _files[file.Name] = known.GetValueOrDefault(file.Id, file);
            _lastId = Math.Max(_lastId, file.Id);
        }

        _toFree.Clear();
        foreach (StoredFile file in FileTrees.ReadFilesToFree(read))
        {
            StoredFile kept = known.GetValueOrDefault(file.Id, file);
            kept.Length = file.Length; // fewer chunks were freed than the object says
            _toFree.Add(kept);
            _lastId = Math.Max(_lastId, file.Id);
        }

        _lastId = Math.Max(_lastId, FileTrees.LastChunkId(read));
    }

    private void FreeUnread()
    {
        long most = FreedChunksMax;
        for (int i = _toFree.Count - 1; i >= 0 && most > 0; i--)
        {
            if (!_toFree[i].IsOpen)
            {
                most -= FileTrees.Free(Write.Trees, _toFree[i], most);
                if (_toFree[i].Length == 0)
                {
                    _toFree.RemoveAt(i);
                }
            }
        }
    }
}
