namespace Jackdaw.Indexing.Definitions.Model;

// Names are those of the protocol: they are written and read as texts.
internal enum IndexType
{
    Map,
    MapReduce,
    JavaScriptMap,
    JavaScriptMapReduce,
    AutoMap,
    AutoMapReduce,
    Faulty,
}

internal enum IndexSourceType
{
    Documents,
    TimeSeries,
    Counters,
}

internal enum IndexLockMode
{
    Unlock,
    LockedIgnore,
    LockedError,
}

internal enum IndexPriority
{
    Low,
    Normal,
    High,
}

internal enum IndexState
{
    Normal,
    Disabled,
    Idle,
    Error,
}

internal enum IndexDeploymentMode
{
    Parallel,
    Rolling,
}

internal enum ArchivedDataProcessing
{
    ExcludeArchived,
    IncludeArchived,
    ArchivedOnly,
}

internal enum FieldIndexingOption
{
    Default,
    Exact,
    Search,
    Highlighting,
    No,
}

internal enum FieldTermVectorOption
{
    No,
    Yes,
    WithPositions,
    WithOffsets,
    WithPositionsAndOffsets,
}

internal enum SpatialFieldType
{
    Geography,
    Cartesian,
}

internal enum SpatialStrategy
{
    GeohashPrefixTree,
    QuadPrefixTree,
    BoundingBox,
}

internal enum SpatialUnits
{
    Kilometers,
    Miles,
}
