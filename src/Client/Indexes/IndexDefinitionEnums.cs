namespace Jackdaw.Client.Indexes;

/// <summary>What happens when a definition of the same name is put.</summary>
public enum IndexLockMode
{
    /// <summary>The index takes the new definition.</summary>
    Unlock,

    /// <summary>The index stays as it is, without an error.</summary>
    LockedIgnore,

    /// <summary>The index stays as it is, and the put is an error.</summary>
    LockedError,
}

/// <summary>Which index gets a thread first when several have work.</summary>
public enum IndexPriority
{
    Low,
    Normal,
    High,
}

/// <summary>What an index does.</summary>
public enum IndexState
{
    Normal,
    Disabled,

    /// <summary>It was not queried for a long time. The next query brings it up to date.</summary>
    Idle,

    /// <summary>Too many documents have failed.</summary>
    Error,
}

/// <summary>How an index is deployed to the nodes of a cluster.</summary>
public enum IndexDeploymentMode
{
    Parallel,
    Rolling,
}

/// <summary>Whether archived documents are indexed.</summary>
public enum ArchivedDataProcessingBehavior
{
    ExcludeArchived,
    IncludeArchived,
    ArchivedOnly,
}

/// <summary>The engine that an index asks for.</summary>
public enum SearchEngineType
{
    Corax,
    Lucene,
}

/// <summary>The kind of an index, as the server has determined it.</summary>
public enum IndexType
{
    None,
    Map,
    MapReduce,
    JavaScriptMap,
    JavaScriptMapReduce,
    AutoMap,
    AutoMapReduce,
    Faulty,
}

/// <summary>What an index reads, as the server has determined it.</summary>
public enum IndexSourceType
{
    None,
    Documents,
    TimeSeries,
    Counters,
}
