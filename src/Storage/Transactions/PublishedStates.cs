using System.Diagnostics;
using Jackdaw.Storage.Scratch;

namespace Jackdaw.Storage.Transactions;

/// <summary>The states of a storage that readers may see: the newest one, and earlier ones that a flush may still
/// choose. Thread safe; readers take no lock.</summary>
/// <remarks>States are published in the order of their transactions, without a gap, each by one reference
/// write.</remarks>
internal sealed class PublishedStates
{
    private readonly Lock _publishLock = new(); // guards publications and _recent; innermost
    private readonly Queue<EnvironmentState> _recent = new();
    private readonly PageTable _table;
    private EnvironmentState _current;
    private long _floor; // guarded by the table's lock

    public PublishedStates(PageTable table, EnvironmentState recovered)
    {
        _table = table;
        _current = recovered;
        _recent.Enqueue(recovered);
    }

    /// <summary>The last published state.</summary>
    public EnvironmentState Current => Volatile.Read(ref _current);

    /// <summary>The active readers.</summary>
    public ReaderSlots Readers { get; } = new();

    /// <summary>Registers a reader of the newest state. Ends with <see cref="ReaderSlots.Leave"/>.</summary>
    public EnvironmentState Enter(ReaderKind kind, out int slot) => Readers.Enter(ref _current, kind, out slot);

    /// <summary>Makes a durable transaction visible. Committer.</summary>
    public void Publish(EnvironmentState state)
    {
        lock (_publishLock)
        {
            Invariant.Check(state.TransactionId == _current.TransactionId + 1, "a transaction is published out of order");
            Invariant.Check(state.Sequence > _current.Sequence, "the numbers of published states go back");
            Volatile.Write(ref _current, state);
            _recent.Enqueue(state);
        }
    }

    /// <summary>Publishes the current transaction under a new sequence after pages left scratch. Flush
    /// thread.</summary>
    public void PublishAgain()
    {
        lock (_table.ChangeLock)
        {
            lock (_publishLock)
            {
                EnvironmentState current = _current;
                var again = current with
                {
                    Sequence = current.Sequence + 1,
                    Pages = _table.Recapture(current.Pages, current.TransactionId),
                };
                Invariant.Check(StateSequence.TransactionOf(again.Sequence) == current.TransactionId, "the publications of a transaction ran out of numbers");
                Volatile.Write(ref _current, again);
            }
        }
    }

    /// <summary>Newest published state that is not newer than a transaction; null when it was already taken. Each state
    /// is returned once.</summary>
    public EnvironmentState? TakeUpTo(long transactionId)
    {
        lock (_publishLock)
        {
            EnvironmentState? newest = null;
            while (_recent.TryPeek(out EnvironmentState? state) && state.TransactionId <= transactionId)
            {
                newest = _recent.Dequeue();
            }

            return newest;
        }
    }

    /// <summary>The oldest transaction whose versions are kept: of each page the newest version up to it, and all later
    /// ones. Never goes back. Caller holds the table's lock, and keeps it while it relies on the result.</summary>
    /// <remarks>A slot may name an older state for a moment: a reader claims it first and then checks whether the state
    /// is still current. If it is not, that reader starts over, so versions that only it would have needed may be
    /// dropped.</remarks>
    public long FindFloor(out long oldest)
    {
        Debug.Assert(_table.ChangeLock.IsHeldByCurrentThread);
        long published = Current.TransactionId; // read before the slots: see ReaderSlots
        oldest = Readers.FindOldest();
        return _floor = Math.Max(_floor, Math.Min(published, StateSequence.TransactionOf(oldest)));
    }

    /// <summary>Frees scratch memory that readers can no longer see; false when a reader can still see some.</summary>
    public bool ReclaimScratch()
    {
        lock (_table.ChangeLock)
        {
            return _table.Reclaim(Readers.FindOldest());
        }
    }

    /// <summary>Releases memory that is only needed under load.</summary>
    public void TrimMemory()
    {
        lock (_publishLock)
        {
            _recent.TrimExcess();
        }
    }
}
