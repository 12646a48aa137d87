using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;

namespace Jackdaw.Documents.Operations;

/// <summary>A long-running piece of work that a client watches by its number.</summary>
/// <remarks>The worker reports by <see cref="Report"/>, and ends the operation by TryComplete or Fail. Any thread may read it or ask it to stop. InProgress
/// changes to one of the three end states and stays there: the first end wins.</remarks>
[SuppressMessage("Design", "CA1001",
    Justification = "The source has no timer and no handle; a worker may use it after the operation was killed and forgotten.")]
public sealed class Operation
{
    private readonly Lock _lock = new(); // Guards the state and the failure: they change together.
    private readonly CancellationTokenSource _kill = new();
    private readonly Action<Operation, bool>? _changed; // called under the lock, so that changes are reported in their order
    private OperationStatus _status;
    private long _endedAt;
    private Exception? _failure;
    private BulkInsertCounts _progress;
    private List<ChangedDocument>? _details;

    internal Operation(long id, string? query, OperationFigures? figures, Action<Operation, bool>? changed = null)
    {
        Id = id;
        Query = query;
        Figures = figures;
        _changed = changed;
    }

    /// <summary>The most documents that <see cref="Details"/> lists: with ids of usual length, some 100 KB for each remembered operation.</summary>
    public const int DetailsMax = 1024;

    public long Id { get; }

    /// <summary>When it began, as the system counts time.</summary>
    public long Began { get; } = Stopwatch.GetTimestamp();

    /// <summary>How long it has run, or ran until it ended.</summary>
    public TimeSpan Elapsed
    {
        get
        {
            lock (_lock)
            {
                return Stopwatch.GetElapsedTime(Began, _status == OperationStatus.InProgress ? Stopwatch.GetTimestamp() : _endedAt);
            }
        }
    }

    /// <summary>The text of the query whose results the operation changes; null for a bulk insert.</summary>
    public string? Query { get; }

    /// <summary>The figures that the operation shows; null for a bulk insert, and for changes of the results of a query.</summary>
    public OperationFigures? Figures { get; }

    /// <summary>Is cancelled when the operation was killed or stopped.</summary>
    public CancellationToken Killed => _kill.Token;

    public (OperationStatus Status, Exception? Failure, BulkInsertCounts Progress) State
    {
        get
        {
            lock (_lock)
            {
                return (_status, _failure, _progress);
            }
        }
    }

    /// <summary>The first documents that it changed, at most <see cref="DetailsMax"/>; empty unless somebody wants them.</summary>
    public IReadOnlyList<ChangedDocument> Details
    {
        get
        {
            lock (_lock)
            {
                return _details is null ? [] : [.. _details];
            }
        }
    }

    /// <summary>Adds documents to the details, as many as there is room for.</summary>
    public void AddDetails(IEnumerable<ChangedDocument> changed)
    {
        lock (_lock)
        {
            _details ??= [];
            _details.AddRange(changed.Take(DetailsMax - _details.Count));
        }
    }

    public void Report(in BulkInsertCounts progress)
    {
        lock (_lock)
        {
            _progress = progress;
            if (_status == OperationStatus.InProgress)
            {
                _changed?.Invoke(this, false);
            }
        }
    }

    /// <returns>False when it was killed. It stays canceled, and its worker answers that, even if it has done all its work.</returns>
    public bool TryComplete() => End(OperationStatus.Completed, null);

    public void Fail(Exception failure) => End(OperationStatus.Faulted, failure);

    /// <summary>Asks the worker to stop and shows the operation as canceled at once.</summary>
    public void Kill()
    {
        End(OperationStatus.Canceled, null);
        _kill.Cancel();
    }

    /// <summary>Asks the worker to stop, and shows the operation as failed at once.</summary>
    public void Stop(Exception reason)
    {
        End(OperationStatus.Faulted, reason);
        _kill.Cancel();
    }

    private bool End(OperationStatus status, Exception? failure)
    {
        lock (_lock)
        {
            if (_status != OperationStatus.InProgress)
            {
                return false;
            }

            _endedAt = Stopwatch.GetTimestamp();
            _status = status;
            _failure = failure;
            _changed?.Invoke(this, true);
            return true;
        }
    }
}

/// <summary>The states of an operation, by their names in the protocol.</summary>
public enum OperationStatus
{
    InProgress,
    Completed,
    Faulted,
    Canceled,
}

/// <summary>A document that an operation deleted or changed.</summary>
/// <param name="Id">The id as it was stored.</param>
public readonly record struct ChangedDocument(string Id)
{
    /// <summary>For a deleted document, the etag of its tombstone.</summary>
    public long Etag { get; init; }

    /// <summary>For a patched document, the change vector of the stored version; empty when there is none.</summary>
    public string? ChangeVector { get; init; }

    /// <summary>For a patched document, the result of the patch; null when the document was deleted.</summary>
    public string? Status { get; init; }
}

/// <summary>The progress of a bulk insert, or of a change of all results of a query.</summary>
/// <param name="Documents">The number of documents whose batch is durable.</param>
/// <param name="Batches">The number of durable batches.</param>
/// <param name="LastId">The id of the last durable document, as the client sent it; null before the first.</param>
public readonly record struct BulkInsertCounts(long Documents, long Batches, string? LastId)
{
    /// <summary>The number of documents that will be examined, if that is known in advance; otherwise 0.</summary>
    public long Total { get; init; }

    /// <summary>Things of extensions whose batch is durable, by the slot of the extension; null: there are none.</summary>
    internal IReadOnlyList<long>? Extended { get; init; }

    /// <summary>Documents and things of extensions together.</summary>
    internal long All => Documents + (Extended?.Sum() ?? 0);
}
