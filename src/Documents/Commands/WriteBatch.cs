namespace Jackdaw.Documents.Commands;

/// <summary>Commands that succeed or fail together.</summary>
public sealed class WriteBatch
{
    /// <summary>In the order in which they are applied. Each is written by one batch at a time.</summary>
    public required ReadOnlyMemory<DocumentCommand> Commands { get; init; }

    /// <summary>A put whose body equals the stored one writes nothing and keeps the etag (bulk insert's
    /// skipOverwriteIfUnchanged).</summary>
    public bool SkipUnchanged { get; init; }
}
