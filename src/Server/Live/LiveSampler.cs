using Jackdaw.Documents.Database;

namespace Jackdaw.Server.Live;

/// <summary>Takes a sample each second and keeps those of the last 15 minutes, so that who begins to look sees what led here. Any thread.</summary>
/// <remarks>A sample reads counters that are kept anyway, some for each open database: microseconds. States of databases cost more, and are read only when
/// somebody looks, once for all who do.</remarks>
internal sealed class LiveSampler : IDisposable
{
    /// <summary>Samples of 15 minutes.</summary>
    public const int SamplesMax = 900;

    /// <summary>Databases in all kept samples together, about 8 MB: a server with many busy ones keeps a shorter time.</summary>
    public const int EntriesMax = 50_000;

    public static readonly TimeSpan Period = TimeSpan.FromSeconds(1);

    private readonly Func<IEnumerable<DocumentDatabase>> _open;
    private readonly Func<IReadOnlyList<DatabaseState>> _readStates;
    private readonly TimeProvider _time;
    private readonly ITimer _timer;
    private readonly Lock _lock = new(); // guards the kept samples and the next one
    private readonly List<LiveSample> _kept = []; // numbered without gaps
    private int _entries;
    private TaskCompletionSource _next = NewSignal();
    private volatile Lazy<IReadOnlyList<DatabaseState>> _states;

    // Of the timer's callback, which does not run beside itself.
    private Dictionary<DocumentDatabase, DatabaseMeter> _databases = []; // by object: one that is opened again counts from 0
    private ProcessCounters _process = ProcessCounters.Read();
    private long _number;
    private long _takenAt;
    private bool _isDisposed;

    /// <param name="open">The open databases.</param>
    /// <param name="readStates">Reads how all databases are.</param>
    public LiveSampler(Func<IEnumerable<DocumentDatabase>> open, Func<IReadOnlyList<DatabaseState>> readStates, TimeProvider time)
    {
        _open = open;
        _readStates = readStates;
        _states = new Lazy<IReadOnlyList<DatabaseState>>(readStates);
        _time = time;
        _takenAt = time.GetTimestamp();
        // Set anew each time, so that samples do not follow each other at once on a machine that was busy or asleep.
        _timer = time.CreateTimer(_ => TakeAndGoOn(), null, Period, Timeout.InfiniteTimeSpan);
    }

    /// <summary>How all databases are, as of the last sample or later.</summary>
    public IReadOnlyList<DatabaseState> States => _states.Value;

    private long Newest => _kept.Count > 0 ? _kept[^1].Number : 0;

    /// <summary>The kept samples after a number, oldest first.</summary>
    /// <param name="number">0 for all.</param>
    public IReadOnlyList<LiveSample> After(long number)
    {
        lock (_lock)
        {
            int count = (int)Math.Min(_kept.Count, Newest - number);
            return _kept.GetRange(_kept.Count - count, count);
        }
    }

    /// <summary>Completes when there is a sample after a number.</summary>
    public Task WaitAsync(long number, CancellationToken cancellationToken)
    {
        lock (_lock)
        {
            return Newest > number ? Task.CompletedTask : _next.Task.WaitAsync(cancellationToken);
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
        var now = new Dictionary<DocumentDatabase, DatabaseMeter>(_databases.Count);
        var changed = new List<KeyValuePair<string, DatabaseWork>>();
        foreach (DocumentDatabase database in _open())
        {
            DatabaseMeter meter = _databases.GetValueOrDefault(database) ?? new DatabaseMeter(database);
            now[database] = meter;
            if (meter.Take() is { } work)
            {
                changed.Add(new(database.Name, work));
            }
        }

        ProcessCounters process = ProcessCounters.Read();
        long takenAt = _time.GetTimestamp();
        var sample = new LiveSample(++_number, _time.GetUtcNow(), _time.GetElapsedTime(_takenAt, takenAt), process.Since(_process), changed);
        (_databases, _process, _takenAt) = (now, process, takenAt);
        return sample;
    }

    private void Keep(LiveSample sample)
    {
        TaskCompletionSource next;
        _states = new Lazy<IReadOnlyList<DatabaseState>>(_readStates);
        lock (_lock)
        {
            _kept.Add(sample);
            _entries += sample.Databases.Count;
            int dropped = 0;
            while (_kept.Count - dropped > SamplesMax || (_entries > EntriesMax && _kept.Count - dropped > 1))
            {
                _entries -= _kept[dropped++].Databases.Count;
            }

            _kept.RemoveRange(0, dropped);
            next = _next;
            _next = NewSignal();
        }

        next.SetResult();
    }
}
