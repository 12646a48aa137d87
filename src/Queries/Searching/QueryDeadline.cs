using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using Jackdaw.Json.Refusals;

namespace Jackdaw.Queries.Searching;

/// <summary>Ends a query that runs too long or whose client is gone, in the search engine and between documents.</summary>
/// <remarks>The time of waiting for an index does not count, because the query itself says how long it waits. One thread at a time.</remarks>
/// <param name="max">The longest time; null for queries that may run as long as their clients want, such as streams and operations.</param>
internal sealed class QueryDeadline(TimeSpan? max) : IDisposable
{
    private CancellationTokenSource? _source;
    private CancellationToken _ended;

    /// <summary>Is cancelled when the query has to end.</summary>
    public CancellationToken Token => _source?.Token ?? _ended;

    /// <summary>Starts the time of the query, if it has not started yet.</summary>
    /// <param name="ended">Is cancelled when the client is gone, or when the operation is killed.</param>
    public void Begin(CancellationToken ended)
    {
        if (max is { } time && _source is null)
        {
            _source = CancellationTokenSource.CreateLinkedTokenSource(ended);
            _source.CancelAfter(time);
        }

        _ended = ended;
    }

    /// <summary>The refusal of a query whose time is over; false when the query ended for another reason.</summary>
    public bool TryExplain(OperationCanceledException failure, [NotNullWhen(true)] out RefusedException? explained)
    {
        bool isOver = _source is { IsCancellationRequested: true } && !_ended.IsCancellationRequested;
        explained = !isOver ? null : new RefusedException(RefusalKind.TimedOut, string.Create(
            CultureInfo.InvariantCulture,
            $"The query ran longer than {max!.Value.TotalSeconds} s and was ended. Narrow it down, page it or stream it (/streams/queries, "
            + $"which has no limit), or raise the setting Databases.QueryTimeoutInSec of the database. ({failure.Message})"));
        return isOver;
    }

    public void Dispose() => _source?.Dispose();
}
