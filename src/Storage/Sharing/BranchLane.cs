using System.Diagnostics;
using Jackdaw.Pal;
using Jackdaw.Storage.Environments;
using Jackdaw.Storage.Journal;
using Jackdaw.Storage.Transactions;

namespace Jackdaw.Storage.Sharing;

/// <summary>The lane of a branch: builds entries on the branch's writer thread and hands them to the root, which writes, publishes and
/// completes them.</summary>
/// <remarks>
/// When the volume cannot share files, the branch goes on with journals of its own until it is opened again. Two threads may
/// meet the refusal, never at once: the writer before it hands a transaction over, the root for the only one that is under way. So
/// the change needs no lock, and nothing overtakes.
/// </remarks>
internal sealed class BranchLane : CommitLane
{
    private readonly RootLane _root;
    private readonly EntryBuilder _builder;
    private readonly Func<RootLane> _makeOwnLane;
    private volatile RootLane? _own; // changes in Prepare, or in WriteAlone while the writer waits for that transaction
    private BuiltEntry _entry;
    private long _prepareTicks;
    private PendingCommit? _last;
    private bool _disposed;

    /// <param name="environment">The branch.</param>
    /// <param name="root">Lane of the storage whose journals it shares.</param>
    /// <param name="owner">Where its entries stand.</param>
    /// <param name="links">Its names for the root's journals.</param>
    /// <param name="salt">Salt of its page checksums.</param>
    /// <param name="makeOwnLane">Makes a lane with journals of its own, for volumes that cannot share files.</param>
    public BranchLane(
        StorageEnvironment environment, RootLane root, EntryOwner owner, BranchLinks links, ulong salt, Func<RootLane> makeOwnLane)
    {
        Environment = environment;
        Owner = owner;
        Links = links;
        _root = root;
        _builder = new EntryBuilder(salt, new CompressionPolicy(root.WriteCost));
        _makeOwnLane = makeOwnLane;
        root.Riders.Attach(this);
    }

    /// <summary>The branch.</summary>
    public StorageEnvironment Environment { get; }

    /// <summary>Where its entries stand.</summary>
    public EntryOwner Owner { get; }

    /// <summary>Its names for the root's journals.</summary>
    public BranchLinks Links { get; }

    /// <summary>Why the branch has journals of its own; null while it shares those of the root.</summary>
    public PalException? Refusal { get; private set; }

    /// <summary>The record that goes with the first entry in a file; null when the folder's name is too long for one.</summary>
    public LinkRecord? MakeLinkRecord(JournalFile name)
    {
        var record = new LinkRecord(Owner.StorageId, name.Number, Path.GetRelativePath(_root.StoragePath, Environment.Path));
        return record.Bytes <= LinkRecord.BytesMax ? record : null;
    }

    /// <summary>Last transaction in the root's journals that a footer has yet to name; 0 when there is none. Whoever holds the root's
    /// write lock.</summary>
    public long FooterDue { get; set; }

    /// <inheritdoc/>
    public override void Prepare(ModifiedPages modified, long transactionId, long bytesMax)
    {
        if (_own is { } own)
        {
            own.Prepare(modified, transactionId, bytesMax);
            return;
        }

        long started = Stopwatch.GetTimestamp();
        _entry = _builder.Build(modified, transactionId);
        _prepareTicks = Stopwatch.GetTimestamp() - started;
        _root.Riders.WaitForTurn(_entry.Bytes);
        _root.Reserve(Rider.PromisedFor(_entry));
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
            _root.Withdraw(Rider.PromisedFor(_entry));
        }
    }

    /// <inheritdoc/>
    public override void Submit(PendingCommit commit, bool onThisThread)
    {
        if (_own is { } own)
        {
            own.Submit(commit, onThisThread);
            return;
        }

        if (commit.Modified is null)
        {
            Complete(commit, Environment.Failure is { } cause ? Environment.Fail(cause) : null);
            return;
        }

        _entry.Header.NextPage = commit.State.NextPage;
        _entry.Header.Root = commit.State.Root;
        _last = commit;
        _root.Riders.Post(new Rider(this, commit, _entry));
    }

    /// <inheritdoc/>
    public override void TrimMemory()
    {
        _own?.TrimMemory();
        _builder.Release();
    }

    /// <summary>Ends what runs. A transaction that is on its way is waited for: the root may be writing from this branch's memory.</summary>
    public override void Dispose()
    {
        if (_disposed)
        {
            return;
        }

        _disposed = true;
        if (_last is { } last)
        {
            _root.Riders.CancelIfFailed(this);
            last.WaitUntilCompleted();
        }

        // A name that is being made for it would else be there after Detach, and be taken for one of the storage's next life.
        Links.Close();
        _root.Riders.Detach(this);
        _own?.Dispose();
        _builder.Dispose();
    }

    /// <summary>Publishes and completes a written transaction. The root's lane.</summary>
    public void OnWritten(Rider rider, long writeMicroseconds)
    {
        PendingCommit commit = rider.Commit;
        JournalEntryHeader header = rider.Entry.Header;
        ModifiedPages modified = commit.Modified!;
        commit.State = commit.State with { EntryHash = header.PayloadHash };
        commit.Costs = new CommitCosts(modified.Count, modified.CountBytes(), header.RawBytes, rider.Entry.Bytes,
            _prepareTicks * 1_000_000 / Stopwatch.Frequency, writeMicroseconds);
        Environment.Publish(commit);
        Complete(commit, null);
    }

    /// <summary>Completes a transaction that was not published.</summary>
    public void Complete(PendingCommit commit, Exception? failure)
    {
        Environment.Release(commit);
        commit.Complete(failure);
    }

    /// <summary>Writes an entry to journals of the branch's own, because the root's file cannot be linked. Any thread; the entry is the
    /// only one of the branch that is under way.</summary>
    public void WriteAlone(Rider rider, PalException? refusal)
    {
        Refusal ??= refusal;
        RootLane own;
        try
        {
            own = UseOwnJournals();
        }
        catch (Exception e)
        {
            // No memory or thread for another lane. The entry is ordered: the branch stops, and whoever waits for it is told.
            Complete(rider.Commit, Environment.Fail(e));
            return;
        }

        own.WriteBuilt(rider.Commit, rider.Entry);
    }

    /// <summary>As <see cref="TryLink"/>; without a link the promise of room ends, or the root would keep it for ever.</summary>
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
                _root.Withdraw(Rider.PromisedFor(_entry));
            }
        }
    }

    /// <summary>Links the files that the next entry may come to lie in; false when they cannot be shared.</summary>
    private bool TryLink()
    {
        try
        {
            foreach (JournalFile file in _root.Riders.OpenFiles())
            {
                if (!file.CanJoin(Owner))
                {
                    _root.MoveOn(file);
                }
            }

            foreach (JournalFile file in _root.Riders.OpenFiles())
            {
                // One that is closed meanwhile takes no entries any more.
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
            throw Environment.Fail(e);
        }
    }

    private RootLane UseOwnJournals()
    {
        // The lane first: it ends the making of names, and Detach then forgets those that there are. The root's footers name no
        // transactions that are in other journals.
        RootLane own = _makeOwnLane();
        _root.Riders.Detach(this);
        return _own = own;
    }
}
