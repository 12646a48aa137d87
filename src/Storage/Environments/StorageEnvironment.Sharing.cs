using Jackdaw.Pal;
using Jackdaw.Storage.Committing;
using Jackdaw.Storage.Flushing;
using Jackdaw.Storage.Journal;
using Jackdaw.Storage.Journal.Recovery;
using Jackdaw.Storage.Resources;
using Jackdaw.Storage.Sharing;

namespace Jackdaw.Storage.Environments;

/// <summary>Storages that share journals: a root and its branches.</summary>
public sealed partial class StorageEnvironment
{
    /// <summary>Most journals that a branch keeps without being reported. A branch with more flushes, even if it has written little.</summary>
    private const int PinnedFilesMax = 4;

    /// <summary>Opens the storage in a folder as a branch: its transactions are written to the journals of the root,
    /// whose files it links into its own folder, and it recovers from these links alone. It must be closed before its
    /// root.</summary>
    /// <remarks>Any storage can be opened as a root or as a branch, and differently each time. Where the volume cannot
    /// share files, the branch writes journals of its own until it is opened again: see
    /// <see cref="SharingProblem"/>.</remarks>
    /// <exception cref="ArgumentException">The root is a branch itself.</exception>
    /// <exception cref="PalException"><see cref="PalStatus.Locked"/> when another process has it open.</exception>
    /// <exception cref="CorruptionException">Acknowledged data is damaged or missing; nothing was changed.</exception>
    public static StorageEnvironment OpenBranch(StorageEnvironment root, string path, StorageOptions? options = null)
    {
        // Checked before anything is opened, because nothing would close it.
        if (root._committer is not JournalCommitter)
        {
            throw new ArgumentException($"'{root.Path}' is a branch itself and cannot share its journals.", nameof(root));
        }

        return StorageOpening.Open(root.Platform, path, options ?? new StorageOptions(), root);
    }

    /// <summary>Why a branch has journals of its own although it has a root; null when it shares, and for
    /// roots.</summary>
    public string? SharingProblem => (_committer as BranchCommitter)?.Refusal?.Message;

    /// <summary>Durable journal writes of a root, with or without entries of branches, since it was opened.</summary>
    public long JournalWrites => (_committer as JournalCommitter)?.Writes ?? 0;

    /// <summary>Branches of a root that keep more journals than usual, because they have not yet synced what these
    /// journals hold. The space of the journals is not given back until they have. Empty when all is well, and for
    /// branches.</summary>
    public IReadOnlyList<PinnedJournals> PinnedJournals => _committer is not JournalCommitter root ? [] :
    [
        .. root.PendingEntries.Branches
            .Select(branch => new PinnedJournals(branch.Health.Path, branch.Links.Folder.FileCount, branch.Links.Folder.TotalBytes))
            .Where(pinned => pinned.Files > PinnedFilesMax),
    ];

    /// <summary>Positions of entries in the recovered journals, for branches that are opened after their root; null
    /// when the storage has been idle since, or no longer needs any of these journals.</summary>
    internal JournalIndex? RecoveredIndex { get; private set; }

    /// <inheritdoc/>
    void IFlushedStorage.OnJournalsRetired(long firstNeeded)
    {
        if (RecoveredIndex is { } index && index.NewestNumber < firstNeeded)
        {
            RecoveredIndex = null;
        }
    }

    /// <inheritdoc/>
    bool IFlushedStorage.PinsJournals => _committer is BranchCommitter && Journals.FileCount > PinnedFilesMax;

    /// <summary>Renames the folder of an open branch, durably. Waits for the open transaction and the one being
    /// written; readers continue. Its links to the root's journals move with the folder.</summary>
    /// <param name="path">The new folder; must not exist. Missing parents are created.</param>
    /// <exception cref="InvalidOperationException">The storage is not a branch: the folder of a root is renamed while it is closed.</exception>
    /// <exception cref="IOException">The new name is taken, or the rename was refused: nothing changed. If the folder
    /// has its new name but the rename may not be durable, the storage is stopped.</exception>
    public void MoveTo(string path)
    {
        lock (_writer.Lock)
        {
            ObjectDisposedException.ThrowIf(_disposed, this);
            if (_committer is not BranchCommitter)
            {
                throw new InvalidOperationException($"'{Path}' is not a branch: close it, rename its folder and open it again.");
            }

            _writer.WaitForCommitter();
            Journals.MoveTo(path, () => Rename(path));
            _health.ThrowIfFailed();
        }
    }

    /// <summary>The committer of a root.</summary>
    private JournalCommitter RootCommitter => (JournalCommitter)_committer;

    JournalCommitter IBranchRoot.Committer => RootCommitter;

    JournalFolder IBranchRoot.Journals => Journals;

    JournalIndex? IBranchRoot.RecoveredIndex => RecoveredIndex;

    ProcessResources IBranchRoot.Resources => Resources;

    /// <inheritdoc/>
    IDisposable IBranchRoot.Claim(Guid branchId, string path)
    {
        if (branchId == StorageId || !RootCommitter.PendingEntries.TryClaim(branchId))
        {
            throw new InvalidOperationException(
                $"'{path}' has the id of a storage that is open already: it is a copy of that storage's folder. Close that storage first.");
        }

        return new BranchClaim(RootCommitter.PendingEntries, branchId);
    }

    private JournalCommitter MakeCommitter(EntryOwner owner, long nextJournal) =>
        new(this, owner, Journals, Headers, nextJournal, _options);

    private BranchCommitter MakeBranchCommitter(EntryOwner owner, long nextJournal, JournalCommitter root)
    {
        var links = new BranchLinks(Platform, Journals, Headers, owner, nextJournal, OnJournalClosed);
        return new BranchCommitter(this, root, owner, links, Headers.Current.Salt, () => MakeCommitter(owner, links.Close()));
    }

    /// <summary>True when the folder has its new name.</summary>
    private bool Rename(string path)
    {
        if (Platform.Exists(path))
        {
            throw new IOException($"'{Path}' cannot become '{path}': that name is taken. Remove it or move it away first.");
        }

        if (System.IO.Path.GetDirectoryName(path) is { Length: > 0 } parent)
        {
            Platform.CreateDirectory(parent);
        }

        try
        {
            Platform.RenameDurable(Path, path);
        }
        catch (PalException e) when (Platform.Exists(path))
        {
            // The name exists, but may not be durable.
            _health.Fail(e);
        }

        return true;
    }

    /// <summary>Belongs to a branch that is being opened; disposed only when that fails.</summary>
    private sealed class BranchClaim(PendingEntries pending, Guid branchId) : IDisposable
    {
        public void Dispose() => pending.Unclaim(branchId);
    }
}
