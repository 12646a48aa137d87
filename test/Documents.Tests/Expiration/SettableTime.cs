using Jackdaw.TestKit;

namespace Jackdaw.Documents.Tests.Expiration;

/// <summary>A clock that a test turns, and sets: setting it runs no timer, as with the clock of a machine.</summary>
internal sealed class SettableTime : TimeProvider
{
    private readonly ManualTime _turned = new();
    private long _set = new DateTime(2030, 1, 1, 0, 0, 0, DateTimeKind.Utc).Ticks - DateTimeOffset.UnixEpoch.UtcTicks;

    public int TimerCount => _turned.TimerCount;

    /// <inheritdoc cref="ManualTime.TimersMade"/>
    public int TimersMade => _turned.TimersMade;

    /// <inheritdoc cref="ManualTime.FirstTimerIn"/>
    public TimeSpan? FirstTimerIn => _turned.FirstTimerIn;

    public override long TimestampFrequency => _turned.TimestampFrequency;

    public override DateTimeOffset GetUtcNow() => _turned.GetUtcNow() + TimeSpan.FromTicks(Volatile.Read(ref _set));

    public override long GetTimestamp() => _turned.GetTimestamp();

    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period) =>
        _turned.CreateTimer(callback, state, dueTime, period);

    public void Advance(TimeSpan by) => _turned.Advance(by);

    public void Set(TimeSpan by) => Interlocked.Add(ref _set, by.Ticks);

    /// <summary>A date as documents have it.</summary>
    public string In(TimeSpan time) => (GetUtcNow() + time).UtcDateTime.ToString("O");
}
