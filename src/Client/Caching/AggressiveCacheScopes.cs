using Jackdaw.Client.Conventions;

namespace Jackdaw.Client.Caching;

/// <summary>The scopes of one database of one store: they nest, and follow the flow of control into what it awaits and starts.</summary>
internal sealed class AggressiveCacheScopes(ChangeTracker tracker, TimeProvider time)
{
    private static readonly TimeSpan s_durationMin = TimeSpan.FromSeconds(1);

    private readonly AsyncLocal<AggressiveCacheScope?> _current = new();

    /// <summary>The innermost scope that has not ended; null if every read asks the server.</summary>
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

    /// <summary>Begins a scope. Until the feed of notices is connected, its reads ask the server whether answers are still valid.</summary>
    /// <param name="duration">At least a second. With zero, no read in the scope is answered without a request.</param>
    /// <exception cref="ArgumentOutOfRangeException">The duration is between zero and a second, or a time is negative.</exception>
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

    /// <summary>Begins a scope at once, and waits until the feed is connected, so that the first reads need no request.</summary>
    /// <remarks>This is not an async method: what such a method sets in the flow is gone when it returns, so its caller would be outside of the
    /// scope.</remarks>
    /// <param name="timeout">After this time the scope is returned anyway.</param>
    /// <exception cref="OperationCanceledException">The wait was cancelled, and the scope has ended.</exception>
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
            // Until the feed is connected, its reads ask the server.
        }
        catch (OperationCanceledException)
        {
            scope.Dispose();
            throw;
        }

        return scope;
    }
}
