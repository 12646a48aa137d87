namespace Jackdaw.Documents.Databases;

/// <summary>What the server stores about a database besides its documents.</summary>
/// <param name="Name">The name in the casing of its creation; compared without regard to case.</param>
/// <param name="Etag">The commit index of the last change of the record.</param>
/// <param name="TopologyEtag">The commit index of the creation.</param>
/// <param name="DatabaseId">22 characters of base64.</param>
/// <param name="IsDisabled">Whether the database is disabled; this overrides a member <c>Disabled</c> inside the JSON.</param>
/// <param name="Json">The record in UTF-8 as the client sent it, including unknown members.</param>
public sealed record DatabaseRecord(
    string Name, long Etag, long TopologyEtag, string DatabaseId, bool IsDisabled, ReadOnlyMemory<byte> Json);

/// <summary>Settings that clients fetch and obey. The server itself reads only whether they are disabled.</summary>
/// <param name="Etag">The commit index of the change; 0 for "never set".</param>
/// <param name="IsDisabled">A disabled configuration counts as missing.</param>
/// <param name="Json">The object in UTF-8 as it was sent; empty when it was never set.</param>
public sealed record ClientConfiguration(long Etag, bool IsDisabled, ReadOnlyMemory<byte> Json)
{
    public static ClientConfiguration Unset { get; } = new(0, true, default);
}
