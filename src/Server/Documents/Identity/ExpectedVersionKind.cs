namespace Jackdaw.Server.Documents.Identity;

/// <summary>Kinds of <see cref="ExpectedVersion"/>.</summary>
public enum ExpectedVersionKind
{
    /// <summary>No demand.</summary>
    Any,

    /// <summary>No document of that id may exist.</summary>
    Missing,

    /// <summary>The stored document has exactly this change vector.</summary>
    Exactly,
}
