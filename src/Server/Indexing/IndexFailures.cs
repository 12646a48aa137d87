using Jackdaw.Server.Indexing.Building;

namespace Jackdaw.Server.Indexing;

/// <summary>The newest failures of one index. Thread safe.</summary>
internal sealed class IndexFailures
{
    /// <summary>Failures that are kept; older ones are dropped.</summary>
    public const int KeptMax = 500;

    private readonly Lock _lock = new();
    private readonly Queue<IndexFailure> _failures = new();

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
        lock (_lock)
        {
            if (_failures.Count == KeptMax)
            {
                _failures.Dequeue();
            }

            _failures.Enqueue(failure);
        }
    }

    public void Clear()
    {
        lock (_lock)
        {
            _failures.Clear();
        }
    }
}

/// <summary>Something that an index could not do.</summary>
/// <param name="DocumentId">The document concerned; null for none.</param>
/// <param name="Action">Map, Reduce, or what else failed.</param>
internal sealed record IndexFailure(DateTimeOffset Time, string? DocumentId, string Action, string Message);
