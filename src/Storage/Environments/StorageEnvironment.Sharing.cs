using Jackdaw.Pal;
using Jackdaw.Storage.Journal;
using Jackdaw.Storage.Sharing;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Storage.Environments;

/// <summary>Storages that share journals: a root and its branches.</summary>
public sealed partial class StorageEnvironment
{
    /// <summary>Journals that a branch may keep without being named: with more it flushes, however little it wrote.</summary>
    private const int PinnedFilesMax = 4;

    /// <summary>Opens the storage in a folder as a branch: its transactions travel in the journals of the root, whose files it links into its
    /// own folder, and it recovers from there alone. Closed before its root.</summary>
    /// <remarks>Any storage can be opened either way, and each time anew. Where the volume cannot share files the branch writes journals of its
    /// own until it is opened again: see <see cref="SharingProblem"/>.</remarks>
    /// <exception cref="ArgumentException">The root is a branch itself.</exception>
    /// <exception cref="PalException"><see cref="PalStatus.Locked"/> when another process has it open.</exception>
    /// <exception cref="CorruptionException">Acknowledged data is damaged or missing; nothing was changed.</exception>
    public static StorageEnvironment OpenBranch(StorageEnvironment root, string path, StorageOptions? options = null)
    {
        // Before anything is opened: nobody would close it.
        if (root._lane is not Transactions.RootLane)
        {
            throw new ArgumentException($"'{root.Path}' is a branch itself and cannot share its journals.", nameof(root));
        }

        return StorageOpening.Open(root.Platform, path, options ?? new StorageOptions(), root);
    }

    /// <summary>Why a branch has journals of its own although it has a root; null when it shares, and for roots.</summary>
    public string? SharingProblem => (_lane as BranchLane)?.Refusal?.Message;

    /// <summary>Durable journal writes of a root, with or without entries of branches, since it was opened.</summary>
    public long JournalWrites => (_lane as RootLane)?.Writes ?? 0;

    /// <summary>Branches of a root that keep more journals than usual, because they have not synced what these hold: their space is not given
    /// back before that. Empty when all is well, and for branches.</summary>
    public IReadOnlyList<PinnedJournals> PinnedJournals => _lane is not RootLane root ? [] :
    [
        .. root.Riders.Branches
            .Select(branch => new PinnedJournals(branch.Environment.Path, branch.Environment.Journals.FileCount, branch.Environment.Journals.TotalBytes))
            .Where(pinned => pinned.Files > PinnedFilesMax),
    ];

    /// <summary>Where entries stand in the journals that were recovered, for branches that are opened after their root; null when the storage
    /// was idle since, or needs none of these journals any more.</summary>
    internal JournalIndex? RecoveredIndex { get; private set; }

    /// <summary>Journals before a number were retired. Background lane.</summary>
    internal void OnJournalsRetired(long firstNeeded)
    {
        if (RecoveredIndex is { } index && index.NewestNumber < firstNeeded)
        {
            RecoveredIndex = null;
        }
    }

    /// <summary>True for a branch that is to flush and sync, for the sake of the space of journals, however little it wrote itself.</summary>
    internal bool PinsJournals => _lane is BranchLane && Journals.FileCount > PinnedFilesMax;

    /// <summary>Renames the folder of an open branch, durably. Waits for the transaction that runs and the one that is under way;
    /// readers go on. Its names for the root's journals move with the folder.</summary>
    /// <param name="path">The new folder; must not exist. Missing parents are created.</param>
    /// <exception cref="InvalidOperationException">The storage is no branch: the folder of a root is renamed while it is closed.</exception>
    /// <exception cref="IOException">The new name is taken, or the rename was refused: nothing changed. When only its durability is in doubt, the
    /// storage is stopped.</exception>
    public void MoveTo(string path)
    {
        lock (_writerLock)
        {
            ObjectDisposedException.ThrowIf(_disposed, this);
            if (_lane is not BranchLane)
            {
                throw new InvalidOperationException($"'{Path}' is no branch: close it, rename its folder and open it again.");
            }

            WaitForLane();
            Journals.MoveTo(path, () => Rename(path));
            ThrowIfFailed();
        }
    }

    /// <summary>The lane of a root.</summary>
    private RootLane RootLane => (RootLane)_lane;

    /// <summary>Entries name their storage by its id: two folders with one id must not share journals at the same time.</summary>
    internal IDisposable Claim(Guid branchId, string path)
    {
        if (branchId == StorageId || !RootLane.Riders.TryClaim(branchId))
        {
            throw new InvalidOperationException(
                $"'{path}' has the id of a storage that is open already: it is a copy of that one's folder. Close that one first.");
        }

        return new BranchClaim(RootLane.Riders, branchId);
    }

    private BranchLane MakeBranchLane(EntryOwner owner, long nextJournal, RootLane root)
    {
        var links = new BranchLinks(Platform, Journals, Headers, owner, nextJournal);
        return new BranchLane(this, root, owner, links, Headers.Current.Salt, () => MakeLane(owner, links.Close()));
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
            // The name is there, but nobody knows for how long.
            Fail(e);
        }

        DataFile.StoragePath = path;
        return true;
    }

    /// <summary>Of a branch that is being opened; disposed only when that fails.</summary>
    private sealed class BranchClaim(Riders riders, Guid branchId) : IDisposable
    {
        public void Dispose() => riders.Unclaim(branchId);
    }
}
