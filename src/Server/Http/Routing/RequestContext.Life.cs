using System.Diagnostics;
using Jackdaw.Documents.Callers;

namespace Jackdaw.Server.Http.Routing;

/// <summary>What <see cref="RunningRequests"/> asks of a request while it runs, from another thread.</summary>
internal sealed partial class RequestContext
{
    private int _number; // odd while a request runs
    private Action? _endGently;

    /// <summary>Whether the request has run for some time and its caller no longer has the access of its route. Called by any thread.</summary>
    public bool HasLostAccess(TimeSpan age)
    {
        int number = Volatile.Read(ref _number);
        if ((number & 1) == 0 || Stopwatch.GetElapsedTime(StartTimestamp) < age)
        {
            return false;
        }

        // A request whose database is being opened is judged again when it is open.
        bool hasLost = Caller is { } caller && Route is { } route && (!route.IsOfDatabase || HasDatabase) && !caller.May(Access, DatabaseName);
        return hasLost && Volatile.Read(ref _number) == number;
    }

    /// <summary>Judges the request again, after it has waited for its client or for something else: its caller may have lost the access in that time.</summary>
    /// <exception cref="AccessDeniedException">The caller does not have the access of the route any more.</exception>
    public void DemandAgain() => Demand(Access, DatabaseName, Title);

    /// <summary>Lets a request that has lost its access end itself, with a message to its client.</summary>
    /// <param name="end">Called at most once, by another thread.</param>
    public void WhenAccessIsLost(Action end) => Volatile.Write(ref _endGently, end);

    /// <summary>Asks the request to end itself. False when it cannot, or was asked before.</summary>
    public bool TryEndGently()
    {
        Action? end = Interlocked.Exchange(ref _endGently, null);
        end?.Invoke();
        return end is not null;
    }

    private void BeginLife() => Volatile.Write(ref _number, _number + 1);

    private void EndLife()
    {
        Volatile.Write(ref _number, _number + 1);
        _endGently = null;
    }
}
