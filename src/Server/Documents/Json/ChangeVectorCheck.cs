namespace Jackdaw.Server.Documents.Json;

/// <summary>What a command expects of the stored document.</summary>
public enum ChangeVectorCheck
{
    /// <summary>Nothing: ChangeVector was absent or null.</summary>
    None,

    /// <summary>That there is none: ChangeVector was the empty string.</summary>
    MustNotExist,

    /// <summary>That it has exactly this change vector.</summary>
    MustEqual,
}
