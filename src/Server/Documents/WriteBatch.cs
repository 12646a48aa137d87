namespace Jackdaw.Server.Documents;

/// <summary>Commands that succeed or fail together.</summary>
public sealed class WriteBatch
{
    public required ReadOnlyMemory<WriteCommand> Commands { get; init; }

    /// <summary>A put whose body equals the stored one writes nothing and keeps the etag (bulk insert's
    /// skipOverwriteIfUnchanged).</summary>
    public bool SkipUnchanged { get; init; }

    /// <summary>False: nobody reads the results of single commands (bulk insert), so none are made.</summary>
    public bool ResultsWanted { get; init; } = true;
}
