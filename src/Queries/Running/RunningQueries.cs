using System.Collections.Concurrent;
using System.Diagnostics;
using Jackdaw.Queries.Searching;

namespace Jackdaw.Queries.Running;

/// <summary>The queries that run now, for people who look for the one that makes the server slow. Any thread.</summary>
internal sealed class RunningQueries
{
    private readonly ConcurrentDictionary<long, RunningQuery> _queries = new();
    private long _lastId;

    /// <summary>Adds a query until what is returned is disposed.</summary>
    /// <param name="database">The name of its database.</param>
    /// <param name="text">Its text, without the values of parameters.</param>
    /// <param name="sender">Who sent it, for people.</param>
    public IDisposable Add(string database, string text, string sender, QueryDeadline deadline)
    {
        var query = new RunningQuery(this, Interlocked.Increment(ref _lastId), database, text, sender, deadline);
        _queries[query.Id] = query;
        return query;
    }

    /// <summary>Those of a database, the oldest first.</summary>
    public IReadOnlyList<RunningQuery> List(string database) =>
        [.. _queries.Values.Where(query => query.Database == database).OrderBy(query => query.Id)];

    /// <summary>A query of a database; null when it does not run any more.</summary>
    public RunningQuery? Find(string database, long id) =>
        _queries.TryGetValue(id, out RunningQuery? query) && query.Database == database ? query : null;

    internal void Remove(RunningQuery query) => _queries.TryRemove(query.Id, out _);
}

/// <summary>One query that runs.</summary>
internal sealed class RunningQuery(RunningQueries list, long id, string database, string text, string sender, QueryDeadline deadline) : IDisposable
{
    private readonly long _began = Stopwatch.GetTimestamp();

    public long Id => id;

    public string Database => database;

    public string Text => text;

    public string Sender => sender;

    /// <summary>How long it has run, with its waits for indexes.</summary>
    public TimeSpan Elapsed => Stopwatch.GetElapsedTime(_began);

    /// <summary>Ends it.</summary>
    public QueryDeadline Deadline => deadline;

    public void Dispose() => list.Remove(this);
}
