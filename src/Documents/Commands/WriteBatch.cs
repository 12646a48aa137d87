namespace Jackdaw.Documents.Commands;

/// <summary>Commands that succeed or fail together.</summary>
public sealed class WriteBatch
{
    /// <summary>The commands in the order in which they are applied. A command object belongs to one batch at a time.</summary>
    public required ReadOnlyMemory<DocumentCommand> Commands { get; init; }

    /// <summary>Whether a put whose body equals the stored one writes nothing and keeps the etag (bulk insert's skipOverwriteIfUnchanged).</summary>
    public bool SkipUnchanged { get; init; }
}
