using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using Jackdaw.Json.Refusals;

namespace Jackdaw.Queries.Searching;

/// <summary>Ends a query that runs too long, whose client is gone, or that somebody kills: in the search engine, between documents, and while it waits for an
/// index.</summary>
/// <remarks>The time of waiting for an index does not count, because the query itself says how long it waits. One thread at a time, except
/// <see cref="Kill"/>.</remarks>
/// <param name="max">The longest time; null for queries that may run as long as their clients want, such as streams and operations.</param>
internal sealed class QueryDeadline(TimeSpan? max) : IDisposable
{
    private readonly CancellationTokenSource _source = new();
    private CancellationTokenRegistration _following;
    private CancellationToken _ended;
    private bool _hasBegun;
    private volatile bool _isKilled;

    /// <summary>Is cancelled when the query has to end.</summary>
    public CancellationToken Token => _source.Token;

    /// <summary>Ends the query when its client is gone or its operation is killed.</summary>
    public void Follow(CancellationToken ended)
    {
        if (ended != _ended)
        {
            _following.Dispose();
            _ended = ended;
            _following = ended.UnsafeRegister(static source => ((CancellationTokenSource)source!).Cancel(), _source);
        }
    }

    /// <summary>Starts the time of the query, if it has not started yet.</summary>
    public void Begin()
    {
        if (max is { } time && !_hasBegun)
        {
            _hasBegun = true;
            _source.CancelAfter(time);
        }
    }

    /// <summary>Ends the query for somebody. Any thread.</summary>
    public void Kill()
    {
        _isKilled = true;
        try
        {
            _source.Cancel();
        }
        catch (ObjectDisposedException)
        {
            // It has just ended by itself.
        }
    }

    /// <summary>The refusal of a query that was killed or whose time is over; false when the query ended for another reason.</summary>
    public bool TryExplain(OperationCanceledException failure, [NotNullWhen(true)] out RefusedException? explained)
    {
        explained = _ended.IsCancellationRequested || !_source.IsCancellationRequested ? null
            : _isKilled ? new RefusedException(RefusalKind.Killed, $"Somebody ended the query. ({failure.Message})")
            : new RefusedException(RefusalKind.TimedOut, string.Create(
                CultureInfo.InvariantCulture,
                $"The query ran longer than {max!.Value.TotalSeconds} s and was ended. Narrow it down, page it or stream it (/streams/queries, "
                + $"which has no limit), or raise the setting Databases.QueryTimeoutInSec of the database. ({failure.Message})"));
        return explained is not null;
    }

    public void Dispose()
    {
        _following.Dispose();
        _source.Dispose();
    }
}
