using System.Diagnostics;
using System.Runtime.CompilerServices;
using Jackdaw.Pal;
using Jackdaw.Storage.Paging;

namespace Jackdaw.Storage.Journal;

/// <summary>One journal file in use: its place in the sequence of journals and what it holds.</summary>
/// <remarks>States: in the pool (any name but a number) -> prepared (header record durable, then named by its number)
/// -> current (the committer appends) -> closed -> retired (deleted, or back in the pool under a pool name). Each
/// storage that shares the file has its own hard link to it, with its own number; only the root opens the file for
/// writing.</remarks>
internal sealed unsafe class JournalFile : IDisposable
{
    private readonly Lock _lock = new(); // guards the links, and closing against linking
    private readonly Dictionary<Guid, JournalFile> _links = [];
    private readonly Dictionary<Guid, ulong> _departed = []; // storages that left the file: hash of their last entry
    private volatile bool _isClosed;

    private readonly Action? _onClosed;

    /// <param name="number">Place in the sequence.</param>
    /// <param name="path">Full name.</param>
    /// <param name="file">Open for durable writes; null when the file is not written under this name.</param>
    /// <param name="incarnation">Identity of this use of the file.</param>
    /// <param name="blocks">Size in 4 KB blocks.</param>
    /// <param name="onClosed">Called when no more entries will be written; may be null.</param>
    public JournalFile(long number, string path, PalFile? file, Guid incarnation, long blocks, Action? onClosed = null)
    {
        _onClosed = onClosed;
        Debug.Assert(number >= 0);
        Number = number;
        Path = path;
        File = file;
        Identity = file?.Identity ?? default;
        Incarnation = incarnation;
        Blocks = blocks;
    }

    /// <summary>Place in the sequence; the next file has the next number.</summary>
    public long Number { get; }

    /// <summary>Full name; changes when the folder is moved.</summary>
    public string Path { get; set; }

    /// <summary>Open for durable writes; null when the file is only waiting to be retired.</summary>
    public PalFile? File { get; private set; }

    /// <summary>Identity of this use of the file as a journal.</summary>
    public Guid Incarnation { get; }

    /// <summary>Device and inode; only of files that this process opened for writing.</summary>
    public FileIdentity Identity { get; }

    /// <summary>Size in 4 KB blocks.</summary>
    public long Blocks { get; }

    /// <summary>The block at which the next entry is written. Committer only.</summary>
    public long NextBlock { get; set; } = 1;

    /// <summary>Last transaction in the file; 0 when it has none. Never goes back: the file is kept until this one is
    /// synced.</summary>
    public long LastTransaction
    {
        get;
        set
        {
            Debug.Assert(value >= field);
            field = value;
        }
    }

    /// <summary>Whether no more entries will be written.</summary>
    public bool IsClosed => _isClosed;

    /// <summary>Bytes of the file.</summary>
    public long Bytes => Blocks * JournalFormat.BlockSize;

    /// <summary>Ends writing, for all storages that share the file.</summary>
    public void Close()
    {
        lock (_lock)
        {
            _isClosed = true;
            File?.Dispose();
            File = null;
            Debug.Assert(!_links.ContainsValue(this), "a file is not a link to itself");
            foreach (JournalFile name in _links.Values)
            {
                name.Close();
            }

            _links.Clear();
        }

        _onClosed?.Invoke();
    }

    /// <summary>Makes a link to the file; false when it is closed, because it may then be rewritten or deleted at any
    /// moment.</summary>
    /// <exception cref="PalException">The volume cannot share files, or the disk failed.</exception>
    public bool TryLink(IPlatform platform, string newPath)
    {
        lock (_lock)
        {
            if (_isClosed)
            {
                return false;
            }

            platform.Link(Path, newPath);
            return true;
        }
    }

    /// <summary>Records the durable link that another storage has to the file; false when the file is closed.</summary>
    public bool TryAddLink(Guid storage, JournalFile name)
    {
        lock (_lock)
        {
            if (!_isClosed)
            {
                Debug.Assert(!_links.ContainsKey(storage), "a storage has one link to a file");
                Debug.Assert(name.Incarnation == Incarnation);
                _links[storage] = name;
                _departed.Remove(storage);
            }

            return !_isClosed;
        }
    }

    /// <summary>The link that another storage has to the file; null when it has none yet.</summary>
    public JournalFile? FindLink(Guid storage)
    {
        lock (_lock)
        {
            return _links.GetValueOrDefault(storage);
        }
    }

    /// <summary>Is called when a storage stops using the file. Its entries stay: see <see cref="CanJoin"/>.</summary>
    public void RemoveLink(EntryOwner owner)
    {
        JournalFile? name;
        lock (_lock)
        {
            _links.Remove(owner.StorageId, out name);
            if (name is { LastTransaction: > 0 })
            {
                _departed[owner.StorageId] = owner.PreviousHash;
            }
        }

        name?.Close();
    }

    /// <summary>False when the file has transactions of the storage that do not directly precede its next one. They
    /// come from a copy of its folder, or from a time before it wrote to other journals. Recovery would take them for
    /// the storage's own.</summary>
    public bool CanJoin(EntryOwner owner)
    {
        lock (_lock)
        {
            return !_departed.TryGetValue(owner.StorageId, out ulong last) || last == owner.PreviousHash;
        }
    }

    /// <summary>Durably writes the header record that begins a use of the file as a journal.</summary>
    public static void WriteHeader(PalFile file, long number, Guid incarnation, Guid storageId, long blocks)
    {
        using var block = new AlignedBuffer(JournalFormat.BlockSize);
        block.Ensure(JournalFormat.BlockSize);
        var header = new JournalFileHeader
        {
            Magic = JournalFileHeader.MagicValue,
            Version = JournalFileHeader.FormatVersion,
            Incarnation = incarnation,
            StorageId = storageId,
            Number = number,
            Blocks = blocks,
        };
        header.Seal();
        Invariant.Check(header.IsWhole && blocks > 1, "the header record of a journal does not decode before it is written");
        Unsafe.Write(block.Address, header);
        var vector = new PalVector { Base = block.Address, Length = JournalFormat.BlockSize };
        file.WriteJournal(new ReadOnlySpan<PalVector>(in vector), 0);
    }

    /// <inheritdoc/>
    public void Dispose() => Close();
}
