using Jackdaw.Server.Documents.Json;

namespace Jackdaw.Server.Documents.Storage;

/// <summary>What the writer thread notes of one command; texts are made of it on the request's thread.</summary>
internal struct CommandOutcome
{
    public Etag Etag;
    public long Ticks;
    public DocumentFlags Flags;
    public bool Deleted;

    /// <summary>Null: the id as sent.</summary>
    public string? Id;
}
