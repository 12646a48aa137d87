namespace Jackdaw.Documents.Databases;

/// <summary>What the server stores about a database besides its documents.</summary>
/// <param name="Name">In the casing of its creation; compared without case.</param>
/// <param name="Etag">Commit index of the last change of the record.</param>
/// <param name="TopologyEtag">Commit index of the creation.</param>
/// <param name="DatabaseId">22 characters of base64.</param>
/// <param name="IsDisabled">The switch; it wins over a member <c>Disabled</c> inside the JSON.</param>
/// <param name="Json">UTF-8 of the record as the client sent it, unknown members included.</param>
public sealed record DatabaseRecord(
    string Name, long Etag, long TopologyEtag, string DatabaseId, bool IsDisabled, ReadOnlyMemory<byte> Json);

/// <summary>Settings that clients fetch and obey; opaque to the server except for the switch.</summary>
/// <param name="Etag">Commit index of the change; 0 for "never set".</param>
/// <param name="IsDisabled">A disabled configuration counts as none.</param>
/// <param name="Json">UTF-8 of the object as it was sent; empty when never set.</param>
public sealed record ClientConfiguration(long Etag, bool IsDisabled, ReadOnlyMemory<byte> Json)
{
    public static ClientConfiguration Unset { get; } = new(0, true, default);
}
