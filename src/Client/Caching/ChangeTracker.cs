using Jackdaw.Client.Conventions;

namespace Jackdaw.Client.Caching;

/// <summary>Knows the changes in one database, from the server's notices and from own writes, and says in which state cached answers are.</summary>
/// <remarks>
/// <list type="number">
/// <item>A request takes a stamp before it is sent, a notice takes one when it arrives. A change happens before its notice, so each answer to a
/// request that is sent after the notice contains the change. An answer therefore lacks at most the changes whose notices arrived after its
/// stamp.</item>
/// <item>An own write is marked before it is sent and again when its outcome is known, because an answer that was requested in between may lack it.
/// Own writes count for readers in all modes.</item>
/// <item>Answers are fresh only if their stamp is later than the confirmation of the feed that is connected now: any gap may have hidden a
/// notice.</item>
/// <item>A stamp is published in <c>_lastChange</c> or <c>_lastWrite</c> after all its tags are marked. A reader reads it before it reads the
/// tables, so an answer that is found clean is clean up to this stamp.</item>
/// </list>
/// A notice costs a few writes for each name in it, no matter how many answers are cached. A check costs a few reads for each tag of the answer,
/// and is needed only after notices that the answer was not compared with.
/// </remarks>
internal sealed class ChangeTracker(TimeProvider time, int slotBits = ChangeTable.UsualSlotBits) : IChangeNotices
{
    private readonly Lock _lock = new(); // one thread at a time marks; guards _connected
    private readonly ChangeTable _noticed = new(slotBits); // notices and own writes
    private readonly ChangeTable _written = new(slotBits); // own writes only
    private TaskCompletionSource _connected = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private long _connectedSince = ChangeTable.Never;
    private volatile Connection _lastConnection = new(ChangeTable.Never, 0); // the last one that was lost
    private long _lastChange;
    private long _lastWrite;
    private IChangeNotices[] _toldOfWrites = []; // replaced as a whole

    public StampClock Clock { get; } = new(time);

    /// <summary>A task that ends when notices arrive.</summary>
    public Task WhenConnected
    {
        get
        {
            lock (_lock)
            {
                return _connected.Task;
            }
        }
    }

    /// <summary>Takes a stamp. It is taken before a request is sent and given to the answer.</summary>
    public long TakeStamp() => Clock.Next();

    public void OnDocumentsChanged(ReadOnlySpan<string> ids, ReadOnlySpan<string> collections)
    {
        lock (_lock)
        {
            long stamp = Clock.Next();
            MarkDocuments(_noticed, ids, collections, stamp);
            Publish(stamp);
        }
    }

    public void OnIndexChanged(string name) => OnChanged(AnswerTag.Index(name));

    public void OnCompareExchangeChanged(string key) => OnChanged(AnswerTag.CompareExchange(key));

    public void OnAnythingChanged()
    {
        lock (_lock)
        {
            long stamp = Clock.Next();
            _noticed.MarkAll(stamp);
            Publish(stamp);
        }
    }

    public void OnConnected()
    {
        lock (_lock)
        {
            Volatile.Write(ref _connectedSince, Clock.Next());
            _connected.TrySetResult();
        }
    }

    public void OnLost()
    {
        lock (_lock)
        {
            // For bounded staleness: from this moment on an answer may be old.
            long stamp = Clock.Next();
            if (_connectedSince != ChangeTable.Never)
            {
                _lastConnection = new(_connectedSince, stamp);
                _connected = new(TaskCreationOptions.RunContinuationsAsynchronously);
            }

            Volatile.Write(ref _connectedSince, ChangeTable.Never);
            _noticed.MarkAll(stamp);
            Publish(stamp);
        }
    }

    /// <summary>Marks an own write. It is called before the write is sent, and again when its outcome is known or can no longer become
    /// known.</summary>
    /// <param name="ids">As in <see cref="IChangeNotices.OnDocumentsChanged"/>.</param>
    /// <param name="collections">As there.</param>
    public void MarkWritten(ReadOnlySpan<string> ids, ReadOnlySpan<string> collections)
    {
        lock (_lock)
        {
            long stamp = Clock.Next();
            MarkDocuments(_written, ids, collections, stamp);
            MarkDocuments(_noticed, ids, collections, stamp);
            Volatile.Write(ref _lastWrite, stamp);
            Publish(stamp);
        }

        foreach (IChangeNotices cache in Volatile.Read(ref _toldOfWrites))
        {
            cache.OnDocumentsChanged(ids, collections);
        }
    }

    /// <summary>Adds a cache that is notified of own writes, on the thread that writes.</summary>
    public void AddToWrites(IChangeNotices cache)
    {
        lock (_lock)
        {
            Volatile.Write(ref _toldOfWrites, [.. _toldOfWrites, cache]);
        }
    }

    /// <summary>Removes a cache; it is no longer notified.</summary>
    public void RemoveFromWrites(IChangeNotices cache)
    {
        lock (_lock)
        {
            Volatile.Write(ref _toldOfWrites, [.. _toldOfWrites.Where(other => other != cache)]);
        }
    }

    /// <summary>State of an answer for a reader.</summary>
    /// <param name="oldSince">When the answer is not fresh, the moment since which it may be old. 0 if it lacks an own write.</param>
    public AnswerState StateOf(CachedAnswer answer, AggressiveCacheScope scope, out long oldSince)
    {
        if (LacksOwnWrite(answer))
        {
            oldSince = 0;
            return AnswerState.Suspect;
        }

        long expiry = answer.Stamp + Clock.Units(scope.Duration);
        bool isExpired = Clock.Now > expiry;
        oldSince = isExpired ? expiry : ChangeTable.Never;
        AnswerState otherwise = isExpired ? AnswerState.Expired : AnswerState.Fresh;
        if (scope.Mode == AggressiveCacheMode.DoNotTrackChanges)
        {
            return otherwise;
        }

        long lastChange = Volatile.Read(ref _lastChange);
        long currentAt = answer.CurrentAt;
        bool isCompared = currentAt >= lastChange;
        bool isUnverified = answer.Stamp < Volatile.Read(ref _connectedSince);
        long noticed = isCompared ? ChangeTable.Never : _noticed.FirstChange(answer.Tags, currentAt);
        if (noticed == ChangeTable.Never && !isUnverified)
        {
            answer.SetClean(Math.Max(currentAt, lastChange));
            return otherwise;
        }

        // An answer that was verified while no notices arrived may have been old at once, no matter which notices came later.
        bool isKnownSince = !isUnverified || _lastConnection.Has(answer.Stamp);
        oldSince = Math.Min(oldSince, isKnownSince && noticed != ChangeTable.Never ? noticed : currentAt);
        return isUnverified ? AnswerState.Unverified : AnswerState.Suspect;
    }

    private bool LacksOwnWrite(CachedAnswer answer)
    {
        long lastWrite = Volatile.Read(ref _lastWrite);
        long hasWritesAt = answer.HasWritesAt;
        if (hasWritesAt >= lastWrite)
        {
            return false;
        }

        if (_written.FirstChange(answer.Tags, hasWritesAt) != ChangeTable.Never)
        {
            return true;
        }

        answer.SetHasWrites(lastWrite);
        return false;
    }

    private static void MarkDocuments(ChangeTable table, ReadOnlySpan<string> ids, ReadOnlySpan<string> collections, long stamp)
    {
        if (ids.IsEmpty)
        {
            table.MarkAll(stamp);
            return;
        }

        foreach (string id in ids)
        {
            table.Mark(AnswerTag.Document(id), stamp);
        }

        foreach (string collection in collections)
        {
            table.Mark(AnswerTag.Collection(collection), stamp);
        }

        if (collections.IsEmpty)
        {
            table.Mark(AnswerTag.AnyCollection, stamp);
        }

        table.Mark(AnswerTag.AllDocuments, stamp);
        table.Mark(AnswerTag.Anything, stamp);
    }

    private void OnChanged(AnswerTag tag)
    {
        lock (_lock)
        {
            long stamp = Clock.Next();
            _noticed.Mark(tag, stamp);
            _noticed.Mark(AnswerTag.Anything, stamp);
            Publish(stamp);
        }
    }

    private void Publish(long stamp) => Volatile.Write(ref _lastChange, stamp);

    private sealed record Connection(long Since, long LostAt)
    {
        public bool Has(long stamp) => stamp >= Since && stamp < LostAt;
    }
}
