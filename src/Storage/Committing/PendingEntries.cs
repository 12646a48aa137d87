using System.Diagnostics;
using Jackdaw.Pal;
using Jackdaw.Storage.Journal;
using Jackdaw.Storage.Sharing;

namespace Jackdaw.Storage.Committing;

/// <summary>Entries of branches that wait for a write of the root, are being written, or are written and not completed
/// yet. Thread safe.</summary>
/// <remarks>
/// A branch has at most one pending entry: its next transaction is ordered only when this one is durable. So the order of each branch is kept, no
/// matter in which order the branches come.
/// While the root itself commits, only a few are added to each of its writes: if all branches continued at once, they
/// would keep the processors from requests for milliseconds. When the root does not commit, its committer writes all
/// pending entries.
/// </remarks>
internal sealed class PendingEntries : IDisposable
{
    /// <summary>Most entries of branches in one write of the root. At a thousand writes a second and fifty microseconds
    /// of a branch's work for each entry, this is a tenth of two processors.</summary>
    private const int EntriesPerWriteMax = 4;

    /// <summary>Bytes of branches in one write: some hundred microseconds of a fast disk. A larger entry is written
    /// alone.</summary>
    private const long BytesPerWriteMax = 512 * 1024;

    /// <summary>How long after a write of the root its next write is waited for.</summary>
    public const int RootPauseMs = 2;

    /// <summary>Longest time that an entry waits for a write of the root.</summary>
    private const int PatienceMs = 20;

    /// <summary>Most bytes of waiting entries: more would only require larger journals.</summary>
    private const long WaitingBytesMax = 64L * 1024 * 1024;

    /// <summary>How often a branch that waits for room checks whether its storage was stopped.</summary>
    private const int LookMs = 100;

    private const string RootClosed = "The storage that shares its journals was closed before its branches.";

    private readonly EntryOwner _owner;
    private readonly JournalWriter _writer;
    private readonly JournalPreallocator _space;
    private readonly Action _wake;
    private readonly Func<bool> _isRootWriting;
    private readonly Lock _lock = new(); // guards the lists below
    private readonly List<BranchCommitter> _branches = [];
    private readonly HashSet<Guid> _claimed = []; // ids of branches that are being opened
    private readonly List<PendingEntry> _waiting = [];
    private readonly List<PendingEntry> _written = [];
    private readonly List<PendingEntry> _inWrite = []; // guarded by the write lock, and by _lock after a failure
    private readonly LinkEntry _links = new(); // guarded by the write lock
    private readonly LinkPatience _patience = new(TimeProvider.System); // the committer's
    private readonly ManualResetEventSlim _hasRoom = new();
    private long _waitingBytes;
    private long _writeMicroseconds;
    private long _lastRootWrite;
    private long _waitingSince;
    private volatile bool _disposed;

    /// <param name="owner">The root.</param>
    /// <param name="writer">Its writer.</param>
    /// <param name="space">Its journals.</param>
    /// <param name="wake">Wakes the root's committer.</param>
    /// <param name="isRootWriting">True while the root has a transaction open: a write of its own will follow.</param>
    public PendingEntries(EntryOwner owner, JournalWriter writer, JournalPreallocator space, Action wake, Func<bool> isRootWriting)
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
    public BranchCommitter[] Branches
    {
        get
        {
            lock (_lock)
            {
                return [.. _branches];
            }
        }
    }

    /// <summary>Claims an id for a branch that is being opened; false when a branch that is open, or being opened, has
    /// it. Ends with <see cref="Attach"/> or <see cref="Unclaim"/>.</summary>
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

    /// <summary>Adds a branch that was opened.</summary>
    public void Attach(BranchCommitter branch)
    {
        lock (_lock)
        {
            bool isClaimed = _claimed.Remove(branch.Owner.StorageId);
            Invariant.Check(isClaimed, "a branch begins whose id nobody took");
            _branches.Add(branch);
        }
    }

    /// <summary>Removes a branch; it has no entry in progress.</summary>
    public void Detach(BranchCommitter branch)
    {
        lock (_lock)
        {
            Debug.Assert(!_waiting.Exists(pending => pending.Branch == branch), "a branch leaves while its entry waits");
            Debug.Assert(!_written.Exists(pending => pending.Branch == branch), "a branch leaves before its entry is completed");
            _branches.Remove(branch);
        }

        foreach (JournalFile file in OpenFiles())
        {
            file.RemoveLink(branch.Owner);
        }
    }

    /// <summary>Blocks a branch while too many bytes wait; the root never waits here. Called on the branch's writer
    /// thread.</summary>
    public void WaitForTurn(long bytes)
    {
        while (Volatile.Read(ref _waitingBytes) is > 0 and var waiting && waiting + bytes > WaitingBytesMax)
        {
            _hasRoom.Reset();
            _hasRoom.Wait(LookMs);
        }
    }

    /// <summary>Queues an entry. Called on the branch's writer thread.</summary>
    public void Post(PendingEntry pending)
    {
        bool isFirst;
        lock (_lock)
        {
            isFirst = _waiting.Count == 0;
            Enter(pending);
        }

        if (_disposed)
        {
            Fail(new ObjectDisposedException(RootClosed));
            return;
        }

        // While the committer waits for the root to take the entries, waking it once is enough.
        if (isFirst || !IsRootBusy())
        {
            _wake();
        }
    }

    /// <summary>Adds waiting entries to a write of the root, up to the limits and only of branches that have a link to
    /// the file. Caller holds the write lock.</summary>
    public bool TryJoinWrite(List<GroupedEntry> group, long ownBytes)
    {
        Debug.Assert(_writer.Lock.IsHeldByCurrentThread);
        _lastRootWrite = Stopwatch.GetTimestamp();
        return AreWaiting && TryJoinWrite(group, ownBytes, EntriesPerWriteMax);
    }

    /// <summary>Begins a write without an entry of the root: makes room for the first waiting entry, and adds those
    /// that fit. Caller holds the write lock.</summary>
    public bool TryStartWrite(List<GroupedEntry> group)
    {
        Debug.Assert(_writer.Lock.IsHeldByCurrentThread);
        Debug.Assert(group.Count == 0, "each write begins with an empty group");
        if (ListWaiting() is not [var first, ..])
        {
            return false;
        }

        _writer.MakeRoom(first.Promised / JournalFormat.BlockSize);
        return TryJoinWrite(group, 0, PalLimits.VectorsMax);
    }

    /// <summary>The entries of the last write are durable. Caller holds the write lock.</summary>
    public void OnWritten(long microseconds)
    {
        Debug.Assert(_writer.Lock.IsHeldByCurrentThread);
        lock (_lock)
        {
            _writeMicroseconds = microseconds;
            _written.AddRange(_inWrite);
            foreach (PendingEntry pending in _inWrite)
            {
                Debug.Assert(pending.Entry.Header.TransactionId == pending.Commit.TransactionId);
                pending.Branch.FooterDue = pending.Entry.Header.TransactionId;
            }
        }

        _inWrite.Clear();
        _hasRoom.Set();
        _wake();
    }

    /// <summary>Publishes and completes the written entries; false when there were none. Committer's thread.</summary>
    public bool CompleteWritten()
    {
        List<PendingEntry> written;
        lock (_lock)
        {
            written = [.. _written];
            _written.Clear();
        }

        foreach (PendingEntry pending in written)
        {
            pending.Branch.OnWritten(pending, _writeMicroseconds);
        }

        return written.Count > 0;
    }

    /// <summary>Links the current file for one branch that has no link to it, and leaves out entries that cannot be written.
    /// Committer's thread. A link takes as long as several writes, so the root may write between two of them. When no
    /// file descriptors are left, linking pauses for a moment.</summary>
    public void LinkUnlinked()
    {
        JournalFile? file = _writer.Current;
        foreach (PendingEntry pending in ListWaiting())
        {
            if (pending.Branch.Health.Failure is { } cause)
            {
                Drop(pending, pending.Branch.Health.Fail(cause));
            }
            else if (file is not null && !_patience.IsResting && file.FindLink(pending.Branch.Owner.StorageId) is null)
            {
                Link(pending, file);
                return;
            }
        }
    }

    /// <summary>True while a link that failed because no file descriptors were left waits for its next try. Committer's
    /// thread.</summary>
    public bool IsResting => _patience.IsResting;

    /// <summary>True while the root is busy and will write the entries together with its own.</summary>
    public bool ShouldWaitForRoot =>
        IsRootBusy() && Stopwatch.GetElapsedTime(Volatile.Read(ref _waitingSince)).TotalMilliseconds < PatienceMs;

    /// <summary>Drops the entry of a branch that has stopped. Any thread.</summary>
    public void CancelIfFailed(BranchCommitter branch)
    {
        if (branch.Health.Failure is { } cause && ListWaiting().Find(pending => pending.Branch == branch) is { } pending)
        {
            Drop(pending, branch.Health.Fail(cause));
        }
    }

    /// <summary>A write failed, and how much of it reached the disk is unknown: every branch stops, those in the write
    /// and those that wait.</summary>
    public void Fail(Exception cause)
    {
        foreach (BranchCommitter branch in Branches)
        {
            branch.Health.Fail(cause);
        }

        List<PendingEntry> inWrite;
        lock (_lock)
        {
            // Two threads may report the same failure; each entry is completed only once.
            inWrite = [.. _inWrite];
            _inWrite.Clear();
        }

        inWrite.ForEach(pending => pending.Branch.Complete(pending.Commit, pending.Branch.Health.Fail(cause)));
        ListWaiting().ForEach(pending => Drop(pending, pending.Branch.Health.Fail(cause)));
    }

    /// <summary>Branches with transactions since the last call, and the last durable one of each. Caller holds the write lock.</summary>
    public List<DurableBranch> ListDurable()
    {
        Debug.Assert(_writer.Lock.IsHeldByCurrentThread);
        List<DurableBranch> durable = [];
        foreach (BranchCommitter branch in Branches.Where(branch => branch.FooterDue > 0).Take(FooterEntry.BranchesMax))
        {
            // Its last durable transaction is not used here, because it may already be in journals of the branch's own.
            durable.Add(new DurableBranch(branch.Owner.StorageId, branch.FooterDue));
            branch.FooterDue = 0;
        }

        return durable;
    }

    /// <summary>True when more branches wait to be named in a footer than one footer holds.</summary>
    public bool HasFootersDue => Branches.Count(branch => branch.FooterDue > 0) > FooterEntry.BranchesMax;

    /// <summary>Links the prepared file for the branches that wrote to the current one, before it is needed.
    /// Preallocator's thread.</summary>
    public void LinkAhead(JournalFile prepared)
    {
        foreach (BranchCommitter branch in Branches)
        {
            if (_writer.Current?.FindLink(branch.Owner.StorageId) is { LastTransaction: > 0 })
            {
                TryLinkAhead(branch, prepared);
            }
        }
    }

    /// <summary>The current and the prepared file, in the order in which they are written.</summary>
    /// <remarks>The prepared file is read first. If the root switches files in between, that file is the current one or
    /// already closed, because it becomes current before it is no longer the prepared one
    /// (<see cref="JournalPreallocator.TryTake"/>). Otherwise one of the two files could be missed: a branch would
    /// number its links in the wrong order, or would close and leave a link to a file that it writes to after its next
    /// opening.</remarks>
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

    private bool TryJoinWrite(List<GroupedEntry> group, long bytesBefore, int entriesMax)
    {
        Debug.Assert(_writer.Lock.IsHeldByCurrentThread);
        Debug.Assert(_inWrite.Count == 0, "the last write was noted before the next one begins");
        JournalFile file = _writer.Current!;
        long room = file.Bytes - (file.NextBlock * JournalFormat.BlockSize) - bytesBefore;
        List<LinkRecord> links = [];
        lock (_lock)
        {
            long bytes = 0;
            foreach (PendingEntry pending in _waiting)
            {
                bool fits = bytes == 0 || bytes + pending.Promised <= BytesPerWriteMax;
                if (!fits || _inWrite.Count >= entriesMax || group.Count >= PalLimits.VectorsMax - 1)
                {
                    break;
                }

                if (pending.Promised <= room - bytes && pending.Branch.Health.Failure is null && file.FindLink(pending.Branch.Owner.StorageId) is { } name)
                {
                    _inWrite.Add(pending);
                    group.Add(MakeGrouped(pending, name, links));
                    bytes += pending.Promised;
                }
            }

            if (_inWrite is [var foremost, ..] && foremost == _waiting[0])
            {
                // Not when only later entries were added: an entry that does not fit the rest of the file would wait forever.
                Volatile.Write(ref _waitingSince, Stopwatch.GetTimestamp());
            }

            _inWrite.ForEach(Leave);
            Debug.Assert(_inWrite.Count <= 1 || bytes <= BytesPerWriteMax, "only a single entry may be larger");
        }

        Debug.Assert(group.Count < PalLimits.VectorsMax, "a place is left for the link records");

        if (links.Count > 0)
        {
            BuiltEntry entry = _links.Build(_owner.DurableTransaction, links);
            group.Add(new GroupedEntry(_owner, entry, file, (long)links.Count * JournalFormat.BlockSize));
        }

        return _inWrite.Count > 0;
    }

    /// <summary>The first entry of a branch in a file is accompanied by a link record, for which a block of the
    /// reservation is left.</summary>
    private static GroupedEntry MakeGrouped(PendingEntry pending, JournalFile name, List<LinkRecord> links)
    {
        bool isFirst = name.LastTransaction == 0;
        if (isFirst && pending.Branch.MakeLinkRecord(name) is { } record)
        {
            links.Add(record);
            return new GroupedEntry(pending.Branch.Owner, pending.Entry, name, pending.Entry.Bytes);
        }

        return new GroupedEntry(pending.Branch.Owner, pending.Entry, name, pending.Promised);
    }

    private void Link(PendingEntry pending, JournalFile file)
    {
        BranchCommitter committer = pending.Branch;
        try
        {
            if (!committer.Links.TryLink(file) && committer.Links.IsClosed)
            {
                WriteSeparately(pending, null);
            }

            _patience.OnLinked();
        }
        catch (ResourceShortageException) when (_patience.TryWait())
        {
            // The next try finds the link again.
        }
        catch (PalException e) when (BranchLinks.IsRefusal(e))
        {
            WriteSeparately(pending, e);
        }
        catch (Exception e)
        {
            Drop(pending, committer.Health.Fail(e));
        }
    }

    /// <summary>Lets the branch write an entry to journals of its own.</summary>
    /// <param name="pending">Entry of a branch that cannot share the root's journals, or no longer does.</param>
    /// <param name="refusal">Why; null when the branch knows.</param>
    private void WriteSeparately(PendingEntry pending, PalException? refusal)
    {
        if (TryLeave(pending))
        {
            _space.Reservation.Withdraw(pending.Promised);
            ThreadPool.UnsafeQueueUserWorkItem(_ => pending.Branch.WriteAlone(pending, refusal), null);
        }
    }

    private static void TryLinkAhead(BranchCommitter branch, JournalFile prepared)
    {
        try
        {
            branch.Links.TryLink(prepared);
        }
        catch (Exception e) when (e is DiskFullException or ResourceShortageException || (e is PalException refusal && BranchLinks.IsRefusal(refusal)))
        {
            // The branch's next transaction fails in the same way, and its caller gets the failure.
        }
        catch (Exception e)
        {
            branch.Health.Fail(e);
        }
    }

    private void Drop(PendingEntry pending, Exception failure)
    {
        if (TryLeave(pending))
        {
            _space.Reservation.Withdraw(pending.Promised);
            pending.Branch.Complete(pending.Commit, failure);
        }
    }

    private List<PendingEntry> ListWaiting()
    {
        lock (_lock)
        {
            return [.. _waiting];
        }
    }

    private bool TryLeave(PendingEntry pending)
    {
        lock (_lock)
        {
            bool waited = _waiting.Contains(pending);
            if (waited)
            {
                Leave(pending);
            }

            return waited;
        }
    }

    private void Enter(PendingEntry pending)
    {
        Debug.Assert(_lock.IsHeldByCurrentThread);
        Debug.Assert(!_waiting.Exists(other => other.Branch == pending.Branch), "a branch has one pending entry at most");
        if (_waiting.Count == 0)
        {
            Volatile.Write(ref _waitingSince, Stopwatch.GetTimestamp());
        }

        _waiting.Add(pending);
        Volatile.Write(ref _waitingBytes, _waitingBytes + pending.Entry.Bytes);
    }

    private void Leave(PendingEntry pending)
    {
        Debug.Assert(_lock.IsHeldByCurrentThread);
        bool waited = _waiting.Remove(pending);
        Debug.Assert(waited);
        Volatile.Write(ref _waitingBytes, _waitingBytes - pending.Entry.Bytes);
        Debug.Assert(_waiting.Count > 0 ? _waitingBytes > 0 : _waitingBytes == 0, "the bytes are those of the waiting entries");
    }
}
