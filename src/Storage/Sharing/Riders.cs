using System.Diagnostics;
using Jackdaw.Pal;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Journal;

namespace Jackdaw.Storage.Sharing;

/// <summary>Entries of branches that wait for a write of the root, are in it, or behind it. Thread safe.</summary>
/// <remarks>
/// A branch has one entry under way at most: its next transaction is ordered when this one is durable. So the order of each
/// branch is kept whatever the order among branches.
/// While the root itself commits, a few ride in each of its writes: what all branches do at once when they go on would take the
/// processors from requests for milliseconds. When it does not commit, its lane writes all that wait.
/// </remarks>
internal sealed class Riders : IDisposable
{
    /// <summary>Entries that ride in one write of the root. A thousand writes a second and fifty microseconds of a branch's work for
    /// each: a tenth of two processors.</summary>
    private const int RidersMax = 4;

    /// <summary>Bytes of branches in one write: some hundred microseconds of a fast disk. A larger one goes alone.</summary>
    private const long RideBytesMax = 512 * 1024;

    /// <summary>Time after a write of the root in which the next one is waited for.</summary>
    public const int RootPauseMs = 2;

    /// <summary>Longest wait for a write of the root.</summary>
    private const int PatienceMs = 20;

    /// <summary>Bytes that may wait: more would only ask for larger journals.</summary>
    private const long WaitingBytesMax = 64L * 1024 * 1024;

    /// <summary>How often a branch that waits for room looks whether its storage was stopped.</summary>
    private const int LookMs = 100;

    private const string RootClosed = "The storage that shares its journals was closed before its branches.";

    private readonly EntryOwner _owner;
    private readonly JournalWriter _writer;
    private readonly JournalSpace _space;
    private readonly Action _wake;
    private readonly Func<bool> _isRootWriting;
    private readonly Lock _lock = new(); // guards the lists below
    private readonly List<BranchLane> _branches = [];
    private readonly HashSet<Guid> _claimed = []; // ids of branches that are being opened
    private readonly List<Rider> _waiting = [];
    private readonly List<Rider> _written = [];
    private readonly List<Rider> _aboard = []; // guarded by the lane's write lock
    private readonly LinkEntry _links = new(); // guarded by the lane's write lock
    private readonly LinkPatience _patience = new(TimeProvider.System); // the lane's
    private readonly ManualResetEventSlim _hasRoom = new();
    private long _waitingBytes;
    private long _writeMicroseconds;
    private long _lastRootWrite;
    private long _waitingSince;
    private volatile bool _disposed;

    /// <param name="owner">The root.</param>
    /// <param name="writer">Its writer.</param>
    /// <param name="space">Its journals.</param>
    /// <param name="wake">Wakes the root's lane.</param>
    /// <param name="isRootWriting">True while the root has a transaction open: a write of its own will follow.</param>
    public Riders(EntryOwner owner, JournalWriter writer, JournalSpace space, Action wake, Func<bool> isRootWriting)
    {
        _owner = owner;
        _isRootWriting = isRootWriting;
        _writer = writer;
        _space = space;
        _wake = wake;
    }

    /// <summary>True when an entry waits.</summary>
    public bool AreWaiting => Volatile.Read(ref _waitingBytes) > 0;

    /// <summary>Branches that are open.</summary>
    public BranchLane[] Branches
    {
        get
        {
            lock (_lock)
            {
                return [.. _branches];
            }
        }
    }

    /// <summary>Takes an id for a branch that is being opened; false when a branch has it, or one that is being opened too. Ends with
    /// <see cref="Attach"/> or <see cref="Unclaim"/>.</summary>
    public bool TryClaim(Guid storageId)
    {
        lock (_lock)
        {
            return !_branches.Exists(branch => branch.Owner.StorageId == storageId) && _claimed.Add(storageId);
        }
    }

    /// <summary>The branch could not be opened.</summary>
    public void Unclaim(Guid storageId)
    {
        lock (_lock)
        {
            _claimed.Remove(storageId);
        }
    }

    /// <summary>A branch begins.</summary>
    public void Attach(BranchLane branch)
    {
        lock (_lock)
        {
            bool isClaimed = _claimed.Remove(branch.Owner.StorageId);
            Invariant.Check(isClaimed, "a branch begins whose id nobody took");
            _branches.Add(branch);
        }
    }

    /// <summary>A branch ends; nothing of it is under way.</summary>
    public void Detach(BranchLane branch)
    {
        lock (_lock)
        {
            _branches.Remove(branch);
        }

        foreach (JournalFile file in OpenFiles())
        {
            file.RemoveLink(branch.Owner);
        }
    }

    /// <summary>Blocks a branch while too much waits; the root never waits here. The branch's writer thread.</summary>
    public void WaitForTurn(long bytes)
    {
        while (Volatile.Read(ref _waitingBytes) is > 0 and var waiting && waiting + bytes > WaitingBytesMax)
        {
            _hasRoom.Reset();
            _hasRoom.Wait(LookMs);
        }
    }

    /// <summary>Puts an entry in the row. The branch's writer thread.</summary>
    public void Post(Rider rider)
    {
        bool isFirst;
        lock (_lock)
        {
            isFirst = _waiting.Count == 0;
            Enter(rider);
        }

        if (_disposed)
        {
            Fail(new ObjectDisposedException(RootClosed));
            return;
        }

        // While the lane waits for the root to take them, one call is enough.
        if (isFirst || !IsRootBusy())
        {
            _wake();
        }
    }

    /// <summary>Adds entries that wait to a write of the root, as far as they are few and their branches have names for the file.
    /// Caller holds the write lock.</summary>
    public bool TryBoard(List<GroupedEntry> group, long ownBytes)
    {
        _lastRootWrite = Stopwatch.GetTimestamp();
        return AreWaiting && TryBoard(group, ownBytes, RidersMax);
    }

    /// <summary>Begins a write without an entry of the root: makes room for the first that waits, and adds what fits. Caller holds
    /// the write lock.</summary>
    public bool TryStartWrite(List<GroupedEntry> group)
    {
        if (ListWaiting() is not [var first, ..])
        {
            return false;
        }

        _writer.MakeRoom(first.Promised / JournalFormat.BlockSize);
        return TryBoard(group, 0, PalLimits.VectorsMax);
    }

    /// <summary>The entries of the last write are durable. Caller holds the write lock.</summary>
    public void OnWritten(long microseconds)
    {
        lock (_lock)
        {
            _writeMicroseconds = microseconds;
            _written.AddRange(_aboard);
            foreach (Rider rider in _aboard)
            {
                rider.Lane.FooterDue = rider.Entry.Header.TransactionId;
            }
        }

        _aboard.Clear();
        _hasRoom.Set();
        _wake();
    }

    /// <summary>Publishes and completes what was written; false when there was nothing. Lane's thread.</summary>
    public bool CompleteWritten()
    {
        List<Rider> written;
        lock (_lock)
        {
            written = [.. _written];
            _written.Clear();
        }

        foreach (Rider rider in written)
        {
            rider.Lane.OnWritten(rider, _writeMicroseconds);
        }

        return written.Count > 0;
    }

    /// <summary>Links the current file for one branch that has no name for it, and leaves out what cannot be written. Lane's thread: a
    /// link takes as long as several writes, so the root gets its turn between two. Without open files nothing is linked for a moment.</summary>
    public void LinkUnlinked()
    {
        JournalFile? file = _writer.Current;
        foreach (Rider rider in ListWaiting())
        {
            if (rider.Lane.Environment.Failure is { } cause)
            {
                Drop(rider, rider.Lane.Environment.Fail(cause));
            }
            else if (file is not null && !_patience.IsResting && file.FindLink(rider.Lane.Owner.StorageId) is null)
            {
                Link(rider, file);
                return;
            }
        }
    }

    /// <summary>True while a link that failed for want of open files waits for its next try. Lane's thread.</summary>
    public bool IsResting => _patience.IsResting;

    /// <summary>True while the root is busy and will take the entries along.</summary>
    public bool ShouldWaitForRoot =>
        IsRootBusy() && Stopwatch.GetElapsedTime(Volatile.Read(ref _waitingSince)).TotalMilliseconds < PatienceMs;

    /// <summary>Drops the entry of a branch that has stopped. Any thread.</summary>
    public void CancelIfFailed(BranchLane branch)
    {
        if (branch.Environment.Failure is { } cause && ListWaiting().Find(rider => rider.Lane == branch) is { } rider)
        {
            Drop(rider, branch.Environment.Fail(cause));
        }
    }

    /// <summary>A write failed, and nobody knows what of it is on the disk: every branch stops, those in the write and those that wait.</summary>
    public void Fail(Exception cause)
    {
        foreach (BranchLane branch in Branches)
        {
            branch.Environment.Fail(cause);
        }

        List<Rider> aboard;
        lock (_lock)
        {
            // Two threads may come here for one failure; each entry is completed once.
            aboard = [.. _aboard];
            _aboard.Clear();
        }

        aboard.ForEach(rider => rider.Lane.Complete(rider.Commit, rider.Lane.Environment.Fail(cause)));
        ListWaiting().ForEach(rider => Drop(rider, rider.Lane.Environment.Fail(cause)));
    }

    /// <summary>Branches with transactions since the last call, and the last durable one of each. Caller holds the write lock.</summary>
    public List<DurableBranch> ListDurable()
    {
        List<DurableBranch> durable = [];
        foreach (BranchLane branch in Branches.Where(branch => branch.FooterDue > 0).Take(FooterEntry.BranchesMax))
        {
            // Not its last durable one: that may be in journals of its own by now.
            durable.Add(new DurableBranch(branch.Owner.StorageId, branch.FooterDue));
            branch.FooterDue = 0;
        }

        return durable;
    }

    /// <summary>True when more branches wait to be named in a footer than one holds.</summary>
    public bool HasFootersDue => Branches.Count(branch => branch.FooterDue > 0) > FooterEntry.BranchesMax;

    /// <summary>Links the prepared file for the branches that wrote to the current one, before anybody needs it. Preparer's thread.</summary>
    public void LinkAhead(JournalFile prepared)
    {
        foreach (BranchLane branch in Branches)
        {
            if (_writer.Current?.FindLink(branch.Owner.StorageId) is { LastTransaction: > 0 })
            {
                TryLinkAhead(branch, prepared);
            }
        }
    }

    /// <summary>The current and the prepared file, in the order in which they are written.</summary>
    /// <remarks>The prepared one is looked at first: when the root moves on in between, it is the current one or closed already, because
    /// it becomes that before it stops to be this (<see cref="JournalSpace.TryTake"/>). Else one file could be missing between the two: a
    /// branch would get its numbers in the wrong order, or end and leave its name in a file that its next life then writes to.</remarks>
    public List<JournalFile> OpenFiles()
    {
        JournalFile? next = _space.Next;
        JournalFile? current = _writer.Current;
        List<JournalFile> files = [];
        if (current is not null)
        {
            files.Add(current);
        }

        if (next is not null && next != current)
        {
            files.Add(next);
        }

        return files;
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _disposed = true;
        Interlocked.MemoryBarrier(); // either Post sees it, or its entry is seen here
        CompleteWritten();
        Fail(new ObjectDisposedException(RootClosed));
        _hasRoom.Dispose();
        _links.Dispose();
    }

    private bool IsRootBusy() =>
        _isRootWriting() || Stopwatch.GetElapsedTime(Volatile.Read(ref _lastRootWrite)).TotalMilliseconds < RootPauseMs;

    private bool TryBoard(List<GroupedEntry> group, long bytesBefore, int ridersMax)
    {
        JournalFile file = _writer.Current!;
        long room = file.Bytes - (file.NextBlock * JournalFormat.BlockSize) - bytesBefore;
        List<LinkRecord> links = [];
        lock (_lock)
        {
            long bytes = 0;
            foreach (Rider rider in _waiting)
            {
                bool fits = bytes == 0 || bytes + rider.Promised <= RideBytesMax;
                if (!fits || _aboard.Count >= ridersMax || group.Count >= PalLimits.VectorsMax - 1)
                {
                    break;
                }

                if (rider.Promised <= room - bytes && rider.Lane.Environment.Failure is null && file.FindLink(rider.Lane.Owner.StorageId) is { } name)
                {
                    _aboard.Add(rider);
                    group.Add(Board(rider, name, links));
                    bytes += rider.Promised;
                }
            }

            if (_aboard is [var foremost, ..] && foremost == _waiting[0])
            {
                // Not when only later ones came along: one that does not fit the rest of the file would wait for ever.
                Volatile.Write(ref _waitingSince, Stopwatch.GetTimestamp());
            }

            _aboard.ForEach(Leave);
        }

        if (links.Count > 0)
        {
            BuiltEntry entry = _links.Build(_owner.DurableTransaction, links);
            group.Add(new GroupedEntry(_owner, entry, file, (long)links.Count * JournalFormat.BlockSize));
        }

        return _aboard.Count > 0;
    }

    /// <summary>With the first entry of a branch in a file goes a record of its name there, for which a block of the promise is left.</summary>
    private static GroupedEntry Board(Rider rider, JournalFile name, List<LinkRecord> links)
    {
        bool isFirst = name.LastTransaction == 0;
        if (isFirst && rider.Lane.MakeLinkRecord(name) is { } record)
        {
            links.Add(record);
            return new GroupedEntry(rider.Lane.Owner, rider.Entry, name, rider.Entry.Bytes);
        }

        return new GroupedEntry(rider.Lane.Owner, rider.Entry, name, rider.Promised);
    }

    private void Link(Rider rider, JournalFile file)
    {
        BranchLane lane = rider.Lane;
        try
        {
            if (!lane.Links.TryLink(file) && lane.Links.IsClosed)
            {
                SendAway(rider, null);
            }

            _patience.OnLinked();
        }
        catch (ResourceShortageException) when (_patience.TryWait())
        {
            // The name is found again by the next try.
        }
        catch (PalException e) when (BranchLinks.IsRefusal(e))
        {
            SendAway(rider, e);
        }
        catch (Exception e)
        {
            Drop(rider, lane.Environment.Fail(e));
        }
    }

    /// <summary>Has an entry written to journals of the branch's own.</summary>
    /// <param name="rider">Entry of a branch that cannot share, or does not any more.</param>
    /// <param name="refusal">Why; null when the branch knows.</param>
    private void SendAway(Rider rider, PalException? refusal)
    {
        if (TryLeave(rider))
        {
            _space.Room.Withdraw(rider.Promised);
            ThreadPool.UnsafeQueueUserWorkItem(_ => rider.Lane.WriteAlone(rider, refusal), null);
        }
    }

    private static void TryLinkAhead(BranchLane branch, JournalFile prepared)
    {
        try
        {
            branch.Links.TryLink(prepared);
        }
        catch (Exception e) when (e is DiskFullException or ResourceShortageException || (e is PalException refusal && BranchLinks.IsRefusal(refusal)))
        {
            // Its next transaction meets the same, and can be told.
        }
        catch (Exception e)
        {
            branch.Environment.Fail(e);
        }
    }

    private void Drop(Rider rider, Exception failure)
    {
        if (TryLeave(rider))
        {
            _space.Room.Withdraw(rider.Promised);
            rider.Lane.Complete(rider.Commit, failure);
        }
    }

    private List<Rider> ListWaiting()
    {
        lock (_lock)
        {
            return [.. _waiting];
        }
    }

    private bool TryLeave(Rider rider)
    {
        lock (_lock)
        {
            bool waited = _waiting.Contains(rider);
            if (waited)
            {
                Leave(rider);
            }

            return waited;
        }
    }

    private void Enter(Rider rider)
    {
        if (_waiting.Count == 0)
        {
            Volatile.Write(ref _waitingSince, Stopwatch.GetTimestamp());
        }

        _waiting.Add(rider);
        Volatile.Write(ref _waitingBytes, _waitingBytes + rider.Entry.Bytes);
    }

    private void Leave(Rider rider)
    {
        _waiting.Remove(rider);
        Volatile.Write(ref _waitingBytes, _waitingBytes - rider.Entry.Bytes);
    }
}
