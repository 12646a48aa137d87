using Jackdaw.Client.Http;
using Jackdaw.Client.Linq;
using Jackdaw.Client.Sessions.Core;

namespace Jackdaw.Client.Sessions;

/// <summary>A query that is written in RQL.</summary>
/// <typeparam name="T">What rows become.</typeparam>
public sealed class RawQuery<T>
{
    private readonly SessionCore _core;
    private readonly string _rql;
    private readonly Dictionary<string, object?> _parameters = [];
    private bool _waits;
    private TimeSpan? _waitsFor;
    private bool _isUntracked;
    private bool _isUncached;
    private QueryStatistics? _statistics;

    internal RawQuery(SessionCore core, string rql)
    {
        ArgumentException.ThrowIfNullOrWhiteSpace(rql);
        (_core, _rql) = (core, rql);
    }

    /// <summary>Sets the value of a parameter, which the text calls <c>$name</c>. Never write values into the text.</summary>
    /// <param name="name">With or without the dollar sign.</param>
    public RawQuery<T> AddParameter(string name, object? value)
    {
        ArgumentException.ThrowIfNullOrEmpty(name);
        _parameters[name[0] == '$' ? name[1..] : name] = value;
        return this;
    }

    /// <summary>Lets the answer wait until the index has read what was written before.</summary>
    /// <param name="timeout">Null: 15 seconds.</param>
    public RawQuery<T> WaitForNonStaleResults(TimeSpan? timeout = null)
    {
        (_waits, _waitsFor) = (true, timeout);
        return this;
    }

    /// <summary>Entities are not tracked.</summary>
    public RawQuery<T> NoTracking()
    {
        _isUntracked = true;
        return this;
    }

    /// <summary>No cache is used.</summary>
    public RawQuery<T> NoCaching()
    {
        _isUncached = true;
        return this;
    }

    /// <summary>What the server says about the query. It is filled when the query has run.</summary>
    public RawQuery<T> Statistics(out QueryStatistics statistics)
    {
        _statistics = statistics = new QueryStatistics();
        return this;
    }

    /// <summary>Runs the query.</summary>
    public async Task<List<T>> ToListAsync(CancellationToken token = default) => await RunAsync(isAsync: true, token).ConfigureAwait(false);

    /// <summary>Runs the query, and blocks until it is answered.</summary>
    public List<T> ToList() => Completed.Result(RunAsync(isAsync: false, default));

    /// <summary>The first row; the default of the type when there is none.</summary>
    public async Task<T?> FirstOrDefaultAsync(CancellationToken token = default) =>
        (await RunAsync(isAsync: true, token).ConfigureAwait(false)).FirstOrDefault();

    /// <summary>The first row.</summary>
    /// <exception cref="InvalidOperationException">There is none.</exception>
    public async Task<T> FirstAsync(CancellationToken token = default) => (await RunAsync(isAsync: true, token).ConfigureAwait(false)).First();

    /// <summary>The only row.</summary>
    /// <exception cref="InvalidOperationException">There is none, or more than one.</exception>
    public async Task<T> SingleAsync(CancellationToken token = default) => (await RunAsync(isAsync: true, token).ConfigureAwait(false)).Single();

    /// <summary>The only row; the default of the type when there is none.</summary>
    /// <exception cref="InvalidOperationException">There is more than one.</exception>
    public async Task<T?> SingleOrDefaultAsync(CancellationToken token = default) =>
        (await RunAsync(isAsync: true, token).ConfigureAwait(false)).SingleOrDefault();

    /// <summary>Whether there is a row. The server sends what the text asks for: write <c>limit 1</c> into it.</summary>
    public async Task<bool> AnyAsync(CancellationToken token = default) => (await RunAsync(isAsync: true, token).ConfigureAwait(false)).Count > 0;

    /// <summary>The number of results before paging. The server sends the rows, too: write <c>limit 0</c> into the text.</summary>
    public async Task<long> CountAsync(CancellationToken token = default)
    {
        QueryAnswer<T> answer = await _core.RunAsync<T>(Make(), isAsync: true, token).ConfigureAwait(false);
        _statistics?.CopyFrom(answer.Statistics);
        return answer.Statistics.TotalResults;
    }

    /// <summary>Rows one by one, without tracking and without a limit.</summary>
    public IAsyncEnumerable<T> AsAsyncEnumerable(CancellationToken token = default) => _core.StreamAsync<T>(Make(), token);

    /// <summary>The rows. They are requested together with the session's other lazy operations, when the first of their values is needed.</summary>
    public Lazy<Task<List<T>>> LazilyAsync(CancellationToken token = default)
    {
        PendingAnswer<T> pending = RunLazily();
        return new Lazy<Task<List<T>>>(async () => (await pending(true, token).ConfigureAwait(false)).Results);
    }

    /// <summary>Like <see cref="LazilyAsync"/>, but reading the value blocks until it has come.</summary>
    public Lazy<List<T>> Lazily()
    {
        PendingAnswer<T> pending = RunLazily();
        return new Lazy<List<T>>(() => Completed.Result(pending(false, default)).Results, LazyThreadSafetyMode.PublicationOnly);
    }

    private PendingAnswer<T> RunLazily() => _core.RunLazily<T>(Make(), answer => _statistics?.CopyFrom(answer.Statistics));

    private async ValueTask<List<T>> RunAsync(bool isAsync, CancellationToken token)
    {
        QueryAnswer<T> answer = await _core.RunAsync<T>(Make(), isAsync, token).ConfigureAwait(false);
        _statistics?.CopyFrom(answer.Statistics);
        return answer.Results;
    }

    // Each row shows what it is: a document has an id and is not a projection.
    internal IndexQuery Make() => new()
    {
        Query = _rql,
        QueryParameters = new Dictionary<string, object?>(_parameters),
        WaitForNonStaleResults = _waits,
        WaitForNonStaleResultsTimeout = _waitsFor,
        NoTracking = _isUntracked,
        NoCaching = _isUncached,
    };
}
