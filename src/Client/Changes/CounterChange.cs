namespace Jackdaw.Client.Changes;

/// <summary>The value of a document's counter has changed.</summary>
public sealed record CounterChange : ChangeItem
{
    /// <summary>What happened to it.</summary>
    public CounterChangeTypes Type { get; init; }

    /// <summary>Its name.</summary>
    public required string Name { get; init; }

    /// <summary>Its value after the change; 0 when it was deleted.</summary>
    public long Value { get; init; }

    /// <summary>Id of its document.</summary>
    public required string DocumentId { get; init; }

    /// <summary>Collection of its document; null when the server does not say it.</summary>
    public string? CollectionName { get; init; }

    /// <summary>Version of the counter; null when the server does not say it.</summary>
    public string? ChangeVector { get; init; }
}

/// <summary>What happened to a counter.</summary>
public enum CounterChangeTypes
{
    /// <summary>Something that this version of the client does not know.</summary>
    None,

    /// <summary>New.</summary>
    Put,

    /// <summary>Deleted.</summary>
    Delete,

    /// <summary>Added to.</summary>
    Increment,
}
