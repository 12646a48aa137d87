namespace Jackdaw.Server.Documents.Parsing;

/// <summary>What a member of a sent @metadata is to the server.</summary>
internal enum MetadataMember
{
    /// <summary>The user's: kept as sent.</summary>
    Opaque,

    /// <summary>The collection.</summary>
    Collection,

    /// <summary>The server's own answer sent back: left out, and added again by reads.</summary>
    Reserved,
}
