using System.Collections.Concurrent;
using Jackdaw.Documents.Operations;
using Microsoft.AspNetCore.Connections.Features;

namespace Jackdaw.Server.Http.Routing;

/// <summary>Ends requests whose callers have lost the access of their routes: a certificate was revoked or edited, a session ended, a time is over. Ends the
/// operations that they began, too.</summary>
/// <remarks>
/// Requests are judged when they begin. Only those that outlive a look are judged again: websockets, streams, bulk inserts, uploads, queries that wait. Each
/// connection is registered once, not each request, so that a short request costs nothing here.
/// </remarks>
internal sealed class RunningRequests : IDisposable
{
    /// <summary>The time between two looks. A lost access takes effect within two of them, well below the second that is promised.</summary>
    public static readonly TimeSpan LookTime = TimeSpan.FromMilliseconds(250);

    private readonly ConcurrentDictionary<RequestContext, IConnectionLifetimeFeature> _connections = new();
    private readonly ConcurrentDictionary<Operation, OperationSender> _operations = new();
    private readonly ILogger _logger;
    private readonly ITimer _timer;

    public RunningRequests(TimeProvider time, ILogger logger)
    {
        _logger = logger;
        _timer = time.CreateTimer(_ => Look(), null, LookTime, Timeout.InfiniteTimeSpan);
    }

    /// <summary>The number of open connections.</summary>
    public int Count => _connections.Count;

    /// <summary>Adds the context of a new connection, until the connection ends.</summary>
    public void Add(RequestContext context, IConnectionLifetimeFeature connection)
    {
        _connections[context] = connection;
        connection.ConnectionClosed.UnsafeRegister(_ => _connections.TryRemove(context, out IConnectionLifetimeFeature? _), null);
    }

    /// <summary>Adds an operation, until it is removed.</summary>
    public void Add(Operation operation, OperationSender sender) => _operations[operation] = sender;

    public void Remove(Operation operation) => _operations.TryRemove(operation, out _);

    public void Dispose() => _timer.Dispose();

    // Nothing may leave it: an exception in the callback of a timer ends the process.
    private void Look()
    {
        try
        {
            foreach ((RequestContext context, IConnectionLifetimeFeature connection) in _connections)
            {
                Judge(context, connection, EndWithoutAccess);
            }

            foreach ((Operation operation, OperationSender sender) in _operations)
            {
                Judge(operation, sender, EndWithoutAccess);
            }
        }
        finally
        {
            try
            {
                _timer.Change(LookTime, Timeout.InfiniteTimeSpan);
            }
            catch (ObjectDisposedException)
            {
                // The server stops.
            }
        }
    }

    private static void EndWithoutAccess(RequestContext context, IConnectionLifetimeFeature connection)
    {
        if (context.HasLostAccess(LookTime) && !context.TryEndGently())
        {
            connection.Abort();
        }
    }

    private static void EndWithoutAccess(Operation operation, OperationSender sender)
    {
        if (sender.FindLoss() is { } loss)
        {
            operation.Stop(loss);
        }
    }

    // A connection may end, or an operation, while it is judged: one that fails must not keep the others from being judged.
    private void Judge<TSubject, TMore>(TSubject subject, TMore more, Action<TSubject, TMore> end)
    {
        try
        {
            end(subject, more);
        }
        catch (Exception failure)
        {
            _logger.LogWarning(failure, "A request or an operation could not be judged again");
        }
    }
}
