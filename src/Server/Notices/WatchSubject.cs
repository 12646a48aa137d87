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
