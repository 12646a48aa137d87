using Jackdaw.Documents.Rows;
using Jackdaw.Indexing.Auto;
using Jackdaw.Indexing.Building;
using Jackdaw.Indexing.Definitions.Model;
using Jackdaw.Indexing.Records;
using Jackdaw.Indexing.Running;
using Jackdaw.Storage;

namespace Jackdaw.Indexing;

/// <summary>One index of an open database. It follows the documents in the background. Any thread.</summary>
/// <remarks>
/// <code>
/// pending --first run: files are opened--> open: works unless it is paused, disabled, or has failed too often; it is searched anyway
/// pending --the definition does not compile--> faulty: it does not work and is not searched
///    any --damage, or deletions that it missed--> set aside, rebuilt in another folder (by IndexReactions)
///    any --CloseAsync--> closed
/// </code>
/// Its files are opened, written and closed by runs of one work, so that never happens at the same time.
/// </remarks>
internal sealed class DatabaseIndex
{
    /// <summary>The share of failures counts only after this number of documents.</summary>
    private const int AttemptsMin = 100;

    /// <summary>The share of documents that may fail before the index stops, in per cent. A definition that fails more often is wrong, and
    /// its results mislead.</summary>
    private const int FailedPercentMax = 15;

    /// <summary>Pause after a failure that may be temporary: a full disk, lack of memory, a storage that is being opened again.</summary>
    private static readonly TimeSpan s_retryPause = TimeSpan.FromSeconds(5);

    private readonly IndexHost _host;
    private readonly Func<DatabaseIndex, IndexBuilder> _open;
    private readonly IndexWork _work;
    private readonly ChangeSignal _changed = new();
    private readonly CancellationTokenSource _stop = new();
    private volatile IndexRecord _record;
    private volatile IndexBuilder? _builder;
    private volatile bool _isPaused;
    private volatile string? _fault;
    private volatile bool _isFailing; // too many documents have failed, and the new state is not written yet
    private volatile bool _isDamaged; // its files cannot be used
    private volatile bool _isBuilt;
    private volatile bool _hasReachedEnd;
    private volatile bool _isClosed;
    private volatile KnownCutoff? _cutoff; // of the snapshot that was asked about last
    private bool _isOutgrownTold; // the work alone
    private ITimer? _retry;

    /// <param name="open">Opens the files; called by a thread of the workers.</param>
    public DatabaseIndex(IndexHost host, IndexRecord record, Func<DatabaseIndex, IndexBuilder> open)
    {
        _host = host;
        _record = record;
        _open = open;
        _work = new IndexWork(host.Workers, Run) { Priority = record.Priority };
        Auto = record.IsAuto ? AutoDefinitionJson.Read(record.Definition) : null;
        OpenedAt = host.Time.GetUtcNow().UtcDateTime;
    }

    /// <summary>Raised when a batch is durable, and for everything else in <see cref="IndexEvent"/>. Handlers are short; mostly a thread of the
    /// workers.</summary>
    public event Action<DatabaseIndex, IndexEvent>? Happened;

    public IndexRecord Record => _record;

    public string Name => _record.Name;

    /// <summary>The definition of an auto index; null for an index that a user defined.</summary>
    public AutoDefinition? Auto { get; }

    /// <summary>UTC.</summary>
    public DateTime OpenedAt { get; }

    public IndexFailures Failures { get; } = new();

    public IndexCounters Counters { get; } = new();

    /// <summary>Null until the files are open.</summary>
    public IndexBuilder? Builder => _builder;

    /// <summary>Whether it has once read everything that there was to read. Until then its answers lack almost everything. An index that is opened
    /// with entries counts as built.</summary>
    public bool IsBuilt => _isBuilt;

    /// <summary>Whether it has read everything that there was to read once since it was opened.</summary>
    public bool HasReachedEnd => _hasReachedEnd;

    /// <summary>Whether it is paused. This lasts until an administrator starts it, or the database is opened again.</summary>
    public bool IsPaused
    {
        get => _isPaused;
        set
        {
            bool isNew = value && !_isPaused;
            _isPaused = value;
            _changed.Raise();
            _work.Signal();
            if (isNew)
            {
                Happened?.Invoke(this, IndexEvent.Paused);
            }
        }
    }

    /// <summary>Why the index cannot be used until its definition is put again; null if it can.</summary>
    public string? Fault => _fault;

    /// <summary>Whether it stopped because too many documents failed. True even before that state is written.</summary>
    public bool HasFailed => _isFailing || _record.State == IndexState.Error;

    /// <summary>Whether it follows the documents, or will do so as soon as its files are open.</summary>
    public bool IsActive => !_isPaused && MayFollow;

    /// <summary>Whether it is active, or is as soon as nobody pauses it.</summary>
    public bool MayFollow => MayWork && !_host.Settings.IsDisabled;

    private bool MayOpen => _fault is null && !_stop.IsCancellationRequested && !(_isDamaged && _record.State == IndexState.Error);

    private bool MayWork => _fault is null && !_isFailing && _record.State is IndexState.Normal or IndexState.Idle && !_stop.IsCancellationRequested;

    /// <summary>What it has done since it was created, including earlier runs of the server.</summary>
    public IndexTotals Totals => _builder?.Totals ?? IndexTotals.None;

    /// <summary>Bytes that it wrote since it was opened; none when it is closed, because <see cref="IndexingWork"/> has them then.</summary>
    public WrittenBytes Written => _isClosed ? default : _builder?.Written ?? default;

    /// <summary>UTC; null before the first batch.</summary>
    public DateTime? LastIndexing =>
        Totals.LastIndexingTicks is > 0 and long ticks ? new DateTime(ticks, DateTimeKind.Utc) : Counters.LastIndexing;

    /// <summary>Whether it reads the documents, in the words of the protocol.</summary>
    public IndexRunningStatus Status => _record.State == IndexState.Disabled || _host.Settings.IsDisabled ? IndexRunningStatus.Disabled
        : IsActive ? IndexRunningStatus.Running
        : IndexRunningStatus.Paused;

    /// <summary>Notes that a query uses the index.</summary>
    public void NoteQuery() => Counters.NoteQuery(_host.Time.GetUtcNow());

    /// <summary>Starts the background work.</summary>
    public void Start() => _work.Signal();

    /// <summary>Wakes the index, because something that it reads has changed.</summary>
    public void Signal()
    {
        if (_record.State == IndexState.Normal)
        {
            _work.Signal();
        }
    }

    /// <summary>Changes settings that need no rebuild.</summary>
    public void Change(IndexRecord record)
    {
        if (record.State == IndexState.Normal && _record.State is IndexState.Error or IndexState.Disabled)
        {
            Failures.ForgetRate();
        }

        _record = record;
        _isFailing &= record.State != IndexState.Error;
        _work.Priority = record.Priority;
        _changed.Raise();
        _work.Signal();
    }

    /// <summary>Whether everything up to a cutoff is in the index, and searches see it.</summary>
    public bool HasPassed(IndexCutoff cutoff) => _builder is { IsAheadOfDocuments: false } builder && cutoff.IsPassedBy(builder.Progress);

    /// <summary>Up to where the index has to read to have everything in a snapshot; null before its files are open.</summary>
    public IndexCutoff? CutoffOf(DocumentReadScope read)
    {
        if (_builder is not { } builder)
        {
            return null;
        }

        // Between two writes all queries ask about the same snapshot.
        long transaction = read.Transaction.TransactionId;
        if (_cutoff is not { } known || known.Transaction != transaction || known.Builder != builder)
        {
            _cutoff = known = new KnownCutoff(transaction, builder, IndexCutoff.Of(read, builder.Sources));
        }

        return known.Cutoff;
    }

    /// <summary>Whether the index has read everything that is committed now.</summary>
    public bool HasCaughtUp()
    {
        using DocumentReadScope read = _host.Database.BeginRead();
        return CutoffOf(read) is { } cutoff && HasPassed(cutoff);
    }

    /// <summary>The refusal of a query when <see cref="HasFailed"/>.</summary>
    public IndexException FailedTooOften() => new(IndexFault.Unusable,
        $"Index '{Name}' has failed for too many documents, and stopped; GET /indexes/errors?name=... says why. "
        + "Mend its definition, or reset it.");

    /// <summary>Why searches do not find everything in a snapshot, in sentences for people; empty if they do.</summary>
    public List<string> DescribeStaleness(DocumentReadScope read)
    {
        if (_builder is not { } builder)
        {
            return [_fault is { } fault ? $"The index cannot be used: {fault}" : "The files of the index are not open yet."];
        }

        return builder.IsAheadOfDocuments
            ? ["The index has read further than its documents reach: it is built again."]
            : [.. CutoffOf(read)!.DescribeStaleness(builder.Progress)];
    }

    /// <summary>Waits until the files are open. Returns false when the time is over, or when the files will not be opened.</summary>
    public Task<bool> WaitForOpenAsync(TimeSpan timeout, CancellationToken cancellationToken) =>
        WaitUntilAsync(() => _builder is not null, () => MayOpen, timeout, cancellationToken);

    /// <summary>Deletes the list of failures. This is durable when the task completes, unless the files of the index cannot be opened.</summary>
    public async Task ClearFailuresAsync(TimeSpan patience, CancellationToken cancellationToken)
    {
        Failures.Clear();
        _work.Signal();
        await WaitUntilAsync(() => _builder is not null && !Failures.IsUnwritten, () => MayOpen, patience, cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Waits until the index has passed a cutoff. Returns false when the time is over, or when the index is paused, disabled or has
    /// failed, now or during the wait.</summary>
    public Task<bool> WaitAsync(IndexCutoff cutoff, TimeSpan timeout, CancellationToken cancellationToken) =>
        WaitUntilAsync(() => HasPassed(cutoff), () => IsActive, timeout, cancellationToken);

    /// <summary>Whether an exception means that the storage of the index cannot be used any more, although the storage of the documents can.</summary>
    public bool IsDamage(Exception failure) => failure is CorruptionException || (failure is StoragePoisonedException && _host.Storage.Failure is null);

    /// <summary>Notes that the storage of the index is damaged, or cannot be written. The index is built again.</summary>
    public void NoteDamage(Exception damage)
    {
        _isDamaged = true;
        Note("Damage", damage, IndexEvent.Damaged);
    }

    /// <summary>Stops the background work, then closes the files.</summary>
    public async Task CloseAsync()
    {
        await _stop.CancelAsync().ConfigureAwait(false);
        _changed.Raise();
        await _work.StopAsync().ConfigureAwait(false);
        if (_retry is { } retry)
        {
            await retry.DisposeAsync().ConfigureAwait(false);
        }

        if (_builder is { } builder)
        {
            builder.Dispose();
            _isClosed = true;
            _host.Work.AddClosed(builder.Written);
        }
    }

    private async Task<bool> WaitUntilAsync(Func<bool> isDone, Func<bool> mayBecome, TimeSpan timeout, CancellationToken cancellationToken)
    {
        long began = _host.Time.GetTimestamp();
        while (true)
        {
            Task next = _changed.Next;
            if (isDone())
            {
                return true;
            }

            TimeSpan left = timeout - _host.Time.GetElapsedTime(began);
            if (!mayBecome() || left <= TimeSpan.Zero)
            {
                return false;
            }

            try
            {
                await next.WaitAsync(left, _host.Time, cancellationToken).ConfigureAwait(false);
            }
            catch (TimeoutException)
            {
                // Check once more.
            }
        }
    }

    // Once, when the index is first active: one that rests is built again when it starts.
    private void TellOutgrown(IndexBuilder builder)
    {
        if (builder.IsOutgrown && !_isOutgrownTold)
        {
            _isOutgrownTold = true;
            Happened?.Invoke(this, IndexEvent.Outgrown);
        }
    }

    // One run of the work: opens the files or reads a batch. Never throws.
    private bool Run()
    {
        if (_stop.IsCancellationRequested || _fault is not null || (_builder is not null && !IsActive && !Failures.IsUnwritten))
        {
            return false;
        }

        try
        {
            if (_builder is null)
            {
                IndexBuilder opened = _open(this);
                _isBuilt = !opened.Progress.IsNone;
                _builder = opened;
                StopIfFailing();
                _changed.Raise();
                return true;
            }

            if (!IsActive)
            {
                _builder.WriteFailures();
                _changed.Raise();
                return false;
            }

            TellOutgrown(_builder);
            return RunBatch(_builder);
        }
        catch (OperationCanceledException) when (_stop.IsCancellationRequested)
        {
            return false;
        }
        catch (Exception failure)
        {
            NoteFailure(failure);
            return false;
        }
    }

    private void NoteFailure(Exception failure)
    {
        switch (failure)
        {
            case { } damage when IsDamage(damage):
                NoteDamage(damage);
                break;
            case IndexDefinitionException:
                _fault = failure.Message;
                Note("Definition", failure, IndexEvent.Failed);
                _changed.Raise();
                break;
            case IndexOutdatedException when _record.State == IndexState.Idle:
                break; // It is built again when a query wakes it.
            case IndexOutdatedException:
                Note("Outdated", failure, IndexEvent.Outdated);
                break;
            default:
                Note("Index", failure, IndexEvent.Failed);
                _retry ??= _host.Time.CreateTimer(_ => _work.Signal(), null, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
                _retry.Change(s_retryPause, Timeout.InfiniteTimeSpan);
                break;
        }
    }

    private void Note(string action, Exception failure, IndexEvent happened)
    {
        Failures.Add(_host.Time.GetUtcNow(), new MappingFailure(null, action, failure.Message));
        Happened?.Invoke(this, happened);
    }

    // Immutable, so that threads replace it as a whole.
    private sealed record KnownCutoff(long Transaction, IndexBuilder Builder, IndexCutoff Cutoff);

    // Returns whether there is more to do.
    private bool RunBatch(IndexBuilder builder)
    {
        bool hadPendingOutputs = builder.HasPendingOutputs;
        long began = _host.Time.GetTimestamp();
        BatchResult batch = builder.RunBatch(_stop.Token);
        Counters.Add(batch, _host.Time.GetElapsedTime(began), _host.Time.GetUtcNow());
        _host.Work.Add(batch.Counts);
        StopIfFailing();
        _hasReachedEnd |= !batch.IsMore && !_stop.IsCancellationRequested;
        _isBuilt |= !batch.IsMore;
        _changed.Raise();
        Happened?.Invoke(this, batch.Documents > 0 ? IndexEvent.BatchWritten : IndexEvent.Passed);
        bool isMoreToWrite = builder.WriteOutputs(_record);
        if (builder.HasPendingOutputs != hadPendingOutputs)
        {
            _changed.Raise();
            Happened?.Invoke(this, IndexEvent.BatchWritten);
        }

        bool isMoreToMaintain = builder.Maintain(() => _work.IsAwaited); // last, so that nobody who waits for the batch waits for this
        return (batch.IsMore || isMoreToWrite || isMoreToMaintain) && IsActive;
    }

    // Also called after opening: the server may have been killed between the last batch and the write of the state.
    private void StopIfFailing()
    {
        IndexTotals totals = Totals;
        bool failsTooOften = totals.RatedAttempts >= AttemptsMin && totals.RatedErrors * 100 > totals.RatedAttempts * FailedPercentMax;
        if (failsTooOften && IsActive && !Failures.ForgetsRate)
        {
            _isFailing = true;
            _changed.Raise();
            Happened?.Invoke(this, IndexEvent.Stopped);
        }
    }
}
