using System.Diagnostics;
using Jackdaw.Pal;
using Jackdaw.Storage.Journal;
using Jackdaw.Storage.Scratch;
using Jackdaw.Storage.Sharing;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Storage.Committing;

/// <summary>The committer of a branch: builds entries on the branch's writer thread and hands them to the root, which writes, publishes and
/// completes them.</summary>
/// <remarks>
/// When the volume cannot share files, the branch continues with journals of its own until it is opened again. Two
/// threads may notice this, but never at the same time: the writer thread before it hands a transaction over, and the
/// root's thread for the only transaction in progress. So the change needs no lock, and the order of transactions is
/// kept.
/// </remarks>
internal sealed class BranchCommitter : Committer
{
    private readonly JournalCommitter _root;
    private readonly EntryBuilder _builder;
    private readonly Func<JournalCommitter> _makeOwnCommitter;
    private volatile JournalCommitter? _own; // changes in Prepare, or in WriteAlone while the writer waits for that transaction
    private BuiltEntry _entry;
    private long _prepareTicks;
    private PendingCommit? _last;
    private bool _disposed;

    /// <param name="storage">The branch.</param>
    /// <param name="root">Committer of the storage whose journals it shares.</param>
    /// <param name="owner">Its identity and the chain of its entries.</param>
    /// <param name="links">Its names for the root's journals.</param>
    /// <param name="salt">Salt of its page checksums.</param>
    /// <param name="makeOwnCommitter">Makes a committer with journals of its own, for volumes that cannot share files.</param>
    public BranchCommitter(
        ICommittingStorage storage, JournalCommitter root, EntryOwner owner, BranchLinks links, ulong salt, Func<JournalCommitter> makeOwnCommitter)
    {
        Storage = storage;
        Owner = owner;
        Links = links;
        _root = root;
        _builder = new EntryBuilder(salt, new CompressionPolicy(root.WriteCost), storage.Share.Memory);
        _makeOwnCommitter = makeOwnCommitter;
        root.PendingEntries.Attach(this);
    }

    /// <summary>The branch.</summary>
    public ICommittingStorage Storage { get; }

    /// <summary>Whether the branch works, and its folder.</summary>
    public StorageHealth Health => Storage.Health;

    /// <summary>Its identity and the chain of its entries.</summary>
    public EntryOwner Owner { get; }

    /// <summary>Its names for the root's journals.</summary>
    public BranchLinks Links { get; }

    /// <summary>Why the branch has journals of its own; null while it shares those of the root.</summary>
    public PalException? Refusal { get; private set; }

    /// <summary>The record that goes with the first entry in a file; null when the folder's name is too long for one.</summary>
    public LinkRecord? MakeLinkRecord(JournalFile name)
    {
        var record = new LinkRecord(Owner.StorageId, name.Number, Path.GetRelativePath(_root.StoragePath, Health.Path));
        return record.Bytes <= LinkRecord.BytesMax ? record : null;
    }

    /// <summary>Last transaction in the root's journals that no footer names yet; 0 when there is none. The caller holds
    /// the root's write lock.</summary>
    public long FooterDue
    {
        get
        {
            Debug.Assert(_root.WriteLock.IsHeldByCurrentThread);
            return field;
        }

        set
        {
            Debug.Assert(_root.WriteLock.IsHeldByCurrentThread);
            field = value;
        }
    }

    /// <inheritdoc/>
    public override void Prepare(ModifiedPages modified, long transactionId, long bytesMax)
    {
        if (_own is { } own)
        {
            own.Prepare(modified, transactionId, bytesMax);
            return;
        }

        Debug.Assert(_last is null or { IsCompleted: true }, "a branch has one transaction in progress");
        long started = Stopwatch.GetTimestamp();
        _entry = _builder.Build(modified, transactionId);
        _prepareTicks = Stopwatch.GetTimestamp() - started;
        _root.PendingEntries.WaitForTurn(_entry.Bytes);
        _root.Reserve(PendingEntry.PromisedFor(_entry));
        if (!TryLinkOrWithdraw())
        {
            UseOwnJournals().Prepare(modified, transactionId, bytesMax);
        }
    }

    /// <inheritdoc/>
    public override void Withdraw()
    {
        if (_own is { } own)
        {
            own.Withdraw();
        }
        else
        {
            _root.Withdraw(PendingEntry.PromisedFor(_entry));
        }
    }

    /// <inheritdoc/>
    public override void Write(PendingCommit commit, bool onThisThread)
    {
        if (_own is { } own)
        {
            own.Write(commit, onThisThread);
            return;
        }

        if (commit.Modified is null)
        {
            Complete(commit, Health.Failure is { } cause ? Health.Fail(cause) : null);
            return;
        }

        Debug.Assert(_entry.Header.TransactionId == commit.TransactionId, "the entry was built for this transaction");
        _entry.Header.NextPage = commit.State.NextPage;
        _entry.Header.Root = commit.State.Root;
        _last = commit;
        _root.PendingEntries.Post(new PendingEntry(this, commit, _entry));
    }

    /// <inheritdoc/>
    public override void TrimMemory()
    {
        _own?.TrimMemory();
        _builder.Release();
    }

    /// <summary>Stops the committer. Waits for a transaction that is being written: the root may be writing from this
    /// branch's memory.</summary>
    public override void Dispose()
    {
        if (_disposed)
        {
            return;
        }

        _disposed = true;
        if (_last is { } last)
        {
            _root.PendingEntries.CancelIfFailed(this);
            last.WaitUntilCompleted();
        }

        // Otherwise a link that is being made would appear after Detach, and be taken for one made after the next
        // opening.
        Links.Close();
        _root.PendingEntries.Detach(this);
        _own?.Dispose();
        _builder.Dispose();
    }

    /// <summary>Publishes and completes a written transaction. Called by the root's committer.</summary>
    public void OnWritten(PendingEntry pending, long writeMicroseconds)
    {
        PendingCommit commit = pending.Commit;
        JournalEntryHeader header = pending.Entry.Header;
        ModifiedPages modified = commit.Modified!;
        Invariant.Check(Owner.DurableTransaction == commit.TransactionId, "a branch's transaction is published that is not durable");
        commit.State = commit.State with { EntryHash = header.PayloadHash };
        commit.Costs = new CommitCosts(modified.Count, modified.CountBytes(), header.RawBytes, pending.Entry.Bytes,
            _prepareTicks * 1_000_000 / Stopwatch.Frequency, writeMicroseconds).With(modified.Direct);
        Storage.Publish(commit);
        Complete(commit, null);
    }

    /// <summary>Completes a transaction that was not published.</summary>
    public void Complete(PendingCommit commit, Exception? failure)
    {
        Debug.Assert(failure is null || Health.Failure is not null, "only a stopped branch fails a transaction that was ordered");
        Storage.Release(commit);
        commit.Complete(failure);
    }

    /// <summary>Writes an entry to journals of the branch's own, because the root's file cannot be linked. Any thread;
    /// the entry is the branch's only one in progress.</summary>
    public void WriteAlone(PendingEntry pending, PalException? refusal)
    {
        Debug.Assert(_last == pending.Commit, "the entry is the only one in progress");
        Refusal ??= refusal;
        JournalCommitter own;
        try
        {
            own = UseOwnJournals();
        }
        catch (Exception e)
        {
            // No memory or thread for another committer. The entry is already ordered: the branch stops, and callers
            // waiting for the entry get the failure.
            Complete(pending.Commit, Health.Fail(e));
            return;
        }

        own.WriteBuilt(pending.Commit, pending.Entry);
    }

    /// <summary>As <see cref="TryLink"/>; without a link the reservation is released, because the root would otherwise keep it forever.</summary>
    private bool TryLinkOrWithdraw()
    {
        bool isLinked = false;
        try
        {
            isLinked = TryLink();
            return isLinked;
        }
        finally
        {
            if (!isLinked)
            {
                _root.Withdraw(PendingEntry.PromisedFor(_entry));
            }
        }
    }

    /// <summary>Links the files that the next entry may be written to; false when they cannot be shared.</summary>
    private bool TryLink()
    {
        try
        {
            foreach (JournalFile file in _root.PendingEntries.OpenFiles())
            {
                if (!file.CanJoin(Owner))
                {
                    _root.MoveOn(file);
                }
            }

            foreach (JournalFile file in _root.PendingEntries.OpenFiles())
            {
                // A file that was closed in the meantime takes no more entries.
                Links.TryLink(file);
            }

            return true;
        }
        catch (PalException e) when (BranchLinks.IsRefusal(e))
        {
            Refusal = e;
            return false;
        }
        catch (PalException e)
        {
            throw Health.Fail(e);
        }
    }

    private JournalCommitter UseOwnJournals()
    {
        Debug.Assert(_own is null);

        // The own committer first: this ends the making of links, and Detach then forgets the existing ones. The root's
        // footers must not name transactions that are in other journals.
        JournalCommitter own = _makeOwnCommitter();
        _root.PendingEntries.Detach(this);
        return _own = own;
    }
}
