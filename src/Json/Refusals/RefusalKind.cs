namespace Jackdaw.Json.Refusals;

/// <summary>Why the server does not do what a caller asks for. The kinds do not depend on a protocol: one table of src/Server gives each kind its
/// answer.</summary>
public enum RefusalKind
{
    /// <summary>The request, or a text in it, does not have the form it must have.</summary>
    Malformed,

    /// <summary>A value in the request is not allowed.</summary>
    InvalidArgument,

    /// <summary>The request contradicts the rules, no matter what is stored.</summary>
    InvalidOperation,

    /// <summary>What is stored, or the state of the server, does not allow it.</summary>
    NotPossible,

    /// <summary>It is more than one request, transaction or document may have.</summary>
    TooLarge,

    /// <summary>The key of a compare exchange value is longer than it may be.</summary>
    KeyTooBig,

    /// <summary>It is known, but this version does not support it.</summary>
    NotSupported,

    /// <summary>The caller does not have the access that this needs.</summary>
    AccessDenied,

    /// <summary>A stored version is not the one that the caller expected.</summary>
    Conflict,

    /// <summary>A cluster-wide transaction expected other versions than the stored ones.</summary>
    ClusterConflict,

    /// <summary>A document that must exist does not.</summary>
    DocumentMissing,

    /// <summary>An attachment that must exist does not.</summary>
    AttachmentMissing,

    /// <summary>The content that the request sent earlier is gone; the caller sends it again.</summary>
    ContentGone,

    /// <summary>A counter would leave the range of a 64-bit number.</summary>
    CounterOverflow,

    /// <summary>The text of a query is wrong.</summary>
    InvalidQuery,

    /// <summary>Something ran longer than it may.</summary>
    TimedOut,

    /// <summary>Somebody ended it.</summary>
    Killed,

    /// <summary>A script failed while it ran.</summary>
    ScriptFailed,

    /// <summary>A script is not JavaScript, or uses what scripts may not use.</summary>
    InvalidScript,

    /// <summary>There is no index of that name.</summary>
    IndexMissing,

    /// <summary>The index has failed too often, or its definition can no longer be compiled.</summary>
    IndexUnusable,

    /// <summary>The definition of an index cannot be compiled.</summary>
    IndexCompilation,

    /// <summary>The code of an analyzer cannot be compiled.</summary>
    AnalyzerCompilation,

    /// <summary>The code of a sorter cannot be compiled.</summary>
    SorterCompilation,

    /// <summary>There is no sorter of that name.</summary>
    SorterMissing,

    /// <summary>Others use what the request needs; the caller tries again.</summary>
    Busy,

    /// <summary>The memory for requests and answers is used up; the caller tries again.</summary>
    Overloaded,

    /// <summary>The disk is full.</summary>
    DiskFull,

    /// <summary>The database is being closed or opened; the caller tries again.</summary>
    Closing,
}
