using Jackdaw.Client.Changes;
using Jackdaw.Client.Exceptions;
using Jackdaw.Client.Http;

namespace Jackdaw.Client.Operations;

/// <summary>A long operation that runs on the server. Safe for concurrent use.</summary>
/// <remarks>The server remembers for some time how the last operations have ended. It forgets them when it restarts.</remarks>
public sealed class Operation
{
    // Short operations end within a few steps. For long ones, half a second does not matter.
    private static readonly TimeSpan s_pauseFirst = TimeSpan.FromMilliseconds(10);
    private static readonly TimeSpan s_pauseMax = TimeSpan.FromMilliseconds(500);

    private readonly OperationScope _scope;

    internal Operation(OperationScope scope, long id, string? nodeTag) => (_scope, Id, NodeTag) = (scope, id, nodeTag);

    /// <summary>Its number, unique in the database.</summary>
    public long Id { get; }

    /// <summary>Name of the server that runs it; null if that is not known.</summary>
    public string? NodeTag { get; }

    /// <summary>Raised when a call that waits for its completion sees progress. That call raises it.</summary>
    public event EventHandler<OperationProgress>? OnProgressChanged;

    /// <summary>Waits until it has ended.</summary>
    /// <returns>What it has done.</returns>
    /// <exception cref="DocumentDatabaseException">The operation has failed, and the exception describes its failure. Or the server does not know
    /// it.</exception>
    /// <exception cref="OperationCanceledException">The operation was killed. Or the token was cancelled; then it continues.</exception>
    public Task<OperationResult> WaitForCompletionAsync(CancellationToken token = default) => WaitAsync(null, isAsync: true, token).AsTask();

    /// <inheritdoc cref="WaitForCompletionAsync(CancellationToken)"/>
    /// <param name="timeout">When it has not ended by then, the call ends with a <see cref="RequestTimeoutException"/>, and the operation
    /// continues.</param>
    public Task<OperationResult> WaitForCompletionAsync(TimeSpan timeout, CancellationToken token = default) =>
        WaitAsync(timeout, isAsync: true, token).AsTask();

    /// <summary>Blocks until it has ended. Otherwise it is like <see cref="WaitForCompletionAsync(TimeSpan, CancellationToken)"/>.</summary>
    /// <param name="timeout">Null for no limit.</param>
    public OperationResult WaitForCompletion(TimeSpan? timeout = null) => Completed.Result(WaitAsync(timeout, isAsync: false, default));

    /// <summary>Its state.</summary>
    /// <exception cref="DocumentDatabaseException">The server does not know it.</exception>
    public Task<OperationState> GetStateAsync(CancellationToken token = default) => AskAsync(isAsync: true, token).AsTask();

    /// <summary>Asks the server to end it early. What it has done so far stays. An operation that has ended already is not changed.</summary>
    /// <exception cref="DocumentDatabaseException">The server does not know it.</exception>
    public Task KillAsync(CancellationToken token = default) => KillAsync(isAsync: true, token).AsTask();

    /// <inheritdoc cref="KillAsync(CancellationToken)"/>
    public void Kill() => Completed.Result(KillAsync(isAsync: false, default));

    private async ValueTask KillAsync(bool isAsync, CancellationToken token)
    {
        var message = new RequestMessage { Method = HttpMethod.Post, Path = $"operations/kill?id={Id}" };
        RequestAnswer answer = await _scope.Executor.SendAsync(message, isAsync, token).ConfigureAwait(false);
        if (answer.IsMissing)
        {
            throw Unknown();
        }
    }

    internal async ValueTask<OperationResult> WaitAsync(TimeSpan? timeout, bool isAsync, CancellationToken token)
    {
        OperationState state;
        using var limit = new CancellationTokenSource(timeout ?? Timeout.InfiniteTimeSpan, _scope.Executor.Time);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(token, limit.Token);
        try
        {
            state = await WaitForEndAsync(isAsync, either.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException late) when (limit.IsCancellationRequested && !token.IsCancellationRequested)
        {
            throw new RequestTimeoutException(
                $"Operation {Id} of the database '{_scope.Executor.Database}' has not ended within {timeout}. It continues: wait again, or kill it.", late);
        }

        // What was read while it ran may be older than its last change.
        _scope.Executor.Tracker.MarkWritten([], []);
        return state.Status switch
        {
            OperationStatus.Completed => OperationResult.Read(state.Result ?? default),
            OperationStatus.Canceled => throw new OperationCanceledException($"Operation {Id} was killed."),
            _ => throw OperationStates.FailureOf(state),
        };
    }

    private async ValueTask<OperationState> WaitForEndAsync(bool isAsync, CancellationToken token)
    {
        OperationProgress? last = null;
        for (TimeSpan pause = s_pauseFirst; ; pause = pause * 2 < s_pauseMax ? pause * 2 : s_pauseMax)
        {
            OperationState state = await AskAsync(isAsync, token).ConfigureAwait(false);
            if (state.Progress is { } json && OperationProgress.Read(json) is { } progress && progress != last)
            {
                last = progress;
                OnProgressChanged?.Invoke(this, progress);
            }

            if (state.Status != OperationStatus.InProgress)
            {
                return state;
            }

            await _scope.Notices.WaitAsync(Id, pause, isAsync, token).ConfigureAwait(false);
        }
    }

    private ValueTask<OperationState> AskAsync(bool isAsync, CancellationToken token)
    {
        var message = new RequestMessage { Method = HttpMethod.Get, Path = $"operations/state?id={Id}", IsRead = true };
        return _scope.ReadAsync(message, json => OperationStates.Read(json) ?? throw Unknown(), isAsync, token);
    }

    private DocumentDatabaseException Unknown() => new(
        $"The database '{_scope.Executor.Database}' does not know operation {Id}: it remembers the last operations for some time, "
            + "and forgets them at a restart.");
}
