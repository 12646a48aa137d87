using System.Collections.Concurrent;
using Jackdaw.Documents.Database;

namespace Jackdaw.Documents.Tests.Database;

/// <summary>A part that notes what is done with it, and does what a test says.</summary>
internal sealed class RecordedPart(string name, PartHost host, ConcurrentQueue<string> log) : DatabasePart
{
    private int _calls; // under way
    private CancellationTokenRegistration _onStop;

    public override string Name => name;

    public PartHost Host { get; } = host;

    public CancellationToken Stop { get; private set; }

    public bool IsOpen { get; private set; }

    public Func<RecordedPart, ValueTask> WhenOpened { get; init; } = _ => ValueTask.CompletedTask;

    public Func<RecordedPart, ValueTask> WhenClosed { get; init; } = _ => ValueTask.CompletedTask;

    public override async ValueTask OpenAsync(CancellationToken stop)
    {
        Assert.Equal(1, Interlocked.Increment(ref _calls));
        Assert.False(IsOpen);
        Stop = stop;
        log.Enqueue($"open {name}");
        await WhenOpened(this);
        _onStop = stop.Register(() => log.Enqueue($"stop {name}"));
        IsOpen = true;
        Interlocked.Decrement(ref _calls);
    }

    public override async ValueTask CloseAsync()
    {
        Assert.Equal(1, Interlocked.Increment(ref _calls));
        Assert.True(IsOpen);
        log.Enqueue($"close {name}");
        await WhenClosed(this);
        await _onStop.DisposeAsync();
        IsOpen = false;
        Interlocked.Decrement(ref _calls);
    }
}

/// <summary>Makes the parts that a test says.</summary>
internal sealed class RecordedKind(string name, Func<PartHost, IEnumerable<DatabasePart>> make) : DatabasePartKind
{
    public override string Name => name;

    public Func<ClosedDatabase, bool> Needs { get; init; } = _ => false;

    public override bool NeedsOpenDatabase(ClosedDatabase database) => Needs(database);

    public override IEnumerable<DatabasePart> MakeParts(PartHost host) => make(host);
}
