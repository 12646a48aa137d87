using Jackdaw.Client.Conventions;

namespace Jackdaw.Client.Caching;

/// <summary>The scopes of one database of one store: they nest, and follow the flow of control into what it awaits and starts.</summary>
internal sealed class AggressiveCacheScopes(ChangeTracker tracker, TimeProvider time)
{
    private static readonly TimeSpan s_durationMin = TimeSpan.FromSeconds(1);

    private readonly AsyncLocal<AggressiveCacheScope?> _current = new();

    /// <summary>The innermost one that is not over; null: every read asks the server.</summary>
    public AggressiveCacheScope? Current
    {
        get
        {
            AggressiveCacheScope? scope = _current.Value;
            while (scope is { IsOver: true })
            {
                scope = scope.Outer;
            }

            return scope;
        }
    }

    /// <summary>Begins one. Until the feed of notices is connected, its reads ask the server whether answers are still so.</summary>
    /// <param name="duration">At least a second, or zero: no read within is answered without a request.</param>
    /// <exception cref="ArgumentOutOfRangeException">A duration between zero and a second, or a negative time.</exception>
    public AggressiveCacheScope Enter(TimeSpan duration, AggressiveCacheMode mode, TimeSpan maxStaleness)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(maxStaleness, TimeSpan.Zero);
        if (duration != TimeSpan.Zero)
        {
            ArgumentOutOfRangeException.ThrowIfLessThan(duration, s_durationMin);
        }

        var scope = new AggressiveCacheScope(Current, duration, mode, maxStaleness);
        _current.Value = scope;
        return scope;
    }

    /// <summary>Begins one at once, and waits until the feed is connected, so that the first reads need no request.</summary>
    /// <remarks>Not an async method: what such a method sets in the flow is gone when it returns, and its caller would be outside of the scope.</remarks>
    /// <param name="timeout">After this time the scope is given back anyway.</param>
    /// <exception cref="OperationCanceledException">The scope is over.</exception>
    public ValueTask<IDisposable> EnterAsync(
        TimeSpan duration, AggressiveCacheMode mode, TimeSpan maxStaleness, TimeSpan timeout, CancellationToken token = default)
    {
        AggressiveCacheScope scope = Enter(duration, mode, maxStaleness);
        Task connected = mode == AggressiveCacheMode.DoNotTrackChanges || duration == TimeSpan.Zero ? Task.CompletedTask : tracker.WhenConnected;
        return connected.IsCompleted ? new(scope) : new(WaitAsync(scope, connected, timeout, token));
    }

    private async Task<IDisposable> WaitAsync(AggressiveCacheScope scope, Task connected, TimeSpan timeout, CancellationToken token)
    {
        try
        {
            await connected.WaitAsync(timeout, time, token).ConfigureAwait(false);
        }
        catch (TimeoutException)
        {
            // Its reads ask the server until the feed is there.
        }
        catch (OperationCanceledException)
        {
            scope.Dispose();
            throw;
        }

        return scope;
    }
}
