using System.Diagnostics;
using Jackdaw.Pal;
using Jackdaw.Storage.Headers;
using Jackdaw.Storage.Journal;

namespace Jackdaw.Storage.Sharing;

/// <summary>A branch's hard links to the journals of its root. They are in the folder of the branch, which numbers them
/// itself. Thread safe.</summary>
/// <remarks>
/// Order for each file: link, sync of the folder, number recorded in the branch's header, and only then the first
/// entry. So a power cut never leaves an acknowledged entry without a link in the branch's folder, and a link that is
/// removed later is noticed as a missing journal.
/// </remarks>
/// <param name="platform">Where the folders are.</param>
/// <param name="folder">Journals of the branch.</param>
/// <param name="headers">Header of the branch.</param>
/// <param name="owner">Its identity and the chain of its entries.</param>
/// <param name="nextNumber">Number of the next link.</param>
/// <param name="onClosed">Called when a linked file takes no more entries.</param>
internal sealed class BranchLinks(
    IPlatform platform, JournalFolder folder, HeaderFile headers, EntryOwner owner, long nextNumber, Action onClosed)
{
    private readonly Lock _lock = new(); // one link at a time; guards everything below
    private long _nextNumber = nextNumber;
    private bool _isClosed;

    /// <summary>Folder of the links.</summary>
    public JournalFolder Folder => folder;

    /// <summary>True after <see cref="Close"/>.</summary>
    public bool IsClosed
    {
        get
        {
            lock (_lock)
            {
                return _isClosed;
            }
        }
    }

    /// <summary>Makes no more links, and waits for one that is being made. Called when the branch closes, or continues
    /// with journals of its own; the first of these gets the number that is returned.</summary>
    public long Close()
    {
        lock (_lock)
        {
            Debug.Assert(_isClosed || _nextNumber > headers.Current.NewestJournal, "a number is used once");
            _isClosed = true;
            return _nextNumber;
        }
    }

    /// <summary>True when the failure means that this volume, or this file, cannot be shared; the branch then needs a
    /// journal of its own.</summary>
    public static bool IsRefusal(PalException failure) =>
        failure.Status is PalStatus.CrossDevice or PalStatus.TooManyLinks or PalStatus.NotSupported;

    /// <summary>Makes sure that a file of the root has a durable link in the branch's folder. False when the file is
    /// closed, or holds transactions that are not the branch's latest ones, or the branch makes no more
    /// links.</summary>
    /// <exception cref="DiskFullException">No room for the link; nothing changed.</exception>
    /// <exception cref="ResourceShortageException">No file descriptor or memory for the link; the next try
    /// continues.</exception>
    /// <exception cref="PalException">See <see cref="IsRefusal"/>; every other failure is one of the disk.</exception>
    public bool TryLink(JournalFile shared)
    {
        using FolderPin staying = folder.Stay();
        lock (_lock)
        {
            return !_isClosed && !shared.IsClosed
                && (shared.FindLink(owner.StorageId) is not null || (shared.CanJoin(owner) && TryMakeName(shared)));
        }
    }

    private bool TryMakeName(JournalFile shared)
    {
        Debug.Assert(_lock.IsHeldByCurrentThread);
        JournalFile? name = TryFindName(shared);
        if (name is null)
        {
            name = MakeName(shared, _nextNumber);
            if (!TryName(shared, name.Path))
            {
                return false;
            }

            folder.Add(name);
        }

        // This is also done for a link that exists, because its maker may have stopped before this step. The folder already lists
        // the file, so a concurrent sync cannot move the start of recovery beyond it; WriteHeader corrects what an
        // earlier sync wrote.
        SyncFolder(name);
        WriteHeader(name.Number);
        StorageHeader recorded = headers.Current;
        Invariant.Check(recorded.NewestJournal >= name.Number, "a branch's header does not name the journal that it may write to");
        Invariant.Check(recorded.SyncedJournal <= name.Number, "a branch's recovery would begin after the journal that it may write to");
        if (shared.TryAddLink(owner.StorageId, name))
        {
            return true;
        }

        name.Close();
        return false;
    }

    /// <summary>Records a durable link. If recovery has to begin earlier than before, both copies of the header say so:
    /// with the other copy, recovery would skip what is written through this link.</summary>
    private void WriteHeader(long number)
    {
        Debug.Assert(_lock.IsHeldByCurrentThread);
        Debug.Assert(number > 0 && number < _nextNumber, "a number is used up before the header names it");
        bool isEarlier = false;
        headers.Write(header =>
        {
            isEarlier = number < header.SyncedJournal;
            return header with
            {
                NewestJournal = Math.Max(header.NewestJournal, number),
                SyncedJournal = Math.Min(header.SyncedJournal, number),
                Flags = 0,
            };
        });
        if (isEarlier)
        {
            headers.Write(header => header);
        }
    }

    /// <summary>Syncs the folder. That needs a file descriptor; if there is none, the next try finds the link and
    /// continues.</summary>
    private void SyncFolder(JournalFile name)
    {
        Debug.Assert(_lock.IsHeldByCurrentThread);
        Debug.Assert(folder.FileCount > 0, "the folder lists the name before the header names it");
        _nextNumber = Math.Max(_nextNumber, name.Number + 1);
        try
        {
            platform.SyncDirectories([folder.Path]);
        }
        catch (PalException e) when (e.IsShortage)
        {
            name.Close();
            throw new ResourceShortageException(folder.StoragePath, e);
        }
    }

    /// <summary>Makes the link. When the disk has no room for it, only the transaction is refused: folder and header
    /// are unchanged.</summary>
    private bool TryName(JournalFile shared, string path)
    {
        try
        {
            return shared.TryLink(platform, path);
        }
        catch (PalException e) when (e.IsDiskFull)
        {
            throw new DiskFullException(folder.Path, e);
        }
    }

    /// <summary>The newest link, when it already refers to this file: a branch that is opened again while its root
    /// stayed open finds its own link.</summary>
    private JournalFile? TryFindName(JournalFile shared)
    {
        JournalFile newest = MakeName(shared, _nextNumber - 1);
        return folder.TryReopen(newest, shared.Identity) ? newest : null;
    }

    private JournalFile MakeName(JournalFile shared, long number) =>
        new(number, folder.PathOf(number), null, shared.Incarnation, shared.Blocks, onClosed);
}
