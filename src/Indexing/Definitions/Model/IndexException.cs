using Jackdaw.Json.Refusals;

namespace Jackdaw.Indexing.Definitions.Model;

/// <summary>A request about an index is refused; the message is for the client.</summary>
/// <param name="fault">The kind of mistake.</param>
internal sealed class IndexException(IndexFault fault, string message) : RefusedException(KindOf(fault), message)
{
    public IndexFault Fault { get; } = fault;

    private static RefusalKind KindOf(IndexFault fault) => fault switch
    {
        IndexFault.Missing or IndexFault.NotMade => RefusalKind.IndexMissing,
        IndexFault.Locked or IndexFault.NotNow => RefusalKind.NotPossible,
        IndexFault.TooMany => RefusalKind.InvalidOperation,
        IndexFault.Unusable => RefusalKind.IndexUnusable,
        IndexFault.InvalidDefinition => RefusalKind.InvalidArgument,
        _ => RefusalKind.Closing,
    };
}

/// <summary>Kinds of mistakes around indexes.</summary>
internal enum IndexFault
{
    /// <summary>There is no index with this name.</summary>
    Missing,

    /// <summary>A query needs an index that queries may not make here.</summary>
    NotMade,

    /// <summary>A name, an option or a combination that is not allowed.</summary>
    InvalidDefinition,

    /// <summary>The index has failed too often, or its definition cannot be compiled any more.</summary>
    Unusable,

    /// <summary>The index is locked against changes of its definition.</summary>
    Locked,

    /// <summary>The request is not possible in the current state of the index.</summary>
    NotNow,

    /// <summary>No more are allowed.</summary>
    TooMany,

    /// <summary>The database is being closed, or its writes are refused.</summary>
    Unavailable,
}
