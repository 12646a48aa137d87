using Jackdaw.Documents.Callers;

namespace Jackdaw.Server.Notices;

/// <summary>What can be watched. Those of the first group are counted, the others are sets of names.</summary>
internal enum WatchSubject
{
    Documents,
    Indexes,
    Operations,
    Counters,
    AllTimeSeries,
    Caches,
    Topology,

    Document,
    Prefix,
    Collection,
    Index,
    Operation,
    Counter,
    CountersOfDocument,
    CounterOfDocument,
    TimeSeries,
    TimeSeriesOfDocument,
    OneTimeSeriesOfDocument,
}

/// <summary>What names the watched thing.</summary>
internal enum WatchKey
{
    /// <summary>Nothing: all of them are watched.</summary>
    None,

    /// <summary>A text in Param.</summary>
    Text,

    /// <summary>A number in Param, as a text.</summary>
    Number,

    /// <summary>An id and a name, in Params.</summary>
    Pair,
}

/// <summary>A kind of watch as commands name it.</summary>
/// <param name="Name">What follows <c>watch-</c> and <c>unwatch-</c> in the command.</param>
/// <param name="Subject">What is watched.</param>
/// <param name="Key">What names the watched thing.</param>
/// <param name="Access">What the watcher needs.</param>
internal sealed record WatchKind(string Name, WatchSubject Subject, WatchKey Key, Access Access)
{
    /// <summary>Subject of messages about what it needs.</summary>
    public string Title { get; } = $"The command watch-{Name}";
}
