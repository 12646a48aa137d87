using System.Diagnostics;
using Jackdaw.Documents.Database;

namespace Jackdaw.Server.Live;

/// <summary>Takes a sample each second and keeps those of the last 15 minutes, so that who begins to look sees what led here. Any thread.</summary>
/// <remarks>A sample reads counters that are kept anyway, some for each open database: microseconds.</remarks>
internal sealed class LiveSampler : IDisposable
{
    /// <summary>Samples of 15 minutes.</summary>
    public const int SamplesMax = 900;

    /// <summary>Databases in all kept samples together, about 5 MB: a server with many busy ones keeps a shorter time.</summary>
    public const int EntriesMax = 50_000;

    public static readonly TimeSpan Period = TimeSpan.FromSeconds(1);

    private readonly Func<IEnumerable<DocumentDatabase>> _open;
    private readonly TimeProvider _time;
    private readonly ITimer _timer;
    private readonly Lock _lock = new(); // guards the kept samples and the next one
    private readonly Queue<LiveSample> _kept = new();
    private int _entries;
    private TaskCompletionSource _next = NewSignal();

    // Of the timer's callback, which does not run beside itself.
    private Dictionary<DocumentDatabase, DatabaseCounters> _databases = []; // by object: one that is opened again counts from 0
    private ProcessCounters _process = ProcessCounters.Read();
    private long _number;
    private long _takenAt;
    private bool _isDisposed;

    /// <param name="open">The open databases.</param>
    public LiveSampler(Func<IEnumerable<DocumentDatabase>> open, TimeProvider time)
    {
        _open = open;
        _time = time;
        _takenAt = time.GetTimestamp();
        // Set anew each time, so that samples do not follow each other at once on a machine that was busy or asleep.
        _timer = time.CreateTimer(_ => TakeAndGoOn(), null, Period, Timeout.InfiniteTimeSpan);
    }

    /// <summary>The kept samples behind a number, oldest first.</summary>
    /// <param name="number">0 for all.</param>
    public IReadOnlyList<LiveSample> After(long number)
    {
        lock (_lock)
        {
            return [.. _kept.SkipWhile(sample => sample.Number <= number)];
        }
    }

    /// <summary>Completes when there is a sample behind a number.</summary>
    public Task WaitAsync(long number, CancellationToken cancellationToken)
    {
        lock (_lock)
        {
            return _kept.Count > 0 && _kept.Last().Number > number ? Task.CompletedTask : _next.Task.WaitAsync(cancellationToken);
        }
    }

    public void Dispose()
    {
        Volatile.Write(ref _isDisposed, true);
        _timer.Dispose();
    }

    private static TaskCompletionSource NewSignal() => new(TaskCreationOptions.RunContinuationsAsynchronously);

    private void TakeAndGoOn()
    {
        Keep(Take());
        if (!Volatile.Read(ref _isDisposed))
        {
            _timer.Change(Period, Timeout.InfiniteTimeSpan);
        }
    }

    private LiveSample Take()
    {
        var now = new Dictionary<DocumentDatabase, DatabaseCounters>(_databases.Count);
        var changed = new List<KeyValuePair<string, DatabaseCounters>>();
        foreach (DocumentDatabase database in _open())
        {
            if (TryRead(database) is { } counters)
            {
                DatabaseCounters done = counters.Since(_databases.GetValueOrDefault(database));
                now[database] = counters;
                if (done != default)
                {
                    changed.Add(new(database.Name, done));
                }
            }
        }

        ProcessCounters process = ProcessCounters.Read();
        long takenAt = _time.GetTimestamp();
        var sample = new LiveSample(++_number, _time.GetUtcNow(), _time.GetElapsedTime(_takenAt, takenAt), process.Since(_process), changed);
        (_databases, _process, _takenAt) = (now, process, takenAt);
        return sample;
    }

    // A database may be closed while it is read. Anything else is a fault of ours, but no reason to end the server or to leave out the others.
    private static DatabaseCounters? TryRead(DocumentDatabase database)
    {
        try
        {
            return DatabaseCounters.Read(database);
        }
        catch (Exception failure)
        {
            Debug.Assert(failure is ObjectDisposedException, failure.ToString());
            return null;
        }
    }

    private void Keep(LiveSample sample)
    {
        TaskCompletionSource next;
        lock (_lock)
        {
            _kept.Enqueue(sample);
            _entries += sample.Databases.Count;
            while (_kept.Count > SamplesMax || (_entries > EntriesMax && _kept.Count > 1))
            {
                _entries -= _kept.Dequeue().Databases.Count;
            }

            next = _next;
            _next = NewSignal();
        }

        next.SetResult();
    }
}
