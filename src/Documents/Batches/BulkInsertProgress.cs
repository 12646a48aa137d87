namespace Jackdaw.Documents.Batches;

/// <summary>The outcome of reading a piece of a bulk insert's body.</summary>
public enum BulkInsertProgress
{
    /// <summary>All bytes were consumed; the next command needs more.</summary>
    NeedsMore,

    /// <summary>One command was added; there may be more in the same bytes.</summary>
    Command,

    /// <summary>The next bytes are those of the content of the last command: see <see cref="BulkInsertReader.TakeContent"/>.</summary>
    Content,

    /// <summary>The closing bracket was read. The body may never end: answer now.</summary>
    Ended,
}
