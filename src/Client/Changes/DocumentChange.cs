namespace Jackdaw.Client.Changes;

/// <summary>A document was written or deleted. A read after this notice sees this change or a later one.</summary>
public sealed record DocumentChange : ChangeItem
{
    /// <summary>What happened to it.</summary>
    public DocumentChangeTypes Type { get; init; }

    /// <summary>Its id, as it was written.</summary>
    public required string Id { get; init; }

    /// <summary>Its collection; null when the server does not say it.</summary>
    public string? CollectionName { get; init; }

    /// <summary>Its version after the change; null when the server does not say it.</summary>
    public string? ChangeVector { get; init; }
}

/// <summary>What happened to a document.</summary>
public enum DocumentChangeTypes
{
    /// <summary>Something that this version of the client does not know.</summary>
    None,

    /// <summary>Written.</summary>
    Put,

    /// <summary>Deleted. For a watch of a collection, also: no longer in this collection.</summary>
    Delete,

    /// <summary>Two servers have different versions.</summary>
    Conflict,

    /// <summary>A document that the server itself uses, such as one that holds ranges of ids.</summary>
    Common,
}
