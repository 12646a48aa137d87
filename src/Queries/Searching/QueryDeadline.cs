using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using Jackdaw.Json.Refusals;

namespace Jackdaw.Queries.Searching;

/// <summary>Ends a query that runs too long, or whose client is gone: in the search engine, between documents, in scripts.</summary>
/// <remarks>Waiting for an index is not counted: the query says itself how long it waits. One thread at a time.</remarks>
/// <param name="max">Null: it may run as long as its client wants, as streams and operations in the background.</param>
internal sealed class QueryDeadline(TimeSpan? max) : IDisposable
{
    private CancellationTokenSource? _source;
    private CancellationToken _ended;

    /// <summary>Fires when the query is to end.</summary>
    public CancellationToken Token => _source?.Token ?? _ended;

    /// <summary>The query begins to run now, if it has not begun yet.</summary>
    /// <param name="ended">The client is gone, or the operation was killed.</param>
    public void Begin(CancellationToken ended)
    {
        if (max is { } time && _source is null)
        {
            _source = CancellationTokenSource.CreateLinkedTokenSource(ended);
            _source.CancelAfter(time);
        }

        _ended = ended;
    }

    /// <summary>The answer to a failure that this has caused: the time is over.</summary>
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
