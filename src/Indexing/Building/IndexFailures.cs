namespace Jackdaw.Indexing.Building;

/// <summary>The newest failures of one index, and which of them its storage does not have yet. Thread safe.</summary>
/// <remarks>Failures are numbered from the first one that the index ever had. The storage has those from the number of the oldest one here,
/// so dropping old failures and deleting all of them are the same. They are written with the next transaction of the index, so the failures
/// of a batch are durable with that batch.</remarks>
internal sealed class IndexFailures
{
    /// <summary>How many failures are stored; older ones are dropped.</summary>
    public const int FailuresMax = 500;

    /// <summary>Characters of one message: a definition can put a whole document into what it throws, and all are read when an index is opened.</summary>
    private const int MessageLengthMax = 4096;

    private readonly Lock _lock = new(); // guards everything below
    private readonly Queue<IndexFailure> _failures = new();
    private long _first; // number of the oldest
    private long _storedFirst;
    private long _storedNext;
    private bool _forgetsRate;

    public int Count
    {
        get
        {
            lock (_lock)
            {
                return _failures.Count;
            }
        }
    }

    /// <summary>The newest; null when there is none.</summary>
    public IndexFailure? Last
    {
        get
        {
            lock (_lock)
            {
                return _failures.LastOrDefault();
            }
        }
    }

    /// <summary>Whether the storage of the index differs from what is here.</summary>
    public bool IsUnwritten
    {
        get
        {
            lock (_lock)
            {
                return _forgetsRate || _first != _storedFirst || _first + _failures.Count != _storedNext;
            }
        }
    }

    /// <summary>Whether the share of failures is counted anew, and this is not written yet.</summary>
    public bool ForgetsRate
    {
        get
        {
            lock (_lock)
            {
                return _forgetsRate;
            }
        }
    }

    /// <summary>Oldest first.</summary>
    public IReadOnlyList<IndexFailure> List()
    {
        lock (_lock)
        {
            return [.. _failures];
        }
    }

    public void Add(DateTimeOffset time, MappingFailure failure) =>
        Add(new IndexFailure(time, failure.DocumentId, failure.Action, failure.Message));

    public void Add(IndexFailure failure)
    {
        string message = failure.Message;
        lock (_lock)
        {
            _failures.Enqueue(message.Length <= MessageLengthMax ? failure : failure with { Message = message[..MessageLengthMax] + "..." });
            Trim();
        }
    }

    public void Clear()
    {
        lock (_lock)
        {
            _first += _failures.Count;
            _failures.Clear();
        }
    }

    /// <summary>The share of failures is counted anew.</summary>
    public void ForgetRate()
    {
        lock (_lock)
        {
            _forgetsRate = true;
        }
    }

    /// <summary>Takes the failures of a storage that was opened. They are older than what has failed since.</summary>
    public void Load(long first, IReadOnlyCollection<IndexFailure> stored)
    {
        lock (_lock)
        {
            IndexFailure[] newer = [.. _failures];
            _failures.Clear();
            (_first, _storedFirst, _storedNext) = (first, first, first + stored.Count);
            foreach (IndexFailure failure in stored.Concat(newer))
            {
                _failures.Enqueue(failure);
            }

            Trim();
        }
    }

    /// <summary>What has to be written. When it is durable, <see cref="NoteWritten"/> is called.</summary>
    public FailureChanges TakeUnwritten()
    {
        lock (_lock)
        {
            long from = Math.Max(_first, _storedNext);
            return new FailureChanges(_storedFirst, _first, from, [.. _failures.Skip((int)(from - _first))], _forgetsRate);
        }
    }

    public void NoteWritten(FailureChanges changes)
    {
        lock (_lock)
        {
            _storedFirst = changes.First;
            _storedNext = changes.From + changes.Added.Count;
            _forgetsRate &= !changes.ForgetsRate;
        }
    }

    private void Trim()
    {
        while (_failures.Count > FailuresMax)
        {
            _failures.Dequeue();
            _first++;
        }
    }
}

/// <summary>Something that an index could not do.</summary>
/// <param name="DocumentId">The document concerned; null for none.</param>
/// <param name="Action">Map, Reduce, or what else failed.</param>
internal sealed record IndexFailure(DateTimeOffset Time, string? DocumentId, string Action, string Message);

/// <summary>The failures of an index that its storage does not have yet.</summary>
/// <param name="StoredFirst">Failures from this number on are stored.</param>
/// <param name="First">Failures before this number are deleted.</param>
/// <param name="From">Number of the first of <paramref name="Added"/>.</param>
/// <param name="ForgetsRate">The share of failures is counted anew.</param>
internal sealed record FailureChanges(long StoredFirst, long First, long From, IReadOnlyList<IndexFailure> Added, bool ForgetsRate);
