using Jackdaw.Server.Documents.Identity;

namespace Jackdaw.Server.Documents.Changes;

/// <summary>One change of a database. A view: valid until its source moves on.</summary>
public readonly ref struct Change
{
    public required ChangeKind Kind { get; init; }

    /// <summary>UTF-8: the document's id, or the key of the compare exchange value, as stored.</summary>
    public required ReadOnlySpan<byte> Id { get; init; }

    /// <summary>UTF-8, as in the document that was put, deleted or moved; empty for compare exchange.</summary>
    public required ReadOnlySpan<byte> Collection { get; init; }

    /// <summary>Of the document or of its tombstone; the index of a compare exchange value.</summary>
    public required Etag Etag { get; init; }

    /// <summary>Empty: the one that the database makes of the etag alone.</summary>
    public required ReadOnlySpan<byte> ChangeVector { get; init; }
}
