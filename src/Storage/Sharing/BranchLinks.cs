using System.Diagnostics;
using Jackdaw.Pal;
using Jackdaw.Storage.Headers;
using Jackdaw.Storage.Journal;

namespace Jackdaw.Storage.Sharing;

/// <summary>A branch's own names for the journals of its root: hard links in its folder, numbered by the branch itself. Thread safe.</summary>
/// <remarks>
/// Order for each file: link, sync of the folder, number recorded in the branch's header, and only then the first entry. So
/// a power cut never leaves an acknowledged entry without a name in the branch's folder, and a name that somebody removes
/// later is noticed as a missing journal.
/// </remarks>
/// <param name="platform">Where the folders are.</param>
/// <param name="folder">Journals of the branch.</param>
/// <param name="headers">Header of the branch.</param>
/// <param name="owner">Its identity and the chain of its entries.</param>
/// <param name="nextNumber">Number of the next name.</param>
/// <param name="onClosed">Called when a file that has a name here takes no more entries.</param>
internal sealed class BranchLinks(
    IPlatform platform, JournalFolder folder, HeaderFile headers, EntryOwner owner, long nextNumber, Action onClosed)
{
    private readonly Lock _lock = new(); // one link at a time; guards what follows
    private long _nextNumber = nextNumber;
    private bool _isClosed;

    /// <summary>Where the names are.</summary>
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

    /// <summary>Ends the making of links, and waits for one that is being made: because the branch closes, or because
    /// it continues with journals of its own, the first of which gets the number that this returns.</summary>
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

    /// <summary>Makes sure that a file of the root has a durable name in the branch's folder. False when the file is
    /// closed, or holds transactions that are not the branch's latest ones, or the branch makes no more
    /// links.</summary>
    /// <exception cref="DiskFullException">No room for the name; nothing changed.</exception>
    /// <exception cref="ResourceShortageException">No file descriptor or memory for it; the next try
    /// continues.</exception>
    /// <exception cref="PalException">See <see cref="IsRefusal"/>; every other failure is one of the disk.</exception>
    public bool TryLink(JournalFile shared)
    {
        using Staying staying = folder.Stay();
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

        // Also for an existing name: its maker may not have reached this step. The folder already lists the file, so a
        // concurrent sync does not let recovery begin after it; an earlier sync is corrected.
        SyncFolder(name);
        WriteHeader(name.Number);
        StorageHeader recorded = headers.Current;
        Invariant.Check(recorded.NewestJournal >= name.Number, "a branch's header does not name the journal that it may write to");
        Invariant.Check(recorded.SyncedJournal <= name.Number, "a branch's recovery would begin behind the journal that it may write to");
        if (shared.TryAddLink(owner.StorageId, name))
        {
            return true;
        }

        name.Close();
        return false;
    }

    /// <summary>Records a durable name. If recovery has to begin earlier than before, both copies of the header say so:
    /// otherwise the other copy would skip what is written under this name.</summary>
    private void WriteHeader(long number)
    {
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

    /// <summary>Without a file descriptor the folder cannot be synced: the next try finds the name and
    /// continues.</summary>
    private void SyncFolder(JournalFile name)
    {
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

    /// <summary>A disk without room for a name refuses the transaction; later failures leave folder or header in doubt.</summary>
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

    /// <summary>The newest name, when it is already a link to this file: a branch that is opened again while its root
    /// stayed open finds its own link.</summary>
    private JournalFile? TryFindName(JournalFile shared)
    {
        JournalFile newest = MakeName(shared, _nextNumber - 1);
        return folder.TryReopen(newest, shared.Identity) ? newest : null;
    }

    private JournalFile MakeName(JournalFile shared, long number) =>
        new(number, folder.PathOf(number), null, shared.Incarnation, shared.Blocks, onClosed);
}
