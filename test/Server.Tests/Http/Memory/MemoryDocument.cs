using Jackdaw.Server.Documents;
using Jackdaw.Server.Documents.Json;

namespace Jackdaw.Server.Tests.Http.Memory;

/// <summary>A document of the in-memory store; immutable.</summary>
internal sealed record MemoryDocument(
    byte[] Id, byte[] Key, Etag Etag, long LastModifiedTicks, byte[] Collection, byte[] Body, int MetadataOffset)
{
    public StoredDocument ToStored() => new()
    {
        Id = Id,
        Key = Key,
        Etag = Etag,
        LastModifiedTicks = LastModifiedTicks,
        Collection = Collection,
        Flags = DocumentFlags.None,
        Body = Body,
        MetadataOffset = MetadataOffset,
    };
}
