using Jackdaw.Json.Refusals;

namespace Jackdaw.Indexing.Definitions.Model;

/// <summary>An index or its definition cannot be used as asked; the message is for the client.</summary>
/// <param name="fault">What kind of mistake it is.</param>
internal sealed class IndexException(IndexFault fault, string message) : RefusedException(KindOf(fault), message)
{
    public IndexFault Fault { get; } = fault;

    private static RefusalKind KindOf(IndexFault fault) => fault switch
    {
        IndexFault.Missing => RefusalKind.IndexMissing,
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
    /// <summary>There is no index of that name.</summary>
    Missing,

    /// <summary>A name, an option or a combination that is not allowed.</summary>
    InvalidDefinition,

    /// <summary>The index has failed too often, or its definition cannot be compiled any more.</summary>
    Unusable,

    /// <summary>The index is locked against changes of its definition.</summary>
    Locked,

    /// <summary>What is asked is not possible in the state of the index.</summary>
    NotNow,

    /// <summary>There are as many as are allowed.</summary>
    TooMany,

    /// <summary>The database is being closed, or its writes are refused.</summary>
    Unavailable,
}
