using Jackdaw.Pal;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Journal;

namespace Jackdaw.Storage.Sharing;

/// <summary>A branch's own names for the journals of its root: hard links in its folder, numbered by the branch itself. Thread safe.</summary>
/// <remarks>
/// Order for each file: link, sync of the folder, number recorded in the branch's header, and only then the first entry. So
/// a power cut never leaves an acknowledged entry without a name in the branch's folder, and a name that somebody removes
/// later is noticed as a missing journal.
/// </remarks>
internal sealed class BranchLinks(IPlatform platform, JournalFolder folder, HeaderFile headers, EntryOwner owner, long nextNumber)
{
    private readonly Lock _lock = new(); // one link at a time; guards _nextNumber
    private long _nextNumber = nextNumber;

    /// <summary>Number that the next file gets.</summary>
    public long NextNumber
    {
        get
        {
            lock (_lock)
            {
                return _nextNumber;
            }
        }
    }

    /// <summary>True when the failure says that this volume, or this file, cannot be shared; the branch then needs a journal of its own.</summary>
    public static bool IsRefusal(PalException failure) =>
        failure.Status is PalStatus.CrossDevice or PalStatus.TooManyLinks or PalStatus.NotSupported;

    /// <summary>Makes sure that a file of the root has a durable name in the branch's folder. False when the file is closed, or holds
    /// transactions of another life of the branch.</summary>
    /// <exception cref="DiskFullException">No room for the name; nothing changed.</exception>
    /// <exception cref="PalException">See <see cref="IsRefusal"/>; every other failure is one of the disk.</exception>
    public bool TryLink(JournalFile shared)
    {
        using Staying staying = folder.Stay();
        lock (_lock)
        {
            return shared.FindLink(owner.StorageId) is not null || (shared.CanJoin(owner) && TryMakeName(shared));
        }
    }

    private bool TryMakeName(JournalFile shared)
    {
        long number = FindName(shared.Identity);
        if (number == 0)
        {
            number = _nextNumber;
            if (!TryName(shared, folder.PathOf(number)))
            {
                return false;
            }
        }

        // Also for a name that was found: who made it may not have come to this.
        platform.SyncDirectories([folder.Path]);
        headers.Write(header => header with { NewestJournal = Math.Max(header.NewestJournal, number), Flags = 0 });
        _nextNumber = Math.Max(_nextNumber, number + 1);
        var name = new JournalFile(number, folder.PathOf(number), null, shared.Incarnation, shared.Blocks);
        folder.Add(name);
        if (shared.TryAddLink(owner.StorageId, name))
        {
            return true;
        }

        name.Close();
        return false;
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

    /// <summary>Number of the newest name when it already is one of this very file; 0 otherwise. A branch that is opened again while
    /// its root went on finds its own link.</summary>
    private long FindName(FileIdentity shared)
    {
        long newest = _nextNumber - 1;
        return newest > 0 && folder.Has(newest) && platform.GetIdentity(folder.PathOf(newest)) == shared ? newest : 0;
    }
}
