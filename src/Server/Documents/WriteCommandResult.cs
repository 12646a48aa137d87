using Jackdaw.Server.Documents.Json;

namespace Jackdaw.Server.Documents;

/// <summary>Outcome of one command of an applied batch.</summary>
public readonly record struct WriteCommandResult
{
    /// <summary>Put: the id as stored, with what the server appended and in the casing of the first write. Others: the
    /// id as sent.</summary>
    public required string Id { get; init; }

    /// <summary>Etag of the document or of the (last) tombstone; <see cref="Etag.None"/> when nothing was
    /// deleted.</summary>
    public required Etag Etag { get; init; }

    public long LastModifiedTicks { get; init; }

    public DocumentFlags Flags { get; init; }

    /// <summary>Delete and DeletePrefix: whether there was something to delete.</summary>
    public bool Deleted { get; init; }
}
