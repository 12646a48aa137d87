namespace Jackdaw.Server.Documents.Commands;

/// <summary>What a read of a bulk insert's body came to.</summary>
public enum BulkInsertProgress
{
    /// <summary>All bytes were taken; the next command needs more.</summary>
    NeedsMore,

    /// <summary>One command was added; there may be more in the same bytes.</summary>
    Command,

    /// <summary>The closing bracket was read. The body may never end: answer now.</summary>
    Ended,
}
