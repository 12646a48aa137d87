using Jackdaw.Documents.Expiration;

namespace Jackdaw.TestServer;

/// <summary>The clock of a test server: what it stores as a date, and when documents expire. It shows the time of the system until a test moves
/// it.</summary>
/// <remarks>
/// Only dates follow it. Timestamps and timers, by which a server and its clients measure how long something takes, are those of the system. So
/// requests, indexing and notices go on while the clock stands still, and none of them ends when it leaps ahead. It is safe for concurrent use.
/// </remarks>
public sealed class TestClock : TimeProvider, ISettableClock
{
    private readonly Lock _lock = new(); // guards the two
    private TimeSpan _ahead;
    private DateTimeOffset? _standsAt;
    private Action? _wasSet;

    internal TestClock()
    {
    }

    event Action ISettableClock.WasSet
    {
        add
        {
            lock (_lock)
            {
                _wasSet += value;
            }
        }

        remove
        {
            lock (_lock)
            {
                _wasSet -= value;
            }
        }
    }

    /// <inheritdoc/>
    public override DateTimeOffset GetUtcNow()
    {
        lock (_lock)
        {
            return _standsAt ?? base.GetUtcNow() + _ahead;
        }
    }

    /// <summary>Moves the clock ahead, whether it stands still or runs. What becomes due is done soon afterwards; <see cref="JackdawTestServer.AdvanceAsync"/>
    /// waits for it.</summary>
    /// <param name="by">Zero or more.</param>
    /// <exception cref="ArgumentOutOfRangeException">The time is negative, or leads beyond the last possible date.</exception>
    public void Advance(TimeSpan by)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(by, TimeSpan.Zero);
        Action? wasSet;
        lock (_lock)
        {
            _ = GetUtcNow() + by; // refused before anything is changed
            _ahead += by;
            _standsAt += by;
            wasSet = _wasSet;
        }

        wasSet?.Invoke();
    }

    /// <summary>Sets the clock to a moment and stops it there. From then on only the test moves it.</summary>
    /// <param name="moment">Any time, also in the past.</param>
    public void StopAt(DateTimeOffset moment)
    {
        Action? wasSet;
        lock (_lock)
        {
            _standsAt = moment.ToUniversalTime();
            wasSet = _wasSet;
        }

        wasSet?.Invoke();
    }
}
