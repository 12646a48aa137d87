namespace Jackdaw.Server.Documents.Identity;

/// <summary>Who completes the id of a document that is put.</summary>
public enum DocumentIdKind
{
    /// <summary>Nobody: stored as is.</summary>
    Complete,

    /// <summary>Ends with '/': the server appends the write's etag and its node's tag.</summary>
    NumberedByServer,

    /// <summary>Ends with '|': the next value of the identity with that prefix replaces the '|' by '/' and a
    /// number.</summary>
    Identity,

    /// <summary>Empty: the server makes a GUID.</summary>
    Generated,
}
