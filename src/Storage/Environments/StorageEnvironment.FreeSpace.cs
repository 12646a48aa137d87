using Jackdaw.Storage.FreeSpace;
using Jackdaw.Storage.Paging;

namespace Jackdaw.Storage.Environments;

/// <summary>Space of the data file: what free pages give back to the file system.</summary>
public sealed partial class StorageEnvironment
{
    private HoleMap Holes { get; }

    /// <summary>Bytes of the data file that were given back to the file system since the storage was opened, and not used again.
    /// Any thread.</summary>
    public long HoleBytes => Holes.PunchedUnits * Holes.UnitPages * Page.Size;

    /// <summary>Why free space is not given back any more: the volume cannot, or failed to; null while it is.</summary>
    public Exception? HoleProblem => _flusher.HoleProblem;

    /// <summary>Allocates space at the end of the data file at once, before a bulk load. Waits for a running write transaction.</summary>
    /// <param name="bytes">About what will be written; 0 or more. More than that grows the file in steps, as ever.</param>
    /// <exception cref="DiskFullException">The disk has not that much room; nothing changed.</exception>
    public void AllocateAhead(long bytes)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(bytes);
        lock (_writerLock)
        {
            ObjectDisposedException.ThrowIf(_disposed, this);
            ThrowIfFailed();
            DataFile.AllocateAhead(_lastSubmitted.NextPage + ((bytes + Page.Size - 1) / Page.Size));
        }
    }

    /// <summary>Gives the space of free pages back to the file system, now; the background does it by itself. Only what is free
    /// in the last synced state goes: see <see cref="Flush"/> and <see cref="Sync"/>.</summary>
    /// <returns>False when a write transaction was in the way.</returns>
    public bool PunchHoles()
    {
        PunchResult result;
        do
        {
            result = _flusher.PunchSome();
        }
        while (result == PunchResult.More);
        return result == PunchResult.Done;
    }

    /// <summary>Runs an action on the newest state (its pages, its next page number) while no write transaction is open or on its way
    /// to the disk, and none can begin.</summary>
    /// <returns>False, without having run it, when one is.</returns>
    internal bool TryWhileWriterRests(Action<PageReader, PageNumber> action)
    {
        // Never waits: the writer may hold its lock while it waits for the caller, the background lane.
        if (!_writerLock.TryEnter())
        {
            return false;
        }

        try
        {
            if (_isWriting || _lastPending is { IsCompleted: false })
            {
                return false;
            }

            action(new StateReader(this, _lastSubmitted), _lastSubmitted.NextPage);
            return true;
        }
        finally
        {
            _writerLock.Exit();
        }
    }
}
