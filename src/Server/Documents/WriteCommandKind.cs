namespace Jackdaw.Server.Documents;

/// <summary>What one command of a batch does.</summary>
public enum WriteCommandKind
{
    /// <summary>Insert or overwrite one document.</summary>
    Put,

    /// <summary>Delete one document; deleting a missing one succeeds with Deleted = false.</summary>
    Delete,

    /// <summary>Delete every document whose id starts with the given one.</summary>
    DeletePrefix,

    /// <summary>Write nothing, demand a version: what a session loaded and did not change.</summary>
    Check,
}
