using Jackdaw.Documents.Rows;
using Jackdaw.Indexing.Auto;
using Jackdaw.Indexing.Building;
using Jackdaw.Indexing.Definitions.Model;
using Jackdaw.Indexing.Records;
using Jackdaw.Indexing.Running;
using Jackdaw.Storage;

namespace Jackdaw.Indexing;

/// <summary>One index of an open database: follows the documents in the background. Any thread.</summary>
/// <remarks>
/// <code>
/// pending --first run: files are opened--> open: works unless it is paused, disabled, or has failed too often; it is searched anyway
/// pending --the definition does not compile--> faulty: it does not work and is not searched
///    any --damage, or deletions that it missed--> set aside, rebuilt in another folder (the owner does that)
///    any --CloseAsync--> closed
/// </code>
/// Opening, batches and closing of the files are runs of one work, so they never meet.
/// </remarks>
internal sealed class DatabaseIndex
{
    /// <summary>Documents after which the share of failures is looked at.</summary>
    private const int AttemptsMin = 100;

    /// <summary>Share of documents that may fail before the index stops: a definition that fails so often is wrong, and what it finds
    /// misleads. Per cent.</summary>
    private const int FailedPercentMax = 15;

    /// <summary>Pause after a failure that may pass: a full disk, memory, a storage that is being opened again.</summary>
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
    private volatile bool _isFailing; // too much has failed, and the owner has not written that yet
    private volatile bool _isDamaged; // so that its files are of no use
    private ITimer? _retry;

    /// <param name="open">Opens the files; a thread of the workers calls it.</param>
    public DatabaseIndex(IndexHost host, IndexRecord record, Func<DatabaseIndex, IndexBuilder> open)
    {
        _host = host;
        _record = record;
        _open = open;
        _work = new IndexWork(host.Workers, Run) { Priority = record.Priority };
        Auto = record.IsAuto ? AutoDefinitionJson.Read(record.Definition) : null;
        OpenedAt = host.Time.GetUtcNow().UtcDateTime;
    }

    /// <summary>Raised when a batch is durable, and when the index became damaged. Short; a thread of the workers.</summary>
    public event Action<DatabaseIndex, IndexEvent>? Happened;

    public IndexRecord Record => _record;

    public string Name => _record.Name;

    /// <summary>What a query made it for; null for one that a user defined.</summary>
    public AutoDefinition? Auto { get; }

    /// <summary>UTC.</summary>
    public DateTime OpenedAt { get; }

    public IndexFailures Failures { get; } = new();

    public IndexCounters Counters { get; } = new();

    /// <summary>Null until the files are open.</summary>
    public IndexBuilder? Builder => _builder;

    /// <summary>Whether it is paused until the server or the database starts again, or an administrator starts it.</summary>
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

    /// <summary>Why it can be used for nothing until its definition is put again; null for all others.</summary>
    public string? Fault => _fault;

    /// <summary>Whether it stopped because too much failed; also in the moment before its state is written.</summary>
    public bool HasFailed => _isFailing || _record.State == IndexState.Error;

    /// <summary>Whether it follows the documents, or will as soon as its files are open.</summary>
    public bool IsActive => !_isPaused && MayWork && !_host.Settings.IsDisabled;

    private bool MayOpen => _fault is null && !_stop.IsCancellationRequested && !(_isDamaged && _record.State == IndexState.Error);

    private bool MayWork => _fault is null && !_isFailing && _record.State is IndexState.Normal or IndexState.Idle && !_stop.IsCancellationRequested;

    /// <summary>What it has done since it was created, also in earlier runs of the server.</summary>
    public IndexTotals Totals => _builder?.Totals ?? IndexTotals.None;

    /// <summary>UTC; null before the first batch.</summary>
    public DateTime? LastIndexing =>
        Totals.LastIndexingTicks is > 0 and long ticks ? new DateTime(ticks, DateTimeKind.Utc) : Counters.LastIndexing;

    /// <summary>Whether it reads the documents, as clients are told.</summary>
    public IndexRunningStatus Status => _record.State == IndexState.Disabled || _host.Settings.IsDisabled ? IndexRunningStatus.Disabled
        : IsActive ? IndexRunningStatus.Running
        : IndexRunningStatus.Paused;

    /// <summary>A query has asked it.</summary>
    public void NoteQuery() => Counters.NoteQuery(_host.Time.GetUtcNow());

    /// <summary>Begins to work.</summary>
    public void Start() => _work.Signal();

    /// <summary>Documents have changed.</summary>
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
    public bool HasPassed(IndexCutoff cutoff) => _builder is { } builder && cutoff.IsPassedBy(builder.Progress);

    /// <summary>What the index has to read to know all that a snapshot has; null before its files are open.</summary>
    public IndexCutoff? CutoffOf(DocumentReadScope read) =>
        _builder is { } builder ? IndexCutoff.Of(read, builder.Sources) : null;

    /// <summary>Why searches would not find all that a snapshot has, for people; nothing when they would.</summary>
    public List<string> DescribeStaleness(DocumentReadScope read)
    {
        if (_builder is not { } builder)
        {
            return [_fault is { } fault ? $"The index cannot be used: {fault}" : "The files of the index are not open yet."];
        }

        return [.. CutoffOf(read)!.DescribeStaleness(builder.Progress)];
    }

    /// <summary>Waits until the files are open. False: the time is over, or it will not be opened.</summary>
    public Task<bool> WaitForOpenAsync(TimeSpan timeout, CancellationToken cancellationToken) =>
        WaitUntilAsync(() => _builder is not null, () => MayOpen, timeout, cancellationToken);

    /// <summary>Forgets its failures; that is durable when this completes, unless the index has no files that could be written.</summary>
    public async Task ClearFailuresAsync(TimeSpan patience, CancellationToken cancellationToken)
    {
        Failures.Clear();
        _work.Signal();
        await WaitUntilAsync(() => _builder is not null && !Failures.IsUnwritten, () => MayOpen, patience, cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Waits until the index has passed a cutoff. False: the time is over, or it does not work now: an index that is paused, disabled or
    /// has failed, before or meanwhile, is not waited for.</summary>
    public Task<bool> WaitAsync(IndexCutoff cutoff, TimeSpan timeout, CancellationToken cancellationToken) =>
        WaitUntilAsync(() => HasPassed(cutoff), () => IsActive, timeout, cancellationToken);

    /// <summary>Whether an exception says that the index's own storage is of no use any more, while the documents go on.</summary>
    public bool IsDamage(Exception failure) => failure is CorruptionException || (failure is StoragePoisonedException && _host.Storage.Failure is null);

    /// <summary>Its storage is damaged, or cannot be written.</summary>
    public void NoteDamage(Exception damage)
    {
        Failures.Add(_host.Time.GetUtcNow(), new MappingFailure(null, "Damage", damage.Message));
        _isDamaged = true;
        Happened?.Invoke(this, IndexEvent.Damaged);
    }

    /// <summary>Ends its work, then closes its files.</summary>
    public async Task CloseAsync()
    {
        await _stop.CancelAsync().ConfigureAwait(false);
        _changed.Raise();
        await _work.StopAsync().ConfigureAwait(false);
        if (_retry is { } retry)
        {
            await retry.DisposeAsync().ConfigureAwait(false);
        }

        _builder?.Dispose();
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
                // One more look.
            }
        }
    }

    // One run of the work: opens the files, or reads a batch. Never throws.
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
                _builder = _open(this);
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

            return RunBatch(_builder);
        }
        catch (Exception damage) when (IsDamage(damage))
        {
            NoteDamage(damage);
            return false;
        }
        catch (IndexDefinitionException definition)
        {
            _fault = definition.Message;
            Failures.Add(_host.Time.GetUtcNow(), new MappingFailure(null, "Definition", definition.Message));
            _changed.Raise();
            Happened?.Invoke(this, IndexEvent.Failed);
            return false;
        }
        catch (IndexOutdatedException) when (_record.State == IndexState.Idle)
        {
            return false; // When a query wakes it is early enough.
        }
        catch (IndexOutdatedException outdated)
        {
            Failures.Add(_host.Time.GetUtcNow(), new MappingFailure(null, "Outdated", outdated.Message));
            Happened?.Invoke(this, IndexEvent.Outdated);
            return false;
        }
        catch (OperationCanceledException) when (_stop.IsCancellationRequested)
        {
            return false;
        }
        catch (Exception failure)
        {
            Failures.Add(_host.Time.GetUtcNow(), new MappingFailure(null, "Index", failure.Message));
            Happened?.Invoke(this, IndexEvent.Failed);
            _retry ??= _host.Time.CreateTimer(_ => _work.Signal(), null, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
            _retry.Change(s_retryPause, Timeout.InfiniteTimeSpan);
            return false;
        }
    }

    // True: there is more to do.
    private bool RunBatch(IndexBuilder builder)
    {
        bool hadPendingOutputs = builder.HasPendingOutputs;
        long began = _host.Time.GetTimestamp();
        BatchResult batch = builder.RunBatch(_stop.Token);
        Counters.Add(batch, _host.Time.GetElapsedTime(began), _host.Time.GetUtcNow());
        StopIfFailing();
        _changed.Raise();
        Happened?.Invoke(this, batch.Documents > 0 ? IndexEvent.BatchWritten : IndexEvent.Passed);
        bool isMoreToWrite = builder.WriteOutputs(_record);
        if (builder.HasPendingOutputs != hadPendingOutputs)
        {
            _changed.Raise();
            Happened?.Invoke(this, IndexEvent.BatchWritten);
        }

        bool isMoreToMaintain = builder.Maintain(() => _work.IsAwaited); // last: those who wait for the batch do not wait for this
        return (batch.IsMore || isMoreToWrite || isMoreToMaintain) && IsActive;
    }

    // Also when it is opened: it may have been killed between its last batch and the writing of its state.
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

/// <summary>Names are those of the protocol.</summary>
internal enum IndexRunningStatus
{
    Running,

    /// <summary>Until it is started, or the database is opened again; also after too many failures.</summary>
    Paused,

    /// <summary>Until it is enabled.</summary>
    Disabled,
}

/// <summary>What an index tells its owner.</summary>
internal enum IndexEvent
{
    BatchWritten,

    /// <summary>There was nothing to read: it knows all that there is.</summary>
    Passed,

    /// <summary>An administrator paused it.</summary>
    Paused,

    /// <summary>Its storage is damaged: it has to be rebuilt.</summary>
    Damaged,

    /// <summary>It missed deletions while it rested or was disabled: it has to be built again.</summary>
    Outdated,

    /// <summary>A run failed, and is tried again; or the definition does not compile.</summary>
    Failed,

    /// <summary>Too much failed: it does not go on. The owner writes its state.</summary>
    Stopped,
}
